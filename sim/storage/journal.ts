/**
 * A journal on the simulated disk that behaves as one in SQLite does: batches go to a log, whose damaged end is
 * dropped without a word at the next start, and are copied from there into a file that carries no checksums.
 */
import { createHash } from 'node:crypto'
import {
  type Batch,
  EMPTY_TAIL,
  HASH_BYTES,
  type Journal,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  type Tail,
} from '../../src/engine/journal.ts'
import { upToBytes } from '../../src/engine/recent-batches.ts'
import { ByteReader, ByteWriter } from '../../src/units/bytes.ts'
import { invariant } from '../../src/units/invariant.ts'
import { type Seq, seq, timeMs } from '../../src/units/quantities.ts'
import type { Disk } from './disk.ts'
import type { Io } from './io.ts'

export const JOURNAL_MAIN = 'journal'
export const JOURNAL_LOG = 'journal-log'

/** Before each record of the log: its length and the start of its checksum. */
const LOG_HEAD_BYTES = 12
/** Before the records of the main file: how many bytes of them are valid. */
const MAIN_HEAD_BYTES = 8

/** Batches and refusals lie in the order in which they were written, so a refusal never outlives its batch. */
type Entry =
  | { readonly kind: 'BATCH'; readonly batch: Batch }
  | { readonly kind: 'QUARANTINED'; readonly quarantined: Quarantined }

export class SimulatedJournal implements Journal {
  readonly #io: Io
  readonly #batches: Batch[]
  readonly #quarantined: Quarantined[]
  readonly #logBytesMax: number
  /** Records that the main file lacks. */
  #inLog: Uint8Array[]
  #logLength: number
  #mainLength: number
  #failed = false

  /**
   * Reads what is stored, and syncs it: what a killed process wrote and did not sync is read as well, and must be
   * durable before anything is built on it. Throws `DAMAGED`. Copies the log once it is longer than `logBytesMax`.
   */
  constructor(io: Io, logBytesMax: number, syncsAtOpen = true) {
    this.#io = io
    this.#logBytesMax = logBytesMax
    const stored = readStored(io.disk)
    this.#batches = stored.batches
    this.#quarantined = stored.quarantined
    this.#inLog = stored.inLog
    this.#mainLength = stored.mainLength
    this.#logLength = stored.logLength
    if (io.disk.length(JOURNAL_LOG) > stored.logLength) io.truncate(JOURNAL_LOG, stored.logLength)
    if (syncsAtOpen) io.sync(JOURNAL_LOG)
  }

  get tail(): Tail {
    const last = this.#batches.at(-1)
    return last === undefined ? EMPTY_TAIL : { seq: lastSeqOf(last), time: last.time, hash: last.hash }
  }

  async append(batch: Batch): Promise<void> {
    if (this.#failed) throw new JournalFault('FAILED', 'the journal takes no more after a failure')
    invariant(batch.firstSeq === this.tail.seq + 1, () => `expected command ${this.tail.seq + 1} next`)
    await this.#io.pause()
    this.#io.requireRoom(`append of commands ${batch.firstSeq} to ${lastSeqOf(batch)}`)
    await this.#log(encodeEntry({ kind: 'BATCH', batch }))
    this.#batches.push(batch)
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    await this.#io.pause()
    return upToBytes(this.#batches, this.#indexAfter(afterSeq), maxBytes)
  }

  async hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    const batch = this.#batches[this.#indexAfter((seq - 1) as Seq)]
    return batch !== undefined && lastSeqOf(batch) === seq ? batch.hash : undefined
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return [...this.#quarantined]
  }

  /** Its sync never lies: nothing else remembers a refusal, so a lost one shows only at the next full replay. */
  async quarantine(quarantined: Quarantined): Promise<void> {
    this.#io.disk.liesAbout.clear()
    await this.#log(encodeEntry({ kind: 'QUARANTINED', quarantined }))
    this.#quarantined.push(quarantined)
  }

  /** Copies the log into the main file; a crash on the way leaves what both hold in both. */
  async maintain(idle: boolean): Promise<void> {
    if (this.#logLength < (idle ? this.#logBytesMax / 4 : this.#logBytesMax)) return
    const writer = new ByteWriter()
    for (const record of this.#inLog) {
      writer.u32(record.length)
      writer.raw(record)
    }
    this.#io.write(JOURNAL_MAIN, MAIN_HEAD_BYTES + this.#mainLength, writer.take())
    this.#io.sync(JOURNAL_MAIN)
    await this.#io.pause()
    this.#mainLength += writer.length
    this.#io.write(JOURNAL_MAIN, 0, mainHead(this.#mainLength))
    this.#io.sync(JOURNAL_MAIN)
    await this.#io.pause()
    this.#io.truncate(JOURNAL_LOG, 0)
    this.#inLog = []
    this.#logLength = 0
  }

  async close(): Promise<void> {}

  async #log(record: Uint8Array): Promise<void> {
    try {
      this.#io.write(JOURNAL_LOG, this.#logLength, logRecord(record))
      await this.#io.pause()
      this.#io.sync(JOURNAL_LOG)
    } catch (cause) {
      this.#failed = true
      throw cause
    }
    this.#logLength += LOG_HEAD_BYTES + record.length
    this.#inLog.push(record)
  }

  /** Index of the first batch that ends after `seq`. */
  #indexAfter(seq: Seq): number {
    let low = 0
    let high = this.#batches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (lastSeqOf(this.#batches[middle] as Batch) > seq) high = middle
      else low = middle + 1
    }
    return low
  }
}

export type Stored = {
  readonly batches: Batch[]
  readonly quarantined: Quarantined[]
  /** Records that only the log has. */
  readonly inLog: Uint8Array[]
  readonly mainLength: number
  readonly logLength: number
}

/** All that a journal on this disk would start with. Throws `DAMAGED`. */
export function readStored(disk: Disk): Stored {
  const batches: Batch[] = []
  const quarantined: Quarantined[] = []
  const take = (entry: Entry): boolean => {
    if (entry.kind === 'QUARANTINED') {
      if (quarantined.some(({ seq }) => seq === entry.quarantined.seq)) return false
      quarantined.push(entry.quarantined)
      return true
    }
    const end = batches.at(-1)
    if (end !== undefined && entry.batch.firstSeq <= lastSeqOf(end)) return false
    batches.push(entry.batch)
    return true
  }
  const mainLength = readMain(disk, take)
  const bytes = disk.read(JOURNAL_LOG)
  const inLog: Uint8Array[] = []
  let logLength = 0
  while (logLength + LOG_HEAD_BYTES <= bytes.length) {
    const start = logLength + LOG_HEAD_BYTES
    const length = new ByteReader(bytes.subarray(logLength)).u32()
    const record = bytes.slice(start, start + length)
    if (length === 0 || record.length < length) break
    if (!isSame(checksum(record), bytes.subarray(logLength + 4, start))) break
    if (take(decodeEntry(record))) inLog.push(record)
    logLength = start + length
  }
  return { batches, quarantined, inLog, mainLength, logLength }
}

/** Gives each record of the main file to `take`; answers how many bytes of it are valid. */
function readMain(disk: Disk, take: (entry: Entry) => boolean): number {
  const bytes = disk.read(JOURNAL_MAIN)
  if (bytes.length === 0) return 0
  try {
    const length = new ByteReader(bytes).u32()
    const reader = new ByteReader(bytes.subarray(MAIN_HEAD_BYTES))
    while (reader.at < length) take(decodeEntry(reader.raw(reader.u32()).slice()))
    return length
  } catch (cause) {
    throw new JournalFault('DAMAGED', 'the journal cannot be read', { cause })
  }
}

function encodeEntry(entry: Entry): Uint8Array {
  const writer = new ByteWriter(256)
  if (entry.kind === 'QUARANTINED') {
    writer.u8(1)
    writer.uint(entry.quarantined.seq)
    writer.raw(entry.quarantined.check)
    return writer.take()
  }
  const { firstSeq, count, time, previousHash, hash, data } = entry.batch
  writer.u8(0)
  writer.uint(firstSeq)
  writer.uint(count)
  writer.uint(time)
  writer.raw(previousHash)
  writer.raw(hash)
  writer.raw(data)
  return writer.take()
}

function decodeEntry(record: Uint8Array): Entry {
  const reader = new ByteReader(record)
  if (reader.u8() === 1) {
    return {
      kind: 'QUARANTINED',
      quarantined: { seq: seq(reader.uint()), check: reader.raw(HASH_BYTES).slice() },
    }
  }
  const head = { firstSeq: seq(reader.uint()), count: reader.uint(), time: timeMs(reader.uint()) }
  const previousHash = reader.raw(HASH_BYTES).slice()
  const hash = reader.raw(HASH_BYTES).slice()
  return { kind: 'BATCH', batch: { ...head, previousHash, hash, data: record.slice(reader.at) } }
}

function logRecord(record: Uint8Array): Uint8Array {
  const writer = new ByteWriter(LOG_HEAD_BYTES + record.length)
  writer.u32(record.length)
  writer.raw(checksum(record))
  writer.raw(record)
  return writer.take()
}

function mainHead(length: number): Uint8Array {
  const writer = new ByteWriter(MAIN_HEAD_BYTES)
  writer.u32(length)
  writer.u32(0)
  return writer.take()
}

function checksum(record: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(record).digest()).subarray(0, LOG_HEAD_BYTES - 4)
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
