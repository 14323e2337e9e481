/**
 * An endpoint of the trading interface as a row: where it is, whom it asks for, what it weighs and takes, and what is said of it. The server
 * serves by it, and the published files say it.
 */
import type { Shape } from '../../units/shape.ts'
import type { Reason } from '../reasons/catalogue.ts'
import type { ParametersByName } from './parameter.ts'
import type { SecurityWord } from './reasons.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type EndpointRow = {
  readonly method: Method
  /** Under `/api/v3`. */
  readonly path: string
  /** False: it is the common interface's, which ignores parameters that it does not know. */
  readonly isExtension: boolean
  readonly security: SecurityWord
  /** What a request costs of the address's weight, at least. */
  readonly weight: number
  /** Where the weight depends on what is asked for. */
  readonly weightNote?: string
  readonly tag: Tag
  readonly summary: string
  /** Where it is described, under docs/reference. */
  readonly page: string
  /** Without `timestamp` and `recvWindow`. */
  readonly parameters: ParametersByName
  /** What is in the envelope of HTTP 200. Without it the whole answer is a schema of `wire/schemas/answers.ts`. */
  readonly answer?: Shape
  /** Of ours: it ignores parameters that it does not know too. */
  readonly ignoresUnknown?: true
  /** The answer may be a table. */
  readonly isCsv?: true
  /** Beside those of its security and form. */
  readonly reasons: readonly Reason[]
  /** Parameters of a request that stands as the example. */
  readonly example: Readonly<Record<string, string | number>>
  /** Names of examples of answers in the pages of the reference. */
  readonly answers: readonly string[]
}

/** By what generated clients call them. */
export type EndpointRows = Readonly<Record<string, EndpointRow>>

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
