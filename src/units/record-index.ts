/**
 * Finds records by a whole number that they hold themselves. Records are numbered places in columns of typed arrays;
 * the index keeps nothing but those places, 4 bytes each and at most half full, and reads the keys from the column
 * that it is given. Open addressing with linear probing; taking a record out moves later ones back, so that no gaps
 * are left behind. It earns its place beside `Map` in `bench` (questions "book" and "memory").
 */

/** The answer where there is no record. */
export const NO_RECORD = -1

/** 2^32 over the golden ratio: multiplying by it spreads neighbouring numbers. */
const SPREAD = 0x9e3779b1
const TWO_32 = 2 ** 32

export class RecordIndex {
  /** A record, or `NO_RECORD`. As many places as a power of two. */
  #places: Int32Array
  /** Number of places less 1. */
  #mask: number
  /** Leaves as many of a hash's 32 bits, the high ones, as number the places. */
  #shift: number
  #count = 0

  /** Room for `capacity` records, 1 to 2^30, before the first growth. */
  constructor(capacity: number) {
    const bits = 33 - Math.clz32(Math.max(1, capacity - 1))
    this.#places = new Int32Array(2 ** bits).fill(NO_RECORD)
    // A power is a floating-point number to the compiler, and so would be every place (`npm run bench -- book`: a twentieth).
    this.#mask = (2 ** bits - 1) | 0
    this.#shift = 32 - bits
  }

  get count(): number {
    return this.#count
  }

  /** The record whose key in `keys` is `key`, a whole number of at most 53 bits; else `NO_RECORD`. */
  find(keys: Float64Array, key: number): number {
    return this.#places[this.#placeOf(keys, key)] as number
  }

  /** Puts `record` in, with the key that stands in `keys`; no other record may have it. */
  add(keys: Float64Array, record: number): void {
    if (this.#count * 2 > this.#mask) this.#grow(keys)
    this.#places[this.#placeOf(keys, keys[record] as number)] = record
    this.#count++
  }

  /** Takes the record with `key` out and answers it; `NO_RECORD` when there is none. */
  remove(keys: Float64Array, key: number): number {
    const places = this.#places
    const mask = this.#mask
    let gap = this.#placeOf(keys, key)
    const removed = places[gap] as number
    if (removed === NO_RECORD) return NO_RECORD
    for (let at = (gap + 1) & mask; ; at = (at + 1) & mask) {
      const record = places[at] as number
      if (record === NO_RECORD) break
      // It may move into the gap unless its own place lies behind the gap.
      if (((at - this.#home(keys[record] as number)) & mask) < ((at - gap) & mask)) continue
      places[gap] = record
      gap = at
    }
    places[gap] = NO_RECORD
    this.#count--
    return removed
  }

  /** Where the record with `key` is, or the vacant place where it would be put. */
  #placeOf(keys: Float64Array, key: number): number {
    const places = this.#places
    const mask = this.#mask
    let at = this.#home(key)
    for (;;) {
      const record = places[at] as number
      if (record === NO_RECORD || keys[record] === key) return at
      at = (at + 1) & mask
    }
  }

  /** Where the search for `key` begins. */
  #home(key: number): number {
    const low = key | 0
    const folded = low === key ? low : low ^ ((key / TWO_32) | 0)
    return Math.imul(folded, SPREAD) >>> this.#shift
  }

  #grow(keys: Float64Array): void {
    const places = this.#places
    this.#places = new Int32Array(places.length * 2).fill(NO_RECORD)
    this.#mask = places.length * 2 - 1
    this.#shift--
    for (let i = 0; i < places.length; i++) {
      const record = places[i] as number
      if (record !== NO_RECORD) this.#places[this.#placeOf(keys, keys[record] as number)] = record
    }
  }
}
