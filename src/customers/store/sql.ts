/**
 * The database of a store, as its classes use it: SQLite in a file, or a schema in PostgreSQL. All statements
 * are written in the common part of both languages, once.
 *
 * Every call is synchronous: between two statements nothing else of this process runs, so that a check and
 * the write that depends on it need no lock of their own.
 */

/** Whole numbers are safe integers; times are in milliseconds. */
export type SqlValue = string | number | Uint8Array | null

/** The database cannot be used: it belongs to another program, has another version, or is damaged. */
export class StoreFault extends Error {
  override readonly name: string = 'StoreFault'
}

/**
 * The database does not answer, or cannot serve now. If a change was under way, it may be stored or not. A
 * later call may succeed, unless the process stops and has closed it.
 */
export class StoreAwayFault extends StoreFault {
  override readonly name: string = 'StoreAwayFault'
}

/**
 * Parameters are `?`, in their order, or `?1`, `?2`, each of which may be used more than once. All methods
 * throw if the database refuses the statement.
 */
export interface Sql {
  /** The first row; undefined if there is none. */
  get<Row>(text: string, ...values: readonly SqlValue[]): Row | undefined
  all<Row>(text: string, ...values: readonly SqlValue[]): readonly Row[]
  /** Returns how many rows were added, changed or deleted. */
  run(text: string, ...values: readonly SqlValue[]): number
  /**
   * Runs all of the work in one transaction, or nothing, as if no other transaction ran at the same time.
   * Within another transaction, it is a part of that one. The work may be run several times, so it must have
   * no effects outside this database.
   */
  atOnce<Result>(work: () => Result): Result
  /**
   * Runs an effect outside the database once, as soon as the transaction under way is stored; outside of one,
   * now. It is not run if the transaction fails, or if it is unknown whether it is stored.
   */
  afterwards(effect: () => void): void
  /** Overwrites what deleted rows have left, as far as this process can reach it. */
  scrub(): void
  /** Operations still in progress fail with a `StoreAwayFault` from then on. */
  close(): void
}
