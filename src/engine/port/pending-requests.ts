/**
 * Unanswered requests, by their numbers. Numbers rise, and nearly all answers come in about the order of the
 * requests, so a request is in a ring at the index of its number: a map would need a call to find it, and
 * rebuild its table every few thousand requests (`npm run bench -- order-entry`). A request that still waits
 * when the ring wraps around to its slot moves to a map.
 */

/** Number of slots in the ring; a power of two, so that a slot is the last bits of a number. */
const PLACES = 4_096

export class PendingRequests<Pending extends { readonly number: number }> {
  readonly #places: (Pending | undefined)[] = new Array(PLACES).fill(undefined)
  /** Requests whose slots were needed for newer requests. */
  readonly #overtaken = new Map<number, Pending>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a request with a larger number than all previous ones. */
  add(pending: Pending): void {
    const place = pending.number & (PLACES - 1)
    const before = this.#places[place]
    if (before !== undefined) this.#overtaken.set(before.number, before)
    this.#places[place] = pending
    this.#size++
  }

  has(number: number): boolean {
    return this.#places[number & (PLACES - 1)]?.number === number || this.#overtaken.has(number)
  }

  /** Removes a request; undefined if it is absent. */
  take(number: number): Pending | undefined {
    const place = number & (PLACES - 1)
    const pending = this.#places[place]
    if (pending?.number === number) {
      this.#places[place] = undefined
      this.#size--
      return pending
    }
    const overtaken = this.#overtaken.get(number)
    if (overtaken !== undefined) {
      this.#overtaken.delete(number)
      this.#size--
    }
    return overtaken
  }

  /** All requests up to a number, in the order of their numbers. */
  upTo(last: number): readonly Pending[] {
    const found = [...this.#overtaken.values()]
    for (const pending of this.#places) if (pending !== undefined) found.push(pending)
    return found.filter(({ number }) => number <= last).sort((a, b) => a.number - b.number)
  }

  clear(): void {
    this.#places.fill(undefined)
    this.#overtaken.clear()
    this.#size = 0
  }
}
