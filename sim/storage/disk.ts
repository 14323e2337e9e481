/**
 * A disk in memory. A write is in the system's cache until its file is synced: the end of the process loses
 * nothing; a power cut loses, tears or reorders unsynced data, sector by sector. A sector is never torn.
 */
import type { Random } from '../world/random.ts'

/** Size of an atomic write. */
export const SECTOR_BYTES = 512

/**
 * The unsynced sectors that survive a power cut: none, all, in each file those written first up to a drawn
 * one, or a share drawn sector by sector.
 */
export type PowerCut = 'NOTHING' | 'EVERYTHING' | 'PREFIX' | 'RANDOM'

type Write = { readonly offset: number; readonly bytes: Uint8Array; readonly before: Uint8Array }

/** A reader's interpretation of the bytes `from` to `to` (exclusive) of a file. */
export type Reading = { readonly from: number; readonly to: number; readonly meaning: unknown }

type File = {
  bytes: Uint8Array
  length: number
  /** Undefined once one of its bytes has changed. */
  reading: Reading | undefined
  /** Newest last; each write has the bytes that it replaced. */
  unsynced: Write[]
  lengthSynced: number
}

export class Disk {
  readonly #files = new Map<string, File>()
  /** Names of files whose syncs have no effect: a lying disk. */
  readonly liesAbout = new Set<string>()

  /** Another disk with the same contents, all of it synced. */
  copy(): Disk {
    const disk = new Disk()
    for (const [name, { bytes, length, reading }] of this.#files) {
      disk.#files.set(name, { bytes: bytes.slice(), length, reading, unsynced: [], lengthSynced: length })
    }
    for (const name of this.liesAbout) disk.liesAbout.add(name)
    return disk
  }

  /** Replaces files by those of another disk, synced; a file that is missing on the other disk is removed. */
  takeOver(other: Disk, names: readonly string[]): void {
    const copied = other.copy()
    for (const name of names) {
      const file = copied.#files.get(name)
      if (file === undefined) this.#files.delete(name)
      else this.#files.set(name, file)
    }
  }

  names(): string[] {
    return [...this.#files.keys()]
  }

  /** A copy of the complete file, as the system would return it now. Empty if the file does not exist. */
  read(name: string): Uint8Array {
    const file = this.#files.get(name)
    return file === undefined ? new Uint8Array() : file.bytes.slice(0, file.length)
  }

  /** Like `read`, without a copy: valid until the next change. */
  view(name: string): Uint8Array {
    const file = this.#files.get(name)
    return file === undefined ? new Uint8Array() : file.bytes.subarray(0, file.length)
  }

  /** Keeps a reader's interpretation of some bytes of a file until they change. */
  remember(name: string, reading: Reading): void {
    const file = this.#files.get(name)
    if (file !== undefined) file.reading = reading
  }

  /** The newest interpretation, if none of its bytes has changed since. */
  remembered(name: string): unknown {
    return this.#files.get(name)?.reading?.meaning
  }

  length(name: string): number {
    return this.#files.get(name)?.length ?? 0
  }

  exists(name: string): boolean {
    return this.#files.has(name)
  }

  write(name: string, offset: number, bytes: Uint8Array): void {
    const file = this.#file(name)
    const end = offset + bytes.length
    grow(file, end)
    file.unsynced.push({ offset, bytes: bytes.slice(), before: file.bytes.slice(offset, end) })
    file.bytes.set(bytes, offset)
    file.length = Math.max(file.length, end)
    changed(file, offset, end)
  }

  /** Durable at once, like the removal and renaming of files: partial effects are not simulated. */
  truncate(name: string, length: number): void {
    const file = this.#file(name)
    file.bytes.fill(0, length)
    changed(file, length, file.length)
    file.length = length
    file.lengthSynced = length
    file.unsynced = []
  }

  sync(name: string): void {
    const file = this.#files.get(name)
    if (file === undefined || this.liesAbout.has(name)) return
    file.unsynced = []
    file.lengthSynced = file.length
  }

  rename(from: string, to: string): void {
    const file = this.#files.get(from)
    if (file === undefined) return
    this.#files.delete(from)
    this.#files.set(to, file)
  }

  remove(name: string): void {
    this.#files.delete(name)
  }

  /** Whether a power cut could lose anything. */
  get hasUnsynced(): boolean {
    for (const { unsynced } of this.#files.values()) if (unsynced.length > 0) return true
    return false
  }

  /** Flips one bit of stored data: damage that no sync prevents. */
  flip(name: string, bit: number): void {
    const file = this.#file(name)
    const at = bit >> 3
    changed(file, at, at + 1)
    file.bytes[at] = (file.bytes[at] ?? 0) ^ (1 << (bit & 7))
  }

  /** Lets the power fail: unsynced data is kept according to `cut`. Returns the number of lost sectors. */
  powerCut(random: Random, cut: PowerCut, spared: ReadonlySet<string>): number {
    let lost = 0
    for (const [name, file] of this.#files) {
      if (!spared.has(name)) lost += cutFile(file, random, cut)
      file.unsynced = []
      file.lengthSynced = file.length
    }
    this.liesAbout.clear()
    return lost
  }

  #file(name: string): File {
    const known = this.#files.get(name)
    if (known !== undefined) return known
    const file: File = {
      bytes: new Uint8Array(SECTOR_BYTES),
      length: 0,
      reading: undefined,
      unsynced: [],
      lengthSynced: 0,
    }
    this.#files.set(name, file)
    return file
  }
}

/** Marks the bytes from `start` to `end`, exclusive, as changed. */
function changed(file: File, start: number, end: number): void {
  const { reading } = file
  if (reading !== undefined && start < reading.to && end > reading.from) file.reading = undefined
}

function grow(file: File, length: number): void {
  if (file.bytes.length >= length) return
  const larger = new Uint8Array(Math.max(length, 2 * file.bytes.length))
  larger.set(file.bytes)
  file.bytes = larger
}

/** Undoes all unsynced writes, then repeats the pieces that reached the disk. */
function cutFile(file: File, random: Random, cut: PowerCut): number {
  const { unsynced } = file
  for (const { offset, before } of unsynced.toReversed()) {
    file.bytes.set(before, offset)
    changed(file, offset, offset + before.length)
  }
  file.length = file.lengthSynced
  let lost = 0
  let left = cut === 'PREFIX' ? random.between(0, sectorCount(unsynced)) : 0
  for (const { offset, bytes } of unsynced) {
    for (const [start, end] of sectorsOf(offset, bytes.length)) {
      const isKept = cut === 'EVERYTHING' || (cut === 'RANDOM' && random.chance(0.5)) || left-- > 0
      if (!isKept) {
        lost++
        continue
      }
      file.bytes.set(bytes.subarray(start - offset, end - offset), start)
      file.length = Math.max(file.length, end)
    }
  }
  return lost
}

function sectorCount(writes: readonly Write[]): number {
  let count = 0
  for (const { offset, bytes } of writes) count += [...sectorsOf(offset, bytes.length)].length
  return count
}

/** The pieces of a write, each within one sector. */
function* sectorsOf(offset: number, length: number): Generator<readonly [number, number]> {
  let start = offset
  while (start < offset + length) {
    const end = Math.min(offset + length, (Math.floor(start / SECTOR_BYTES) + 1) * SECTOR_BYTES)
    yield [start, end]
    start = end
  }
}
