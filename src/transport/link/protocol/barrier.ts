/**
 * A read after a write, whichever gateway took the write: the engine's end gives each batch to every link before it answers the batch's
 * commands, and frames keep their order. So once a question that was sent after an answer has come back, all that the answer was about is
 * in. One question is under way at a time; whoever comes meanwhile waits for the next one, since the first may have been
 * answered before what they must see.
 */

type Waiting = { readonly promise: Promise<void>; readonly resolve: () => void }

export class Barrier {
  readonly #ask: () => void
  /** For the question that is under way; undefined: there is none. */
  #asked: Waiting | undefined
  /** For the next one. */
  #next: Waiting | undefined
  #isEnded = false

  /** `ask` sends a question. */
  constructor(ask: () => void) {
    this.#ask = ask
  }

  /** Resolves once all that was answered to anybody before this call has come, or the link is lost. */
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

  /** The question that was under way has come back, and what came before it has been taken in. */
  answered(): void {
    this.#asked?.resolve()
    this.#asked = this.#next
    this.#next = undefined
    if (this.#asked !== undefined) this.#ask()
  }

  /** The link is lost: nothing more comes. */
  end(): void {
    this.#isEnded = true
    this.#asked?.resolve()
    this.#next?.resolve()
  }
}
