/** Forms of values that requests and answers have. */
import type { Decimal } from './decimal.ts'

/** An exact decimal as text: digits, perhaps a point and more digits, and a sign where it may be below zero. */
export type DecimalText = string

/** A decimal to be sent. A number of JavaScript is none: `0.1 + 0.2` is not 0.3. */
export type DecimalInput = DecimalText | Decimal

/** A list of words may grow: bear one that is new. */
export type OtherWord = string & Record<never, never>

export type NoMembers = Readonly<Record<string, never>>

export type Security = 'NONE' | 'KEY' | 'USER_DATA' | 'TRADE' | 'WALLET' | 'WITHDRAW'

/** How an endpoint is asked, and what form its answer has. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Under `/api/v3`. */
  readonly path: string
  readonly security: Security
  /** Its parameters go in the body. */
  readonly isForm?: true
  readonly isExtension?: true
  /** What it answers stands in `data`. */
  readonly isEnveloped?: true
  /** Members of its answer that are numbers with decimals; `*`: every value is. */
  readonly numbers?: readonly string[]
}
