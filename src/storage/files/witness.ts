/**
 * The witness as a small file of fixed size with two slots, written alternately: an interrupted write damages
 * one slot, and the other still has the position of the batch before. Each slot has its own checksum. A
 * record is passed to the operating system, not synced: none is lost if the process is killed. After a power
 * failure an older position is still valid, because the journal is synced first.
 *
 * Slot: 8 bytes of magic, format version (u32), position, epoch and sequence number (u32 low, u32 high each),
 * hash (32), SHA-256 of these (32).
 */
import { closeSync, existsSync, fsyncSync, openSync, readSync } from 'node:fs'
import { type Digest, HASH_BYTES, type JournalPosition } from '../../engine/port/journal.ts'
import type { Witness, WitnessRecord } from '../../engine/port/witness.ts'
import { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { fileFault, writeAll, writeWhole } from './directory.ts'

const MAGIC = new TextEncoder().encode('BRSWITNS')
const FORMAT_VERSION = 2
const SLOTS = [0, 1] as const
/** Distance between the slots in bytes, more than a sector or page, so that no torn write reaches both. */
const SLOT_STRIDE_BYTES = 64 * 1024
const SIGNED_BYTES = 8 + 4 + 3 * 8 + HASH_BYTES
const SLOT_BYTES = SIGNED_BYTES + HASH_BYTES
const HALF = 2 ** 32

type Slot = (typeof SLOTS)[number]

/** Number of times that a slot with a wrong checksum is read again, and the pause before each. */
const REREADS = 2
const REREAD_MS = 5

export class FileWitness implements Witness {
  readonly #path: string
  readonly #digest: Digest
  readonly #sync: (fd: number) => void
  readonly #pause: (ms: number) => void
  #fd: number | undefined
  #nextSlot: Slot = 0

  /** Creates no file; `reset` does. `sync` must return only when the file is on the disk. */
  constructor(
    path: string,
    digest: Digest,
    sync: (fd: number) => void = fsyncSync,
    pause: (ms: number) => void = Bun.sleepSync,
  ) {
    this.#path = path
    this.#digest = digest
    this.#sync = sync
    this.#pause = pause
  }

  recall(): WitnessRecord {
    if (!existsSync(this.#path)) return { kind: 'NONE' }
    try {
      let marks = this.#readSlots()
      // A running node may be writing one of the slots.
      for (let more = 0; more < REREADS && marks.includes(undefined); more++) {
        this.#pause(REREAD_MS)
        marks = this.#readSlots()
      }
      const [first, second] = marks
      if (first === undefined && second === undefined) {
        return { kind: 'UNREADABLE', damage: `the checksums of both slots of ${this.#path} are wrong` }
      }
      const newest = (second?.position ?? -1) > (first?.position ?? -1) ? 1 : 0
      this.#nextSlot = newest === 0 ? 1 : 0
      const damaged = first === undefined ? 0 : second === undefined ? 1 : undefined
      const damage =
        damaged === undefined ? undefined : `the checksum of slot ${damaged} of ${this.#path} is wrong`
      return { kind: 'MARK', mark: marks[newest] as JournalPosition, damage }
    } catch (cause) {
      throw fileFault(cause, `cannot read the witness file ${this.#path}`)
    }
  }

  record(mark: JournalPosition): void {
    try {
      writeAll(this.#file(), this.#slotOf(mark), this.#nextSlot * SLOT_STRIDE_BYTES)
      this.#nextSlot = this.#nextSlot === 0 ? 1 : 0
    } catch (cause) {
      const fault = fileFault(cause, `cannot write the witness file ${this.#path}`)
      // On a file system that copies on write (Btrfs, ZFS), even this write fails if the disk is full. The
      // other slot is intact.
      if (fault.kind !== 'STORAGE_FULL') throw fault
    }
  }

  /**
   * A new file appears complete: if the process is killed on the way, there is no file rather than one
   * without a position. An existing file is overwritten slot by slot, which works on a full disk, and each
   * slot is on disk before the other is written.
   */
  reset(mark: JournalPosition): void {
    const slot = this.#slotOf(mark)
    try {
      if (existsSync(this.#path)) {
        for (const place of SLOTS) {
          writeAll(this.#file(), slot, place * SLOT_STRIDE_BYTES)
          this.#sync(this.#file())
        }
      } else {
        const gap = new Uint8Array(SLOT_STRIDE_BYTES - SLOT_BYTES)
        writeWhole(this.#path, `${this.#path}.tmp`, [slot, gap, slot])
      }
      this.#nextSlot = 0
    } catch (cause) {
      throw fileFault(cause, `cannot write the witness file ${this.#path}`)
    }
  }

  close(): void {
    if (this.#fd === undefined) return
    const fd = this.#fd
    this.#fd = undefined
    try {
      this.#sync(fd)
    } catch (cause) {
      throw fileFault(cause, `cannot sync the witness file ${this.#path}`)
    } finally {
      closeSync(fd)
    }
  }

  #file(): number {
    this.#fd ??= openSync(this.#path, 'r+')
    return this.#fd
  }

  #slotOf(mark: JournalPosition): Uint8Array {
    const writer = new ByteWriter(SLOT_BYTES)
    writer.raw(MAGIC)
    writer.u32(FORMAT_VERSION)
    for (const number of [mark.position, mark.epoch, mark.seq]) {
      writer.u32(number % HALF)
      writer.u32(Math.floor(number / HALF))
    }
    writer.raw(mark.hash)
    writer.raw(this.#digest([writer.peek()]))
    return writer.take()
  }

  /** Opens its own descriptor for reading, since a caller that only reads may have no permission to write. */
  #readSlots(): (JournalPosition | undefined)[] {
    const fd = openSync(this.#path, 'r')
    try {
      return SLOTS.map((slot) => this.#readSlot(fd, slot))
    } finally {
      closeSync(fd)
    }
  }

  /** Undefined if the slot is not as it was written. */
  #readSlot(fd: number, slot: Slot): JournalPosition | undefined {
    const bytes = new Uint8Array(SLOT_BYTES)
    const count = readSync(fd, bytes, 0, SLOT_BYTES, slot * SLOT_STRIDE_BYTES)
    if (count < SLOT_BYTES) return undefined
    const check = this.#digest([bytes.subarray(0, SIGNED_BYTES)])
    if (!sameBytes(check, bytes.subarray(SIGNED_BYTES))) return undefined
    const reader = new ByteReader(bytes)
    if (!sameBytes(reader.raw(MAGIC.length), MAGIC) || reader.u32() !== FORMAT_VERSION) return undefined
    const number = () => {
      const low = reader.u32()
      return reader.u32() * HALF + low
    }
    const place = { position: number(), epoch: number(), seq: number() as Seq }
    return { ...place, hash: reader.raw(HASH_BYTES) }
  }
}
