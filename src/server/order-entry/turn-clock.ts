/** The time of a turn of the event loop, read only once, however many messages arrive in the turn. */
import type { TimeMs } from '../../units/quantities.ts'
import type { Clock } from '../common/clock.ts'

/** A clock whose times, except that of a doubted clock, do not change within a turn after the first call. */
export class TurnClock implements Clock {
  readonly #clock: Clock
  #now: TimeMs | undefined
  #steady: TimeMs | undefined
  #elapsedMs: number | undefined
  #isEnding = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): TimeMs {
    if (this.#now !== undefined) return this.#now
    this.#endSoon()
    this.#now = this.#clock.now()
    return this.#now
  }

  steady(): TimeMs {
    if (this.#steady !== undefined) return this.#steady
    this.#endSoon()
    this.#steady = this.#clock.steady()
    return this.#steady
  }

  doubted(): TimeMs | undefined {
    return this.#clock.doubted()
  }

  /** Milliseconds since an arbitrary time, with fractions, for measuring durations. */
  elapsedMs(): number {
    if (this.#elapsedMs !== undefined) return this.#elapsedMs
    this.#endSoon()
    this.#elapsedMs = performance.now()
    return this.#elapsedMs
  }

  /** Ends the turn in a microtask, a single one for all reads of the turn. */
  #endSoon(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    queueMicrotask(this.#turned)
  }

  readonly #turned = (): void => {
    this.#isEnding = false
    this.#now = undefined
    this.#steady = undefined
    this.#elapsedMs = undefined
  }
}
