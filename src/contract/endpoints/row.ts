/**
 * An endpoint of the trading interface as a row: its path, its security, its weight, its parameters, and its
 * description. The server and the published files are derived from it.
 */
import type { Shape } from '../../units/shapes/shape.ts'
import type { Reason } from '../reasons/catalogue.ts'
import type { ParametersByName } from './parameter.ts'
import type { SecurityWord } from './reasons.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type EndpointRow = {
  readonly method: Method
  /** Under `/api/v3`. */
  readonly path: string
  /** False for the common interface, which ignores unknown parameters. */
  readonly isExtension: boolean
  readonly security: SecurityWord
  /** The weight of a request; if it varies, the smallest one. */
  readonly weight: number
  /** How the weight depends on the request; absent if the weight is constant. */
  readonly weightNote?: string
  readonly tag: Tag
  readonly summary: string
  /** The page that describes it, under docs/reference. */
  readonly page: string
  /** Without `timestamp` and `recvWindow`. */
  readonly parameters: ParametersByName
  /** The body of HTTP 200. */
  readonly answer: Shape
  /** A refusal with more members than the others, by its status. */
  readonly others?: Readonly<Record<number, Shape>>
  /** For an extension that also ignores unknown parameters. */
  readonly ignoresUnknown?: true
  /** The answer may be CSV. */
  readonly isCsv?: true
  /** Besides those of its security and form. */
  readonly reasons: readonly Reason[]
  /** Parameters of the example request. */
  readonly example: Readonly<Record<string, string | number>>
  /** Names of examples of answers in the reference's pages. */
  readonly answers: readonly string[]
}

/** Endpoints by their names in generated clients. */
export type EndpointRows = Readonly<Record<string, EndpointRow>>

export type Tag = 'Service' | 'Market data' | 'Trading' | 'Order lists' | 'Account'

export const TAGS: Readonly<Record<Tag, string>> = {
  Service: 'The service itself.',
  'Market data': 'Books, trades, candles.',
  Trading: 'Orders: placing, changing, canceling, reading.',
  'Order lists': 'Orders that belong together.',
  Account: 'Money, fills, limits.',
}

/** Whether parameters are sent in a body: a DELETE has one too, but many libraries drop it. */
export function hasForm({ method }: Pick<EndpointRow, 'method'>): boolean {
  return method === 'POST' || method === 'PUT'
}
