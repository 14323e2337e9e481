/** The time of a turn of the event loop, read once however many messages the turn brings. */
import type { TimeMs } from '../../units/quantities.ts'
import type { Clock } from '../common/clock.ts'

export class TurnClock {
  readonly #clock: Clock
  #now: TimeMs | undefined
  #elapsedMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** As the clock's `steady`, at the first call in this turn. */
  now(): TimeMs {
    if (this.#now !== undefined) return this.#now
    queueMicrotask(this.#turned)
    this.#now = this.#clock.steady()
    return this.#now
  }

  /** Milliseconds since some moment, with fractions, at the first call in this turn: what durations are measured by. */
  elapsedMs(): number {
    if (this.#elapsedMs !== undefined) return this.#elapsedMs
    queueMicrotask(this.#turned)
    this.#elapsedMs = performance.now()
    return this.#elapsedMs
  }

  readonly #turned = (): void => {
    this.#now = undefined
    this.#elapsedMs = undefined
  }
}
