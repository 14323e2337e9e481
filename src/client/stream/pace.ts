/** How fast something may be done: at most so many times within a second, all of them at once where the second before was quiet. */

/** A second, and some more: what was sent evenly does not arrive evenly. */
const WINDOW_MS = 1_100

export class Pace {
  readonly #perSecond: number
  /** When the last ones were done, oldest first: at most as many as a second may have. */
  readonly #times: number[] = []

  constructor(perSecond: number) {
    if (!Number.isInteger(perSecond) || perSecond < 1)
      throw new RangeError(`expected a whole number above zero a second, found ${perSecond}`)
    this.#perSecond = perSecond
  }

  /** Milliseconds until the next may be done; 0: now. */
  waitMs(now: number): number {
    const first = this.#times.length < this.#perSecond ? undefined : this.#times[0]
    return first === undefined ? 0 : Math.max(0, Math.ceil(first + WINDOW_MS - now))
  }

  /** One was done. */
  count(now: number): void {
    this.#times.push(now)
    if (this.#times.length > this.#perSecond) this.#times.shift()
  }
}
