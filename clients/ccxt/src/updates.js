/**
 * The newest items of a stream, oldest first, up to a limit. It tracks which of them have not been returned
 * yet, for each market and for all: items that arrive between two calls of a program are not lost.
 */
export class Updates extends Array {
  #limit
  #keyOf
  #keys = new Set()
  /** Keys that were not returned, by market; '' for all markets. */
  #unseen = new Map()

  static get [Symbol.species]() {
    return Array
  }

  /** Keeps the last `limit` items; an item whose key, by `keyOf`, exists replaces the previous one. */
  constructor(limit, keyOf) {
    super()
    this.#limit = limit
    this.#keyOf = keyOf
  }

  append(item) {
    const key = this.#keyOf(item)
    if (this.#keys.has(key)) this.#remove(this.findLastIndex((other) => this.#keyOf(other) === key))
    this.#keys.add(key)
    this.push(item)
    for (const market of ['', item.symbol]) {
      if (market === undefined) continue
      if (!this.#unseen.has(market)) this.#unseen.set(market, new Set())
      this.#unseen.get(market).add(key)
    }
    if (this.length > this.#limit) this.#remove(0)
  }

  #remove(index) {
    const [item] = this.splice(index, 1)
    const key = this.#keyOf(item)
    this.#keys.delete(key)
    for (const market of ['', item.symbol]) this.#unseen.get(market)?.delete(key)
  }

  /** Whether there are items of the market, or of all, that were not returned. */
  hasNew(symbol = '') {
    return (this.#unseen.get(symbol)?.size ?? 0) > 0
  }

  /** The items of the market, or of all, that were not returned; they are then marked as returned. */
  takeNew(symbol = '') {
    const unseen = this.#unseen.get(symbol)
    if (unseen === undefined) return []
    const items = Array.from(this).filter((item) => unseen.has(this.#keyOf(item)))
    unseen.clear()
    return items
  }
}
