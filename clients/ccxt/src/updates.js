/**
 * What has come of a stream, oldest first, up to a number. It knows which of it has not been handed out yet, of one
 * market and of all: what comes between two calls of a program is not lost to it.
 */
export class Updates extends Array {
  #limit
  #keyOf
  #keys = new Set()
  /** Keys that were not handed out, by market; '' is all markets. */
  #unseen = new Map()

  static get [Symbol.species]() {
    return Array
  }

  /** Keeps the last `limit` items; an item whose key, by `keyOf`, is there takes the place of the one before. */
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

  /** Whether there is something of the market, or of all, that was not handed out. */
  hasNew(symbol = '') {
    return (this.#unseen.get(symbol)?.size ?? 0) > 0
  }

  /** What of the market, or of all, was not handed out; from now on it is. */
  takeNew(symbol = '') {
    const unseen = this.#unseen.get(symbol)
    if (unseen === undefined) return []
    const items = Array.from(this).filter((item) => unseen.has(this.#keyOf(item)))
    unseen.clear()
    return items
  }
}
