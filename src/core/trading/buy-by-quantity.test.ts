/** A MARKET BUY that has only a quantity (docs/reference/matching.md#market). */
import { describe, expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { SELF_TRADE_MODES, type SelfTradeMode } from '../../units/order-enums.ts'
import { amount, lots, price } from '../../units/quantities.ts'
import { readPlaceOrder, writePlaceOrder } from '../commands/place-order-codec.ts'
import { ExchangeHarness, OPERATOR, type OrderWords, orderOf } from '../exchange/exchange-harness.fixture.ts'
import { QUANTITY_RULES, RULES_VERSION } from '../exchange/rules.ts'

/** Lots of 10^-8 at ticks of 10^-2: a lot at price 100 costs one ledger unit of 10^-8 USDT. */
const UNIT = 100

/** Ann sells, and ben has `free` ledger units of USDT to buy with. */
function market(free: bigint, { version = RULES_VERSION, matchStepsMax = 4 } = {}) {
  const harness = new ExchangeHarness({ matchStepsMax })
  harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  const ann = harness.trader('ann', { BTC: 10n ** 12n })
  const ben = harness.trader('ben', { BTC: 10n ** 12n, USDT: free })
  const sell = (price: number, quantity: number, more: Partial<OrderWords> = {}) =>
    harness.accepted({ who: ann, side: 'SELL', price, quantity, ...more })
  const buy = (quantity: number, selfTradeMode?: SelfTradeMode) =>
    harness.order({ who: ben, side: 'BUY', type: 'MARKET', quantity, selfTradeMode })
  return { harness, ann, ben, sell, buy, left: () => harness.money(ben, 1).free }
}

describe('a MARKET BUY by quantity', () => {
  test('is filled at the prices that it meets, and pays what they cost, rounded up once', () => {
    const { sell, buy, left, harness } = market(1_000n)
    sell(UNIT, 2)
    sell(UNIT + 50, 3)
    expect(buy(5)).toMatchObject({ status: 'FILLED', executedQuantity: 5 })
    expect(left()).toBe(1_000n - 7n)
    harness.mustAddUp()
  })

  test('that costs one ledger unit more than is free is refused, and nothing has changed', () => {
    for (const [free, answer] of [
      [7n, { status: 'FILLED' }],
      [6n, { kind: 'Refused', reason: 'INSUFFICIENT_FUNDS' }],
    ] as const) {
      const { sell, buy, left, harness } = market(free)
      sell(UNIT, 2)
      sell(UNIT + 50, 3)
      const before = harness.exchange.encodeSnapshot().length
      expect(buy(5)).toMatchObject(answer)
      expect(left()).toBe(free === 7n ? 0n : free)
      if (free === 6n)
        expect([harness.events, harness.exchange.encodeSnapshot().length]).toEqual([[], before])
    }
  })

  test('gives up what the book does not have, and costs only what it executes', () => {
    const { sell, buy, left } = market(2n)
    expect(buy(5)).toEqual({ kind: 'Refused', reason: 'NO_LIQUIDITY' })
    sell(UNIT, 2)
    expect(buy(5)).toMatchObject({ status: 'CANCELED', executedQuantity: 2 })
    expect(left()).toBe(0n)
  })

  test('costs no more than the orders that it may meet, and those of the price range', () => {
    const steps = market(2n, { matchStepsMax: 2 })
    for (let i = 0; i < 3; i++) steps.sell(UNIT, 1)
    expect(steps.buy(3)).toMatchObject({ status: 'CANCELED', executedQuantity: 2 })
    const banded = market(2n)
    banded.sell(UNIT, 2)
    banded.sell(9 * UNIT, 1)
    const band = { minPrice: price(1), maxPrice: price(UNIT) }
    const limits = { minTotal: amount(0n), minQuantity: lots(0), openOrdersMax: 9, levelsMax: 9 }
    const terms = { symbol: 'BTC/USDT', ...limits, selfTradeMode: 'NONE', ...band } as const
    expect(banded.harness.give({ kind: 'SetSymbolTerms', operator: OPERATOR, ...terms }).kind).toBe('Done')
    expect(banded.buy(3)).toMatchObject({ status: 'CANCELED', executedQuantity: 2 })
  })

  test('costs hidden quantities too', () => {
    const { sell, buy, left } = market(5n)
    sell(UNIT, 6, { icebergQuantity: 2 })
    expect(buy(6)).toEqual({ kind: 'Refused', reason: 'INSUFFICIENT_FUNDS' })
    expect(buy(5)).toMatchObject({ status: 'FILLED' })
    expect(left()).toBe(0n)
  })

  test('does not pay for own orders, in every mode of self-trade prevention', () => {
    const outcomes = {
      NONE: { reason: 'INSUFFICIENT_FUNDS' },
      EXPIRE_TAKER: { reason: 'SELF_TRADE_PREVENTED' },
      EXPIRE_MAKER: { status: 'FILLED', executedQuantity: 2 },
      EXPIRE_BOTH: { status: 'CANCELED', executedQuantity: 0 },
      DECREMENT: { status: 'CANCELED', executedQuantity: 1 },
    } as const
    for (const mode of SELF_TRADE_MODES) {
      const { harness, ben, sell, buy } = market(mode === 'NONE' ? 2n : 20n)
      harness.accepted({ who: ben, side: 'SELL', price: UNIT, quantity: 1 })
      sell(10 * UNIT, 2)
      expect(buy(2, mode)).toMatchObject(outcomes[mode])
      harness.mustAddUp()
    }
  })

  test('cannot be encoded as an order that waits, and is refused before its rules', () => {
    const { harness, ben } = market(5n, { version: QUANTITY_RULES - 1 })
    const order = orderOf({ who: ben, side: 'BUY', type: 'MARKET', quantity: 1 })
    const refusal = { kind: 'Refused', reason: 'RULES_VERSION_TOO_LOW' }
    expect(harness.give(order)).toMatchObject(refusal)
    expect(harness.exchange.testOrder(order)).toMatchObject(refusal)
    const target = { clientOrderId: 'a' } as const
    const replacing = { kind: 'ReplaceOrder', target, mode: 'ALLOW_FAILURE', restriction: undefined } as const
    expect(harness.give({ ...replacing, order })).toMatchObject(refusal)
    const writer = new ByteWriter()
    writePlaceOrder(writer, { ...order, type: 'STOP_LOSS', stopPrice: price(1) } as never)
    expect(() => readPlaceOrder(new ByteReader(writer.take()))).toThrow(BytesFault)
  })

  test('is predicted by a test order, from what everyone sees', () => {
    const { harness, ben, sell } = market(5n)
    sell(UNIT, 6, { icebergQuantity: 2 })
    const tested = (quantity: number) =>
      harness.exchange.testOrder(orderOf({ who: ben, side: 'BUY', type: 'MARKET', quantity }))
    expect(tested(2)).toMatchObject({ status: 'FILLED', total: 2 })
    expect(tested(6)).toMatchObject({ status: 'CANCELED', executedQuantity: 2 })
  })
})
