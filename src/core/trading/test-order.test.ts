/**
 * The result of testing an order. Tests in test/model check, for random orders of every kind, that the
 * placement has the same result; this file checks that a test changes nothing, and how much it reads.
 */
import { describe, expect, test } from 'bun:test'
import type { Side } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { ExchangeHarness, OPERATOR, orderOf } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'
import { TESTED_FILLS_MAX } from '../exchange/tested-order.ts'
import { FastBook } from '../market/fast-book.ts'

let looked = 0
class CountingBook extends FastBook {
  override *slots(side: Side) {
    for (const slot of super.slots(side)) {
      looked++
      yield slot
    }
  }
}

/** Ann sells one lot at each price from 100 on; ben tests an order against them. */
function market(orders: number, matchStepsMax = 1_000) {
  const harness = new ExchangeHarness({ createBook: () => new CountingBook(), matchStepsMax })
  harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const ann = harness.trader('ann', { BTC: 10n ** 12n })
  const ben = harness.trader('ben', { USDT: 10n ** 16n })
  for (let i = 0; i < orders; i++) harness.accepted({ who: ann, side: 'SELL', price: 100 + i, quantity: 1 })
  const ask = (words: { price: number; quantity: number; timeInForce?: 'FOK' | 'IOC' }) => {
    looked = 0
    return harness.exchange.testOrder(orderOf({ who: ben, side: 'BUY', ...words }))
  }
  return { harness, ask }
}

describe('a test of an order', () => {
  test('leaves the state as it was, to the byte', () => {
    const { harness, ask } = market(5)
    const before = harness.exchange.encodeSnapshot()
    expect(ask({ price: 110, quantity: 3 })).toMatchObject({ status: 'FILLED', fillCount: 3 })
    expect(ask({ price: 110, quantity: 8 })).toMatchObject({ status: 'PARTIALLY_FILLED', fillCount: 5 })
    expect(ask({ price: 110, quantity: 8, timeInForce: 'FOK' })).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    expect(ask({ price: 110, quantity: 8, timeInForce: 'IOC' })).toMatchObject({
      status: 'CANCELED',
      cause: 'IOC',
    })
    expect(harness.exchange.encodeSnapshot()).toEqual(before)
  })

  test('reads no more resting orders than the order could meet, and one more', () => {
    const { ask } = market(200, 10)
    expect(ask({ price: 1_000, quantity: 3 })).toMatchObject({ fillCount: 3 })
    expect(looked).toBeLessThanOrEqual(4)
    expect(ask({ price: 1_000, quantity: 100 })).toMatchObject({
      status: 'CANCELED',
      cause: 'STEPS',
      fillCount: 10,
    })
    expect(looked).toBeLessThanOrEqual(12)
  })

  test('has the given time, at least that of the last command, and does not change the exchange’s own', () => {
    const { harness } = market(0)
    const cleo = harness.trader('cleo', { USDT: 10n ** 16n })
    const ends = harness.exchange.time + 5
    const order = { who: cleo, side: 'BUY', price: 100, quantity: 1, timeInForce: 'GTD' } as const
    const tested = (time: number) =>
      harness.exchange.testOrder(orderOf({ ...order, expireTime: ends as TimeMs }), time as TimeMs)
    const bytes = harness.exchange.encodeSnapshot()
    expect([tested(0), tested(ends - 1)]).toMatchObject([{ status: 'NEW' }, { status: 'NEW' }])
    expect([tested(ends), tested(ends + 9)]).toMatchObject([
      { reason: 'EXPIRE_TIME_PASSED' },
      { reason: 'EXPIRE_TIME_PASSED' },
    ])
    expect(harness.exchange.encodeSnapshot()).toEqual(bytes)
    harness.give({ kind: 'MarkTime' }, 5)
    expect(tested(0)).toMatchObject({ reason: 'EXPIRE_TIME_PASSED' })
  })

  test('lists only the first fills, and counts all of them', () => {
    const { ask } = market(TESTED_FILLS_MAX + 20)
    const tested = ask({ price: 1_000, quantity: TESTED_FILLS_MAX + 20 })
    expect(tested).toMatchObject({
      fillCount: TESTED_FILLS_MAX + 20,
      executedQuantity: TESTED_FILLS_MAX + 20,
    })
    expect(tested.kind === 'Tested' && tested.fills.map(({ price }) => price)).toEqual(
      Array.from({ length: TESTED_FILLS_MAX }, (_, i) => (100 + i) as never),
    )
  })
})
