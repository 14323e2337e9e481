/**
 * The timeout for a linked leader. If machine or database stall, each timeout lets one engine depose another,
 * and each deposition is an outage. So after a leader with an open link was deposed, the next such timeout is
 * longer.
 */

/** Each such loss doubles the timeout, up to this many times. */
const DOUBLINGS_MAX = 2
/** A loss older than this many timeouts no longer counts. */
const MEMORY_SILENCES = 60

export class LinkedTimeout {
  readonly #silenceMs: number
  readonly #now: () => number
  /** The times at which a leader with an open link was deposed, newest first. */
  #losses: readonly number[] = []

  constructor(silenceMs: number, now: () => number) {
    this.#silenceMs = silenceMs
    this.#now = now
  }

  /** The current timeout for a linked leader, in milliseconds: 1, 2 or 4 leader timeouts. */
  get ms(): number {
    const since = this.#now() - MEMORY_SILENCES * this.#silenceMs
    const recent = this.#losses.filter((atMs) => atMs > since)
    return this.#silenceMs * 2 ** recent.length
  }

  /** Called when a leader was given up, or this engine was deposed, although no link had ended. */
  spent(): void {
    this.#losses = [this.#now(), ...this.#losses].slice(0, DOUBLINGS_MAX)
  }
}
