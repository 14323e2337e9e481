/** What is foretold of an order is what matching then does. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { SELF_TRADE_MODES, SIDES } from '../../units/order-words.ts'
import type { Lots, Price } from '../../units/quantities.ts'
import { FastBook } from './fast-book.ts'
import { isFillable, type WholeTaker, wouldTake } from './look-ahead.ts'
import { match } from './matching.ts'
import { PlainBook } from './plain-book.ts'

const owner = fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<AccountId>
const price = fc.integer({ min: 1, max: 6 }) as fc.Arbitrary<Price>
const resting = fc.array(fc.record({ owner, price, quantity: fc.integer({ min: 1, max: 9 }) }), {
  maxLength: 12,
})
const taker: fc.Arbitrary<WholeTaker> = fc.record({
  side: fc.constantFrom(...SIDES),
  owner,
  limit: price,
  quantity: fc.integer({ min: 1, max: 40 }) as fc.Arbitrary<Lots>,
  budget: fc.constant(undefined),
  selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
  stepsMax: fc.integer({ min: 1, max: 12 }),
})
const NOBODY = { filled() {}, makerExpired() {}, decremented() {} }

describe('what is foretold of an arriving order', () => {
  test('is filled in full exactly when matching executes its whole quantity, on both books', () => {
    const found = { fillable: 0, not: 0 }
    fc.assert(
      fc.property(resting, taker, (orders, wanted) => {
        for (const book of [new FastBook(), new PlainBook()]) {
          for (const [i, { owner, price, quantity }] of orders.entries()) {
            const side = wanted.side === 'BUY' ? 'SELL' : 'BUY'
            book.add(side, price, quantity as Lots, owner, (i + 1) as OrderNumber)
          }
          const before = [book.levels('BUY', 99), book.levels('SELL', 99)]
          const isForetold = isFillable(book, wanted)
          const takes = wouldTake(book, wanted.side, wanted.limit)
          expect([book.levels('BUY', 99), book.levels('SELL', 99)]).toEqual(before)
          const { executed, stop } = match(book, wanted, NOBODY)
          expect(isForetold).toBe(executed === (wanted.quantity as number))
          expect(takes).toBe(
            executed > 0 || !['EMPTY', 'NO_MORE_PRICE'].includes(stop) || hasLost(book, before),
          )
          found[isForetold ? 'fillable' : 'not']++
        }
      }),
      { numRuns: 2_000 },
    )
    expect(Math.min(found.fillable, found.not)).toBeGreaterThan(100)
  })
})

/** EXPIRE_MAKER and DECREMENT change the book although nothing was executed. */
function hasLost(book: FastBook | PlainBook, before: unknown[]): boolean {
  return !Bun.deepEquals([book.levels('BUY', 99), book.levels('SELL', 99)], before)
}
