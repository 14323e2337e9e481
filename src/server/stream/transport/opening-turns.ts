/**
 * Sessions that open do so one in a turn of the event loop. The runtime takes connections for as long as new ones come, and serves the first request of
 * each there and then; a client that is answered within the same turn and comes back at once keeps that turn from ending, and everybody else waits. So whoever
 * opens what costs more than its request waits for a turn, and what others have sent comes first.
 */
import type { StreamPace } from '../pace.ts'

export class OpeningTurns {
  readonly #soon: StreamPace['soon']
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>()

  constructor({ soon }: Pick<StreamPace, 'soon'>) {
    this.#soon = soon
  }

  /** Resolves when it is the caller's turn: at once where the pace knows no turns. */
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
