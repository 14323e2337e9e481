/**
 * How often a follower that keeps up pulls: now and then rather than at each commit, so that many commits share one pull
 * and one transaction of the history, and at once for whoever waits for what it has not taken yet
 * (`npm run bench -- order-to-ack`).
 */
import type { Scheduler } from '../writer/loop.ts'

export type PullPaceOptions = {
  readonly scheduler: Pick<Scheduler, 'later'>
  /** The pause between two pulls in which nobody waits, in milliseconds. */
  readonly pauseMs: number
  /** Whether anybody waits for what the next pull brings. */
  readonly isAwaited: () => boolean
}

export class PullPace {
  readonly #options: PullPaceOptions
  #end: (() => void) | undefined

  constructor(options: PullPaceOptions) {
    this.#options = options
  }

  /** Resolves when the next pull is due: after the pause, or as soon as it is ended. */
  pause(): Promise<void> {
    const { scheduler, pauseMs, isAwaited } = this.#options
    if (isAwaited()) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = scheduler.later(() => this.#end?.(), pauseMs)
      this.#end = () => {
        this.#end = undefined
        cancel()
        resolve()
      }
    })
  }

  /** Somebody waits: the pause under way is over. */
  end(): void {
    this.#end?.()
  }
}
