/**
 * What was appended and is not committed yet. Whoever follows an account has the follower take in every batch at once: with a commit for
 * each, the same pages would be written hundreds of times a second, and synced a dozen times, which the journal's own sync waits
 * behind (`npm run bench -- order-entry`). It can be looked up; the journal gives it again where it is lost. Whoever follows looks up what has
 * just happened, a moment later where much happens: then what was committed last stays in memory, so that no table is read for it.
 */
import type { HistoryTrade, RecordsBesides } from '../../../engine/history/history.ts'
import type { EndedOrder, OrderRecord } from '../../../engine/history/order-history.ts'
import type { Mark } from '../../../engine/port/journal.ts'
import type { OrderNumber, TradeNumber } from '../../../units/ids.ts'

export type Appended = {
  readonly trades: readonly HistoryTrade[]
  readonly end: Mark
  readonly besides: RecordsBesides
}

/** With more records than this it is committed at once: there is no saving in more. */
const RECORDS_MAX = 2_000
/** So many records are kept beside those of the same number before them, some 10 MB in all: what commands of some seconds have caused. */
export const KEPT_RECORDS = 20_000

/** Records by their numbers. */
class RecordsByNumber {
  readonly trades = new Map<TradeNumber, HistoryTrade>()
  readonly orders = new Map<OrderNumber, OrderRecord>()
  readonly ends = new Map<OrderNumber, EndedOrder>()

  get size(): number {
    return this.trades.size + this.orders.size + this.ends.size
  }

  add({ trades, besides }: Appended): void {
    for (const each of trades) this.trades.set(each.trade.tradeNumber, each)
    for (const each of besides.orders ?? []) this.orders.set(each.orderNumber, each)
    for (const each of besides.ends ?? []) this.ends.set(each.orderNumber, each)
  }
}

export class PendingAppends {
  #appends: Appended[] = []
  #records = 0
  /** The first so many of them can be looked up; the rest once something is. */
  #indexed = 0
  #newer = new RecordsByNumber()
  #older = new RecordsByNumber()
  /** Something has been looked up of late: what is committed is kept for a while. */
  #isKeeping = false
  /** Something has been looked up since `older` was replaced. */
  #isAsked = false

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

  /** All of it is committed, and `last` behind it. */
  committed(last: Appended | undefined): void {
    if (this.#isKeeping) {
      this.#keep(last)
      this.#begin()
    } else this.clear()
  }

  /** Nothing of it is there any more. */
  clear(): void {
    if (this.#newer.size > 0) this.#newer = new RecordsByNumber()
    if (this.#older.size > 0) this.#older = new RecordsByNumber()
    this.#begin()
  }

  trade(number: TradeNumber): HistoryTrade | undefined {
    this.#asked()
    return this.#newer.trades.get(number) ?? this.#older.trades.get(number)
  }

  order(number: OrderNumber): OrderRecord | undefined {
    this.#asked()
    return this.#newer.orders.get(number) ?? this.#older.orders.get(number)
  }

  /** How an order ended; undefined: not here, or with the command that placed it. */
  orderEnd(number: OrderNumber): EndedOrder | undefined {
    this.#asked()
    return this.#newer.ends.get(number) ?? this.#older.ends.get(number)
  }

  #asked(): void {
    this.#isKeeping = true
    this.#isAsked = true
    this.#index()
  }

  #index(): void {
    for (; this.#indexed < this.#appends.length; this.#indexed++) {
      this.#newer.add(this.#appends[this.#indexed] as Appended)
    }
  }

  #begin(): void {
    this.#appends = []
    this.#records = 0
    this.#indexed = 0
  }

  #keep(last: Appended | undefined): void {
    this.#index()
    if (last !== undefined) this.#newer.add(last)
    if (this.#newer.size < KEPT_RECORDS) return
    this.#older = this.#newer
    this.#newer = new RecordsByNumber()
    this.#isKeeping = this.#isAsked
    this.#isAsked = false
  }
}
