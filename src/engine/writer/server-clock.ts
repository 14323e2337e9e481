/**
 * The server's time in a thread beside the engine's. It is the engine's time, extrapolated between its
 * readings: a clock that jumps changes nothing before the engine has read it.
 */
import type { TimeMs } from '../../units/quantities.ts'
import type { ClockBoard } from './clock-board.ts'
import { CLOCK_EVERY_MS, type ClockReading, type ClockSources } from './journal-clock.ts'

/** A reading that differs from the clock by more than this was taken before a jump, or is old. */
const FRESH_MS = 3 * CLOCK_EVERY_MS

export class ServerClock {
  readonly #board: Pick<ClockBoard, 'read'>
  readonly #sources: ClockSources
  /**
   * Server time minus monotonic time at the last reading; undefined if the engine has not read the clock yet.
   */
  #lineMs: number | undefined
  /** The latest server time returned. */
  #time = 0
  /** The most that server time has been ahead of monotonic time. */
  #steadyLineMs = Number.NEGATIVE_INFINITY

  constructor(board: Pick<ClockBoard, 'read'>, sources: ClockSources) {
    this.#board = board
    this.#sources = sources
  }

  /** Never goes back, and is never before the journal's time: a request that has expired stays expired. */
  now(): TimeMs {
    return this.#look().now
  }

  /**
   * A server time that also advances while a clock that was set back stops `now`: for things that must end at
   * some time.
   */
  steady(): TimeMs {
    return this.#look().steady
  }

  /** The time of the clock while it is not trusted; undefined if it is trusted. */
  doubted(): TimeMs | undefined {
    const isDoubted = this.#board.read()?.isTrusted === false
    return isDoubted ? this.#sources.wall() : undefined
  }

  /** The engine's last reading, with the current server time and the current time of the clock. */
  status(): ClockReading {
    const { now, wall } = this.#look()
    return { isTrusted: this.#board.read()?.isTrusted ?? true, time: now, wall }
  }

  #look(): { readonly now: TimeMs; readonly steady: TimeMs; readonly wall: TimeMs } {
    const { wall: readWall, monotonicMs } = this.#sources
    const wall = readWall()
    const elapsedMs = monotonicMs()
    const seen = this.#board.read()
    // Nothing from the clock is stored before the engine has checked it.
    if (seen === undefined && this.#lineMs === undefined) return { now: wall, steady: wall, wall }
    const time = this.#timeNow(seen, wall, elapsedMs)
    this.#lineMs = time - elapsedMs
    this.#time = Math.max(this.#time, seen?.time ?? 0, Math.floor(time))
    this.#steadyLineMs = Math.max(this.#steadyLineMs, this.#time - elapsedMs)
    const steady = Math.max(this.#time, Math.floor(this.#steadyLineMs + elapsedMs))
    return { now: this.#time as TimeMs, steady: steady as TimeMs, wall }
  }

  #timeNow(seen: ClockReading | undefined, wall: TimeMs, elapsedMs: number): number {
    const isFresh = seen !== undefined && Math.abs(wall - seen.wall) <= FRESH_MS
    if (isFresh) return seen.isTrusted ? wall : wall + (seen.time - seen.wall)
    if (this.#lineMs !== undefined) return this.#lineMs + elapsedMs
    return seen?.time ?? wall
  }
}
