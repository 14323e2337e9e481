/**
 * Things that end at a time, for example orders: a heap by time, then by number, with an index from number to
 * place, so that an early removal leaves nothing behind. All in typed arrays; adding and removing take
 * logarithmic time.
 */
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { NO_RECORD, RecordIndex } from '../../units/record-index.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'

const FIRST_ROWS = 64

export class DeadlineQueue<Key extends number> {
  readonly #rowByNumber = new RecordIndex(FIRST_ROWS)
  /** By row. */
  #numbers = new Float64Array(FIRST_ROWS)
  #times = new Float64Array(FIRST_ROWS)
  /** By row: its place in the heap. */
  #places = new Int32Array(FIRST_ROWS)
  /** Rows as a heap: both children of a row end later. The vacant rows follow the heap's end. */
  #heap = new Int32Array(FIRST_ROWS).map((_, row) => row)

  get count(): number {
    return this.#rowByNumber.count
  }

  /** The end time of the first order; undefined if there is none. */
  get firstTime(): TimeMs | undefined {
    return this.count === 0 ? undefined : (this.#times[this.#heap[0] as number] as TimeMs)
  }

  /** The end time of an order; undefined if it is absent. */
  timeOf(number: Key): TimeMs | undefined {
    if (this.count === 0) return undefined
    const row = this.#rowByNumber.find(this.#numbers, number)
    return row === NO_RECORD ? undefined : (this.#times[row] as TimeMs)
  }

  add(number: Key, time: TimeMs): void {
    invariant(this.timeOf(number) === undefined, () => `${number} already has an expiry time`)
    const place = this.count
    if (place === this.#heap.length) this.#grow(place * 2)
    const row = this.#heap[place] as number
    this.#numbers[row] = number
    this.#times[row] = time
    this.#rowByNumber.add(this.#numbers, row)
    this.#rise(row, place)
  }

  /** Removes an order; false if it is absent. */
  remove(number: Key): boolean {
    if (this.count === 0) return false
    const row = this.#rowByNumber.remove(this.#numbers, number)
    if (row === NO_RECORD) return false
    const end = this.count
    const place = this.#places[row] as number
    const last = this.#heap[end] as number
    this.#heap[end] = row
    if (place === end) return true
    this.#rise(last, place)
    this.#sink(last, this.#places[last] as number)
    return true
  }

  /** The orders that end at `time` or before, in order, at most `max`: later ones are not read. */
  until(time: TimeMs, max: number): Key[] {
    const found: Key[] = []
    const open = this.count > 0 ? [0] : []
    while (found.length < max) {
      let first = 0
      for (let i = 1; i < open.length; i++) {
        if (
          this.#isBefore(this.#heap[open[i] as number] as number, this.#heap[open[first] as number] as number)
        )
          first = i
      }
      const place = open[first]
      if (place === undefined) break
      const row = this.#heap[place] as number
      if ((this.#times[row] as number) > time) break
      found.push(this.#numbers[row] as Key)
      open[first] = open.at(-1) as number
      open.pop()
      for (const below of [2 * place + 1, 2 * place + 2]) if (below < this.count) open.push(below)
    }
    return found
  }

  /** All numbers with their end times, in the order of the numbers. */
  *byNumber(): Generator<{ readonly number: Key; readonly time: TimeMs }, void> {
    for (const row of this.#heap
      .slice(0, this.count)
      .sort((a, b) => (this.#numbers[a] as number) - (this.#numbers[b] as number))) {
      yield { number: this.#numbers[row] as Key, time: this.#times[row] as TimeMs }
    }
  }

  /** Puts a row at `place` or above. */
  #rise(row: number, place: number): void {
    let at = place
    while (at > 0) {
      const above = (at - 1) >>> 1
      const other = this.#heap[above] as number
      if (!this.#isBefore(row, other)) break
      this.#put(other, at)
      at = above
    }
    this.#put(row, at)
  }

  /** Moves the row at `place` below those that end before it. */
  #sink(row: number, place: number): void {
    let at = place
    for (;;) {
      let below = 2 * at + 1
      if (below >= this.count) break
      const isRight =
        below + 1 < this.count && this.#isBefore(this.#heap[below + 1] as number, this.#heap[below] as number)
      if (isRight) below++
      const other = this.#heap[below] as number
      if (!this.#isBefore(other, row)) break
      this.#put(other, at)
      at = below
    }
    this.#put(row, at)
  }

  #put(row: number, place: number): void {
    this.#heap[place] = row
    this.#places[row] = place
  }

  #isBefore(one: number, other: number): boolean {
    const difference = (this.#times[one] as number) - (this.#times[other] as number)
    return (
      difference < 0 ||
      (difference === 0 && (this.#numbers[one] as number) < (this.#numbers[other] as number))
    )
  }

  #grow(rows: number): void {
    const from = this.#heap.length
    this.#numbers = grownFloat64(this.#numbers, rows)
    this.#times = grownFloat64(this.#times, rows)
    this.#places = grownInt32(this.#places, rows)
    this.#heap = grownInt32(this.#heap, rows)
    for (let row = from; row < rows; row++) this.#heap[row] = row
  }
}
