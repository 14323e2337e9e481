/**
 * A column of exact integers of any size: those of a magnitude up to 2^53-1 are in a typed array, 8 bytes
 * each, larger ones in an array beside it. The benchmarks "core" and "memory" show the effect.
 */
import { grownFloat64 } from './typed-arrays.ts'
import type { Whole } from './whole.ts'

/** Marks a value of the typed array that is in the array of large values. */
const LARGE = Number.NaN

export class WholeColumn<W extends Whole = Whole> {
  #small: Float64Array
  /** By row, up to the last row that has ever had a large value. */
  readonly #large: (bigint | undefined)[] = []

  /** Creates the rows 0 to `capacity` - 1, all 0. */
  constructor(capacity: number) {
    this.#small = new Float64Array(capacity)
  }

  get(row: number): W {
    const small = this.#small[row] as number
    return (Number.isNaN(small) ? this.#large[row] : small) as W
  }

  /** `value` must be in the form for its size (`Whole`). */
  set(row: number, value: W): void {
    if (typeof value === 'number') {
      this.#small[row] = value
    } else {
      this.#small[row] = LARGE
      this.#reach(row)
      this.#large[row] = value
    }
  }

  /** Adds rows up to `capacity` - 1; new ones are 0. */
  grow(capacity: number): void {
    this.#small = grownFloat64(this.#small, capacity)
  }

  #reach(row: number): void {
    while (this.#large.length <= row) this.#large.push(undefined)
  }
}
