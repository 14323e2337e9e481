/**
 * The storage interfaces of a node's engine and of its follower. Only the composition of the node depends on
 * the technology.
 */
import type { HistoryStore } from '../history/history.ts'
import type { Journal } from './journal.ts'
import type { SnapshotStore } from './snapshots.ts'
import type { Witness } from './witness.ts'

/** The engine's storage: only the engine writes the journal while it runs. */
export type EngineStorage = {
  readonly journal: Journal
  readonly witness: Witness
  readonly snapshots: SnapshotStore
}

/** The follower's storage: history, and its own access to the snapshots. */
export type FollowerStorage = {
  readonly history: HistoryStore
  readonly snapshots: SnapshotStore
}
