/**
 * Memory queued for clients whose connections accept nothing, for all of them together. If the total becomes
 * too large, the client with the most queued data is disconnected (of equal ones, the one that has waited
 * longest), not simply the next one.
 */

export interface Holder {
  /**
   * Called for the holder of the most memory when the total is too large; its memory has already been
   * released.
   */
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

  /**
   * Reserves memory until it is released. False if the total is too large, and this client, which has most of
   * it, must be disconnected.
   */
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
