/**
 * How long a leader that is linked may be unheard of. Where engines are given no time, by their machine or by the database, each silence has one depose the
 * other, and each time nobody is served: so after a leader was deposed whose link still lived, the next such silence must be longer.
 */

/** Each such loss doubles the silence, so often. */
const DOUBLINGS_MAX = 2
/** A loss that is older than so many silences counts no more. */
const MEMORY_SILENCES = 60

export class Patience {
  readonly #silenceMs: number
  readonly #now: () => number
  /** When a leader was deposed whose link still lived, the last first. */
  #losses: readonly number[] = []

  constructor(silenceMs: number, now: () => number) {
    this.#silenceMs = silenceMs
    this.#now = now
  }

  /** How long a linked leader may be unheard of now, in milliseconds: 1, 2 or 4 silences. */
  get ms(): number {
    const since = this.#now() - MEMORY_SILENCES * this.#silenceMs
    const recent = this.#losses.filter((atMs) => atMs > since)
    return this.#silenceMs * 2 ** recent.length
  }

  /** A leader was given up, or this engine was deposed, and no link had ended. */
  spent(): void {
    this.#losses = [this.#now(), ...this.#losses].slice(0, DOUBLINGS_MAX)
  }
}
