/**
 * Limits openings of sessions to one per turn of the event loop. The runtime accepts connections as long as
 * new ones arrive, and serves the first request of each immediately; a client that gets its answer within the
 * same turn and reconnects at once keeps that turn from ending, and all others wait. So an opening, which
 * costs more than its request, waits for a turn, and messages of other clients come first.
 */
import type { StreamPace } from '../pace.ts'

export class OpeningTurns {
  readonly #soon: StreamPace['soon']
  /** In the order of arrival. */
  readonly #waiting = new Set<() => void>()

  constructor({ soon }: Pick<StreamPace, 'soon'>) {
    this.#soon = soon
  }

  /** Resolves at the caller's turn: at once if the pace has no turns. */
  async next(): Promise<void> {
    if (this.#soon === undefined) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    if (this.#waiting.size === 1) this.#soon(this.#give)
    await promise
  }

  readonly #give = (): void => {
    const [first] = this.#waiting
    if (first === undefined) return
    this.#waiting.delete(first)
    if (this.#waiting.size > 0) this.#soon?.(this.#give)
    first()
  }
}
