/**
 * All randomness of a run, drawn from its seed: xoshiro128** on 32-bit integers, one generator for each
 * purpose, so that a change in the draws of one part does not change those of the others.
 */

const TWO_32 = 2 ** 32

export class Random {
  #a: number
  #b: number
  #c: number
  #d: number

  /** The generator of one purpose of a run. Equal arguments give equal numbers. */
  constructor(seed: number, purpose: string) {
    const next = splitmix(seed, purpose)
    this.#a = next()
    this.#b = next()
    this.#c = next()
    this.#d = next() | 1
  }

  /** 0 to 2^32-1. */
  bits(): number {
    const result = Math.imul(rotated(Math.imul(this.#b, 5), 7), 9) >>> 0
    const shifted = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= shifted
    this.#d = rotated(this.#d, 11)
    return result
  }

  /** 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor((this.bits() / TWO_32) * end)
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean {
    return this.bits() < probability * TWO_32
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** One key, drawn according to the weights. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][]
    let left = (this.bits() / TWO_32) * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) {
      left -= weight
      if (left < 0) return key
    }
    return (entries[0] as [Key, number])[0]
  }
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by))
}

/** Spreads seed and purpose over 32-bit words. */
function splitmix(seed: number, purpose: string): () => number {
  let state = (seed % TWO_32) ^ Math.imul(Math.floor(seed / TWO_32), 0x9e3779b1)
  for (let i = 0; i < purpose.length; i++) state = Math.imul(state ^ purpose.charCodeAt(i), 0x01000193)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
    return word ^ (word >>> 15)
  }
}
