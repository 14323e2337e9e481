/**
 * A witness records, outside the journal, the position that the journal once reached. It detects storage that
 * loses its end without an error (SQLite drops a damaged tail of its log silently).
 */
import type { JournalPosition } from './journal.ts'

/** The content of a witness at the start. */
export type WitnessRecord =
  /** There never was a witness in this directory. */
  | { readonly kind: 'NONE' }
  | {
      readonly kind: 'MARK'
      readonly mark: JournalPosition
      /** Damage of the witness itself; undefined if there is none. */
      readonly damage: string | undefined
    }
  /** There is a witness, but nothing in it can be read. */
  | { readonly kind: 'UNREADABLE'; readonly damage: string }

export interface Witness {
  recall(): WitnessRecord

  /**
   * Stores the journal's new end; called after each commit and before any request is answered. While the
   * storage is full the witness may keep an earlier end, which is still true, until the next call. Throws
   * `JournalFault` `FAILED`.
   */
  record(mark: JournalPosition): void

  /**
   * Forgets everything except `mark`: the journal is empty, or an operator has accepted it as it is.
   * Durable.
   */
  reset(mark: JournalPosition): void

  close(): void
}
