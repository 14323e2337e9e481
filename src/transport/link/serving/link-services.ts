/** What whoever accepts links gives to those on them. */
import type { BatchFeed } from '../../../engine/port/feed.ts'
import type { JournalPosition, RememberedPlace } from '../../../engine/port/journal.ts'
import type { EnginePort, HistoryPort } from '../../../engine/port/ports.ts'
import type { SnapshotPieces } from '../../../engine/port/snapshots.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { LinkRole } from '../protocol/greeting.ts'

type Served = {
  /** The journal's name. */
  readonly journal: string
  /** Of the engine or historian, for people and for those who look for it: 1 to 64 characters. */
  readonly name: string
}

/** Gives nothing that is not confirmed. */
type ReplicaSources = { readonly feed: BatchFeed; readonly snapshots: SnapshotPieces }

/** An engine that leads. */
export type LeaderServices = Served & {
  readonly kind: 'leader'
  readonly history: HistoryPort
  /** In which it leads; 0 where leadership is never claimed. */
  readonly epoch: number
  readonly engine: EnginePort
  /** The engine's last reading; undefined: there is none yet. */
  readonly clock: () => ClockReading | undefined
  /**
   * The end of what is confirmed: never before the last batch whose events were given out. Undefined where nobody need remember it, since nobody else could
   * ever lead.
   */
  readonly confirmed?: () => JournalPosition
  /**
   * What is wrong with what an end remembers as confirmed: the journal lacks it, or has something else there. Undefined: nothing. Asked after
   * `onRemembered`, before the end is admitted.
   */
  readonly lacks?: (remembered: RememberedPlace) => Promise<string | undefined>
  /** Undefined: it has no replicas. */
  readonly replicas?: ReplicaSources
}

/** A node that is in no cluster, for its standbys: they get its journal and cannot order anything. */
export type NodeServices = Served &
  Pick<LeaderServices, 'clock' | 'lacks'> & {
    readonly kind: 'node'
    /** Of its journal's end. */
    readonly epoch: number
    readonly confirmed: () => JournalPosition
    /** As they are: whoever offers them bounds what they cost. */
    readonly replicas: ReplicaSources
  }

/** A historian. */
export type HistorianServices = Served & {
  readonly kind: 'historian'
  readonly history: HistoryPort
  /** The last command that its history shows. */
  readonly reached: () => Seq
}

export type LinkServices = LeaderServices | NodeServices | HistorianServices

/** Whether an end of this role has anything to ask of it. */
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
