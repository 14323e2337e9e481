/**
 * Our book as in the exchange, without money: matching, identities (an order's number and owner, and the
 * mapping from the number to its place) and events (maker, taker, quantity and price of each trade).
 */
import { FastBook } from '../../src/core/market/fast-book.ts'
import { type MatchObserver, match, outcomeRecord, type Taker } from '../../src/core/market/matching.ts'
import type { OrderBook, Slot } from '../../src/core/market/order-book.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import { MATCH_STEPS_MAX } from '../../src/units/limits.ts'
import type { Lots, Price } from '../../src/units/quantities.ts'
import { NO_RECORD, RecordIndex } from '../../src/units/record-index.ts'
import { grownFloat64 } from '../../src/units/typed-arrays.ts'

/** Receives trades. `left` is the maker's remaining quantity. */
export type TradeSink = {
  filled(maker: number, price: number, quantity: number, left: number): void
}

/** Number of accounts that place orders in turn. */
const ACCOUNTS = 1000

export class PlayedBook implements MatchObserver {
  readonly #book: OrderBook
  readonly #slotByNumber = new RecordIndex(64)
  /** By slot. */
  #numbers = new Float64Array(64)
  readonly #sink: TradeSink
  /** Reused for every order, so that neither the order nor its result is allocated. */
  readonly #taker: { -readonly [Field in keyof Taker]: Taker[Field] } = {
    side: 'BUY',
    owner: 0 as AccountId,
    limit: undefined,
    quantity: undefined,
    budget: undefined,
    selfTradeMode: 'NONE',
    stepsMax: MATCH_STEPS_MAX,
  }
  readonly #outcome = outcomeRecord()

  constructor(sink: TradeSink, book: OrderBook = new FastBook()) {
    this.#sink = sink
    this.#book = book
  }

  get restingCount(): number {
    return this.#book.restingCount
  }

  get book(): OrderBook {
    return this.#book
  }

  /** Returns whether the order rests now. */
  place(number: number, side: number, price: number, quantity: number, mayRest: boolean): boolean {
    const owner = (number % ACCOUNTS) as AccountId
    const taker = this.#taker
    taker.side = side === 0 ? 'BUY' : 'SELL'
    taker.owner = owner
    taker.limit = price as Price
    taker.quantity = quantity as Lots
    const { remaining } = match(this.#book, taker, this, this.#outcome)
    if (!mayRest || remaining === undefined || remaining === 0) return false
    const slot = this.#book.add(taker.side, price as Price, remaining, owner, number as OrderNumber)
    if (slot >= this.#numbers.length) this.#numbers = grownFloat64(this.#numbers, this.#numbers.length * 2)
    this.#numbers[slot] = number
    this.#slotByNumber.add(this.#numbers, slot)
    return true
  }

  cancel(number: number): void {
    const slot = this.#slotByNumber.remove(this.#numbers, number)
    if (slot !== NO_RECORD) this.#book.remove(slot as Slot)
  }

  /** 0 for a resting buy order, 1 for a resting sell order. */
  side(number: number): number {
    return this.#book.side(this.#slotByNumber.find(this.#numbers, number) as Slot) === 'BUY' ? 0 : 1
  }

  filled(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    const maker = this.#book.orderNumber(slot)
    if (makerRemaining === 0) this.#slotByNumber.remove(this.#numbers, maker)
    this.#sink.filled(maker, price, quantity, makerRemaining)
  }

  makerExpired(): void {}

  makerEnded(): void {}

  decremented(): void {}
}
