/** Requests of a waiting thread to the thread that has the connection, and its answers. */
import type { SqlValue } from '../sql.ts'

/** A statement in PostgreSQL's own form, with `$1`, `$2`. */
export type StatementRequest = {
  /** The answer has the same number, so that a late answer is recognized as the answer to another request. */
  readonly id: number
  readonly kind: 'RUN'
  readonly text: string
  readonly values: readonly SqlValue[]
  /**
   * BEGIN: the statement is the first of a transaction, which begins with it. WITHIN: it is in the open
   * transaction.
   */
  readonly transaction: 'NONE' | 'BEGIN' | 'WITHIN'
}

export type ThreadRequest =
  | StatementRequest
  /** Waits for the first connection, or the reason why there is none. */
  | { readonly id: number; readonly kind: 'OPEN' }
  /** Ends the connection. */
  | { readonly id: number; readonly kind: 'CLOSE' }

/**
 * REFUSED: the server has answered with an error, and nothing has changed; AWAY: there is no connection, or
 * it was lost before the answer, so that the outcome is unknown.
 */
export type Outcome =
  | { readonly kind: 'ROWS'; readonly rows: readonly object[]; readonly count: number }
  | { readonly kind: 'REFUSED'; readonly code: string; readonly message: string }
  | { readonly kind: 'AWAY'; readonly message: string }

export type ThreadAnswer = { readonly id: number; readonly outcome: Outcome }

/** The memory through which the two threads communicate. */
export type ThreadPlace = {
  readonly port: MessagePort
  /** Raised and notified with each answer: one `Int32`. */
  readonly answered: SharedArrayBuffer
}
