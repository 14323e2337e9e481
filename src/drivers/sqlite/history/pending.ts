/**
 * What was appended and is not committed yet. Whoever follows an account has the follower take in every batch at once: with a commit for
 * each, the same pages would be written hundreds of times a second, and synced a dozen times, which the journal's own sync waits
 * behind (`npm run bench -- order-entry`). It can be looked up; the journal gives it again where it is lost.
 */
import type { HistoryTrade, RecordsBesides } from '../../../engine/history.ts'
import type { Mark } from '../../../engine/journal.ts'
import type { EndedOrder, PlacedOrder } from '../../../engine/order-history.ts'
import type { OrderNumber, TradeNumber } from '../../../units/ids.ts'

export type Appended = {
  readonly trades: readonly HistoryTrade[]
  readonly end: Mark
  readonly besides: RecordsBesides
}

/** With more records than this it is committed at once: there is no saving in more. */
const RECORDS_MAX = 2_000

export class PendingAppends {
  #appends: Appended[] = []
  #records = 0
  /** The first so many of them can be looked up; the rest once something is. */
  #indexed = 0
  readonly #tradeByNumber = new Map<TradeNumber, HistoryTrade>()
  readonly #orderByNumber = new Map<OrderNumber, PlacedOrder>()
  readonly #endByNumber = new Map<OrderNumber, EndedOrder>()

  /** In the order in which they came. */
  get all(): readonly Appended[] {
    return this.#appends
  }

  /** The end of the last one; undefined: there is none. */
  get end(): Mark | undefined {
    return this.#appends.at(-1)?.end
  }

  get isFull(): boolean {
    return this.#records >= RECORDS_MAX
  }

  add(appended: Appended): void {
    const { trades, besides } = appended
    this.#appends.push(appended)
    this.#records += 1 + trades.length + (besides.orders?.length ?? 0) + (besides.ends?.length ?? 0)
  }

  clear(): void {
    this.#appends = []
    this.#records = 0
    this.#indexed = 0
    this.#tradeByNumber.clear()
    this.#orderByNumber.clear()
    this.#endByNumber.clear()
  }

  trade(number: TradeNumber): HistoryTrade | undefined {
    this.#index()
    return this.#tradeByNumber.get(number)
  }

  order(number: OrderNumber): PlacedOrder | undefined {
    this.#index()
    return this.#orderByNumber.get(number)
  }

  /** How an order ended; undefined: not here, or with the command that placed it. */
  orderEnd(number: OrderNumber): EndedOrder | undefined {
    this.#index()
    return this.#endByNumber.get(number)
  }

  #index(): void {
    for (; this.#indexed < this.#appends.length; this.#indexed++) {
      const { trades, besides } = this.#appends[this.#indexed] as Appended
      for (const each of trades) this.#tradeByNumber.set(each.trade.tradeNumber, each)
      for (const each of besides.orders ?? []) this.#orderByNumber.set(each.orderNumber, each)
      for (const each of besides.ends ?? []) this.#endByNumber.set(each.orderNumber, each)
    }
  }
}
