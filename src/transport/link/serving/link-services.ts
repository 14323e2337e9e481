/** The services that accepted links offer to their peers. */
import type { BatchFeed } from '../../../engine/port/feed.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import type { JournalPosition, RememberedPlace } from '../../../engine/port/journal.ts'
import type { EnginePort } from '../../../engine/port/ports.ts'
import type { SnapshotPieces } from '../../../engine/port/snapshots.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { LinkRole } from '../protocol/greeting.ts'
import type { CustomersPages } from './replica-questions.ts'

type Served = {
  /** The journal's name. */
  readonly journal: string
  /** The name of the engine or historian, for people and for leader discovery: 1 to 64 characters. */
  readonly name: string
}

/** Sources that return only confirmed data. */
type ReplicaSources = {
  readonly feed: BatchFeed
  readonly snapshots: SnapshotPieces
  /** Undefined if there are no customers. */
  readonly customers?: CustomersPages | undefined
}

/** An engine that leads. */
export type LeaderServices = Served & {
  readonly kind: 'leader'
  readonly history: HistoryPort
  /** The epoch of its leadership; 0 if leadership is never claimed. */
  readonly epoch: number
  readonly engine: EnginePort
  /** The engine's last reading of its clock; undefined before the first reading. */
  readonly clock: () => ClockReading | undefined
  /**
   * The confirmed end of the journal, never before the last batch whose events were sent. Undefined if peers
   * need not remember it, because no other process could ever lead.
   */
  readonly confirmed?: () => JournalPosition
  /**
   * The problem with a position that a peer has seen as confirmed: it is missing in the journal, or another
   * batch is there. Undefined if there is none. Checked after `onRemembered`, before the peer is admitted.
   */
  readonly lacks?: (remembered: RememberedPlace) => Promise<string | undefined>
  /** Undefined if it serves no replicas. */
  readonly replicas?: ReplicaSources
}

/** A node outside any cluster, for its standbys: they receive its journal and cannot send commands. */
export type NodeServices = Served &
  Pick<LeaderServices, 'clock' | 'lacks'> & {
    readonly kind: 'node'
    /** The epoch at its journal's end. */
    readonly epoch: number
    readonly confirmed: () => JournalPosition
    /** Passed on unchanged; the owner of the sources limits their cost. */
    readonly replicas: ReplicaSources
  }

/** A historian. */
export type HistorianServices = Served & {
  readonly kind: 'historian'
  readonly history: HistoryPort
  /** The last command that its history contains. */
  readonly reached: () => Seq
}

export type LinkServices = LeaderServices | NodeServices | HistorianServices

/** Whether these services offer anything to an end of this role. */
export function serves(services: LinkServices, role: LinkRole): boolean {
  switch (role) {
    case 'gateway':
      return services.kind === 'leader'
    case 'replica':
      return services.kind === 'leader' && services.replicas !== undefined
    case 'reader':
      return services.kind === 'historian'
    case 'standby':
      return services.kind === 'node'
  }
}
