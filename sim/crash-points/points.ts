/**
 * The points of a scenario at which its process can end: before and after every write, sync, rename and
 * removal, and between every two events, so at every await. They are counted; one of them is chosen.
 */
import type { IoProbe } from '../faults.ts'
import type { IoKind, IoOutcome } from '../storage/io.ts'

/** The chosen point was reached and the process has ended: the scenario is over. */
export class CrashReachedError extends Error {
  override readonly name = 'CrashReachedError'
}

export class CrashPoints {
  readonly #chosen: number | undefined
  readonly #onBetween: () => void
  #count = 0
  #where: string | undefined
  #isOver = false

  /**
   * `chosen` counts from 1; if it is undefined, points are only counted. `onBetween` is called if the chosen
   * point is between two events.
   */
  constructor(chosen: number | undefined, onBetween: () => void) {
    this.#chosen = chosen
    this.#onBetween = onBetween
  }

  /** Points passed so far. */
  get count(): number {
    return this.#count
  }

  /** The event at the chosen point; undefined if the point was not reached. */
  get where(): string | undefined {
    return this.#where
  }

  /** Called when no points follow: recovery begins. */
  end(): void {
    this.#isOver = true
  }

  readonly probe: IoProbe = (kind, file) => this.#atOperation(kind, file)

  /** Must be called between two events. Throws `CrashReachedError` after the chosen point. */
  readonly between = (): void => {
    if (this.#isOver) return
    if (this.#where === undefined && this.#isNext('between two events')) this.#onBetween()
    if (this.#where !== undefined) throw new CrashReachedError(this.#where)
  }

  #atOperation(kind: IoKind, file: string): IoOutcome | undefined {
    if (this.#isOver || this.#where !== undefined) return undefined
    if (this.#isNext(`before the ${kind} of ${file}`)) return 'CRASH_BEFORE'
    if (this.#isNext(`after the ${kind} of ${file}`)) return 'CRASH_AFTER'
    return undefined
  }

  #isNext(where: string): boolean {
    this.#count++
    if (this.#count !== this.#chosen) return false
    this.#where = where
    return true
  }
}
