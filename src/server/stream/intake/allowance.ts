/** So much at once, and then so much a second (a token bucket). A clock that is set back adds nothing. */
export class Allowance {
  readonly #perMs: number
  readonly #max: number
  #left: number
  #at: number | undefined

  constructor(perSecond: number, max: number) {
    this.#perMs = perSecond / 1_000
    this.#max = max
    this.#left = max
  }

  /** Takes so many, though there may not be so many; false: there were not. `now` in milliseconds. */
  take(count: number, now: number): boolean {
    if (this.#at !== undefined && now > this.#at) {
      this.#left = Math.min(this.#max, this.#left + (now - this.#at) * this.#perMs)
    }
    this.#at = now
    this.#left -= count
    return this.#left >= 0
  }

  /** Takes so many, or none when there are not so many; false then. */
  takeIfThere(count: number, now: number): boolean {
    if (this.take(count, now)) return true
    this.#left += count
    return false
  }
}
