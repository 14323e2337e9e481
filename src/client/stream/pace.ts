/**
 * A rate limit: at most a number of actions within a second, all of them at once if the previous second was
 * idle.
 */

/** A second plus a margin: messages sent at equal intervals do not arrive at equal intervals. */
const WINDOW_MS = 1_100

export class Pace {
  readonly #perSecond: number
  /** The times of the last actions, oldest first: at most as many as are allowed in a second. */
  readonly #times: number[] = []

  constructor(perSecond: number) {
    if (!Number.isInteger(perSecond) || perSecond < 1)
      throw new RangeError(`expected a whole number above zero per second, found ${perSecond}`)
    this.#perSecond = perSecond
  }

  /** Milliseconds until the next action is allowed; 0 if it is allowed now. */
  waitMs(now: number): number {
    const first = this.#times.length < this.#perSecond ? undefined : this.#times[0]
    return first === undefined ? 0 : Math.max(0, Math.ceil(first + WINDOW_MS - now))
  }

  /** Records an action. */
  count(now: number): void {
    this.#times.push(now)
    if (this.#times.length > this.#perSecond) this.#times.shift()
  }
}
