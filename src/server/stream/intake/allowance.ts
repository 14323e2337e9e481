/** A token bucket: a burst, and then a rate a second. A clock that is set back adds no tokens. */
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

  /** Takes the tokens, even if there are too few; false if there were too few. `now` in milliseconds. */
  take(count: number, now: number): boolean {
    if (this.#at !== undefined && now > this.#at) {
      this.#left = Math.min(this.#max, this.#left + (now - this.#at) * this.#perMs)
    }
    this.#at = now
    this.#left -= count
    return this.#left >= 0
  }

  /** Takes the tokens. If there are too few, takes none and returns false. */
  takeIfThere(count: number, now: number): boolean {
    if (this.take(count, now)) return true
    this.#left += count
    return false
  }
}
