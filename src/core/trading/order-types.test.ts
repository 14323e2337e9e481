/**
 * FOK, LIMIT_MAKER, and the number of resting orders that one order is matched against
 * (docs/reference/matching.md#matching).
 */
import { describe, expect, test } from 'bun:test'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'

/** An exchange in which ann sells and ben buys. */
function market(matchStepsMax = 3) {
  const harness = new ExchangeHarness({ matchStepsMax })
  harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const ann = harness.trader('ann', { BTC: 10n ** 12n, USDT: 10n ** 14n })
  const ben = harness.trader('ben', { BTC: 10n ** 12n, USDT: 10n ** 14n })
  const sell = (price: number, quantity: number) =>
    harness.accepted({ who: ann, side: 'SELL', price, quantity })
  const state = () => {
    const { exchange } = harness
    return [
      exchange.balances(ann),
      exchange.balances(ben),
      exchange.book(0 as never),
      exchange.openOrders(ben, undefined),
    ]
  }
  return { harness, ann, ben, sell, state }
}

describe('a FOK order', () => {
  test('is filled in full, at several prices', () => {
    const { harness, ben, sell } = market()
    sell(100, 2)
    sell(101, 2)
    const order = { who: ben, side: 'BUY', timeInForce: 'FOK', price: 101, quantity: 3 } as const
    expect(harness.order(order)).toMatchObject({ status: 'FILLED', executedQuantity: 3 })
  })

  test('that the book cannot fill at its price is refused, and nothing has changed', () => {
    const { harness, ben, sell, state } = market()
    sell(100, 2)
    sell(102, 2)
    const before = state()
    const order = { who: ben, side: 'BUY', timeInForce: 'FOK', price: 101, quantity: 3 } as const
    expect(harness.order(order)).toEqual({ kind: 'Refused', reason: 'FOK_NOT_FILLABLE' })
    expect(harness.events).toEqual([])
    expect(state()).toEqual(before)
  })

  test('is refused where it would meet more orders than one order may', () => {
    const { harness, ben, sell } = market()
    for (let i = 0; i < 4; i++) sell(100, 1)
    const fok = (quantity: number) =>
      harness.order({ who: ben, side: 'BUY', timeInForce: 'FOK', price: 100, quantity })
    expect(fok(4)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    expect(fok(3)).toMatchObject({ status: 'FILLED' })
  })

  test('passes over own orders under EXPIRE_MAKER, and is refused at one in every other mode but NONE', () => {
    for (const [selfTradeMode, answer] of [
      ['NONE', { status: 'FILLED' }],
      ['EXPIRE_MAKER', { status: 'FILLED' }],
      ['EXPIRE_TAKER', { reason: 'FOK_NOT_FILLABLE' }],
      ['EXPIRE_BOTH', { reason: 'FOK_NOT_FILLABLE' }],
      ['DECREMENT', { reason: 'FOK_NOT_FILLABLE' }],
    ] as const) {
      const { harness, ben, sell } = market()
      harness.accepted({ who: ben, side: 'SELL', price: 100, quantity: 5 })
      sell(100, 2)
      const order = {
        who: ben,
        side: 'BUY',
        timeInForce: 'FOK',
        price: 100,
        quantity: 2,
        selfTradeMode,
      } as const
      expect([selfTradeMode, harness.order(order)]).toMatchObject([selfTradeMode, answer])
    }
  })
})

describe('a LIMIT_MAKER order', () => {
  test('rests in full where it meets no order', () => {
    const { harness, ben, sell } = market()
    sell(101, 1)
    const order = { who: ben, side: 'BUY', type: 'LIMIT_MAKER', price: 100, quantity: 2 } as const
    expect(harness.order(order)).toMatchObject({ status: 'NEW', executedQuantity: 0 })
    expect(harness.exchange.book(0 as never).buy).toMatchObject([{ price: 100, quantity: 2n }])
  })

  test('that would take is refused and changes nothing, even where the order there is its own', () => {
    const { harness, ann, ben, sell, state } = market()
    sell(100, 1)
    const before = state()
    for (const who of [ben, ann]) {
      const order = { who, side: 'BUY', type: 'LIMIT_MAKER', price: 100, quantity: 2 } as const
      expect(harness.order(order)).toEqual({ kind: 'Refused', reason: 'LIMIT_MAKER_WOULD_TAKE' })
      expect(state()).toEqual(before)
    }
  })
})

describe('an arriving order', () => {
  test('meets only so many resting orders, and the rest is canceled instead of crossing the book', () => {
    const { harness, ben, sell } = market()
    for (let i = 0; i < 4; i++) sell(100 + i, 1)
    const order = { who: ben, side: 'BUY', price: 110, quantity: 9 } as const
    expect(harness.order(order)).toMatchObject({ status: 'CANCELED', executedQuantity: 3 })
    const canceled = harness.events.filter((event) => event.kind === 'OrderCanceled')
    expect(canceled).toMatchObject([{ quantity: 6, cause: 'STEPS' }])
    expect(harness.exchange.openOrders(ben, undefined)).toEqual([])
  })

  test('that has met as many as it may and reaches no other rests as usual', () => {
    const { harness, ben, sell } = market()
    for (let i = 0; i < 3; i++) sell(100, 1)
    sell(111, 1)
    const order = { who: ben, side: 'BUY', price: 110, quantity: 9 } as const
    expect(harness.order(order)).toMatchObject({ status: 'PARTIALLY_FILLED', executedQuantity: 3 })
  })
})
