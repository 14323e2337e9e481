/**
 * Reproducible choices from one 32-bit seed (SplitMix32). Each step of a random run has a seed of its own, so
 * steps can be removed during shrinking without a change in the draws of the others.
 */

export class RandomSource {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 to 2^32-1. */
  word(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }

  /** A whole number from `min` to `max`, both included, at most 2^53-1. */
  between(min: number, max: number): number {
    const span = BigInt(max) - BigInt(min) + 1n
    return Number(BigInt(min) + (((BigInt(this.word()) << 32n) | BigInt(this.word())) % span))
  }

  /** A bigint of at most `bits` bits; all lengths are equally likely. */
  bits(bits: number): bigint {
    let value = 0n
    const wanted = this.below(bits + 1)
    for (let have = 0; have < wanted; have += 32) value = (value << 32n) | BigInt(this.word())
    return value & ((1n << BigInt(wanted)) - 1n)
  }

  /** 0 to `count` - 1; `count` up to 2^32. */
  below(count: number): number {
    return this.word() % count
  }

  /** True with a probability of 1 in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  /** One of the words, drawn according to the weights. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][]
    let left = this.below(entries.reduce((sum, [, weight]) => sum + weight, 0))
    for (const [word, weight] of entries) {
      if (left < weight) return word
      left -= weight
    }
    throw new Error('weights must be whole and above 0')
  }
}
