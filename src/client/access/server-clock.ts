/**
 * The client's measurement of the server's time (docs/reference/authentication.md#time-window). It is
 * measured against a monotonic clock, so that a machine whose own clock is wrong or adjusted still sends
 * correct timestamps.
 *
 * The answer of `GET /time` was correct when it left the server. The time since its arrival is added to it,
 * so the result is never ahead of the server, and is behind it by at most the travel time of the answer.
 */
import type { Platform } from '../platform/ports.ts'

/** Age after which the clock is measured again, since two clocks always drift apart. */
const MEASURED_AGAIN_MS = 600_000

export type ClockMeasure = {
  /** Duration from the request to the answer, in milliseconds. */
  readonly roundTripMs: number
  /**
   * The difference by which the machine's clock is ahead of the server's, in milliseconds; negative if it is
   * behind. Exact to half the round trip.
   */
  readonly skewMs: number
}

type Known = ClockMeasure & { readonly serverTime: number; readonly at: number }

export class MeasuredClock {
  readonly #platform: Pick<Platform, 'now' | 'wallTime'>
  readonly #ask: () => Promise<number>
  #known: Known | undefined
  #isDoubted = false
  #measuring: Promise<Known> | undefined

  /** `ask` requests the server's time. */
  constructor(platform: Pick<Platform, 'now' | 'wallTime'>, ask: () => Promise<number>) {
    this.#platform = platform
    this.#ask = ask
  }

  /** Undefined before the first measurement. */
  get measure(): ClockMeasure | undefined {
    return this.#known && { roundTripMs: this.#known.roundTripMs, skewMs: this.#known.skewMs }
  }

  /**
   * The current server time in milliseconds; it is measured first if it was never measured, or too long ago.
   */
  async time(): Promise<number> {
    const { now } = this.#platform
    const isOld = this.#known === undefined || now() - this.#known.at >= MEASURED_AGAIN_MS
    const known = this.#known === undefined || isOld || this.#isDoubted ? await this.#measured() : this.#known
    return Math.floor(known.serverTime + now() - known.at)
  }

  /** Makes the next `time` measure again, because the server refused a timestamp. */
  doubt(): void {
    this.#isDoubted = true
  }

  /** Measures now; concurrent callers share the answer, so a caller that gives up must not abort it. */
  #measured(): Promise<Known> {
    this.#measuring ??= this.#measureOnce().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

  async #measureOnce(): Promise<Known> {
    const { now, wallTime } = this.#platform
    const from = now()
    const serverTime = await this.#ask()
    const at = now()
    const roundTripMs = at - from
    const skewMs = Math.round(wallTime() - serverTime - roundTripMs / 2)
    this.#isDoubted = false
    this.#known = { serverTime, at, roundTripMs, skewMs }
    return this.#known
  }
}
