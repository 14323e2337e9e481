/**
 * A journal on the simulated disk that behaves like one in SQLite: batches go to a log, whose damaged end is
 * silently dropped at the next start, and are copied from there into a file without checksums.
 */
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  type Journal,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  requireNext,
  type Tail,
} from '../../src/engine/port/journal.ts'
import { upToBytes } from '../../src/engine/writer/recent-batches.ts'
import { ByteWriter } from '../../src/units/bytes.ts'
import type { Seq } from '../../src/units/quantities.ts'
import type { Io } from './io.ts'
import { encodeEntry, LOG_HEAD_BYTES, logRecord, MAIN_HEAD_BYTES, mainHead } from './journal-records.ts'
import { JOURNAL_LOG, JOURNAL_MAIN, readStored } from './stored-journal.ts'

export class SimulatedJournal implements Journal {
  readonly #io: Io
  readonly #batches: Batch[]
  readonly #quarantined: Quarantined[]
  readonly #logBytesMax: number
  /** Records that are missing in the main file. */
  #inLog: Uint8Array[]
  #logLength: number
  #mainLength: number
  #failed = false

  /**
   * Reads the stored data and syncs it: data that a killed process wrote and did not sync is read as well,
   * and must be durable before anything depends on it. Throws
   * `DAMAGED`. Copies the log once it is longer than `logBytesMax`.
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
    return last === undefined ? EMPTY_TAIL : endOf(last)
  }

  async append(batch: Batch): Promise<void> {
    if (this.#failed) throw new JournalFault('FAILED', 'the journal accepts no writes after a failure')
    requireNext(batch, this.tail)
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

  /**
   * Its sync never lies: a refusal is stored nowhere else, so a lost refusal would be noticed only at the
   * next full replay.
   */
  async quarantine(quarantined: Quarantined): Promise<void> {
    await this.#log(encodeEntry({ kind: 'QUARANTINED', quarantined }), () => this.#io.disk.liesAbout.clear())
    this.#quarantined.push(quarantined)
  }

  /** Copies the log into the main file; after a crash during the copy, the copied records are in both. */
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

  async #log(record: Uint8Array, beforeSync: () => void = () => {}): Promise<void> {
    try {
      this.#io.write(JOURNAL_LOG, this.#logLength, logRecord(record))
      await this.#io.pause()
      beforeSync()
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
