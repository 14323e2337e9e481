/**
 * Computes the repair of a cluster's journal: from another copy of it, or by giving up everything after a
 * position. The hash chain shows for every row whether it is intact. Nothing is written here: the caller that
 * changes the table gets the changes row by row.
 */
import { sameBytes } from '../../units/typed-arrays.ts'
import {
  type Batch,
  type Digest,
  EMPTY_TAIL,
  endOf,
  JournalFault,
  lastSeqOf,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import { verifiedBatches } from '../writer/recovery/verified-batches.ts'
import type { JournalSource } from './source.ts'

/** Maximum number of bytes of rows (`sizeOf`) read at once, unless one row alone is larger. */
export const REPAIR_BYTES_MAX = 1024 * 1024

/** A row as stored, intact or not. */
export type StoredRow =
  | { readonly position: number; readonly batch: Batch }
  /** The reason why the row cannot be read as a batch. */
  | { readonly position: number; readonly batch: undefined; readonly problem: string }

export interface StoredRows {
  /** The highest stored position; 0 if there is none. */
  readonly last: number
  /** Rows from `first` to `last` by position: at least one if any is stored. Missing rows are left out. */
  read(first: number, last: number, maxBytes: number): Promise<readonly StoredRow[]>
}

/** The change of a row. */
export type RowRepair =
  | { readonly kind: 'KEEP'; readonly batch: Batch }
  /** The row is stored again; `problem`: the fault of the existing row, if any. */
  | { readonly kind: 'STORE'; readonly batch: Batch; readonly problem: string; readonly replaces: boolean }
  /** A claim on a fork that has no acknowledged commands. */
  | { readonly kind: 'REMOVE'; readonly batch: Batch }

export type RowRepairOptions = {
  readonly rows: StoredRows
  /** Another copy of the journal, which may be shorter. */
  readonly source: Pick<JournalSource, 'read' | 'tail'>
  readonly digest: Digest
}

/**
 * The whole journal, row by row, in the order of the changes. Throws `DAMAGED` if the source is damaged,
 * belongs to another exchange, is on another fork that may have acknowledged commands, or ends before the
 * damage.
 */
export async function* repairedRows({
  rows,
  source,
  digest,
}: RowRepairOptions): AsyncGenerator<RowRepair, void> {
  const stored = new RowCursor(rows)
  let tail: Tail = EMPTY_TAIL
  let isForked = false
  for await (const { batches } of verifiedBatches(source, digest, EMPTY_TAIL, REPAIR_BYTES_MAX)) {
    for (const batch of batches) {
      const row = isForked ? undefined : await stored.at(batch.position)
      if (row?.batch !== undefined && isSame(row.batch, batch)) yield { kind: 'KEEP', batch }
      else {
        const problem =
          row === undefined ? `position ${batch.position} is missing` : misfit(digest, tail, row)
        if (problem === undefined) {
          isForked = true
          for (const claim of await claimsOnly(rows, batch.position)) yield { kind: 'REMOVE', batch: claim }
        }
        const replaces = row !== undefined && problem !== undefined
        const why = problem ?? `position ${batch.position} has a claim of another fork`
        yield { kind: 'STORE', batch, problem: why, replaces }
      }
      tail = endOf(batch)
    }
  }
  if (!isForked) yield* behindSource(stored, tail, digest)
}

/** Rows after the source's end: they must be intact, since no other copy has them. */
async function* behindSource(stored: RowCursor, end: Tail, digest: Digest): AsyncGenerator<RowRepair, void> {
  let tail = end
  for await (const row of stored.after(end.position)) {
    const problem = misfit(digest, tail, row)
    if (problem !== undefined || row.batch === undefined) {
      const found = `${problem}; the copy ends at position ${end.position}, command ${end.seq}`
      throw new JournalFault('DAMAGED', `${found}: use a copy that ends later`)
    }
    tail = endOf(row.batch)
    yield { kind: 'KEEP', batch: row.batch }
  }
}

/**
 * The rows from `first` on, if each is a claim: then the claiming engine has acknowledged nothing. Throws
 * `DAMAGED` otherwise.
 */
async function claimsOnly(rows: StoredRows, first: number): Promise<readonly Batch[]> {
  const claims: Batch[] = []
  for await (const { batch, position } of new RowCursor(rows).after(first - 1)) {
    if (batch?.kind !== 'CLAIM') {
      throw new JournalFault(
        'DAMAGED',
        `the copy is of another exchange, or of another fork of this one: both have an intact batch at position ${first}, the two batches differ, and position ${position} of the database is not a claim. Either fork may have acknowledged orders`,
      )
    }
    claims.push(batch)
  }
  return claims
}

/** The intact part of a journal. */
export type SoundPart = {
  readonly end: Tail
  /** The reason why the intact part ends; undefined if the whole journal is intact. */
  readonly problem: string | undefined
}

export type SoundOptions = {
  readonly rows: StoredRows
  readonly digest: Digest
  /** Rows after this position are not read; undefined to read all. */
  readonly endAt: number | undefined
  /** Receives each intact batch, in order. */
  readonly take: (batch: Batch) => void
}

/** The part of the journal before the first missing or damaged row. */
export async function soundPart({ rows, digest, endAt, take }: SoundOptions): Promise<SoundPart> {
  let end: Tail = EMPTY_TAIL
  for await (const row of new RowCursor(rows).after(0)) {
    if (endAt !== undefined && row.position > endAt)
      return { end, problem: `it is given up from position ${row.position} on` }
    const problem = misfit(digest, end, row)
    if (problem !== undefined || row.batch === undefined) return { end, problem }
    take(row.batch)
    end = endOf(row.batch)
  }
  return { end, problem: undefined }
}

/** Rows after `position`, intact or not. */
export function rowsAfter(rows: StoredRows, position: number): AsyncGenerator<StoredRow, void> {
  return new RowCursor(rows).after(position)
}

/** Reads rows in the order of their positions. */
class RowCursor {
  readonly #rows: StoredRows
  #page: readonly StoredRow[] = []
  #next = 0

  constructor(rows: StoredRows) {
    this.#rows = rows
  }

  /** The row at a position, which must be after the previous one; undefined if there is none. */
  async at(position: number): Promise<StoredRow | undefined> {
    const row = await this.#from(position)
    return row?.position === position ? row : undefined
  }

  async *after(position: number): AsyncGenerator<StoredRow, void> {
    for (
      let row = await this.#from(position + 1);
      row !== undefined;
      row = await this.#from(row.position + 1)
    )
      yield row
  }

  /** The first row at or after a position. */
  async #from(position: number): Promise<StoredRow | undefined> {
    for (;;) {
      for (; this.#next < this.#page.length; this.#next++) {
        const row = this.#page[this.#next] as StoredRow
        if (row.position >= position) return row
      }
      if (position > this.#rows.last) return undefined
      this.#page = await this.#rows.read(position, this.#rows.last, REPAIR_BYTES_MAX)
      this.#next = 0
      if (this.#page.length === 0) return undefined
    }
  }
}

/** The reason why the row cannot follow `tail`; undefined if it does. */
function misfit(digest: Digest, tail: Tail, row: StoredRow): string | undefined {
  if (row.batch === undefined) return `position ${row.position} cannot be read: ${row.problem}`
  try {
    verifyBatch(digest, tail, row.batch)
    return undefined
  } catch (cause) {
    if (cause instanceof JournalFault) return `position ${row.position}: ${cause.message}`
    throw cause
  }
}

function isSame(a: Batch, b: Batch): boolean {
  const hasSameNumbers =
    a.position === b.position &&
    a.epoch === b.epoch &&
    a.kind === b.kind &&
    a.firstSeq === b.firstSeq &&
    lastSeqOf(a) === lastSeqOf(b) &&
    a.time === b.time
  return (
    hasSameNumbers &&
    sameBytes(a.previousHash, b.previousHash) &&
    sameBytes(a.hash, b.hash) &&
    sameBytes(a.data, b.data)
  )
}
