/** A batch as the columns of its row, and back: all SQL databases use the same columns. */
import { seq, timeMs } from '../../units/quantities.ts'
import { BATCH_KINDS, type Batch, JournalFault, kindOf, lastSeqOf } from './journal.ts'

/** A row of a table; damage may have changed any value. */
export type BatchRow = Readonly<
  Record<
    'position' | 'epoch' | 'kind' | 'first_seq' | 'last_seq' | 'time' | 'previous_hash' | 'hash' | 'data',
    unknown
  >
>

export type BatchValues = [
  position: number,
  epoch: number,
  kind: number,
  firstSeq: number,
  lastSeq: number,
  time: number,
  previousHash: Uint8Array,
  hash: Uint8Array,
  data: Uint8Array,
]

/** Converters for the forms in which databases return values. Both throw `JournalFault` with `DAMAGED`. */
export type ColumnReaders = {
  /** 0 to 2^53-1. */
  readonly integer: (value: unknown) => number
  readonly bytes: (value: unknown) => Uint8Array
}

export function batchValues(batch: Batch): BatchValues {
  const { position, epoch, kind, firstSeq, time, previousHash, hash, data } = batch
  return [position, epoch, BATCH_KINDS[kind], firstSeq, lastSeqOf(batch), time, previousHash, hash, data]
}

/**
 * Throws `JournalFault`: `DAMAGED` if the row cannot have been written by this program, `UNSUPPORTED` for an
 * unknown kind.
 */
export function batchOfRow(row: BatchRow, { integer, bytes }: ColumnReaders): Batch {
  const position = integer(row.position)
  const first = integer(row.first_seq)
  const last = integer(row.last_seq)
  if (first < 1 || first > last)
    throw new JournalFault('DAMAGED', `batch ${position}: it has commands ${first} to ${last}`)
  return {
    position,
    epoch: integer(row.epoch),
    kind: kindOf(integer(row.kind)),
    firstSeq: seq(first),
    count: last - first + 1,
    time: timeMs(integer(row.time)),
    previousHash: bytes(row.previous_hash),
    hash: bytes(row.hash),
    data: bytes(row.data),
  }
}
