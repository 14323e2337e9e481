/** Unanswered requests of all connections: a stop waits for them. */

export class UnderWay {
  #count = 0
  #idle: (() => void) | undefined

  get count(): number {
    return this.#count
  }

  started(): void {
    this.#count++
  }

  ended(): void {
    this.#count--
    if (this.#count === 0) this.#idle?.()
  }

  /** Resolves when there are none. */
  async untilIdle(): Promise<void> {
    if (this.#count === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#idle = resolve
    await promise
  }
}
