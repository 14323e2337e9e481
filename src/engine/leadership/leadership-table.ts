/**
 * The table of a cluster's journal, for claiming and leading: one connection to a database with several
 * writers. It stores, reads and reports facts. The conclusions (which engine leads, what counts, what is in
 * doubt) are drawn in this folder, for every database alike.
 */
import type { Seq } from '../../units/quantities.ts'
import { type Batch, JournalFault, type Tail } from '../port/journal.ts'

/**
 * The result of adding a row.
 * - `STORED`: the commit was answered. With a notice it is unknown whether it is replicated.
 * - `TAKEN`: the position has a row already; nothing was changed.
 * - `FULL`: there is no space; nothing was changed, and the connection is still usable.
 * - `UNKNOWN`: anything else. The row may be stored now, later, or never.
 */
export type Insertion =
  | { readonly kind: 'STORED'; readonly notices: readonly string[] }
  | { readonly kind: 'TAKEN' | 'FULL' | 'UNKNOWN'; readonly fault: JournalFault }

/**
 * The additional result of a claim: `RECEIVING` means that an exchange is being moved into this journal, or
 * that a move was interrupted. Nothing was changed.
 */
export type ClaimInsertion = Insertion | { readonly kind: 'RECEIVING'; readonly fault: JournalFault }

/**
 * The epoch in the leader's row while an exchange is moved into the journal: it cannot be claimed until the
 * move is complete.
 */
export const RECEIVING_EPOCH = -1

/** The leader's row. */
export type LeaderRow = {
  /** 0 if no engine ever led; `RECEIVING_EPOCH` if none can. */
  readonly epoch: number
  readonly name: string
  /**
   * Age of the leader's last heartbeat, by the database's clock; undefined if it has given up leadership, or
   * no engine ever led.
   */
  readonly heardMsAgo: number | undefined
}

/** The result of a heartbeat. */
export type LeaderHeartbeat = {
  /** False if another epoch has begun. */
  readonly isMine: boolean
  readonly notices: readonly string[]
}

/**
 * Opens a connection. Rejects with `JournalFault`: `UNSUPPORTED` if the database is not the declared one,
 * `FAILED`.
 */
export type OpenTable = () => Promise<LeadershipTable>

/**
 * One call at a time. Every call rejects with `JournalFault`; after that the intended change may or may not
 * have happened.
 */
export interface LeadershipTable {
  /** Adds a batch at its position, in one commit. */
  insert(batch: Batch): Promise<Insertion>

  /** Adds a claim and makes `name` and the claim's epoch those of the leader's row, in one commit. */
  insertClaim(claim: Batch, name: string): Promise<ClaimInsertion>

  /**
   * Whether everything committed is stored as declared, now and not only at the time of the commit. Resolves
   * with the problem; undefined if there is none. Waits a bounded time for standbys that are behind.
   */
  confirm(): Promise<string | undefined>

  /** The end of the last batch that this connection sees, confirmed or not. */
  readTail(): Promise<Tail>

  /** The batch at `position`; undefined if there is none. */
  readAt(position: number): Promise<Batch | undefined>

  /** The last command of the batch at `position`; undefined if there is none. */
  lastSeqAt(position: number): Promise<Seq | undefined>

  /**
   * Batches from `first` to `last`, oldest first: as many as fit into `maxBytes` (`sizeOf`), at least one if
   * any is stored.
   */
  readFrom(first: number, last: number, maxBytes: number): Promise<readonly Batch[]>

  /** The journal's own batches, claims and quarantines, oldest first. */
  readOwn(): Promise<readonly Batch[]>

  leader(): Promise<LeaderRow>

  /** Renews the lead of the leader of `epoch`, in one commit; changes nothing if another epoch has begun. */
  heartbeat(epoch: number): Promise<LeaderHeartbeat>

  /**
   * Records that the leader of `epoch` no longer leads, so that others need not wait for the leader timeout.
   */
  resign(epoch: number): Promise<void>

  /** Closes the connection cleanly. Never rejects. */
  close(): Promise<void>

  /** Cuts the connection at once: pending statements get no answer, and no more can be sent. */
  cut(): void
}

/** The reason why a journal into which an exchange is being moved cannot be claimed. */
export function receiving(name: string): JournalFault {
  return new JournalFault(
    'IN_USE',
    `an exchange is being moved into this journal by ${name}, or the move was interrupted: bourse cluster import with the same directory continues it`,
  )
}

/** The same fault, with the failed operation before its message. */
export function faultWhile(what: string, cause: JournalFault): JournalFault {
  return new JournalFault(cause.kind, `${what}: ${cause.message}`, { cause })
}
