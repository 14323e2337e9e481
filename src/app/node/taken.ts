/** What a start has taken so far, so that one that fails, and a stop, let go of all of it: ports, threads, and with them the directory. */
import type { Logger } from '../../server/common/logger.ts'

type Hold = { readonly what: string; readonly release: () => void | Promise<void> }

export class Taken {
  readonly #log: Logger
  readonly #holds: Hold[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** `what` is held from now on; `release` does no harm where it was let go of already. */
  add(what: string, release: Hold['release']): void {
    this.#holds.push({ what, release })
  }

  /** Lets go of everything, the newest first. Never rejects: what cannot be released is logged, and the rest goes on. */
  async releaseAll(): Promise<void> {
    for (;;) {
      const hold = this.#holds.pop()
      if (hold === undefined) return
      try {
        await hold.release()
      } catch (err) {
        this.#log.warn({ err }, `what was started could not let go of ${hold.what}`)
      }
    }
  }
}
