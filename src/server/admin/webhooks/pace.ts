/**
 * Schedules the requests of all webhooks of a node, in the order in which they were queued, so that their
 * total cost is bounded.
 */

export type PaceClock = {
  /** Milliseconds, monotonic. */
  readonly nowMs: () => number
  /** Resolves after this number of milliseconds, or when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export class WebhookPace {
  readonly #clock: PaceClock
  readonly #gapMs: number
  #nextMs = 0

  /** `gapMs`: between two turns. */
  constructor(gapMs: number, clock: PaceClock) {
    this.#gapMs = gapMs
    this.#clock = clock
  }

  /** Resolves when it is the caller's turn, or when `signal` is aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.nowMs()
    const at = Math.max(now, this.#nextMs)
    this.#nextMs = at + this.#gapMs
    if (at > now) await this.#clock.sleep(at - now, signal)
  }
}
