/** The byte format of the simulated journal: the entries, and the headers in the log and in the main file. */
import { createHash } from 'node:crypto'
import {
  BATCH_KINDS,
  type Batch,
  HASH_BYTES,
  kindOf,
  type Quarantined,
} from '../../src/engine/port/journal.ts'
import { ByteReader, ByteWriter } from '../../src/units/bytes.ts'
import { seq, timeMs } from '../../src/units/quantities.ts'

/** Before each record of the log: its length and the start of its checksum. */
export const LOG_HEAD_BYTES = 12
/** Before the records of the main file: the number of valid bytes. */
export const MAIN_HEAD_BYTES = 8

/**
 * Batches and refusals are stored in the order in which they were written, so a refusal never outlives its
 * batch.
 */
export type Entry =
  | { readonly kind: 'BATCH'; readonly batch: Batch }
  | { readonly kind: 'QUARANTINED'; readonly quarantined: Quarantined }

export function encodeEntry(entry: Entry): Uint8Array {
  const writer = new ByteWriter(256)
  if (entry.kind === 'QUARANTINED') {
    writer.u8(1)
    writer.uint(entry.quarantined.seq)
    writer.raw(entry.quarantined.check)
    return writer.take()
  }
  const { position, epoch, kind, firstSeq, count, time, previousHash, hash, data } = entry.batch
  writer.u8(0)
  writer.uint(position)
  writer.uint(epoch)
  writer.u8(BATCH_KINDS[kind])
  writer.uint(firstSeq)
  writer.uint(count)
  writer.uint(time)
  writer.raw(previousHash)
  writer.raw(hash)
  writer.raw(data)
  return writer.take()
}

export function decodeEntry(record: Uint8Array): Entry {
  const reader = new ByteReader(record)
  if (reader.u8() === 1) {
    return {
      kind: 'QUARANTINED',
      quarantined: { seq: seq(reader.uint()), check: reader.raw(HASH_BYTES).slice() },
    }
  }
  const place = { position: reader.uint(), epoch: reader.uint(), kind: kindOf(reader.u8()) }
  const head = { firstSeq: seq(reader.uint()), count: reader.uint(), time: timeMs(reader.uint()) }
  const previousHash = reader.raw(HASH_BYTES).slice()
  const hash = reader.raw(HASH_BYTES).slice()
  return { kind: 'BATCH', batch: { ...place, ...head, previousHash, hash, data: record.slice(reader.at) } }
}

export function logRecord(record: Uint8Array): Uint8Array {
  const writer = new ByteWriter(LOG_HEAD_BYTES + record.length)
  writer.u32(record.length)
  writer.raw(checksum(record))
  writer.raw(record)
  return writer.take()
}

export function mainHead(length: number): Uint8Array {
  const writer = new ByteWriter(MAIN_HEAD_BYTES)
  writer.u32(length)
  writer.u32(0)
  return writer.take()
}

export function checksum(record: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(record).digest()).subarray(0, LOG_HEAD_BYTES - 4)
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
