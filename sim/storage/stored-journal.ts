/**
 * The contents of a journal on the simulated disk, as a start reads them. Parsed pieces are cached: a run
 * starts its exchange hundreds of times, and most of the journal is unchanged each time.
 */
import { type Batch, JournalFault, lastSeqOf, type Quarantined } from '../../src/engine/port/journal.ts'
import { ByteReader } from '../../src/units/bytes.ts'
import type { Disk } from './disk.ts'
import {
  checksum,
  decodeEntry,
  type Entry,
  isSame,
  LOG_HEAD_BYTES,
  MAIN_HEAD_BYTES,
} from './journal-records.ts'

export const JOURNAL_MAIN = 'journal'
export const JOURNAL_LOG = 'journal-log'

export type Stored = {
  readonly batches: Batch[]
  readonly quarantined: Quarantined[]
  /** Records that only the log has. */
  readonly inLog: Uint8Array[]
  readonly mainLength: number
  readonly logLength: number
}

/** Everything that a journal on this disk would start with. Throws `DAMAGED`. */
export function readStored(disk: Disk): Stored {
  const main = readMain(disk)
  const batches = main.batches.slice()
  const quarantined = main.quarantined.slice()
  const { records, length } = readLog(disk)
  const inLog: Uint8Array[] = []
  for (const { record, entry } of records) if (take({ batches, quarantined }, entry)) inLog.push(record)
  return { batches, quarantined, inLog, mainLength: main.length, logLength: length }
}

type Contents = { readonly batches: Batch[]; readonly quarantined: Quarantined[] }

/** Adds an entry; returns false if it already exists, as after a crash in the middle of a copy. */
function take({ batches, quarantined }: Contents, entry: Entry): boolean {
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

/** The valid part of the main file: its first `length` bytes. */
type Main = Contents & { readonly length: number }

function readMain(disk: Disk): Main {
  const bytes = disk.view(JOURNAL_MAIN)
  if (bytes.length === 0) return { batches: [], quarantined: [], length: 0 }
  try {
    const length = new ByteReader(bytes).u32()
    const before = disk.remembered(JOURNAL_MAIN) as Main | undefined
    if (before?.length === length) return before
    const known = before !== undefined && before.length < length ? before : undefined
    const main = {
      batches: known?.batches.slice() ?? [],
      quarantined: known?.quarantined.slice() ?? [],
      length,
    }
    const reader = new ByteReader(bytes.subarray(MAIN_HEAD_BYTES), known?.length)
    while (reader.at < length) take(main, decodeEntry(reader.raw(reader.u32()).slice()))
    if (reader.at === length) {
      disk.remember(JOURNAL_MAIN, { from: MAIN_HEAD_BYTES, to: MAIN_HEAD_BYTES + length, meaning: main })
    }
    return main
  } catch (cause) {
    throw new JournalFault('DAMAGED', 'the journal cannot be read', { cause })
  }
}

/** The complete records at the log's beginning, which occupy `length` bytes. */
type Log = {
  readonly records: readonly { readonly record: Uint8Array; readonly entry: Entry }[]
  readonly length: number
}

function readLog(disk: Disk): Log {
  const bytes = disk.view(JOURNAL_LOG)
  const known = disk.remembered(JOURNAL_LOG) as Log | undefined
  const records = known?.records.slice() ?? []
  let length = known?.length ?? 0
  while (length + LOG_HEAD_BYTES <= bytes.length) {
    const start = length + LOG_HEAD_BYTES
    const size = new ByteReader(bytes.subarray(length)).u32()
    const record = bytes.slice(start, start + size)
    if (size === 0 || record.length < size) break
    if (!isSame(checksum(record), bytes.subarray(length + 4, start))) break
    records.push({ record, entry: decodeEntry(record) })
    length = start + size
  }
  disk.remember(JOURNAL_LOG, { from: 0, to: length, meaning: { records, length } })
  return { records, length }
}
