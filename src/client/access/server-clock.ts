/**
 * The server's time as the client knows it (docs/reference/http.md#time-window). It is measured against a clock that never goes back, so a
 * machine whose own clock is wrong, or is set, sends right timestamps all the same.
 *
 * An answer of `GET /time` was true when it left the server. What is added to it is the time since it came here: so what is given out is
 * never ahead of the server, and behind it by the answer's way at most.
 */
import type { Platform } from '../platform/ports.ts'

/** A measurement grows old, since two clocks never run alike. */
const MEASURED_AGAIN_MS = 600_000

export type ClockMeasure = {
  /** How long question and answer took together, in milliseconds. */
  readonly roundTripMs: number
  /** How far the machine's clock is ahead of the server's, in milliseconds; below zero: behind. Exact to half the round trip. */
  readonly skewMs: number
}

type Known = ClockMeasure & { readonly serverTime: number; readonly at: number }

export class MeasuredClock {
  readonly #platform: Pick<Platform, 'now' | 'wallTime'>
  readonly #ask: () => Promise<number>
  #known: Known | undefined
  #isDoubted = false
  #measuring: Promise<Known> | undefined

  /** `ask` gives the server's time. */
  constructor(platform: Pick<Platform, 'now' | 'wallTime'>, ask: () => Promise<number>) {
    this.#platform = platform
    this.#ask = ask
  }

  /** Undefined before the first measurement. */
  get measure(): ClockMeasure | undefined {
    return this.#known && { roundTripMs: this.#known.roundTripMs, skewMs: this.#known.skewMs }
  }

  /** The server's time now in milliseconds; it is measured first where that has not been done, or long ago. */
  async time(): Promise<number> {
    const { now } = this.#platform
    const isOld = this.#known === undefined || now() - this.#known.at >= MEASURED_AGAIN_MS
    const known = this.#known === undefined || isOld || this.#isDoubted ? await this.#measured() : this.#known
    return Math.floor(known.serverTime + now() - known.at)
  }

  /** The next `time` is measured anew: the server has refused a timestamp. */
  doubt(): void {
    this.#isDoubted = true
  }

  /** Measures now; whoever asks meanwhile shares the answer, so that nobody who gives up may end it. */
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
