/** Snapshots that exist as long as this object. */
import {
  type DamagedSnapshot,
  SNAPSHOTS_KEPT,
  type Snapshot,
  type SnapshotHead,
  type SnapshotListing,
  type SnapshotPieces,
  type SnapshotStore,
  type SnapshotToCopy,
} from '../../src/engine/port/snapshots.ts'
import type { Seq } from '../../src/units/quantities.ts'

export class MemorySnapshots implements SnapshotStore, SnapshotPieces {
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

  async newest(): Promise<SnapshotToCopy | undefined> {
    const [newest] = (await this.list()).heads
    const snapshot = newest === undefined ? undefined : this.#snapshotBySeq.get(newest.seq)
    if (snapshot === undefined) return undefined
    const { payload, ...head } = snapshot
    return { head, payloadBytes: payload.length }
  }

  async piece(head: SnapshotHead, offset: number, bytes: number): Promise<Uint8Array | undefined> {
    return this.#snapshotBySeq.get(head.seq)?.payload.slice(offset, offset + bytes)
  }
}
