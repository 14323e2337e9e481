/** Snapshots as simulated files: each is written completely under another name, synced, then renamed. */

import { HASH_BYTES } from '../../src/engine/port/journal.ts'
import {
  type DamagedSnapshot,
  SNAPSHOTS_KEPT,
  type Snapshot,
  type SnapshotHead,
  type SnapshotListing,
  type SnapshotStore,
} from '../../src/engine/port/snapshots.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { ByteReader, ByteWriter } from '../../src/units/bytes.ts'
import { seq, timeMs } from '../../src/units/quantities.ts'
import type { Disk } from './disk.ts'
import type { Io } from './io.ts'

const SNAPSHOT_PREFIX = 'snapshot-'

export class SimulatedSnapshots implements SnapshotStore {
  readonly #io: Io
  readonly #writer: string

  /** `writer` is a unique name for each thread that saves. */
  constructor(io: Io, writer: string) {
    this.#io = io
    this.#writer = writer
  }

  async save(snapshot: Snapshot): Promise<void> {
    await this.#io.pause()
    this.#io.requireRoom(`snapshot ${snapshot.seq}`)
    const temporary = `temporary-${this.#writer}`
    this.#io.remove(temporary)
    this.#io.write(temporary, 0, encode(snapshot))
    await this.#io.pause()
    this.#io.sync(temporary)
    this.#io.rename(temporary, nameOf(snapshot))
    const { heads } = await this.list()
    for (const head of heads.slice(SNAPSHOTS_KEPT)) this.#io.remove(nameOf(head))
  }

  async list(): Promise<SnapshotListing> {
    const heads: SnapshotHead[] = []
    const damaged: DamagedSnapshot[] = []
    for (const name of snapshotNames(this.#io.disk)) {
      const found = decode(this.#io.disk, name)
      if (typeof found === 'string') damaged.push({ name, problem: found })
      else heads.push(found.head)
    }
    return { heads: heads.sort((a, b) => b.seq - a.seq), damaged }
  }

  async load(head: SnapshotHead): Promise<Snapshot | DamagedSnapshot> {
    const name = nameOf(head)
    await this.#io.pause()
    const found = decode(this.#io.disk, name)
    if (typeof found === 'string') return { name, problem: found }
    if (!isSame(sha256([found.payload]), found.head.stateHash))
      return { name, problem: 'its payload is damaged' }
    return { ...found.head, payload: found.payload }
  }

  async setAside(head: SnapshotHead): Promise<void> {
    this.#io.rename(nameOf(head), `aside-${head.seq}`)
  }
}

/** Names of the snapshots on a disk. */
function snapshotNames(disk: Disk): string[] {
  return disk.names().filter((name) => name.startsWith(SNAPSHOT_PREFIX))
}

/** Commands of the snapshots on a disk, without the damaged ones. */
export function snapshotHeads(disk: Disk): SnapshotHead[] {
  return snapshotNames(disk).flatMap((name) => {
    const found = decode(disk, name)
    return typeof found === 'string' ? [] : [found.head]
  })
}

function nameOf({ seq }: SnapshotHead): string {
  return `${SNAPSHOT_PREFIX}${seq}`
}

function encode(snapshot: Snapshot): Uint8Array {
  const writer = new ByteWriter(160 + snapshot.payload.length)
  writer.uint(snapshot.seq)
  writer.uint(snapshot.time)
  writer.uint(snapshot.position)
  writer.uint(snapshot.epoch)
  writer.raw(snapshot.journalHash)
  writer.raw(snapshot.stateHash)
  writer.raw(sha256([writer.peek()]))
  writer.raw(snapshot.payload)
  return writer.take()
}

function decode(
  disk: Disk,
  name: string,
): { readonly head: SnapshotHead; readonly payload: Uint8Array } | string {
  const bytes = disk.read(name)
  try {
    const reader = new ByteReader(bytes)
    const head = {
      seq: seq(reader.uint()),
      time: timeMs(reader.uint()),
      position: reader.uint(),
      epoch: reader.uint(),
      journalHash: reader.raw(HASH_BYTES).slice(),
      stateHash: reader.raw(HASH_BYTES).slice(),
    }
    const signed = bytes.subarray(0, reader.at)
    if (!isSame(sha256([signed]), reader.raw(HASH_BYTES))) return 'its head is damaged'
    return name === nameOf(head) ? { head, payload: bytes.slice(reader.at) } : 'it has another name'
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
