/**
 * An endpoint of this wire as data: routes, parameter checks, the page docs/binance.md and the tests of all
 * endpoints are made from the rows.
 */

/**
 * `NONE`: no key, and a key that is sent is ignored. `USER_DATA` reads, `TRADE` changes something: both are
 * signed.
 */
export type WireSecurity = 'NONE' | 'USER_DATA' | 'TRADE'

export type WireMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The form of a parameter, with Binance's number and text of the error for a wrong value. */
export type WireParameter = {
  readonly isRequired?: true
} & (
  | { readonly form: 'SYMBOL' | 'SYMBOLS' | 'DECIMAL' | 'TEXT' }
  /** Whole numbers; a value above `max` counts as `max`, as at Binance. */
  | { readonly form: 'WHOLE'; readonly min: number; readonly max: number }
  | { readonly form: 'WORD'; readonly words: readonly string[]; readonly wrong?: WrongWord }
)

/** The error for any other value. */
export type WrongWord = { readonly code: number; readonly msg: string }

export type WireRow = {
  readonly method: WireMethod
  /** The full path, such as `/api/v3/depth`. */
  readonly path: string
  /** Its name in the WebSocket API; undefined if it is not offered there. */
  readonly request?: string
  readonly security: WireSecurity
  /** The weight charged before any check; an endpoint may charge more after reading its parameters. */
  readonly weight: number
  readonly parameters: Readonly<Record<string, WireParameter>>
  /** Differences from Binance, one sentence of documentation; undefined if there are none. */
  readonly differs?: string
}

export const TIME: WireParameter = { form: 'WHOLE', min: 0, max: Number.MAX_SAFE_INTEGER }

/** Parameters of every signed endpoint. */
export const SIGNED: Readonly<Record<string, WireParameter>> = {
  recvWindow: { form: 'DECIMAL' },
  timestamp: { ...TIME, isRequired: true },
  signature: { form: 'TEXT', isRequired: true },
}

/** The part of a row that parameters are checked against. */
export type CheckedRow = Pick<WireRow, 'security' | 'parameters'>

/** All parameters of an endpoint. */
export function parametersOf({ security, parameters }: CheckedRow): WireRow['parameters'] {
  return security === 'NONE' ? parameters : { ...parameters, ...SIGNED }
}
