/** The time of a turn of the event loop, read once however many messages the turn brings. */
import type { TimeMs } from '../../units/quantities.ts'
import type { Clock } from '../common/clock.ts'

export class TurnClock {
  readonly #clock: Clock
  #now: TimeMs | undefined

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

  readonly #turned = (): void => {
    this.#now = undefined
  }
}
