/**
 * Iceberg orders (docs/reference/iceberg-orders.md): the rules one by one. Random orders of every kind are
 * checked step by step in test/model.
 */
import { describe, expect, test } from 'bun:test'
import { PlainBook } from '../../../test/support/plain-book.ts'
import type { AccountId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR, type OrderWords, orderOf } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'

/** An exchange in which ann and cem sell at 100, and ben buys. */
function market(options: ConstructorParameters<typeof ExchangeHarness>[0] = {}, version = RULES_VERSION) {
  const harness = new ExchangeHarness(options)
  harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  const money = { BTC: 10n ** 12n, USDT: 10n ** 14n }
  const [ann, ben, cem] = ['ann', 'ben', 'cem'].map((name) => harness.trader(name, money)) as [
    AccountId,
    AccountId,
    AccountId,
  ]
  const sell = (who: AccountId, quantity: number, icebergQuantity?: number) =>
    harness.accepted({
      who,
      side: 'SELL',
      price: 100,
      quantity,
      ...(icebergQuantity === undefined ? {} : { icebergQuantity }),
    })
  const buy = (quantity: number, more: Partial<OrderWords> = {}) =>
    harness.order({ who: ben, side: 'BUY', price: 100, quantity, timeInForce: 'IOC', ...more })
  /** For each trade of the last command: the resting order, and the quantity. */
  const trades = () =>
    harness.events.flatMap((event) =>
      event.kind === 'OrdersMatched'
        ? [[event.maker.accountId === ann ? 'ann' : 'cem', event.quantity as number]]
        : [],
    )
  const levels = () => harness.exchange.book(0 as never).sell.map(({ price, quantity }) => [price, quantity])
  const open = (who: AccountId) => harness.exchange.openOrders(who, undefined)
  return { harness, ann, ben, cem, sell, buy, trades, levels, open }
}

describe('an order that shows one part of itself at a time', () => {
  test('is seen by the public with that part alone, and holds all that it may need', () => {
    const { harness, ann, sell, levels, open } = market()
    sell(ann, 10, 3)
    expect(levels()).toEqual([[100, 3n]] as never)
    expect(open(ann)).toMatchObject([{ quantity: 10, remaining: 10, icebergQuantity: 3 }])
    expect(harness.money(ann, 0).locked).toBe(10n)
    harness.mustAddUp()
  })

  test('shows its next part last at its price, and a last part as small as what is left', () => {
    for (const createBook of [undefined, () => new PlainBook()]) {
      const { harness, ann, cem, sell, buy, trades, levels, open } = market(createBook ? { createBook } : {})
      sell(ann, 8, 3)
      sell(cem, 4)
      buy(3)
      expect(trades()).toEqual([['ann', 3]])
      expect(levels()).toEqual([[100, 7n]] as never)
      buy(5)
      expect(trades()).toEqual([
        ['cem', 4],
        ['ann', 1],
      ])
      expect(levels()).toEqual([[100, 2n]] as never)
      buy(2)
      expect(levels()).toEqual([[100, 2n]] as never)
      expect(open(ann)).toMatchObject([{ remaining: 2, executedQuantity: 6 }])
      buy(9)
      expect(trades()).toEqual([['ann', 2]])
      expect([levels(), open(ann)]).toEqual([[], []])
      harness.mustAddUp()
    }
  })

  test('keeps its place in the queue while a part is not used up', () => {
    const { ann, cem, sell, buy, trades } = market()
    sell(ann, 8, 4)
    sell(cem, 4)
    buy(1)
    buy(4)
    expect(trades()).toEqual([
      ['ann', 3],
      ['cem', 1],
    ])
  })

  test('is met part by part in one sweep, in turn with the others at its price, each match a step', () => {
    const { ann, cem, sell, buy, trades } = market({ matchStepsMax: 4 })
    sell(ann, 9, 3)
    sell(cem, 2)
    expect(buy(10)).toMatchObject({ status: 'FILLED', executedQuantity: 10 })
    expect(trades()).toEqual([
      ['ann', 3],
      ['cem', 2],
      ['ann', 3],
      ['ann', 2],
    ])
    sell(ann, 10, 1)
    expect(buy(9)).toMatchObject({ status: 'CANCELED', executedQuantity: 4 })
  })

  test('trades as one order when it arrives, and rests with one part', () => {
    const { harness, ann, ben, sell, levels } = market()
    sell(ann, 5)
    const order = { who: ben, side: 'BUY', price: 100, quantity: 12, icebergQuantity: 2 } as const
    expect(harness.order(order)).toMatchObject({ status: 'PARTIALLY_FILLED', executedQuantity: 5 })
    expect(levels()).toEqual([])
    expect(harness.exchange.book(0 as never).buy).toEqual([{ price: 100, quantity: 2n }] as never)
    expect(harness.money(ben, 1).locked).toBeGreaterThan(0n)
    harness.mustAddUp()
  })

  test('publishes a level once per command, and not where it shows as much as before', () => {
    const { harness, ann, sell, buy } = market()
    sell(ann, 9, 3)
    const published = () => harness.events.filter(({ kind }) => kind === 'LevelChanged')
    buy(3)
    expect(published()).toEqual([])
    buy(4)
    expect(published()).toMatchObject([{ price: 100, quantity: 2n }])
  })

  test('is canceled with all that is left of it, by its owner and by self-trade prevention', () => {
    const { harness, ann, ben, sell, buy, levels } = market()
    const placed = sell(ann, 9, 3)
    buy(1)
    harness.cancel(ann, placed)
    expect(harness.events).toMatchObject([
      { kind: 'OrderCanceled', quantity: 8 },
      { kind: 'LevelChanged', quantity: 0n },
    ])
    sell(ben, 9, 3)
    expect(buy(2, { selfTradeMode: 'EXPIRE_MAKER' })).toMatchObject({ status: 'CANCELED' })
    expect(harness.events).toContainEqual(expect.objectContaining({ kind: 'OrderCanceled', quantity: 9 }))
    expect([levels(), harness.money(ben, 0).locked]).toEqual([[], 0n])
    harness.mustAddUp()
  })

  test('is reduced part by part under DECREMENT, and ends with its last part', () => {
    const { harness, ben, sell, buy, levels, open } = market()
    sell(ben, 7, 3)
    buy(5, { selfTradeMode: 'DECREMENT' })
    const lowered = () =>
      harness.events.flatMap((event) => (event.kind === 'OrderDecremented' ? [event.quantity as number] : []))
    expect(lowered()).toEqual([3, 3, 2, 2])
    expect([levels(), open(ben)]).toMatchObject([[[100, 1n]], [{ remaining: 2, quantity: 7 }]])
    buy(5, { selfTradeMode: 'DECREMENT' })
    expect([levels(), open(ben)]).toEqual([[], []])
    harness.mustAddUp()
  })

  test('fills a FOK order with hidden quantity, and a test of a FOK order sees only what is shown', () => {
    const { harness, ann, ben, sell, buy } = market()
    sell(ann, 9, 3)
    const fok = { who: ben, side: 'BUY', price: 100, timeInForce: 'FOK' } as const
    const tested = (quantity: number) => harness.exchange.testOrder(orderOf({ ...fok, quantity }))
    expect(tested(3)).toMatchObject({ status: 'FILLED' })
    expect(tested(4)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    const limit = orderOf({ who: ben, side: 'BUY', price: 100, quantity: 5 })
    expect(harness.exchange.testOrder(limit)).toMatchObject({
      status: 'PARTIALLY_FILLED',
      executedQuantity: 3,
    })
    expect(buy(10, { timeInForce: 'FOK' })).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    expect(buy(9, { timeInForce: 'FOK' })).toMatchObject({ status: 'FILLED' })
  })

  test('is filled and priced as a whole order is, to the ledger unit', () => {
    const figures = (icebergQuantity?: number) => {
      const { harness, ann, ben } = market()
      const part = icebergQuantity === undefined ? {} : { icebergQuantity }
      // Each lot is worth a third of a ledger unit.
      harness.accepted({ who: ann, side: 'SELL', price: 33, quantity: 10, ...part })
      harness.accepted({ who: ben, side: 'BUY', price: 33, quantity: 7, timeInForce: 'IOC' })
      return [ann, ben].map((who) => harness.exchange.balances(who))
    }
    expect(figures(4)).toEqual(figures())
  })
})

describe('what an order shows at a time', () => {
  test('is refused where it is more than the order, less than an order may be, or less than 1/100 of it', () => {
    const { harness, ann } = market({ terms: { minQuantity: 5 as never } })
    const reply = (quantity: number, icebergQuantity: number) =>
      harness.order({ who: ann, side: 'SELL', price: 100, quantity, icebergQuantity })
    const small = { kind: 'Refused', reason: 'ICEBERG_QUANTITY_TOO_SMALL' } as const
    expect(reply(10, 11)).toEqual({ kind: 'Refused', reason: 'ICEBERG_QUANTITY_TOO_LARGE' })
    expect(reply(10, 10)).toMatchObject({ status: 'NEW' })
    expect(reply(10, 4)).toEqual(small)
    expect(reply(10, 5)).toMatchObject({ status: 'NEW' })
    expect(reply(600, 5)).toEqual(small)
    expect(reply(601, 6)).toEqual(small)
    expect(reply(601, 7)).toMatchObject({ status: 'NEW' })
    expect(reply(10, 0)).toEqual({ kind: 'Refused', reason: 'INVALID_COMMAND' })
  })

  test('meets the smallest total of an order', () => {
    // A lot at 100 ticks is worth one ledger unit.
    const { harness, ann } = market({ terms: { minTotal: amount(10n) } })
    const reply = (icebergQuantity: number) =>
      harness.order({ who: ann, side: 'SELL', price: 100, quantity: 50, icebergQuantity })
    expect(reply(9)).toMatchObject({ reason: 'ICEBERG_QUANTITY_TOO_SMALL' })
    expect(reply(10)).toMatchObject({ status: 'NEW' })
  })

  test('is refused for an order that may not rest', () => {
    const { harness, ann } = market()
    const order = { who: ann, side: 'SELL', price: 100, quantity: 9, icebergQuantity: 3 } as const
    const ioc = { ...orderOf(order), timeInForce: 'IOC' } as never
    expect(harness.give(ioc)).toEqual({ kind: 'Refused', reason: 'INVALID_COMMAND' })
  })

  test('is part of what makes a repeated order under its id the same', () => {
    const { harness, ann } = market()
    const order = { who: ann, side: 'SELL', price: 100, quantity: 9, clientOrderId: 'a' } as const
    harness.accepted({ ...order, icebergQuantity: 3 })
    expect(harness.order({ ...order, icebergQuantity: 3 })).toMatchObject({ kind: 'OrderRepeated' })
    for (const other of [order, { ...order, icebergQuantity: 4 }]) {
      expect(harness.order(other)).toEqual({ kind: 'Refused', reason: 'DUPLICATE_CLIENT_ORDER_ID' })
    }
  })
})

test('a restart keeps the hidden quantity of an order, what is left of its part, and its place in the queue', () => {
  const { harness, ann, cem, ben, sell, buy } = market()
  sell(ann, 9, 3)
  sell(cem, 2)
  buy(1)
  const loaded = Exchange.decodeSnapshot(harness.exchange.encodeSnapshot())
  const command = orderOf({ who: ben, side: 'BUY', price: 100, quantity: 6, timeInForce: 'IOC' })
  const [live, again] = [harness.exchange, loaded].map((exchange) => {
    const events: unknown[] = []
    const reply = exchange.apply(command, (exchange.time + 1) as never, (event) => events.push(event))
    return { reply, events, bytes: exchange.encodeSnapshot() }
  })
  expect(again).toEqual(live)
})
