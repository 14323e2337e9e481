/**
 * How often an up-to-date follower pulls: periodically instead of at each commit, so that many commits share
 * one pull and one transaction of the history, and at once if a query waits for commands that it has not
 * applied yet (`npm run bench -- order-to-ack`).
 */
import type { Scheduler } from '../writer/loop.ts'

export type PullPaceOptions = {
  readonly scheduler: Pick<Scheduler, 'later'>
  /** The pause between two pulls without a waiting query, in milliseconds. */
  readonly pauseMs: number
  /** Whether a query waits for the result of the next pull. */
  readonly isAwaited: () => boolean
}

export class PullPace {
  readonly #options: PullPaceOptions
  #end: (() => void) | undefined

  constructor(options: PullPaceOptions) {
    this.#options = options
  }

  /** Resolves when the next pull is due: after the pause, or as soon as the pause is ended. */
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

  /** Ends the current pause, because a query waits. */
  end(): void {
    this.#end?.()
  }
}
