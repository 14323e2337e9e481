/**
 * The table that a cluster's journal is kept in, as whoever claims and leads needs it: one connection to a database that several may
 * write to. It stores, reads and says what it knows. What follows from that (who leads, what counts, what is in doubt) is decided
 * in this folder, for every database alike.
 */
import type { Seq } from '../../units/quantities.ts'
import { type Batch, JournalFault, type Tail } from '../port/journal.ts'

/**
 * What became of a row that was to be added.
 * - `STORED`: the commit was answered. With a notice nobody knows whether it is replicated.
 * - `TAKEN`: the position has a row already; nothing was changed.
 * - `FULL`: there is no room; nothing was changed, and the connection goes on.
 * - `UNKNOWN`: anything else. The row may be there, may come later, or never.
 */
export type Insertion =
  | { readonly kind: 'STORED'; readonly notices: readonly string[] }
  | { readonly kind: 'TAKEN' | 'FULL' | 'UNKNOWN'; readonly fault: JournalFault }

/**
 * What becomes of a claim beside that: `RECEIVING` says that an exchange is being moved into this journal, or that a move was cut short.
 * Nothing was changed.
 */
export type ClaimInsertion = Insertion | { readonly kind: 'RECEIVING'; readonly fault: JournalFault }

/** The epoch in the leader's row while an exchange is moved into the journal: nobody can claim it until it has all. */
export const RECEIVING_EPOCH = -1

/** The row that says who leads. */
export type LeaderRow = {
  /** 0: nobody ever did; `RECEIVING_EPOCH`: nobody can. */
  readonly epoch: number
  readonly name: string
  /** How long ago the leader was heard of, by the database's clock; undefined: it has said that it leads no more, or nobody ever did. */
  readonly heardMsAgo: number | undefined
}

/** What became of a heartbeat. */
export type LeaderHeartbeat = {
  /** False: another epoch has begun. */
  readonly isMine: boolean
  readonly notices: readonly string[]
}

/** Opens a connection. Rejects with `JournalFault`: `UNSUPPORTED` where the database is not what was declared, `FAILED`. */
export type OpenTable = () => Promise<LeadershipTable>

/** One call at a time. Whatever rejects does so with `JournalFault`, and what it was to change may be changed. */
export interface LeadershipTable {
  /** Adds a batch at its position, in one commit. */
  insert(batch: Batch): Promise<Insertion>

  /** Adds a claim and makes `name` and the claim's epoch those of the leader's row, in one commit. */
  insertClaim(claim: Batch, name: string): Promise<ClaimInsertion>

  /**
   * Whether all that is committed is where it was declared to be, now and not only when the commit was answered. Answers with
   * what is wrong; undefined: nothing. Waits a bounded time for standbys that are behind.
   */
  confirm(): Promise<string | undefined>

  /** The end of the last batch that this connection sees, confirmed or not. */
  readTail(): Promise<Tail>

  /** The batch at `position`; undefined: none is there. */
  readAt(position: number): Promise<Batch | undefined>

  /** The last command of the batch at `position`; undefined: none is there. */
  lastSeqAt(position: number): Promise<Seq | undefined>

  /** Batches from `first` to `last`, oldest first: as many as fit into `maxBytes` (`sizeOf`), at least one where there is one. */
  readFrom(first: number, last: number, maxBytes: number): Promise<readonly Batch[]>

  /** The journal's own batches, claims and quarantines, oldest first. */
  readOwn(): Promise<readonly Batch[]>

  leader(): Promise<LeaderRow>

  /** Says that the leader of `epoch` is there, in one commit; changes nothing where another epoch has begun. */
  heartbeat(epoch: number): Promise<LeaderHeartbeat>

  /** Says that the leader of `epoch` leads no more, so that nobody waits for silence. */
  resign(epoch: number): Promise<void>

  /** Takes leave of the database. Never rejects. */
  close(): Promise<void>

  /** Cuts the connection at once: nothing that is under way is answered, and nothing more can be asked. */
  cut(): void
}

/** Why a journal that an exchange is being moved into is not claimed. */
export function receiving(name: string): JournalFault {
  return new JournalFault(
    'IN_USE',
    `an exchange is being moved into this journal by ${name}, or the move was cut short: bourse cluster import with the same directory goes on`,
  )
}

/** The same fault, with what was being done before its message. */
export function faultWhile(what: string, cause: JournalFault): JournalFault {
  return new JournalFault(cause.kind, `${what}: ${cause.message}`, { cause })
}
