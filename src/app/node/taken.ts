/**
 * Resources acquired so far by a start, so that a failed start, and a stop, release all of them: ports,
 * threads, and with them the directory.
 */
import type { Logger } from '../../server/common/logger.ts'

type Hold = { readonly what: string; readonly release: () => void | Promise<void> }

export class Taken {
  readonly #log: Logger
  readonly #holds: Hold[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** Records that `what` is held; `release` must be harmless if it was already released. */
  add(what: string, release: Hold['release']): void {
    this.#holds.push({ what, release })
  }

  /**
   * Releases everything, the newest first. Never rejects: a failure to release is logged, and the rest is
   * released.
   */
  async releaseAll(): Promise<void> {
    for (;;) {
      const hold = this.#holds.pop()
      if (hold === undefined) return
      try {
        await hold.release()
      } catch (err) {
        this.#log.warn({ err }, `${hold.what} could not be released`)
      }
    }
  }
}
