/** Forms of values in requests and answers. */
import type { Decimal } from './decimal.ts'

/** An exact decimal as text: digits, optionally a point and more digits, and a sign if it may be negative. */
export type DecimalText = string

/** A decimal to be sent. A JavaScript number is not accepted: `0.1 + 0.2` is not 0.3. */
export type DecimalInput = DecimalText | Decimal

/** A list of words may grow: accept new ones. */
export type OtherWord = string & Record<never, never>

export type NoMembers = Readonly<Record<string, never>>

export type Security = 'NONE' | 'KEY' | 'USER_DATA' | 'READ' | 'TRADE' | 'WALLET' | 'WITHDRAW'

/** The request of an endpoint, and the form of its answer. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Under `/api/v3`. */
  readonly path: string
  readonly security: Security
  /** Whether its parameters are sent in the body. */
  readonly isForm?: true
  readonly isExtension?: true
  /** Whether the answer is in `data`. */
  readonly isEnveloped?: true
  /** Members of its answer that are numbers with decimals; `*` for every value. */
  readonly numbers?: readonly string[]
}
