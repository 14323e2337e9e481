/**
 * A bounded number of places shared by tokens. A token can use at most a part of them, and each token is
 * guaranteed one place, so that no token locks others out. There are never more than `max` plus one per
 * token.
 */

/** Name of a token; undefined for the node's own. */
export type Holder = string | undefined

export class SharedPlaces {
  readonly #max: number
  readonly #ofHolderMax: number
  readonly #takenByHolder = new Map<Holder, number>()
  #taken = 0

  constructor(max: number, ofHolderMax: number) {
    this.#max = max
    this.#ofHolderMax = ofHolderMax
  }

  get taken(): number {
    return this.#taken
  }

  hasRoom(holder: Holder): boolean {
    const own = this.#takenByHolder.get(holder) ?? 0
    return own === 0 || (own < this.#ofHolderMax && this.#taken < this.#max)
  }

  /** Returns false if there is no free place. A place that was taken must be released once. */
  take(holder: Holder): boolean {
    if (!this.hasRoom(holder)) return false
    this.#takenByHolder.set(holder, (this.#takenByHolder.get(holder) ?? 0) + 1)
    this.#taken++
    return true
  }

  leave(holder: Holder): void {
    const left = (this.#takenByHolder.get(holder) ?? 0) - 1
    if (left > 0) this.#takenByHolder.set(holder, left)
    else this.#takenByHolder.delete(holder)
    this.#taken--
  }
}
