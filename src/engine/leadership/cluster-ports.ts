/** The inputs and outputs of a cluster engine: the ports of `cluster-engine.ts`. */
import type { Seq } from '../../units/quantities.ts'
import type { BatchFeed } from '../port/feed.ts'
import type { Digest, JournalPosition, RememberedPlace } from '../port/journal.ts'
import type { EngineLimits } from '../port/limits.ts'
import type { EngineOutput } from '../port/requests.ts'
import type { DamagedSnapshot, SnapshotStore } from '../port/snapshots.ts'
import type { StateMachineFactory } from '../port/state-machine.ts'
import type { Witness } from '../port/witness.ts'
import type { EngineClock, RunningEngine } from '../writer/compose.ts'
import type { Scheduler } from '../writer/loop.ts'
import type { EngineMeter } from '../writer/meters.ts'
import type { ClaimedJournalOptions } from './claimed-journal.ts'

/** A leading engine, as seen by a follower. */
export type LeaderLink = {
  readonly name: string
  readonly epoch: number
  /** The name of the journal that it leads. */
  readonly journal: string
  /** The confirmed position of the journal when the link began. */
  readonly confirmed: JournalPosition
  /** Confirmed batches, old and new. */
  readonly feed: BatchFeed
  /** Resolves when either side has ended the link. */
  readonly lost: Promise<unknown>
  /**
   * Copies the leader's newest snapshot into a store; false if it has none. Rejects if it cannot be copied.
   */
  readonly copySnapshot: (store: SnapshotStore) => Promise<boolean>
  close(): void
}

/** Stores on the engine's own disk the name of the journal to which its directory belongs. */
export type KnownJournal = {
  /** The journal's name; undefined if the engine has neither followed nor led a journal yet. */
  read(): string | undefined
  /** Durable. Throws `JournalFault`. */
  write(journal: string): void
}

/** Looks for an engine that leads until one is found or the search is ended. */
export type LeaderSearch = { readonly found: Promise<LeaderLink>; end(): void }

/** The start of an engine's lead, for the services that begin with it. */
export type LeadReport = {
  readonly epoch: number
  /** The journal's end when the lead began: the claim itself. */
  readonly tail: JournalPosition
  readonly rulesVersion: number
  /** Whether nothing was ever listed and no rules were chosen. */
  readonly isNew: boolean
  /** Identifies the journal on every engine: the hash of its first batch, in hex. */
  readonly journal: string
  /** Number of commands that had to be read from the table. */
  readonly caughtUpCommands: number
  readonly quarantined: ReadonlySet<Seq>
  /** The commands that this engine quarantined while it caught up: report them, they are bugs. */
  readonly newlyQuarantined: readonly Seq[]
}

/** The services of a leading engine, for as long as it leads. */
export type LeadHost = {
  output(output: EngineOutput): void
  /** Called when the engine accepts requests. */
  started(engine: RunningEngine): void
  /**
   * Called when the engine accepts nothing more, and waiting requests were answered; `cause` is undefined
   * after a requested stop.
   */
  ended(cause: unknown): void
}

export type ClusterNote =
  | { readonly kind: 'Seeking'; readonly why: string }
  | { readonly kind: 'Following'; readonly leader: string; readonly epoch: number }
  /**
   * The database could not be queried, or did not accept the claim; reported again only if the reason
   * changes.
   */
  | { readonly kind: 'NotClaimed'; readonly problem: string }
  | { readonly kind: 'Leading'; readonly report: LeadReport }
  | { readonly kind: 'LeadLost'; readonly epoch: number; readonly problem: string }
  | { readonly kind: 'SnapshotDamaged'; readonly damaged: DamagedSnapshot }
  | { readonly kind: 'SnapshotCopied'; readonly seq: Seq }

export type ClusterEngineOptions = {
  readonly claiming: Omit<ClaimedJournalOptions, 'remembered' | 'onFailed' | 'digest' | 'scheduler'>
  readonly searchLeader: (remembered: () => RememberedPlace) => LeaderSearch
  readonly machines: StateMachineFactory
  readonly snapshots: SnapshotStore
  readonly witness: Witness
  readonly knownJournal: KnownJournal
  readonly digest: Digest
  readonly clock: EngineClock
  readonly scheduler: Scheduler
  readonly limits: EngineLimits
  readonly idleDelayMs: number
  readonly meter?: EngineMeter
  readonly beginLead: (report: LeadReport) => LeadHost
  readonly onNote: (note: ClusterNote) => void
}
