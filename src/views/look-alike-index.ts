/**
 * Accounts by the skeletons of their names: 16 bytes for each, and a lookup costs the same with ten
 * accounts as with a million. Names that look alike are chained, the latest first; the names themselves are
 * stored with the accounts.
 */

import { grownInt32 } from '../units/typed-arrays.ts'
import { skeletonHash, skeletonOf } from './look-alikes.ts'

const FIRST_ROWS = 16
/** No account. */
const NONE = -1
/**
 * Maximum number of names that one lookup compares; if more names look alike, the latest ones are compared.
 */
export const ALIKE_COMPARED_MAX = 1_000
/** 2^32 divided by the golden ratio: a multiplication by it spreads neighboring hashes. */
const SPREAD = 0x9e3779b1

export class LookAlikeIndex {
  #hashes = new Int32Array(FIRST_ROWS)
  /** By account: the previous account in the same chain. */
  #before = new Int32Array(FIRST_ROWS)
  /** The latest account of each chain. The size is a power of two. */
  #latest = new Int32Array(FIRST_ROWS).fill(NONE)
  #count = 0

  /** Adds the name of the next account; accounts are added in the order of their ids, from 0. */
  add(name: string): void {
    if (this.#count === this.#hashes.length) this.#grow()
    this.#hashes[this.#count] = skeletonHash(name)
    this.#chain(this.#count++)
  }

  /**
   * At most `limit` accounts, the latest first, whose names look like `name`, except the account with exactly
   * that name. `nameOf` returns the name of an account.
   */
  alike(name: string, limit: number, nameOf: (id: number) => string): readonly string[] {
    const hash = skeletonHash(name)
    const found: string[] = []
    let skeleton: string | undefined
    let id = this.#latest[this.#homeOf(hash)] as number
    for (let compared = 0; id !== NONE && compared < ALIKE_COMPARED_MAX && found.length < limit; compared++) {
      if (this.#hashes[id] === hash) {
        const other = nameOf(id)
        skeleton ??= skeletonOf(name)
        if (other !== name && skeletonOf(other) === skeleton) found.push(other)
      }
      id = this.#before[id] as number
    }
    return found
  }

  #chain(id: number): void {
    const home = this.#homeOf(this.#hashes[id] as number)
    this.#before[id] = this.#latest[home] as number
    this.#latest[home] = id
  }

  #homeOf(hash: number): number {
    const spread = Math.imul(hash, SPREAD)
    return (spread ^ (spread >>> 15)) & (this.#latest.length - 1)
  }

  #grow(): void {
    const rows = this.#hashes.length * 2
    this.#hashes = grownInt32(this.#hashes, rows)
    this.#before = grownInt32(this.#before, rows)
    this.#latest = new Int32Array(rows).fill(NONE)
    for (let id = 0; id < this.#count; id++) this.#chain(id)
  }
}
