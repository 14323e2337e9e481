/**
 * Checks that every command's time has a basis: journal time advances no faster than real time, except for a
 * bound and for what an operator accepted. The check shares the bounds with the clock, but not the code that
 * keeps them.
 */
import type { ClockLimits, ClockReading } from '../../src/engine/writer/journal-clock.ts'
import { type Applied, demand } from './shadow-state.ts'

/** Largest rate of a steered clock, relative to real time. */
const RATE_MAX = 1.1
/** Longest delay between the assignment of a command's time and its check here. */
const DELAY_MS_MAX = 5_000
/** Largest difference between the accepted time and the time that the operator saw. */
const ACCEPT_MS_MAX = 60_000 + DELAY_MS_MAX

type Reference = {
  /** Journal time and real time of the reference. */
  readonly time: number
  readonly at: number
  /** Bound on how far journal time may get ahead of real time after the reference. */
  readonly boundMs: number
}

export class JournaledTime {
  readonly #now: () => number
  readonly #limits: ClockLimits
  #reference: Reference = { time: 0, at: 0, boundMs: Number.POSITIVE_INFINITY }
  /** Since the start of the process. */
  #hasUsedReading = false

  /** `now` returns milliseconds since the start of the run. */
  constructor(now: () => number, limits: ClockLimits) {
    this.#now = now
    this.#limits = limits
  }

  /** Called when a process starts on a journal whose last command has `time`; 0 if the journal is empty. */
  started(time: number): void {
    const boundMs = time === 0 ? Number.POSITIVE_INFINITY : this.#limits.startJumpMaxMs
    this.#reference = { time, at: this.#now(), boundMs }
    this.#hasUsedReading = false
  }

  /**
   * Called when the process has replayed the journal, whose last command has `time`, at which its clock
   * starts. The last commands may have been applied for the first time during this replay, with times from
   * the previous process.
   */
  recovered(time: number): void {
    if (!this.#hasUsedReading) this.started(time)
  }

  /**
   * Called when the process published a reading of its clock. A trusted reading within the bound of a start
   * uses up that bound; a reading far behind the journal does not.
   */
  read({ isTrusted, time, wall }: ClockReading): void {
    const { jumpMaxMs } = this.#limits
    const isUsed = isTrusted && wall > time - jumpMaxMs && this.#isWithin(time)
    if (!this.#isOfStart || !isUsed) return
    this.#reference = { time, at: this.#now(), boundMs: jumpMaxMs }
    this.#hasUsedReading = true
  }

  /** Called when a command was applied for the first time. Throws `ViolationError`. */
  applied({ seq, time, command }: Pick<Applied, 'seq' | 'time' | 'command'>): void {
    const isWithin = this.#isWithin(time)
    const isAccepted = command?.kind === 'AcceptClock' && Math.abs(time - command.clock) <= ACCEPT_MS_MAX
    const gainedMs = this.#gainedMs(time)
    demand(
      isWithin || isAccepted,
      () => `command ${seq} is dated ${Math.round(gainedMs)} ms ahead of time, and nobody has accepted that`,
    )
    // The clock was trusted: from now on the bound of a running node applies.
    const isStep = !isWithin || (this.#isOfStart && gainedMs > DELAY_MS_MAX)
    if (isStep) this.#reference = { time, at: this.#now(), boundMs: this.#limits.jumpMaxMs }
  }

  /** Whether the bound of a start still applies. */
  get #isOfStart(): boolean {
    return this.#reference.boundMs > this.#limits.jumpMaxMs
  }

  /** How far `time` is ahead of the reference plus the real time that has passed since. */
  #gainedMs(time: number): number {
    const { time: from, at } = this.#reference
    return time - from - RATE_MAX * (this.#now() - at)
  }

  #isWithin(time: number): boolean {
    return this.#gainedMs(time) <= this.#reference.boundMs + DELAY_MS_MAX
  }
}
