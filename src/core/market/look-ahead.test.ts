/** A forecast for an order equals the result of matching it. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PlainBook } from '../../../test/support/plain-book.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { notionalSum, worthOf } from '../../units/notional.ts'
import { SELF_TRADE_MODES, SIDES, type Side } from '../../units/order-enums.ts'
import { type Lots, NO_NOTIONAL, type Notional, type Price } from '../../units/quantities.ts'
import { FastBook } from './fast-book.ts'
import { type Iceberg, isFillable, type WholeTaker, worthInReach, wouldTake } from './look-ahead.ts'
import { type MatchObserver, match } from './matching.ts'
import type { OrderBook, Slot } from './order-book.ts'

const owner = fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<AccountId>
const price = fc.integer({ min: 1, max: 6 }) as fc.Arbitrary<Price>
/** `part` is the quantity that the book shows at a time; undefined if it shows the whole order. */
const resting = fc.array(
  fc.record({
    owner,
    price,
    quantity: fc.integer({ min: 1, max: 9 }),
    part: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  }),
  { maxLength: 12 },
)
const taker: fc.Arbitrary<WholeTaker> = fc.record({
  side: fc.constantFrom(...SIDES),
  owner,
  limit: price,
  quantity: fc.integer({ min: 1, max: 40 }) as fc.Arbitrary<Lots>,
  budget: fc.constant(undefined),
  selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
  stepsMax: fc.integer({ min: 1, max: 12 }),
  hasEnded: fc.constantFrom(undefined, (number: OrderNumber) => number % 3 === 0),
})

type Resting = {
  readonly owner: AccountId
  readonly price: Price
  readonly quantity: number
  readonly part: number | undefined
}

describe('the look-ahead for an arriving order', () => {
  test('predicts a full fill exactly when matching executes the whole quantity, and its cost, on both books', () => {
    const found = { fillable: 0, not: 0 }
    fc.assert(
      fc.property(resting, taker, (orders, wanted) => {
        for (const book of [new FastBook(), new PlainBook()]) {
          const icebergs = new Icebergs(book)
          for (const order of orders) icebergs.add(wanted.side === 'BUY' ? 'SELL' : 'BUY', order)
          const before = [book.levels('BUY', 99), book.levels('SELL', 99)]
          const isForetold = isFillable(book, wanted, (slot) => icebergs.at(slot))
          const takes = wouldTake(book, wanted)
          const worth = worthInReach(book, wanted, (slot) => icebergs.at(slot))
          expect([book.levels('BUY', 99), book.levels('SELL', 99)]).toEqual(before)
          const { executed, stop } = match(book, wanted, icebergs)
          expect(worth).toBe(icebergs.worth)
          expect(isForetold).toBe(executed === (wanted.quantity as number))
          expect(takes).toBe(icebergs.hasMet || stop === 'SELF_TRADE' || stop === 'STEPS')
          found[isForetold ? 'fillable' : 'not']++
        }
      }),
      { numRuns: 2_000 },
    )
    expect(Math.min(found.fillable, found.not)).toBeGreaterThan(100)
  })
})

/** Iceberg orders of a book: when a part is used up, the next part follows all others at its price. */
class Icebergs implements MatchObserver {
  readonly #book: OrderBook
  /** By order number minus 1. */
  readonly #hidden: { hidden: number; readonly part: number }[] = []
  /** Whether an order that had not ended was matched. */
  hasMet = false
  /** The executed value, at the makers' prices. */
  worth: Notional = NO_NOTIONAL

  constructor(book: OrderBook) {
    this.#book = book
  }

  add(side: Side, { owner, price, quantity, part = quantity }: Resting): void {
    const shown = Math.min(part, quantity)
    this.#hidden.push({ hidden: quantity - shown, part })
    this.#book.add(side, price, shown as Lots, owner, this.#hidden.length as OrderNumber)
  }

  at(slot: Slot): Iceberg | undefined {
    const iceberg = this.#hidden[this.#book.orderNumber(slot) - 1]
    return iceberg?.hidden === 0 ? undefined : iceberg
  }

  filled(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    this.worth = notionalSum(this.worth, worthOf(price, quantity))
    this.#next(slot, price, makerRemaining)
  }

  #next(slot: Slot, price: Price, makerRemaining: Lots): void {
    this.hasMet = true
    const iceberg = this.#hidden[this.#book.orderNumber(slot) - 1]
    if (makerRemaining > 0 || iceberg === undefined || iceberg.hidden === 0) return
    const shown = Math.min(iceberg.part, iceberg.hidden)
    iceberg.hidden -= shown
    const book = this.#book
    book.add(book.side(slot), price, shown as Lots, book.owner(slot), book.orderNumber(slot))
  }

  makerExpired(): void {
    this.hasMet = true
  }

  makerEnded(): void {}

  decremented(slot: Slot, price: Price, _quantity: Lots, makerRemaining: Lots): void {
    this.#next(slot, price, makerRemaining)
  }
}
