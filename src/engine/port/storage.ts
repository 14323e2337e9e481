/** What a node stores, as its two halves need it. Which technology keeps it is known to whoever composes the node. */
import type { HistoryStore } from '../history/history.ts'
import type { Journal } from './journal.ts'
import type { SnapshotStore } from './snapshots.ts'
import type { Witness } from './witness.ts'

/** The engine's: it alone writes the journal while it runs. */
export type EngineStorage = {
  readonly journal: Journal
  readonly witness: Witness
  readonly snapshots: SnapshotStore
}

/** The follower's: history, and its own way to the snapshots. */
export type FollowerStorage = {
  readonly history: HistoryStore
  readonly snapshots: SnapshotStore
}
