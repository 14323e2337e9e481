/**
 * Every endpoint of the trading interface with the schemas of its requests and answers, for the published
 * files.
 */
import type { z } from 'zod'
import { allParameters as allOf, ENDPOINT_IDS, ENDPOINT_ROWS } from '../endpoints/endpoints.ts'
import { reasonsOf } from '../endpoints/reasons.ts'
import type { EndpointRow } from '../endpoints/row.ts'
import type { Reason } from '../reasons/catalogue.ts'
import { zodParameters } from './zod-parameters.ts'
import { zodShape } from './zod-shapes.ts'

export type PublishedEndpoint = Omit<EndpointRow, 'answer' | 'others'> & {
  /** Its name in generated clients. */
  readonly id: string
  /** The body of HTTP 200. */
  readonly answer: z.ZodType
  /** A refusal with more members than the others, by its status. */
  readonly others: Readonly<Record<string, z.ZodType>>
}

export const ENDPOINTS: readonly PublishedEndpoint[] = ENDPOINT_IDS.map((id) => {
  const { answer, others = {}, ...row } = ENDPOINT_ROWS[id]
  const schemas = Object.entries(others).map(([status, shape]) => [status, zodShape(shape)] as const)
  return { ...row, id, answer: zodShape(answer), others: Object.fromEntries(schemas) }
})

/** All parameters of an endpoint. */
export function allParameters(row: Pick<EndpointRow, 'security' | 'parameters'>): z.ZodObject {
  return zodParameters(allOf(row))
}

/** All possible refusals of an endpoint. */
export function allReasons(row: PublishedEndpoint): readonly Reason[] {
  const { method, security, parameters, reasons } = row
  const hasParameters = security !== 'NONE' || Object.keys(parameters).length > 0
  return reasonsOf({ security, hasParameters, hasBody: method !== 'GET' }, reasons)
}
