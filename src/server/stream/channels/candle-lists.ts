/**
 * Decides which channels keep the list of their closed candles in memory: those whose lists were requested
 * most recently. A newcomer to another channel waits until its list has been read again.
 */

/** The owner of a list. */
export interface ListOwner {
  /** Called when the list is no longer kept. */
  dropList(): void
}

export class CandleLists {
  readonly #max: number
  /** Least recently used first. */
  readonly #owners = new Set<ListOwner>()

  /** Maximum number of lists, at least 1. */
  constructor(max: number) {
    this.#max = max
  }

  get count(): number {
    return this.#owners.size
  }

  /** Notes that the owner has a list and uses it now; another owner may lose its list as a result. */
  use(owner: ListOwner): void {
    this.#owners.delete(owner)
    this.#owners.add(owner)
    const [oldest] = this.#owners
    if (this.#owners.size <= this.#max || oldest === undefined) return
    this.#owners.delete(oldest)
    oldest.dropList()
  }

  remove(owner: ListOwner): void {
    this.#owners.delete(owner)
  }
}
