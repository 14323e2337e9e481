/**
 * Waiting for events: resolves once the node shows a later command. Nothing runs while no client waits, and
 * orders are not affected.
 */
import { guarded, type OnFault } from '../../../units/guarded.ts'
import type { Seq } from '../../../units/quantities.ts'
import { AdminRequestError, type News } from '../context.ts'
import { type Holder, SharedPlaces } from '../shared-places.ts'

/** Interval of the checks for later commands. */
const CHECK_EVERY_MS = 50

/** Maximum number of clients that wait at a time, connections of the feed included. */
export const WAITING_MAX = 64
/** Maximum number of waiting clients of one token. */
export const WAITING_OF_TOKEN_MAX = 16

type Waiter = { readonly after: Seq; readonly untilMs: number; readonly resolve: () => void }

export class NewsWatch implements News {
  readonly #seq: () => Seq
  readonly #nowMs: () => number
  readonly #onFault: OnFault
  readonly #waiters = new Set<Waiter>()
  readonly #places = new SharedPlaces(WAITING_MAX, WAITING_OF_TOKEN_MAX)
  #timer: ReturnType<typeof setInterval> | undefined
  #isClosed = false

  /**
   * `seq`: the last command whose effects are shown; `onFault`: receives errors of the check; `nowMs`:
   * monotonic.
   */
  constructor(seq: () => Seq, onFault: OnFault, nowMs: () => number = () => performance.now()) {
    this.#seq = seq
    this.#onFault = onFault
    this.#nowMs = nowMs
  }

  /** Number of waiting clients. */
  get size(): number {
    return this.#waiters.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  nowMs(): number {
    return this.#nowMs()
  }

  async after(after: Seq, untilMs: number, signal: AbortSignal, holder: Holder): Promise<void> {
    if (this.#isClosed || signal.aborted || this.#seq() > after) return
    if (!this.#places.take(holder)) throw new AdminRequestError('TOO_MANY_WAITING')
    const { promise, resolve } = Promise.withResolvers<void>()
    const over = (): void => resolve()
    const waiter: Waiter = { after, untilMs, resolve: over }
    this.#waiters.add(waiter)
    signal.addEventListener('abort', over)
    this.#timer ??= setInterval(
      guarded(() => this.#look(), this.#onFault),
      CHECK_EVERY_MS,
    )
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', over)
      this.#waiters.delete(waiter)
      this.#places.leave(holder)
      if (this.#waiters.size === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    }
  }

  /** Releases all waiting clients. */
  close(): void {
    this.#isClosed = true
    for (const { resolve } of this.#waiters) resolve()
  }

  #look(): void {
    const [seq, now] = [this.#seq(), this.#nowMs()]
    for (const { after, untilMs, resolve } of this.#waiters) {
      if (seq > after || now >= untilMs) resolve()
    }
  }
}
