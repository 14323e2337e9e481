/**
 * No command is dated by a moment that nothing bears out: the journal's time runs no faster than time does, but for a
 * bound, and for what an operator has accepted. It knows the bounds and nothing of how the clock keeps them.
 */
import type { ClockLimits, ClockReading } from '../../src/engine/writer/journal-clock.ts'
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
  /** Since the process began. */
  #hasUsedReading = false

  /** `now`: milliseconds since the start of the run. */
  constructor(now: () => number, limits: ClockLimits) {
    this.#now = now
    this.#limits = limits
  }

  /** A process begins on a journal whose last command is of `time`; 0: on an empty one. */
  started(time: number): void {
    const boundMs = time === 0 ? Number.POSITIVE_INFINITY : this.#limits.startJumpMaxMs
    this.#reference = { time, at: this.#now(), boundMs }
    this.#hasUsedReading = false
  }

  /**
   * It has replayed the journal, whose last command is of `time`: its clock begins there. The last commands may have been applied for the first time
   * just now, and been dated by the process before.
   */
  recovered(time: number): void {
    if (!this.#hasUsedReading) this.started(time)
  }

  /**
   * It has published a reading of its clock. One that it trusts and that the bound of a start allows has used that up; one
   * far behind the journal has not.
   */
  read({ isTrusted, time, wall }: ClockReading): void {
    const { jumpMaxMs } = this.#limits
    const isUsed = isTrusted && wall > time - jumpMaxMs && this.#isWithin(time)
    if (!this.#isOfStart || !isUsed) return
    this.#reference = { time, at: this.#now(), boundMs: jumpMaxMs }
    this.#hasUsedReading = true
  }

  /** A command was applied for the first time. Throws `ViolationError`. */
  applied({ seq, time, command }: Pick<Applied, 'seq' | 'time' | 'command'>): void {
    const isWithin = this.#isWithin(time)
    const isAccepted = command?.kind === 'AcceptClock' && Math.abs(time - command.clock) <= ACCEPT_MS_MAX
    const gainedMs = this.#gainedMs(time)
    demand(
      isWithin || isAccepted,
      () => `command ${seq} is dated ${Math.round(gainedMs)} ms ahead of time, and nobody has accepted that`,
    )
    // The clock was taken at its word: from here on the bound is that of a running node.
    const isStep = !isWithin || (this.#isOfStart && gainedMs > DELAY_MS_MAX)
    if (isStep) this.#reference = { time, at: this.#now(), boundMs: this.#limits.jumpMaxMs }
  }

  /** The bound is still that of a start. */
  get #isOfStart(): boolean {
    return this.#reference.boundMs > this.#limits.jumpMaxMs
  }

  /** How far `time` is ahead of what the reference has come to since. */
  #gainedMs(time: number): number {
    const { time: from, at } = this.#reference
    return time - from - RATE_MAX * (this.#now() - at)
  }

  #isWithin(time: number): boolean {
    return this.#gainedMs(time) <= this.#reference.boundMs + DELAY_MS_MAX
  }
}
