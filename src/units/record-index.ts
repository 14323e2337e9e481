/**
 * Finds records by an integer key. Records are numbered places in columns of typed arrays; the index stores
 * only those places, 4 bytes each and at most half full, and reads the keys from the given column. Open
 * addressing with linear probing; a removal moves later records back, so that no gaps remain. The benchmarks
 * "book" and "memory" compare it with `Map`.
 */

/** The result if there is no record. */
export const NO_RECORD = -1

/** 2^32 over the golden ratio: a multiplication by it spreads neighboring numbers. */
const SPREAD = 0x9e3779b1
const TWO_32 = 2 ** 32

export class RecordIndex {
  /** The record in each place, or `NO_RECORD`. The number of places is a power of two. */
  #places: Int32Array
  /** Number of places minus 1. */
  #mask: number
  /** The shift that turns a 32-bit hash into the number of a place, its high bits. */
  #shift: number
  #count = 0

  /** Room for `capacity` records, 1 to 2^30, before the first growth. */
  constructor(capacity: number) {
    const bits = 33 - Math.clz32(Math.max(1, capacity - 1))
    this.#places = new Int32Array(2 ** bits).fill(NO_RECORD)
    // The compiler takes a power for a floating-point number, and would take every place for one too
    // (`npm run bench -- book`: a twentieth).
    this.#mask = (2 ** bits - 1) | 0
    this.#shift = 32 - bits
  }

  get count(): number {
    return this.#count
  }

  /** The record whose key in `keys` is `key`, an integer of at most 53 bits, or `NO_RECORD`. */
  find(keys: Float64Array, key: number): number {
    return this.#places[this.#placeOf(keys, key)] as number
  }

  /** Adds `record` with its key from `keys`; no other record may have that key. */
  add(keys: Float64Array, record: number): void {
    if (this.#count * 2 > this.#mask) this.#grow(keys)
    this.#places[this.#placeOf(keys, keys[record] as number)] = record
    this.#count++
  }

  /** Removes the record with `key` and returns it; `NO_RECORD` if there is none. */
  remove(keys: Float64Array, key: number): number {
    const places = this.#places
    const mask = this.#mask
    let gap = this.#placeOf(keys, key)
    const removed = places[gap] as number
    if (removed === NO_RECORD) return NO_RECORD
    for (let at = (gap + 1) & mask; ; at = (at + 1) & mask) {
      const record = places[at] as number
      if (record === NO_RECORD) break
      // The record may move into the gap unless its own place is behind the gap.
      if (((at - this.#home(keys[record] as number)) & mask) < ((at - gap) & mask)) continue
      places[gap] = record
      gap = at
    }
    places[gap] = NO_RECORD
    this.#count--
    return removed
  }

  /** The place of the record with `key`, or the vacant place where it would be put. */
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

  /** The place at which the search for `key` begins. */
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
