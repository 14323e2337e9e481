/**
 * The witness in two slots of a simulated file, like the node's own witness file: written alternately, synced
 * only when it is reset.
 */

import { HASH_BYTES, type JournalPosition } from '../../src/engine/port/journal.ts'
import type { Witness, WitnessRecord } from '../../src/engine/port/witness.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { ByteReader, ByteWriter } from '../../src/units/bytes.ts'
import { seq } from '../../src/units/quantities.ts'
import { type Disk, SECTOR_BYTES } from './disk.ts'
import type { Io } from './io.ts'

export const WITNESS = 'witness'
const TEMPORARY = 'temporary-witness'

const HALF = 2 ** 32
const SIGNED_BYTES = 3 * 8 + HASH_BYTES
const SLOT_BYTES = SIGNED_BYTES + HASH_BYTES

type Slot = 0 | 1

export class SimulatedWitness implements Witness {
  readonly #io: Io
  #nextSlot: Slot = 0

  constructor(io: Io) {
    this.#io = io
  }

  recall(): WitnessRecord {
    const { disk } = this.#io
    if (!disk.exists(WITNESS)) return { kind: 'NONE' }
    const [first, second] = readSlots(disk)
    if (first === undefined && second === undefined) return { kind: 'UNREADABLE', damage: 'both slots' }
    const isSecondNewer = (second?.position ?? -1) > (first?.position ?? -1)
    this.#nextSlot = isSecondNewer ? 0 : 1
    const mark = (isSecondNewer ? second : first) as JournalPosition
    const damage = first === undefined || second === undefined ? 'one slot' : undefined
    return { kind: 'MARK', mark, damage }
  }

  record(mark: JournalPosition): void {
    this.#writeSlot(this.#nextSlot, mark)
    this.#nextSlot = this.#nextSlot === 0 ? 1 : 0
  }

  /**
   * The first file appears as a whole; an existing file is overwritten slot by slot, each synced before the
   * next.
   */
  reset(mark: JournalPosition): void {
    const isFirst = !this.#io.disk.exists(WITNESS)
    const file = isFirst ? TEMPORARY : WITNESS
    for (const slot of [0, 1] as const) {
      this.#writeSlot(slot, mark, file)
      if (!isFirst || slot === 1) this.#io.sync(file)
    }
    if (isFirst) this.#io.rename(TEMPORARY, WITNESS)
    this.#nextSlot = 0
  }

  close(): void {
    this.#io.sync(WITNESS)
  }

  #writeSlot(slot: Slot, { position, epoch, seq, hash }: JournalPosition, file = WITNESS): void {
    const writer = new ByteWriter(SLOT_BYTES)
    for (const number of [position, epoch, seq]) {
      writer.u32(number % HALF)
      writer.u32(Math.floor(number / HALF))
    }
    writer.raw(hash)
    writer.raw(sha256([writer.peek()]))
    this.#io.write(file, slot * SECTOR_BYTES, writer.take())
  }
}

/** The position remembered by the witness on this disk; undefined if there is none. */
export function witnessedMark(disk: Disk): JournalPosition | undefined {
  const [first, second] = readSlots(disk)
  return (second?.seq ?? -1) > (first?.seq ?? -1) ? second : first
}

function readSlots(disk: Disk): [JournalPosition | undefined, JournalPosition | undefined] {
  const bytes = disk.read(WITNESS)
  return [readSlot(bytes, 0), readSlot(bytes, SECTOR_BYTES)]
}

function readSlot(bytes: Uint8Array, offset: number): JournalPosition | undefined {
  const slot = bytes.subarray(offset, offset + SLOT_BYTES)
  if (slot.length < SLOT_BYTES) return undefined
  const check = sha256([slot.subarray(0, SIGNED_BYTES)])
  if (!check.every((byte, i) => byte === slot[SIGNED_BYTES + i])) return undefined
  const reader = new ByteReader(slot)
  const number = () => {
    const low = reader.u32()
    return reader.u32() * HALF + low
  }
  const place = { position: number(), epoch: number(), seq: seq(number()) }
  return { ...place, hash: reader.raw(HASH_BYTES).slice() }
}
