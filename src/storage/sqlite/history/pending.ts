/**
 * Appended records that are not yet committed. A client that follows an account makes the follower process
 * every batch at once: with a commit for each, the same pages would be written hundreds of times a second and
 * synced a dozen times, which delays the journal's own sync (`npm run bench -- order-entry`). Uncommitted
 * records can be looked up; if lost, they are restored from the journal. Such clients look up the newest
 * records, or under load those of a moment before; therefore the last commit also stays in memory, so that no
 * table is read for it.
 */
import type { HistoryTrade, RecordsBesides } from '../../../engine/history/history.ts'
import type { EndedOrder, HistoryOrder } from '../../../engine/history/order-history.ts'
import type { Mark } from '../../../engine/port/journal.ts'
import type { OrderNumber, TradeNumber } from '../../../units/ids.ts'

export type Appended = {
  readonly trades: readonly HistoryTrade[]
  readonly end: Mark
  readonly besides: RecordsBesides
}

/** Above this number of records the commit comes at once: more records would save nothing. */
const RECORDS_MAX = 2_000
/**
 * This many records stay in memory, and as many before them, about 10 MB in all: the result of some seconds
 * of commands.
 */
export const KEPT_RECORDS = 20_000

/** Records by their numbers. */
class RecordsByNumber {
  readonly trades = new Map<TradeNumber, HistoryTrade>()
  readonly orders = new Map<OrderNumber, HistoryOrder>()
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
  /** The first `#indexed` of them can be looked up; the rest is added at the next lookup. */
  #indexed = 0
  #newer = new RecordsByNumber()
  #older = new RecordsByNumber()
  /** Records have been looked up recently, so committed ones are kept for a while. */
  #isKeeping = false
  /** Records have been looked up since `older` was replaced. */
  #isAsked = false

  /** In the order of their arrival. */
  get all(): readonly Appended[] {
    return this.#appends
  }

  /** The end of the last one; undefined if there is none. */
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

  /** All records are committed, followed by `last`. */
  committed(last: Appended | undefined): void {
    if (this.#isKeeping) {
      this.#keep(last)
      this.#begin()
    } else this.clear()
  }

  /** Removes all records. */
  clear(): void {
    if (this.#newer.size > 0) this.#newer = new RecordsByNumber()
    if (this.#older.size > 0) this.#older = new RecordsByNumber()
    this.#begin()
  }

  trade(number: TradeNumber): HistoryTrade | undefined {
    this.#asked()
    return this.#newer.trades.get(number) ?? this.#older.trades.get(number)
  }

  order(number: OrderNumber): HistoryOrder | undefined {
    this.#asked()
    return this.#newer.orders.get(number) ?? this.#older.orders.get(number)
  }

  /** The end of an order; undefined if it is not here, or was recorded with the command that placed it. */
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
