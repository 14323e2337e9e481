/**
 * What all send buffers together may hold, checked before anything is put into one. Counting them all takes a moment
 * where there are many, so what was added since the last count is added up, what has left is not taken away, and it is
 * only counted again when that sum comes to the limit: the sum is never too low.
 */

/** Buffers are counted again at most this often. */
const RECOUNT_MS = 5

export type SendMemoryOptions = {
  /** Most bytes in all buffers together. */
  readonly bytesMax: number
  /** Counts what is in all buffers. */
  readonly count: () => number
  /** Milliseconds since some moment. */
  readonly now: () => number
}

export class SendMemory {
  readonly #options: SendMemoryOptions
  /** At least what is in all buffers. */
  #bytes = 0
  #countedAt = Number.NEGATIVE_INFINITY
  #wasRefused = false

  constructor(options: SendMemoryOptions) {
    this.#options = options
  }

  /** Whether so many bytes more are within the limit. */
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

  /** So many bytes more wait now. */
  added(bytes: number): void {
    if (bytes > 0) this.#bytes += bytes
  }

  /** Whether anything was refused since this was asked last. */
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
