/**
 * No order costs more than its total, whatever part of it self-trade prevention removes: markets where a lot
 * is worth from a small part of a ledger unit to many. Core and reference exchange agree on every step.
 */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SELF_TRADE_MODES } from '../../src/units/order-enums.ts'
import { decimals } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { Comparison } from './run.ts'
import { marketSteps, type OrderWords, orderStep, TRADER } from './scenario.ts'

const COIN = 1
/** Largest number of offers, all of which one order matches. */
const OFFERS_MOST = 8
const FUNDS = 10n ** 15n
/** Ticks x lots in one unit of the ledger, which has 2 decimals. */
const notionalPerUnit = (baseFraction: number, quoteFraction: number) =>
  10n ** BigInt(Math.max(0, baseFraction + quoteFraction - 2))

const offer = fc.record({
  accountId: fc.constantFrom(TRADER.ann, TRADER.ben),
  side: fc.constant('SELL' as const),
  price: fc.integer({ min: 1, max: 9 }),
  quantity: fc.integer({ min: 1, max: 2_000 }),
})
const market = fc.record({
  offers: fc.array(offer, { minLength: 1, maxLength: OFFERS_MOST }),
  baseFraction: fc.integer({ min: 1, max: 3 }),
  quoteFraction: fc.integer({ min: 1, max: 2 }),
  selfTradeMode: fc.oneof(fc.constantFrom(...SELF_TRADE_MODES), fc.constant('DECREMENT' as const)),
  total: fc.bigInt({ min: 1n, max: 60n }),
})

test('a MARKET BUY pays, rounded up, no more than its total less the exact worth of what DECREMENT lowered', () => {
  let roundedDown = 0
  fc.assert(
    fc.property(market, ({ offers, baseFraction, quoteFraction, selfTradeMode, total }) => {
      const terms = {
        baseFraction: decimals(baseFraction),
        quoteFraction: decimals(quoteFraction),
        selfTradeMode,
      }
      const comparison = new Comparison(OFFERS_MOST)
      for (const each of [...marketSteps(terms), ...offers.map(orderStep)]) comparison.take(each)
      const buy: OrderWords = {
        accountId: TRADER.ann,
        side: 'BUY',
        type: 'MARKET',
        timeInForce: 'IOC',
        total,
      }
      const pricesByNumber = new Map(
        comparison.core
          .openOrders(TRADER.ann, undefined)
          .map(({ orderNumber, price }) => [orderNumber as number, BigInt(price)] as const),
      )
      const { events } = comparison.take(orderStep(buy))
      let lowered = 0n
      for (const event of events) {
        if (event.kind !== 'OrderDecremented' && event.kind !== 'OrderCanceled') continue
        if (selfTradeMode !== 'DECREMENT' || event.side === 'BUY') continue
        lowered += (pricesByNumber.get(event.orderNumber) ?? 0n) * BigInt(event.quantity)
      }
      // Fills of an account with itself (mode NONE) do not move its money: the amount paid is taken from the
      // answers.
      const paid = events.reduce(
        (sum, event) => (event.kind === 'OrdersMatched' ? sum + bigintOf(event.taker.total) : sum),
        0n,
      )
      const perUnit = notionalPerUnit(baseFraction, quoteFraction)
      expect(paid * perUnit + lowered).toBeLessThanOrEqual(total * perUnit)
      if (lowered % perUnit !== 0n && paid > 0n) roundedDown++
      const { free = 0 } = comparison.core.balances(TRADER.ann)[COIN] ?? {}
      if (selfTradeMode !== 'NONE') expect(FUNDS - bigintOf(free)).toBe(paid)
    }),
    { numRuns: 500 },
  )
  // The runs include cases in which the rule decides.
  expect(roundedDown).toBeGreaterThan(5)
}, 300_000)
