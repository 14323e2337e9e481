/**
 * Limit of all send buffers together, checked before a write. Counting them all takes time if there are many,
 * so additions since the last count are summed, data that has left is not subtracted, and a new count is made
 * only when that sum reaches the limit: the sum is never too low.
 */

/** Buffers are counted again at most this often. */
const RECOUNT_MS = 5

export type SendMemoryOptions = {
  /** Maximum number of bytes in all buffers together. */
  readonly bytesMax: number
  /** Counts the bytes in all buffers. */
  readonly count: () => number
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
}

export class SendMemory {
  readonly #options: SendMemoryOptions
  /** An upper bound of the bytes in all buffers. */
  #bytes = 0
  #countedAt = Number.NEGATIVE_INFINITY
  #wasRefused = false

  constructor(options: SendMemoryOptions) {
    this.#options = options
  }

  /** Whether this number of further bytes is within the limit. */
  admits(bytes: number): boolean {
    const { bytesMax, now, count } = this.#options
    if (this.#bytes + bytes <= bytesMax) return true
    if (now() - this.#countedAt >= RECOUNT_MS) {
      this.#countedAt = now()
      this.#bytes = count()
      if (this.#bytes + bytes <= bytesMax) return true
    }
    this.#wasRefused = true
    return false
  }

  /** Notes that this number of further bytes wait. */
  added(bytes: number): void {
    if (bytes > 0) this.#bytes += bytes
  }

  /** Whether anything was refused since the last call. */
  takeRefused(): boolean {
    const wasRefused = this.#wasRefused
    this.#wasRefused = false
    return wasRefused
  }
}

/** For rooms without a server: nothing is refused. */
export const UNLIMITED_MEMORY = new SendMemory({
  bytesMax: Number.POSITIVE_INFINITY,
  count: () => 0,
  now: () => 0,
})
