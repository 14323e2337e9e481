/**
 * Appended records that are not yet committed. A client that follows an account makes the follower process
 * every batch at once: with a commit for each, the same pages would be written hundreds of times a second and
 * synced a dozen times, which delays the journal's own sync (`npm run bench -- order-entry`). Uncommitted
 * records can be looked up; if they are lost, they are restored from the journal. Such clients look up the
 * newest records, or under load slightly older ones. Therefore records stay in memory for some time after
 * their commit, so that no table is read for these lookups.
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

/** At this number of records they are committed at once: waiting for more would save nothing. */
const RECORDS_MAX = 2_000
/**
 * This many records stay in memory, and as many before them, about 10 MB in all: the result of a few seconds
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
  /** The first `#indexed` records can be looked up; the others are added at the next lookup. */
  #indexed = 0
  #newer = new RecordsByNumber()
  #older = new RecordsByNumber()
  /** Whether records were looked up recently, so that committed ones are kept for a while. */
  #isKeeping = false
  /** Whether records were looked up since `#older` was replaced. */
  #isAsked = false

  /** In the order of arrival. */
  get all(): readonly Appended[] {
    return this.#appends
  }

  /** The end of the newest append; undefined if there is none. */
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

  /** Must be called when all records were committed, followed by `last`. */
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

  /**
   * The end of an order; undefined if it is not in memory, or was recorded with the command that placed the
   * order.
   */
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
