/**
 * Snapshots that live and die with their object.
 */
import {
  type DamagedSnapshot,
  SNAPSHOTS_KEPT,
  type Snapshot,
  type SnapshotHead,
  type SnapshotListing,
  type SnapshotStore,
} from '../../engine/snapshots.ts'
import type { Seq } from '../../units/quantities.ts'

export class MemorySnapshots implements SnapshotStore {
  readonly #snapshotBySeq = new Map<Seq, Snapshot>()

  async save(snapshot: Snapshot): Promise<void> {
    this.#snapshotBySeq.set(snapshot.seq, snapshot)
    const { heads } = await this.list()
    for (const { seq } of heads.slice(SNAPSHOTS_KEPT)) this.#snapshotBySeq.delete(seq)
  }

  async list(): Promise<SnapshotListing> {
    const heads = [...this.#snapshotBySeq.values()].sort((a, b) => b.seq - a.seq)
    return { heads, damaged: [] }
  }

  async load(head: SnapshotHead): Promise<Snapshot | DamagedSnapshot> {
    return this.#snapshotBySeq.get(head.seq) ?? { name: `${head.seq}`, problem: 'it is gone' }
  }

  async setAside(head: SnapshotHead): Promise<void> {
    this.#snapshotBySeq.delete(head.seq)
  }
}
