/**
 * No command is dated by a moment that nothing bears out: the journal's time runs no faster than time does, but for a
 * bound, and for what an operator has accepted. It knows the bounds and nothing of how the clock keeps them.
 */
import type { ClockLimits } from '../../src/engine/journal-clock.ts'
import { type Applied, demand } from './shadow-state.ts'

/** So much faster than time a clock may be steered. */
const RATE_MAX = 1.1
/** Between the moment at which a command is dated and the one at which it is seen here. */
const DELAY_MS_MAX = 5_000
/** How far what is accepted may be from what the operator saw. */
const ACCEPT_MS_MAX = 60_000 + DELAY_MS_MAX

type Reference = {
  /** The journal's time, and the moment at which it was that. */
  readonly time: number
  readonly at: number
  /** How far it may get ahead of time from there. */
  readonly boundMs: number
}

export class JournaledTime {
  readonly #now: () => number
  readonly #limits: ClockLimits
  #reference: Reference = { time: 0, at: 0, boundMs: Number.POSITIVE_INFINITY }

  /** `now`: milliseconds since the start of the run. */
  constructor(now: () => number, limits: ClockLimits) {
    this.#now = now
    this.#limits = limits
  }

  /** A process goes on from a journal whose last command is of `time`; 0: from an empty one. */
  started(time: number): void {
    const boundMs = time === 0 ? Number.POSITIVE_INFINITY : this.#limits.startJumpMaxMs
    this.#reference = { time, at: this.#now(), boundMs }
  }

  /** A command was applied for the first time. Throws `ViolationError`. */
  applied({ seq, time, command }: Pick<Applied, 'seq' | 'time' | 'command'>): void {
    const { jumpMaxMs } = this.#limits
    const { time: from, at, boundMs } = this.#reference
    const gainedMs = time - from - RATE_MAX * (this.#now() - at)
    const next = { time, at: this.#now(), boundMs: jumpMaxMs }
    const isWithin = gainedMs <= boundMs + DELAY_MS_MAX
    const isAccepted = command?.kind === 'AcceptClock' && Math.abs(time - command.clock) <= ACCEPT_MS_MAX
    demand(
      isWithin || isAccepted,
      () => `command ${seq} is dated ${Math.round(gainedMs)} ms ahead of time, and nobody has accepted that`,
    )
    // The clock was taken at its word: from here on the bound is that of a running node.
    if (!isWithin || (boundMs > jumpMaxMs && gainedMs > DELAY_MS_MAX)) this.#reference = next
  }
}
