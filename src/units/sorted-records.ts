/**
 * Finds records by keys that strangers have chosen. Records are numbered places in columns of their owner;
 * they are ordered by a 32-bit key, and by the owner's comparison if keys are equal, in chunks of a few
 * hundred. A search halves the rest at each step, so no choice of keys or texts makes it longer than about 30
 * steps for ten million records. A hash, whose worst case anyone who knows it can choose, is used only as the
 * key (`npm run bench -- core`).
 */
import { NO_RECORD } from './record-index.ts'

/** Maximum number of records in a chunk; a full chunk is split in two. */
const CHUNK_RECORDS = 512
/** Two neighbors with at most this many records together are merged. */
const MERGED_RECORDS = CHUNK_RECORDS / 2

type Chunk = { readonly keys: Int32Array; readonly records: Int32Array; count: number }

/**
 * The position of the target relative to a record with the same key: below 0 if the target is before it,
 * above 0 if it is after it, 0 if it is that record.
 */
export type Comparison = (record: number) => number

export class SortedRecords {
  /** No chunk is empty. */
  readonly #chunks: Chunk[] = []
  #count = 0
  /** The result of the last search: the first record that is not before the target. */
  #chunk = 0
  #at = 0

  get count(): number {
    return this.#count
  }

  /** The target record; `NO_RECORD` if it is absent. `key` is a signed 32-bit integer. */
  find(key: number, compare: Comparison): number {
    return this.#search(key, compare) ? (this.#chunks[this.#chunk]?.records[this.#at] as number) : NO_RECORD
  }

  /** Adds `record`, which must be absent, at its place. */
  add(key: number, record: number, compare: Comparison): void {
    this.#search(key, compare)
    this.#count++
    const last = this.#chunks.length - 1
    if (last < 0) {
      this.#chunks.push(newChunk())
    } else if (this.#chunk > last) {
      // The record comes after all others: at the end of the last chunk.
      this.#chunk = last
      this.#at = this.#chunks[last]?.count ?? 0
    }
    let chunk = this.#chunks[this.#chunk] as Chunk
    if (chunk.count === CHUNK_RECORDS) chunk = this.#halve(chunk)
    const at = this.#at
    chunk.keys.copyWithin(at + 1, at, chunk.count)
    chunk.records.copyWithin(at + 1, at, chunk.count)
    chunk.keys[at] = key
    chunk.records[at] = record
    chunk.count++
  }

  /** Removes the target record and returns it; `NO_RECORD` if it is absent. */
  remove(key: number, compare: Comparison): number {
    if (!this.#search(key, compare)) return NO_RECORD
    this.#count--
    const chunk = this.#chunks[this.#chunk] as Chunk
    const at = this.#at
    const record = chunk.records[at] as number
    chunk.keys.copyWithin(at, at + 1, chunk.count)
    chunk.records.copyWithin(at, at + 1, chunk.count)
    chunk.count--
    this.#tidy(this.#chunk)
    return record
  }

  /** Finds the first record that is not before the target, and returns whether it is the target. */
  #search(key: number, compare: Comparison): boolean {
    const chunks = this.#chunks
    // Finds the last chunk that begins with the target or before it.
    let low = 0
    let high = chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (order(chunks[middle] as Chunk, 0, key, compare) >= 0) low = middle + 1
      else high = middle
    }
    const found = low === 0 ? 0 : low - 1
    const chunk = chunks[found]
    this.#chunk = found
    this.#at = 0
    if (chunk === undefined) return false
    low = 0
    high = chunk.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const sought = order(chunk, middle, key, compare)
      if (sought === 0) {
        this.#at = middle
        return true
      }
      if (sought > 0) low = middle + 1
      else high = middle
    }
    this.#at = low
    return false
  }

  /** Splits a full chunk, and returns the half that contains the place of the last search. */
  #halve(chunk: Chunk): Chunk {
    const half = CHUNK_RECORDS / 2
    const upper = newChunk()
    upper.keys.set(chunk.keys.subarray(half))
    upper.records.set(chunk.records.subarray(half))
    upper.count = CHUNK_RECORDS - half
    chunk.count = half
    this.#chunks.splice(this.#chunk + 1, 0, upper)
    if (this.#at <= half) return chunk
    this.#chunk++
    this.#at -= half
    return upper
  }

  /**
   * Leaves no chunk empty, and no two neighbors almost empty: memory stays proportional to the number of
   * records.
   */
  #tidy(at: number): void {
    const chunks = this.#chunks
    const chunk = chunks[at] as Chunk
    if (chunk.count === 0) {
      chunks.splice(at, 1)
      return
    }
    const first = at > 0 && isSmall(chunks[at - 1] as Chunk, chunk) ? at - 1 : at
    const [lower, upper] = [chunks[first] as Chunk, chunks[first + 1]]
    if (upper === undefined || !isSmall(lower, upper)) return
    lower.keys.set(upper.keys.subarray(0, upper.count), lower.count)
    lower.records.set(upper.records.subarray(0, upper.count), lower.count)
    lower.count += upper.count
    chunks.splice(first + 1, 1)
  }
}

function order({ keys, records }: Chunk, at: number, key: number, compare: Comparison): number {
  const other = keys[at] as number
  if (key !== other) return key < other ? -1 : 1
  return compare(records[at] as number)
}

function isSmall(lower: Chunk, upper: Chunk): boolean {
  return lower.count + upper.count <= MERGED_RECORDS
}

function newChunk(): Chunk {
  return { keys: new Int32Array(CHUNK_RECORDS), records: new Int32Array(CHUNK_RECORDS), count: 0 }
}
