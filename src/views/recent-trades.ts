/** A fixed number of the newest trades of one symbol. */
import { type PublicTrade, RECENT_TRADES_MAX } from '../core/questions/view.ts'
import { invariant } from '../units/invariant.ts'

/** A ring: the newest trade overwrites the oldest once it is full. */
export class RecentTrades {
  readonly #capacity: number
  readonly #ring: PublicTrade[] = []
  /** The index of the next trade once the ring is full. */
  #oldest = 0

  constructor(capacity = RECENT_TRADES_MAX) {
    invariant(capacity >= 1, () => `a ring of trades holds at least 1, found ${capacity}`)
    this.#capacity = capacity
  }

  /** Adds a trade newer than all previous ones. */
  add(trade: PublicTrade): void {
    if (this.#ring.length < this.#capacity) {
      this.#ring.push(trade)
      return
    }
    this.#ring[this.#oldest] = trade
    this.#oldest = (this.#oldest + 1) % this.#capacity
  }

  /** The newest `limit` trades, newest first. */
  newest(limit: number): PublicTrade[] {
    const length = this.#ring.length
    const count = Math.min(limit, length)
    const trades: PublicTrade[] = []
    for (let back = 1; back <= count; back++) {
      trades.push(this.#ring[(this.#oldest + length - back) % length] as PublicTrade)
    }
    return trades
  }
}
