/** What is said of an endpoint, in one row of a table (`endpoints.ts`). */
import type { z } from 'zod'
import type { Reason } from '../reasons/catalogue.ts'
import type { SecurityWord } from './reasons.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type EndpointRow = {
  /** What generated clients call it. */
  readonly id: string
  readonly method: Method
  /** Under `/api/v3`. */
  readonly path: string
  /** False: it is the common interface's. */
  readonly isExtension: boolean
  readonly security: SecurityWord
  readonly weight: number
  /** Where the weight depends on what is asked for. */
  readonly weightNote?: string
  readonly tag: Tag
  readonly summary: string
  /** Where it is described, under docs/reference. */
  readonly page: string
  /** Without `timestamp` and `recvWindow`. */
  readonly parameters: z.ZodObject
  /** The body of HTTP 200. */
  readonly answer: z.ZodType
  /** Of a refusal that has more than the others, by its status. */
  readonly others?: Readonly<Record<number, z.ZodType>>
  /** The answer may be a table. */
  readonly isCsv?: true
  /** Beside those of its security and form. */
  readonly reasons: readonly Reason[]
  /** Parameters of a request that stands as the example. */
  readonly example: Readonly<Record<string, string | number>>
  /** Names of examples of answers in the pages of the reference. */
  readonly answers: readonly string[]
}

export type Tag = 'Service' | 'Market data' | 'Trading' | 'Order lists' | 'Account'

export const TAGS: Readonly<Record<Tag, string>> = {
  Service: 'The service itself.',
  'Market data': 'Books, trades, candles.',
  Trading: 'Orders: placing, changing, cancelling, reading.',
  'Order lists': 'Orders that belong together.',
  Account: 'Money, fills, limits.',
}

/** Whether parameters are sent in a body: a DELETE has one too, but many libraries drop it. */
export function hasForm({ method }: Pick<EndpointRow, 'method'>): boolean {
  return method === 'POST' || method === 'PUT'
}
