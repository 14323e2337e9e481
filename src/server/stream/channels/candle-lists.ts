/**
 * Which channels keep the list of their closed candles in memory: those whose list was wanted last. A
 * newcomer to another has to wait until it has been read again.
 */

/** The reader of a list. */
export interface ListOwner {
  /** The list is not kept any more. */
  dropList(): void
}

export class CandleLists {
  readonly #max: number
  /** Longest unused first. */
  readonly #owners = new Set<ListOwner>()

  /** Most lists, at least 1. */
  constructor(max: number) {
    this.#max = max
  }

  get count(): number {
    return this.#owners.size
  }

  /** The owner has a list and uses it now; another one may lose its own by that. */
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
