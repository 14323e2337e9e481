/**
 * A histogram: counts of values between fixed bounds, and their sum. The numbers are in memory that another
 * thread may read while this one writes; adding a value costs some nanoseconds and no memory.
 */
import { invariant } from '../../units/invariant.ts'

const CELL_BYTES = Float64Array.BYTES_PER_ELEMENT

export class Histogram {
  /** Upper bounds, ascending and inclusive. There is one more count, for values above the last bound. */
  readonly bounds: readonly number[]
  /** One count for each bound, one for values above all bounds, then the sum. */
  readonly #cells: Float64Array

  constructor(bounds: readonly number[], cells: Float64Array = new Float64Array(cellsOf(bounds))) {
    invariant(
      cells.length === cellsOf(bounds),
      () => `expected ${cellsOf(bounds)} cells, got ${cells.length}`,
    )
    this.bounds = bounds
    this.#cells = cells
  }

  add(value: number): void {
    const { bounds } = this
    let at = 0
    while (at < bounds.length && value > (bounds[at] as number)) at++
    this.#cells[at] = (this.#cells[at] as number) + 1
    const sum = bounds.length + 1
    this.#cells[sum] = (this.#cells[sum] as number) + value
  }

  /** Number of values at or below each bound; the last entry is the number of all values. */
  cumulative(): number[] {
    let total = 0
    return Array.from(this.#cells.subarray(0, this.bounds.length + 1), (count) => {
      total += count
      return total
    })
  }

  /** The counts between bounds, not cumulative, and the sum; another process can add them to its own. */
  get state(): { readonly counts: number[]; readonly sum: number } {
    return { counts: [...this.#cells.subarray(0, this.bounds.length + 1)], sum: this.sum }
  }

  /** Adds the counts of another histogram with the same bounds. */
  addState({ counts, sum }: { readonly counts: readonly number[]; readonly sum: number }): void {
    invariant(
      counts.length === this.bounds.length + 1,
      () => `expected ${this.bounds.length + 1} counts, got ${counts.length}`,
    )
    for (const [at, count] of counts.entries()) this.#cells[at] = (this.#cells[at] as number) + count
    const at = this.bounds.length + 1
    this.#cells[at] = (this.#cells[at] as number) + sum
  }

  get sum(): number {
    return this.#cells[this.bounds.length + 1] as number
  }
}

/** Number of cells of a histogram with these bounds. */
export function cellsOf(bounds: readonly number[]): number {
  return bounds.length + 2
}

/** Allocates parts of one block, one after the other: both threads lay it out by the same calls. */
export class CellAllocator {
  readonly #memory: ArrayBufferLike
  #used = 0

  constructor(memory: ArrayBufferLike) {
    this.#memory = memory
  }

  take(cells: number): Float64Array {
    const piece = new Float64Array(this.#memory, this.#used * CELL_BYTES, cells)
    this.#used += cells
    return piece
  }
}
