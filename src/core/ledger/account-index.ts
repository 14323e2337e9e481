/**
 * Finds an account's row by the account's number. Number and row are side by side, 8 bytes a place, and at
 * most half of the places are in use, so that a search among many accounts costs one cache miss
 * (`npm run bench -- core`). Entries are never removed. Open addressing with linear probing, as in
 * `RecordIndex`, which stores no keys and accepts any.
 */
import type { AccountId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { ACCOUNTS_MAX } from '../../units/limits.ts'
import { NO_RECORD } from '../../units/record-index.ts'

const VACANT = -1

/** 2^32 over the golden ratio: multiplying by it spreads neighboring numbers. */
const SPREAD = 0x9e3779b1

invariant(ACCOUNTS_MAX <= 2 ** 31, 'account numbers must fit in 32 bits')

export class AccountIndex {
  /** Account and row, alternately; `VACANT` for an empty place. The number of places is a power of two. */
  #places: Int32Array
  /** Number of places minus 1. */
  #mask: number
  /** The shift that turns a 32-bit hash into the number of a place, its high bits. */
  #shift: number
  #count = 0

  /** Room for `capacity` accounts, 1 to 2^29, before the first growth. */
  constructor(capacity: number) {
    const bits = 33 - Math.clz32(Math.max(1, capacity - 1))
    this.#places = new Int32Array(2 ** (bits + 1)).fill(VACANT)
    this.#mask = 2 ** bits - 1
    this.#shift = 32 - bits
  }

  get count(): number {
    return this.#count
  }

  /** The account's row, or `NO_RECORD`. */
  find(account: AccountId): number {
    const at = this.#placeOf(account)
    return this.#places[at] === VACANT ? NO_RECORD : (this.#places[at + 1] as number)
  }

  /** Assigns the next row to an account that has none. */
  add(account: AccountId): number {
    if (this.#count * 2 > this.#mask) this.#grow()
    const row = this.#count++
    this.#put(account, row)
    return row
  }

  #put(account: AccountId, row: number): void {
    const at = this.#placeOf(account)
    this.#places[at] = account
    this.#places[at + 1] = row
  }

  /** The place of the account, or the vacant place where it would be put. */
  #placeOf(account: AccountId): number {
    const places = this.#places
    const mask = this.#mask
    let at = Math.imul(account, SPREAD) >>> this.#shift
    for (;;) {
      const there = places[at * 2]
      if (there === account || there === VACANT) return at * 2
      at = (at + 1) & mask
    }
  }

  #grow(): void {
    const places = this.#places
    this.#places = new Int32Array(places.length * 2).fill(VACANT)
    this.#mask = places.length - 1
    this.#shift--
    for (let at = 0; at < places.length; at += 2) {
      const account = places[at] as AccountId
      if (account !== VACANT) this.#put(account, places[at + 1] as number)
    }
  }
}
