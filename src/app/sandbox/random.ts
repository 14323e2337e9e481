/** Reproducible random numbers from a seed: splitmix on 32-bit integers, one generator for each purpose. */

const TWO_32 = 2 ** 32

export class SeededRandom {
  #state: number

  /** Equal arguments give equal numbers. `seed`: a whole number from 0, of which 53 bits are used. */
  constructor(seed: number, purpose: string) {
    let state = (seed % TWO_32) ^ Math.imul(Math.floor(seed / TWO_32), 0x9e3779b1)
    for (let i = 0; i < purpose.length; i++) state = Math.imul(state ^ purpose.charCodeAt(i), 0x01000193)
    this.#state = state | 0
  }

  /** 0 to 2^32-1. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let word = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
    return (word ^ (word >>> 15)) >>> 0
  }

  /** 0 to `end` - 1; `end` is at most 2^20, so that the product is exact. */
  below(end: number): number {
    return Math.floor((this.bits() * end) / TWO_32)
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  /** True with a probability of `perMillion` in a million. */
  chance(perMillion: number): boolean {
    return this.below(1_000_000) < perMillion
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] as Item
  }

  /** One item, with a probability according to its `weight`. */
  weighted<Item extends { readonly weight: number }>(items: readonly [Item, ...Item[]]): Item {
    let left = this.below(items.reduce((sum, { weight }) => sum + weight, 0))
    for (const item of items) {
      left -= item.weight
      if (left < 0) return item
    }
    return items[0]
  }
}
