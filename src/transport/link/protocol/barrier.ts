/**
 * Read-after-write for every gateway, including those that did not send the write: the engine's end sends
 * each batch to every link before it answers the batch's commands, and frames keep their order. When a
 * barrier request that was sent after an answer is itself answered, all effects of that answer have arrived.
 * One request is in progress at a time. Callers that arrive during it wait for the next one, since the first
 * may have been answered before the events that these callers need.
 */

type Waiting = { readonly promise: Promise<void>; readonly resolve: () => void }

export class Barrier {
  readonly #ask: () => void
  /** Callers waiting for the request in progress; undefined if there is none. */
  #asked: Waiting | undefined
  /** Callers waiting for the next request. */
  #next: Waiting | undefined
  #isEnded = false

  /** `ask` sends a barrier request. */
  constructor(ask: () => void) {
    this.#ask = ask
  }

  /**
   * Resolves once everything that was answered before this call, to any client, has arrived, or once the link
   * is lost.
   */
  wait(): Promise<void> {
    if (this.#isEnded) return Promise.resolve()
    if (this.#asked !== undefined) {
      this.#next ??= Promise.withResolvers<void>()
      return this.#next.promise
    }
    this.#asked = Promise.withResolvers<void>()
    this.#ask()
    return this.#asked.promise
  }

  /** Called when the request in progress was answered, and the data before it was processed. */
  answered(): void {
    this.#asked?.resolve()
    this.#asked = this.#next
    this.#next = undefined
    if (this.#asked !== undefined) this.#ask()
  }

  /** Called when the link is lost: no more data arrives. */
  end(): void {
    this.#isEnded = true
    this.#asked?.resolve()
    this.#next?.resolve()
  }
}
