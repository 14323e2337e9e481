/**
 * The exchange's book, matching and index of numbers behind the messages of the public matching-engine
 * benchmark, as its `api/matching_engine_api.h` requires: one message is matched and its reports are written
 * in full before the next message is read. An order id is mapped to its slot by the index that the exchange
 * uses for its open orders: the benchmark's ids are unordered, so in a flat table of all ids each new one
 * would be a cache miss. There are no owners, and a modify is a cancel and a new order, which loses its place
 * in the queue.
 */
import { FastBook } from '../../src/core/market/fast-book.ts'
import { type MatchObserver, match, outcomeRecord, type Taker } from '../../src/core/market/matching.ts'
import type { OrderBook, Slot } from '../../src/core/market/order-book.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import type { Lots, Price } from '../../src/units/quantities.ts'
import { NO_RECORD, RecordIndex } from '../../src/units/record-index.ts'
import { grownFloat64 } from '../../src/units/typed-arrays.ts'
import {
  CANCEL_ACK,
  CANCEL_REJECT,
  type EngineReports,
  MODIFY_ACK,
  MODIFY_REJECT,
  ORDER_ACK,
} from './engine-reports.ts'
import { BUY, CANCEL, type EngineWorkload, NEW, SELL } from './engine-workload.ts'

const NOBODY = 0 as AccountId
/** Room before the memory grows for the first time. */
const ORDERS = 65_536
const LEVELS = 4_096
/** Small at first: an index with room for many ids is larger than a cache. */
const IDS = 64

export class EngineAdapter implements MatchObserver {
  readonly #book: OrderBook
  readonly #reports: EngineReports
  readonly #slotById = new RecordIndex(IDS)
  /** By slot. */
  #ids = new Float64Array(ORDERS)
  readonly #taker: { -readonly [Field in keyof Taker]: Taker[Field] } = {
    side: 'BUY',
    owner: NOBODY,
    limit: undefined,
    quantity: undefined,
    budget: undefined,
    selfTradeMode: 'NONE',
    stepsMax: Number.MAX_SAFE_INTEGER,
  }
  readonly #outcome = outcomeRecord()
  #sequence = 0
  #takerId = 0

  constructor(reports: EngineReports, book: OrderBook = new FastBook(ORDERS, LEVELS)) {
    this.#book = book
    this.#reports = reports
  }

  get book(): OrderBook {
    return this.#book
  }

  /** Plays messages `from` to `to`. */
  play(workload: EngineWorkload, from: number, to: number): void {
    const { kinds, sides, iocs, ids, prices, quantities } = workload
    for (let i = from; i < to; i++) {
      const kind = kinds[i] as number
      const id = ids[i] as number
      if (kind === CANCEL) this.#cancel(i, id)
      else {
        const side = sides[i] as number
        const price = prices[i] as Price
        const quantity = quantities[i] as Lots
        if (kind === NEW) this.#place(i, id, side, price, quantity, iocs[i] === 1)
        else this.#modify(i, id, side, price, quantity)
      }
    }
  }

  #place(sequence: number, id: number, side: number, price: Price, quantity: Lots, isIoc: boolean): void {
    this.#reports.order(ORDER_ACK, sequence, id, side, price, quantity)
    const remaining = this.#match(sequence, id, side, price, quantity)
    if (remaining === 0) return
    if (isIoc) this.#reports.order(CANCEL_ACK, sequence, id, side, price, remaining)
    else this.#rest(id, side, price, remaining)
  }

  #cancel(sequence: number, id: number): void {
    const slot = this.#slotById.remove(this.#ids, id) as Slot
    if (slot === NO_RECORD) {
      this.#reports.order(CANCEL_REJECT, sequence, id, 0, 0, 0)
      return
    }
    const book = this.#book
    const side = book.side(slot) === 'BUY' ? BUY : SELL
    this.#reports.order(CANCEL_ACK, sequence, id, side, book.price(slot), book.remaining(slot))
    book.remove(slot)
  }

  #modify(sequence: number, id: number, side: number, price: Price, quantity: Lots): void {
    const slot = this.#slotById.remove(this.#ids, id) as Slot
    if (slot === NO_RECORD) {
      this.#reports.order(MODIFY_REJECT, sequence, id, 0, 0, 0)
      return
    }
    this.#book.remove(slot)
    const remaining = this.#match(sequence, id, side, price, quantity)
    if (remaining > 0) this.#rest(id, side, price, remaining)
    this.#reports.order(MODIFY_ACK, sequence, id, side, price, quantity)
  }

  /** Returns the unfilled quantity. */
  #match(sequence: number, id: number, side: number, price: Price, quantity: Lots): Lots {
    this.#sequence = sequence
    this.#takerId = id
    const taker = this.#taker
    taker.side = side === BUY ? 'BUY' : 'SELL'
    taker.limit = price
    taker.quantity = quantity
    return match(this.#book, taker, this, this.#outcome).remaining as Lots
  }

  #rest(id: number, side: number, price: Price, quantity: Lots): void {
    const number = id as OrderNumber
    const slot = this.#book.add(side === BUY ? 'BUY' : 'SELL', price, quantity, NOBODY, number)
    if (slot >= this.#ids.length) this.#ids = grownFloat64(this.#ids, this.#ids.length * 2)
    this.#ids[slot] = id
    this.#slotById.add(this.#ids, slot)
  }

  filled(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    const maker = this.#book.orderNumber(slot)
    if (makerRemaining === 0) this.#slotById.remove(this.#ids, maker)
    this.#reports.trade(this.#sequence, price, quantity, maker, this.#takerId)
  }

  makerExpired(): void {}

  makerEnded(): void {}

  decremented(): void {}
}
