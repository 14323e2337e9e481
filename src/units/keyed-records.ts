/**
 * A limited number of records under unique keys, in the order of their insertion. Equal histories write equal
 * bytes: a replaced record keeps its place.
 */
import { type ByteReader, BytesFault, type ByteWriter } from './bytes.ts'
import { invariant } from './invariant.ts'

export class KeyedRecords<T> {
  readonly #recordByKey = new Map<string, T>()
  readonly #keyOf: (record: T) => string
  readonly #max: number

  constructor(keyOf: (record: T) => string, max: number) {
    this.#keyOf = keyOf
    this.#max = max
  }

  get size(): number {
    return this.#recordByKey.size
  }

  get isFull(): boolean {
    return this.size >= this.#max
  }

  get(key: string): T | undefined {
    return this.#recordByKey.get(key)
  }

  values(): IterableIterator<T> {
    return this.#recordByKey.values()
  }

  /** Adds a record, or replaces the one with its key. A new record in a full list is a bug of the caller. */
  put(record: T): void {
    const key = this.#keyOf(record)
    invariant(
      this.#recordByKey.has(key) || !this.isFull,
      () => `no room for record ${key}: at most ${this.#max} are allowed`,
    )
    this.#recordByKey.set(key, record)
  }

  /** Returns whether there was such a record. */
  delete(key: string): boolean {
    return this.#recordByKey.delete(key)
  }

  write(w: ByteWriter, writeRecord: (w: ByteWriter, record: T) => void): void {
    w.uint(this.size)
    for (const record of this.#recordByKey.values()) writeRecord(w, record)
  }

  /**
   * Fills an empty list with the output of `write`; throws `BytesFault` if a key occurs twice or there are
   * too many records.
   */
  read(r: ByteReader, readRecord: (r: ByteReader) => T): void {
    for (let left = r.uint(); left > 0; left--) {
      const record = readRecord(r)
      const key = this.#keyOf(record)
      if (this.#recordByKey.has(key) || this.isFull) {
        throw new BytesFault(`record ${key} before byte ${r.at} appears twice or exceeds the limit`)
      }
      this.#recordByKey.set(key, record)
    }
  }
}
