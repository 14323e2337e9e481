/** Every endpoint of the trading interface with the schemas of what it takes and answers, for the published files. */
import type { z } from 'zod'
import {
  allParameters as allOf,
  ENDPOINT_IDS,
  ENDPOINT_ROWS,
  type EndpointId,
  type UnshapedId,
} from '../endpoints/endpoints.ts'
import { reasonsOf } from '../endpoints/reasons.ts'
import type { EndpointRow } from '../endpoints/row.ts'
import type { Reason } from '../reasons/catalogue.ts'
import { ANSWERS, OTHER_ANSWERS } from './answers.ts'
import { successOf } from './envelope.ts'
import { zodParameters } from './zod-parameters.ts'
import { zodShape } from './zod-shapes.ts'

export type PublishedEndpoint = Omit<EndpointRow, 'answer'> & {
  /** What generated clients call it. */
  readonly id: string
  /** The body of HTTP 200. */
  readonly answer: z.ZodType
  /** Of a refusal that has more than the others, by its status. */
  readonly others?: Readonly<Record<number, z.ZodType>> | undefined
}

export const ENDPOINTS: readonly PublishedEndpoint[] = ENDPOINT_IDS.map((id) => ({
  ...ENDPOINT_ROWS[id],
  id,
  answer: answerOf(id),
  others: OTHER_ANSWERS[id],
}))

function answerOf(id: EndpointId): z.ZodType {
  const { answer } = ENDPOINT_ROWS[id]
  return answer === undefined ? ANSWERS[id as UnshapedId] : successOf(zodShape(answer))
}

/** All parameters of an endpoint. */
export function allParameters(row: Pick<EndpointRow, 'security' | 'parameters'>): z.ZodObject {
  return zodParameters(allOf(row))
}

/** All reasons that an endpoint can be refused with. */
export function allReasons(row: PublishedEndpoint): readonly Reason[] {
  const { method, security, parameters, reasons } = row
  const hasParameters = security !== 'NONE' || Object.keys(parameters).length > 0
  return reasonsOf({ security, hasParameters, hasBody: method !== 'GET' }, reasons)
}
