/**
 * What is kept for those whose connections take nothing, for all of them together. Where it would be too much, whoever keeps most ends, of
 * several the one that has waited longest: not whoever happens to come next.
 */

export interface Holder {
  /** It keeps most where too much is kept; it has been let go of already. */
  tooSlow(): void
}

export class HeldMemory {
  readonly #bytesMax: number
  #bytes = 0
  /** In the order in which they began to wait. */
  readonly #bytesByHolder = new Map<Holder, number>()

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Whoever waits keeps so much until it is let go of. False: it keeps most where it is too much, and is to end. */
  hold(holder: Holder, bytes: number): boolean {
    this.letGo(holder)
    this.#bytesByHolder.set(holder, bytes)
    this.#bytes += bytes
    while (this.#bytes > this.#bytesMax) {
      const largest = this.#largest(holder)
      this.letGo(largest)
      if (largest === holder) return false
      largest.tooSlow()
    }
    return true
  }

  letGo(holder: Holder): void {
    this.#bytes -= this.#bytesByHolder.get(holder) ?? 0
    this.#bytesByHolder.delete(holder)
  }

  #largest(newest: Holder): Holder {
    let most = 0
    let largest = newest
    for (const [holder, bytes] of this.#bytesByHolder) {
      if (bytes <= most) continue
      most = bytes
      largest = holder
    }
    return largest
  }
}
