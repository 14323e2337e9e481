/**
 * The events of a run, line by line: the last lines for the report of a failure, and a digest of all of them,
 * equal for equal runs.
 */
import { createHash } from 'node:crypto'

/** A rule was broken; the message states the rule, the expected and the found value. */
export class ViolationError extends Error {
  override readonly name = 'ViolationError'
}

export class Trace {
  readonly #keep: number
  readonly #lines: string[] = []
  readonly #hash = createHash('sha256')
  readonly #moment: () => string
  #count = 0

  /** Keeps the newest `keep` lines; `moment` returns the prefix of each. */
  constructor(keep: number, moment: () => string) {
    this.#keep = keep
    this.#moment = moment
  }

  get count(): number {
    return this.#count
  }

  add(line: string): void {
    const full = `${this.#moment()} ${line}`
    this.#hash.update(full)
    this.#count++
    this.#lines.push(full)
    if (this.#lines.length > 2 * this.#keep) this.#lines.splice(0, this.#lines.length - this.#keep)
  }

  /** The newest lines, oldest first. */
  newest(): readonly string[] {
    return this.#lines.slice(-this.#keep)
  }

  /** Digest of all lines so far, in hex. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
