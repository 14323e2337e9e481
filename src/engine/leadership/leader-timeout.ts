/**
 * Watches a linked leader: if the leader sends nothing, its heartbeat is looked up in the table, by the
 * database's clock.
 */
import type { Scheduler } from '../writer/loop.ts'
import type { LeaderWatch } from './leader-watch.ts'

/** Minimum wait before the leader's row is read again. */
export const CHECK_MS_MIN = 10

export type LeaderTimeoutOptions = {
  readonly silenceMs: number
  readonly scheduler: Pick<Scheduler, 'later'>
  readonly watch: LeaderWatch
  /** Called once: nothing was received from the leader for this time. */
  readonly onSilent: () => void
}

export class LeaderTimeout {
  readonly #options: LeaderTimeoutOptions
  #isHeard = false
  #isEnded = false
  #cancel: () => void = () => {}

  constructor(options: LeaderTimeoutOptions) {
    this.#options = options
    this.#lookLater(options.silenceMs)
  }

  /** Called when something was received from the leader. */
  heard(): void {
    this.#isHeard = true
  }

  end(): void {
    this.#isEnded = true
    this.#cancel()
  }

  #lookLater(ms: number): void {
    this.#cancel = this.#options.scheduler.later(() => void this.#look(), ms)
  }

  async #look(): Promise<void> {
    const { silenceMs, watch, onSilent } = this.#options
    let waitMs = silenceMs
    if (!this.#isHeard) {
      // A database that does not answer is no reason to leave a leader.
      const heardMsAgo = await watch.look().then(
        (row) => row.heardMsAgo ?? silenceMs,
        () => 0,
      )
      if (this.#isEnded) return
      if (heardMsAgo >= silenceMs) return onSilent()
      waitMs = Math.max(CHECK_MS_MIN, silenceMs - heardMsAgo)
    }
    this.#isHeard = false
    this.#lookLater(waitMs)
  }
}
