/**
 * The clock that dates the journal. It accepts the time of day only if monotonic time confirms it: one wrong
 * reading would permanently falsify the times of all later orders. It has no timers; the owner reads it every
 * second (docs/alarms.md#the-clock).
 *
 * Trusted time is a line: monotonic time plus an offset. A reading near the line moves it, so that
 * adjustments by the system's time service are followed. A reading further ahead than the bound does not move
 * it: until the clock returns to the line, or an operator accepts its time, time continues along the line.
 */
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'

export type ClockLimits = {
  /** Maximum amount by which the clock may be ahead of monotonic time while the node runs. */
  readonly jumpMaxMs: number
  /** Maximum amount by which the clock may be ahead of the journal's last command when the node starts. */
  readonly startJumpMaxMs: number
}

/**
 * Time services that step the clock do so by up to a second, and a pause for a live migration takes about as
 * long; an error of ten seconds misdates nothing that matters. A week covers planned stops.
 */
export const DEFAULT_CLOCK_LIMITS: ClockLimits = {
  jumpMaxMs: 10_000,
  startJumpMaxMs: 7 * 24 * 60 * 60_000,
}

/** Interval of clock readings without commands. */
export const CLOCK_EVERY_MS = 1_000

export type ClockSources = {
  /** Time of day; may jump either way. */
  readonly wall: () => TimeMs
  /** Milliseconds since an arbitrary time; monotonic, and may stop while the machine is suspended. */
  readonly monotonicMs: () => number
}

export type ClockReading = {
  readonly isTrusted: boolean
  /** The time that a command has now; never goes back. */
  readonly time: TimeMs
  /** The clock's own time. */
  readonly wall: TimeMs
}

export type JournalClockOptions = {
  readonly sources: ClockSources
  readonly limits: ClockLimits
  /** The time of the journal's last command; 0 if there is none, and then the first reading is accepted. */
  readonly journalTime: TimeMs
  /** Called with every reading. */
  readonly onReading?: ((reading: ClockReading) => void) | undefined
}

/**
 * A clock may run faster than monotonic time by this share and is still followed: more than any time service
 * steers (chrony: 8.3 %).
 */
const SLEW = 0.1
/** Maximum difference between the time that an operator accepts and the clock when the command arrives. */
const ACCEPT_TOLERANCE_MS = 60_000

/** A clock that is about to be accepted. */
export type Acceptance = {
  /** The time of the command that accepts the clock. */
  readonly time: TimeMs
  confirm(): void
}

type State = {
  /** Trusted time minus monotonic time. */
  readonly lineMs: number
  /** The amount by which the line was moved ahead and that `SLEW` does not explain yet; 0 to `boundMs`. */
  readonly excessMs: number
  /** Monotonic time of the last reading. */
  readonly readAtMs: number
  /** Maximum amount by which the next reading may be ahead of the line. */
  readonly boundMs: number
  readonly isTrusted: boolean
  /** The latest time returned. */
  readonly time: TimeMs
}

export class JournalClock {
  readonly #options: JournalClockOptions
  #state: State

  constructor(options: JournalClockOptions) {
    const { sources, limits, journalTime } = options
    invariant(limits.jumpMaxMs > 0 && limits.startJumpMaxMs > 0, 'bounds of the clock are above 0')
    this.#options = options
    const readAtMs = sources.monotonicMs()
    const isNew = journalTime === 0
    this.#state = {
      lineMs: (isNew ? sources.wall() : journalTime) - readAtMs,
      excessMs: 0,
      readAtMs,
      boundMs: isNew ? limits.jumpMaxMs : limits.startJumpMaxMs,
      isTrusted: true,
      time: journalTime,
    }
  }

  /** The time, and whether the clock is trusted. */
  read(): ClockReading {
    const { sources, onReading } = this.#options
    const wall = sources.wall()
    this.#state = this.#after(wall, Math.max(this.#state.readAtMs, sources.monotonicMs()))
    const { isTrusted, time } = this.#state
    const reading = { isTrusted, time, wall }
    onReading?.(reading)
    return reading
  }

  /**
   * The effect of trusting the clock from now on, provided that its time is still about `seen`. Undefined if
   * it is not. Nothing changes before `confirm`: until the acceptance is durable its time must not be
   * visible.
   */
  accept(seen: TimeMs): Acceptance | undefined {
    const { sources, limits } = this.#options
    const wall = sources.wall()
    if (Math.abs(wall - seen) > ACCEPT_TOLERANCE_MS) return undefined
    const elapsedMs = sources.monotonicMs()
    const time = later(this.#state.time, wall)
    const confirm = (): void => {
      const readAtMs = Math.max(this.#state.readAtMs, elapsedMs)
      const line = { lineMs: wall - elapsedMs, readAtMs, excessMs: 0, boundMs: limits.jumpMaxMs }
      this.#state = { ...line, isTrusted: true, time: later(this.#state.time, time) }
      this.read()
    }
    return { time, confirm }
  }

  #after(wall: TimeMs, readAtMs: number): State {
    const { jumpMaxMs } = this.#options.limits
    const before = this.#state
    const { lineMs, boundMs, time } = before
    const aheadMs = wall - (lineMs + readAtMs)
    // A fast clock's gain is absorbed over time; an untrusted clock does not become trusted by waiting.
    const forgivenMs = before.isTrusted ? (readAtMs - before.readAtMs) * SLEW : 0
    const excessMs = Math.max(0, before.excessMs + aheadMs - forgivenMs)
    if (excessMs > boundMs) {
      const onLine = Math.floor(lineMs + readAtMs) as TimeMs
      return { ...before, readAtMs, isTrusted: false, time: later(time, onLine) }
    }
    // The clock was set back by far: the line is kept, so that a corrected clock is where it was expected.
    if (wall < time && aheadMs < -jumpMaxMs) return { ...before, readAtMs, isTrusted: true }
    // A jump at the start does not mean that the clock is fast.
    const kept = boundMs === jumpMaxMs ? excessMs : 0
    const line = { lineMs: wall - readAtMs, readAtMs, excessMs: kept, boundMs: jumpMaxMs }
    return { ...line, isTrusted: true, time: later(time, wall) }
  }
}

function later(one: TimeMs, other: TimeMs): TimeMs {
  return other > one ? other : one
}
