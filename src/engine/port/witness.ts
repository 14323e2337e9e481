/**
 * A witness remembers, apart from the journal, how far the journal once reached. Storage that loses its end
 * without an error (SQLite drops a damaged tail of its log silently) is found out by it.
 */
import type { JournalPosition } from './journal.ts'

/** What a witness says when asked at start. */
export type Testimony =
  /** There never was a witness here. */
  | { readonly kind: 'NONE' }
  | {
      readonly kind: 'MARK'
      readonly mark: JournalPosition
      /** What of the witness itself was found damaged; undefined: nothing. */
      readonly damage: string | undefined
    }
  /** There is a witness, but nothing in it can be read. */
  | { readonly kind: 'UNREADABLE'; readonly damage: string }

export interface Witness {
  recall(): Testimony

  /**
   * Remembers the journal's new end; called after each commit and before anybody is answered. While the storage is full it may go on
   * remembering an earlier end, which is still true, until the next call. Throws `JournalFault` `FAILED`.
   */
  record(mark: JournalPosition): void

  /** Forgets everything but `mark`: an empty journal, or an operator accepted the journal as it is. Durable. */
  reset(mark: JournalPosition): void

  close(): void
}
