import { describe, expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { FEES_ACCOUNT } from '../../units/ids.ts'
import { SELF_TRADE_MODES } from '../../units/order-enums.ts'
import { amount, lots, type Price, UNITS_MAX } from '../../units/quantities.ts'
import type { OrdersMatched } from '../events/event.ts'
import { refused } from '../questions/reply.ts'
import { ALL_FLAGS, ExchangeHarness, OPERATOR } from './exchange-harness.fixture.ts'

const BTC = 0
const USDT = 1
const ONE_BTC = 100_000_000
const UNIT = 100_000_000n

function harness(terms = {}) {
  const it = new ExchangeHarness({ terms })
  const alice = it.trader('alice', { BTC: 100n * UNIT, USDT: 1_000_000n * UNIT })
  const bob = it.trader('bob', { BTC: 100n * UNIT, USDT: 1_000_000n * UNIT })
  return { it, alice, bob }
}

function matches(it: ExchangeHarness): OrdersMatched[] {
  return it.events.filter((event) => event.kind === 'OrdersMatched')
}

test('the list of symbols is the one from which a read model starts', () => {
  const { exchange } = harness().it
  expect(exchange.symbols().map(({ name }) => name)).toEqual(['BTC/USDT'])
  expect(exchange.symbols()).toEqual(exchange.bootstrap().symbols)
})

describe('LIMIT orders', () => {
  test('a resting buy holds its price x quantity and a cancel gives all of it back', () => {
    const { it, alice } = harness()
    const order = it.accepted({ who: alice, side: 'BUY', price: 6_000_000, quantity: ONE_BTC })
    expect(order.status).toBe('NEW')
    expect(it.money(alice, USDT)).toEqual({ free: 940_000n * UNIT, locked: 60_000n * UNIT })
    expect(it.cancel(alice, order).kind).toBe('Done')
    expect(it.money(alice, USDT)).toEqual({ free: 1_000_000n * UNIT, locked: 0n })
    expect(it.events.map(({ kind }) => kind)).toEqual(['OrderCanceled', 'LevelChanged'])
    it.mustAddUp()
  })

  test('a trade is made at the resting price and the better price is left free', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 6_000_000, quantity: ONE_BTC })
    const order = it.accepted({ who: bob, side: 'BUY', price: 6_500_000, quantity: 2 * ONE_BTC })
    expect(order.status).toBe('PARTIALLY_FILLED')
    expect(matches(it).map(({ price, quantity }) => [price, quantity])).toEqual([
      [6_000_000, ONE_BTC] as never,
    ])
    expect(it.money(bob, USDT)).toEqual({ free: 875_000n * UNIT, locked: 65_000n * UNIT })
    expect(it.money(bob, BTC).free).toBe(100n * UNIT + (UNIT * 999n) / 1000n)
    expect(it.money(alice, USDT).free).toBe(1_000_000n * UNIT + (60_000n * UNIT * 999n) / 1000n)
    expect(it.money(FEES_ACCOUNT, USDT).free).toBe(60n * UNIT)
    expect(it.money(FEES_ACCOUNT, BTC).free).toBe(UNIT / 1000n)
    it.mustAddUp()
  })

  test('price goes before time, time before size', () => {
    const { it, alice, bob } = harness()
    const late = it.accepted({ who: alice, side: 'SELL', price: 101, quantity: 1000 })
    const first = it.accepted({ who: alice, side: 'SELL', price: 100, quantity: 10 })
    const second = it.accepted({ who: alice, side: 'SELL', price: 100, quantity: 5000 })
    it.accepted({ who: bob, side: 'BUY', price: 200, quantity: 5500 })
    const makers = matches(it).map(({ maker, quantity }) => [maker.orderNumber, quantity])
    expect(makers as unknown).toEqual([
      [first.orderNumber, 10],
      [second.orderNumber, 5000],
      [late.orderNumber, 490],
    ])
  })

  test('an IOC order never rests', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 100, quantity: ONE_BTC })
    const order = it.accepted({
      who: bob,
      side: 'BUY',
      price: 100,
      quantity: 3 * ONE_BTC,
      timeInForce: 'IOC',
    })
    expect(order.status).toBe('CANCELED')
    expect(order.executedQuantity as number).toBe(ONE_BTC)
    expect(it.money(bob, USDT).locked).toBe(0n)
    expect(it.exchange.openOrders(bob, undefined)).toEqual([])
    it.mustAddUp()
  })

  test('total must be price x quantity, exactly or rounded either way', () => {
    const { it, alice } = harness()
    const words = { who: alice, side: 'BUY', price: 333, quantity: 33_333_333 } as const
    // 3.33 x 0.33333333 = 1.1099999889, between 1.10999998 and 1.10999999
    expect(it.order({ ...words, total: 110_999_997n })).toEqual(refused('TOTAL_MISMATCH'))
    expect(it.order({ ...words, total: 111_000_000n })).toEqual(refused('TOTAL_MISMATCH'))
    it.accepted({ ...words, total: 110_999_998n })
    it.accepted({ ...words, total: 110_999_999n })
  })

  test('an order worth less than one ledger unit, the least total or the least quantity is refused', () => {
    const { it, alice } = harness({ minTotal: amount(10n * UNIT), minQuantity: 1000 })
    expect(it.order({ who: alice, side: 'BUY', price: 1, quantity: 1000 })).toEqual(
      refused('TOTAL_TOO_SMALL'),
    )
    expect(it.order({ who: alice, side: 'BUY', price: 100, quantity: 10 * ONE_BTC - 1 })).toEqual(
      refused('TOTAL_TOO_SMALL'),
    )
    expect(it.order({ who: alice, side: 'BUY', price: 100_000_000_00, quantity: 999 })).toEqual(
      refused('QUANTITY_TOO_SMALL'),
    )
    const plain = harness()
    expect(plain.it.order({ who: plain.alice, side: 'BUY', price: 99, quantity: 1 })).toEqual(
      refused('TOTAL_TOO_SMALL'),
    )
    plain.it.accepted({ who: plain.alice, side: 'BUY', price: 100, quantity: 1 })
  })

  test('more than the free balance cannot be offered, and the refusal holds nothing', () => {
    const { it, alice } = harness()
    const before = it.money(alice, USDT)
    expect(it.order({ who: alice, side: 'BUY', price: 100_000_001, quantity: ONE_BTC })).toEqual(
      refused('INSUFFICIENT_FUNDS'),
    )
    expect(it.order({ who: alice, side: 'SELL', price: 1, quantity: 100 * ONE_BTC + 1 })).toEqual(
      refused('INSUFFICIENT_FUNDS'),
    )
    expect(it.money(alice, USDT)).toEqual(before)
    expect(it.events).toEqual([])
  })

  test('open orders and price levels have a limit', () => {
    const { it, alice, bob } = harness({ openOrdersMax: 2, levelsMax: 2 })
    it.accepted({ who: alice, side: 'BUY', price: 100, quantity: ONE_BTC })
    it.accepted({ who: alice, side: 'BUY', price: 101, quantity: ONE_BTC })
    expect(it.order({ who: alice, side: 'BUY', price: 100, quantity: ONE_BTC })).toEqual(
      refused('TOO_MANY_OPEN_ORDERS'),
    )
    expect(it.order({ who: bob, side: 'BUY', price: 102, quantity: ONE_BTC })).toEqual(
      refused('TOO_MANY_PRICE_LEVELS'),
    )
    it.accepted({ who: bob, side: 'BUY', price: 101, quantity: ONE_BTC })
    it.accepted({ who: bob, side: 'SELL', price: 101, quantity: ONE_BTC, timeInForce: 'IOC' })
  })
})

describe('MARKET orders', () => {
  test('a buy spends at most its total and holds nothing afterwards', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 6_000_000, quantity: ONE_BTC })
    it.accepted({ who: alice, side: 'SELL', price: 6_100_000, quantity: ONE_BTC })
    const before = it.money(bob, USDT).free
    const order = it.accepted({ who: bob, side: 'BUY', type: 'MARKET', total: 100_000n * UNIT })
    expect(order.status).toBe('FILLED')
    const spent = before - it.money(bob, USDT).free
    expect(spent).toBeLessThanOrEqual(100_000n * UNIT)
    expect(100_000n * UNIT - spent).toBeLessThan(6_100_000n)
    expect(it.money(bob, USDT).locked).toBe(0n)
    it.mustAddUp()
  })

  test('a total spent to the last unit is filled, even when the book is empty then', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 100, quantity: ONE_BTC })
    expect(it.accepted({ who: bob, side: 'BUY', type: 'MARKET', total: UNIT }).status).toBe('FILLED')
  })

  test('with total and quantity, whichever binds first', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 100, quantity: 50 * ONE_BTC })
    const byQuantity = {
      who: bob,
      side: 'BUY',
      type: 'MARKET',
      quantity: ONE_BTC,
      total: 10n * UNIT,
    } as const
    expect(it.accepted(byQuantity).executedQuantity as number).toBe(ONE_BTC)
    const byTotal = { ...byQuantity, quantity: 30 * ONE_BTC }
    expect(it.accepted(byTotal).executedQuantity as number).toBe(10 * ONE_BTC)
  })

  test('a sell with a total stops at the largest quantity whose proceeds do not exceed it', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'BUY', price: 300, quantity: 10 * ONE_BTC })
    const order = it.accepted({
      who: bob,
      side: 'SELL',
      type: 'MARKET',
      quantity: 5 * ONE_BTC,
      total: 7n * UNIT,
    })
    expect(order.executedQuantity as number).toBe(233_333_333)
    expect(order.status).toBe('FILLED')
  })

  test('what the book cannot fill is canceled; what filled stays', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 100, quantity: ONE_BTC })
    const order = it.accepted({ who: bob, side: 'BUY', type: 'MARKET', total: 100n * UNIT })
    expect(order.status).toBe('CANCELED')
    expect(order.executedQuantity as number).toBe(ONE_BTC)
    expect(it.exchange.openOrders(bob, undefined)).toEqual([])
    it.mustAddUp()
  })

  test('one that executes nothing is refused and gets no number', () => {
    const { it, alice, bob } = harness()
    expect(it.order({ who: bob, side: 'BUY', type: 'MARKET', total: UNIT })).toEqual(refused('NO_LIQUIDITY'))
    const ask = it.accepted({ who: alice, side: 'SELL', price: 6_000_000, quantity: ONE_BTC })
    expect(it.order({ who: bob, side: 'BUY', type: 'MARKET', total: 59_999n })).toEqual(
      refused('TOTAL_BELOW_BEST_PRICE'),
    )
    expect(it.events).toEqual([])
    const next = it.accepted({ who: bob, side: 'BUY', type: 'MARKET', total: 60_000n })
    expect(next.orderNumber as number).toBe(ask.orderNumber + 1)
  })
})

test('a MARKET order trades up to the end of the price band that is against it, that price included', () => {
  for (const [side, other, inside, outside] of [
    ['BUY', 'SELL', 200, 201],
    ['SELL', 'BUY', 100, 99],
  ] as const) {
    const { it, alice, bob } = harness()
    for (const price of [150, inside, outside])
      it.accepted({ who: alice, side: other, price, quantity: ONE_BTC })
    const terms = { minTotal: amount(0n), minQuantity: lots(0), openOrdersMax: 1_000, levelsMax: 1_000 }
    const band = { minPrice: 100 as Price, maxPrice: 200 as Price, selfTradeMode: 'NONE' } as const
    const reply = it.give({
      kind: 'SetSymbolTerms',
      operator: OPERATOR,
      symbol: 'BTC/USDT',
      ...terms,
      ...band,
    })
    expect(reply.kind).toBe('Done')
    const order = it.accepted({ who: bob, side, type: 'MARKET', quantity: 3 * ONE_BTC, total: 1_000n * UNIT })
    expect(matches(it).map(({ price }) => price as number)).toEqual([150, inside])
    expect(order.status).toBe('CANCELED')
  }
})

describe('a MARKET BUY by total executes at most 2^53-1 lots', () => {
  /** Bob buys by total where alice offers `offered` lots, some of them in a second order, at one tick. */
  function bought(offered: bigint, total: bigint) {
    const { it, alice, bob } = harness()
    const most = BigInt(UNITS_MAX)
    it.credit(alice, 'BTC', offered)
    it.credit(bob, 'USDT', 2n * cost)
    it.accepted({ who: alice, side: 'SELL', price: 1, quantity: UNITS_MAX - 1 })
    it.accepted({ who: alice, side: 'SELL', price: 1, quantity: Number(offered - most) + 1 })
    const before = it.money(bob, USDT).free
    const { status, executedQuantity } = it.accepted({ who: bob, side: 'BUY', type: 'MARKET', total })
    it.mustAddUp()
    return { status, lots: executedQuantity as number, paid: before - it.money(bob, USDT).free }
  }
  /**
   * A lot costs 10^-10 USDT and the ledger's unit is 10^-8 USDT: the largest quantity costs this, rounded up.
   */
  const cost = BigInt(UNITS_MAX) / 100n + 1n
  const offered = BigInt(UNITS_MAX) + 10_000n

  test('a total that pays for exactly as many, or for more, buys as many and leaves the rest untouched', () => {
    const most = { status: 'FILLED', lots: UNITS_MAX, paid: cost } as const
    expect(bought(offered, cost)).toEqual(most)
    expect(bought(offered, cost + 1n)).toEqual(most)
    expect(bought(offered, 2n * cost)).toEqual(most)
  })

  test('a total of one unit less buys what it pays for', () => {
    const lots = Number((cost - 1n) * 100n)
    expect(bought(offered, cost - 1n)).toEqual({ status: 'FILLED', lots, paid: cost - 1n })
  })
})

describe('self-trade prevention', () => {
  const own = { price: 100, quantity: 10 * ONE_BTC }

  test('NONE: an account may trade with itself, and pays both commissions', () => {
    const { it, alice } = harness()
    it.accepted({ who: alice, side: 'SELL', ...own })
    expect(it.accepted({ who: alice, side: 'BUY', ...own }).status).toBe('FILLED')
    expect(it.money(alice, USDT).free).toBe(1_000_000n * UNIT - UNIT / 100n)
    it.mustAddUp()
  })

  test('EXPIRE_TAKER: a LIMIT order is canceled, a MARKET order that did nothing is refused', () => {
    const { it, alice } = harness({ selfTradeMode: 'EXPIRE_TAKER' })
    it.accepted({ who: alice, side: 'SELL', ...own })
    expect(it.accepted({ who: alice, side: 'BUY', ...own }).status).toBe('CANCELED')
    expect(it.order({ who: alice, side: 'BUY', type: 'MARKET', total: UNIT })).toEqual(
      refused('SELF_TRADE_PREVENTED'),
    )
    expect(it.exchange.openOrders(alice, undefined).length).toBe(1)
    it.mustAddUp()
  })

  test('EXPIRE_MAKER: the own resting order is canceled, the arriving one continues', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', ...own })
    it.accepted({ who: bob, side: 'SELL', price: 101, quantity: ONE_BTC })
    const words = { who: alice, side: 'BUY', selfTradeMode: 'EXPIRE_MAKER' } as const
    expect(it.accepted({ ...words, price: 101, quantity: ONE_BTC }).status).toBe('FILLED')
    expect(it.money(alice, BTC).locked).toBe(0n)
    it.mustAddUp()
  })

  test('a MARKET order that only canceled own orders is a success that executed nothing', () => {
    const { it, alice } = harness()
    it.accepted({ who: alice, side: 'SELL', ...own })
    const words = {
      who: alice,
      side: 'BUY',
      type: 'MARKET',
      total: UNIT,
      selfTradeMode: 'EXPIRE_BOTH',
    } as const
    const order = it.accepted(words)
    expect([order.status, order.executedQuantity as number]).toEqual(['CANCELED', 0])
    expect(it.exchange.openOrders(alice, undefined)).toEqual([])
    it.mustAddUp()
  })

  test('a MARKET BUY that met own orders alone ends for self-trade prevention, or for what was left, by its mode', () => {
    const of = (selfTradeMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH') => {
      const { it, alice } = harness()
      for (const price of [100, 101]) it.accepted({ who: alice, side: 'SELL', price, quantity: ONE_BTC })
      const reply = it.order({ who: alice, side: 'BUY', type: 'MARKET', total: 500n * UNIT, selfTradeMode })
      it.mustAddUp()
      const ends = it.events.flatMap((event) => (event.kind === 'OrderCanceled' ? [event.cause] : []))
      const left = it.exchange.openOrders(alice, undefined).length
      return reply.kind === 'Refused' ? [reply.reason, left] : [ends.at(-1), left]
    }
    expect([of('EXPIRE_MAKER'), of('EXPIRE_BOTH'), of('EXPIRE_TAKER')]).toEqual([
      ['MARKET_REMAINDER', 0],
      ['SELF_TRADE', 1],
      ['SELF_TRADE_PREVENTED', 2],
    ])
  })

  test('DECREMENT lowers both, frees what they held, and counts as canceled', () => {
    const { it, alice } = harness()
    it.accepted({ who: alice, side: 'SELL', ...own })
    const words = { who: alice, side: 'BUY', selfTradeMode: 'DECREMENT', price: 100 } as const
    expect(it.accepted({ ...words, quantity: 4 * ONE_BTC }).status).toBe('CANCELED')
    expect(it.money(alice, BTC).locked).toBe(6n * UNIT)
    const order = it.accepted({ ...words, quantity: 7 * ONE_BTC })
    expect(order.status).toBe('NEW')
    expect(it.exchange.openOrders(alice, undefined).map(({ remaining }) => remaining as number)).toEqual([
      ONE_BTC,
    ])
    it.mustAddUp()
  })

  test('DECREMENT of which a total reaches no further is SELF_TRADE where something was executed, else MARKET_REMAINDER', () => {
    const { it, alice, bob } = harness()
    const causes = () => it.events.flatMap((event) => (event.kind === 'OrderCanceled' ? [event.cause] : []))
    // A lot at 150 costs one and a half ledger units.
    const words = { who: alice, side: 'BUY', type: 'MARKET', selfTradeMode: 'DECREMENT' } as const
    it.accepted({ who: alice, side: 'SELL', price: 150, quantity: 10 })
    it.accepted({ ...words, total: 2n })
    expect(causes()).toEqual(['MARKET_REMAINDER'])
    it.accepted({ who: bob, side: 'SELL', price: 100, quantity: 1 })
    it.accepted({ ...words, total: 3n })
    expect(causes()).toEqual(['SELF_TRADE'])
    it.mustAddUp()
  })

  test('a total that pays for no lot at the best price ends a MARKET order before an own order is met', () => {
    const { it, alice } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 150, quantity: 10 })
    for (const selfTradeMode of SELF_TRADE_MODES) {
      const order = { who: alice, side: 'BUY', type: 'MARKET', total: 1n, selfTradeMode } as const
      expect(it.order(order)).toEqual(refused('TOTAL_BELOW_BEST_PRICE'))
    }
    expect(it.exchange.openOrders(alice, undefined).length).toBe(1)
  })
})

describe('operators', () => {
  test('a halted symbol accepts no orders but allows cancels', () => {
    const { it, alice } = harness()
    const order = it.accepted({ who: alice, side: 'BUY', price: 100, quantity: ONE_BTC })
    it.state('BTC/USDT', 'HALTED')
    expect(it.order({ who: alice, side: 'BUY', price: 100, quantity: ONE_BTC })).toEqual(
      refused('SYMBOL_HALTED'),
    )
    expect(it.cancel(alice, order).kind).toBe('Done')
  })

  test('an unknown order, another account’s, a done one and a wrong time get the same refusal', () => {
    const { it, alice, bob } = harness()
    const order = it.accepted({ who: alice, side: 'BUY', price: 100, quantity: ONE_BTC })
    const unknown = refused('UNKNOWN_ORDER')
    expect(it.cancel(bob, order)).toEqual(unknown)
    expect(it.cancel(alice, { ...order, time: (order.time + 1) as never })).toEqual(unknown)
    it.cancel(alice, order)
    expect(it.cancel(alice, order)).toEqual(unknown)
  })

  test('a reference credits once; the same reference for something else is a conflict', () => {
    const { it, alice } = harness()
    const credit = {
      kind: 'Credit',
      operator: OPERATOR,
      accountId: alice,
      asset: 'BTC',
      amount: amount(5n),
      reference: 'tx',
    } as const
    expect(it.give(credit) as unknown).toEqual({ kind: 'Done', repeated: false })
    expect(it.give(credit) as unknown).toEqual({ kind: 'Done', repeated: true })
    expect(it.give({ ...credit, amount: amount(6n) })).toEqual(refused('REFERENCE_CONFLICT'))
    expect(it.money(alice, BTC).free).toBe(100n * UNIT + 5n)
    it.mustAddUp()
  })

  test('frozen and saved money cannot be traded or taken out, and comes back', () => {
    const { it, alice } = harness()
    const move = {
      kind: 'MoveBetweenBuckets',
      operator: OPERATOR,
      accountId: alice,
      asset: 'BTC',
      amount: amount(100n * UNIT),
    } as const
    expect(it.give({ ...move, from: 'free', to: 'freeze', reference: 'a' }).kind).toBe('Done')
    expect(it.order({ who: alice, side: 'SELL', price: 100, quantity: 1 })).toEqual(
      refused('INSUFFICIENT_FUNDS'),
    )
    it.give({
      kind: 'SetAssetFlags',
      operator: OPERATOR,
      code: 'BTC',
      flags: { ...ALL_FLAGS, isSaving: true },
    })
    const debit = { ...move, kind: 'Debit', reference: 'b' } as const
    expect(it.give(debit)).toEqual(refused('INSUFFICIENT_FUNDS'))
    expect(it.give({ ...move, from: 'freeze', to: 'savings', reference: 'c' }).kind).toBe('Done')
    expect(it.give({ ...move, from: 'savings', to: 'free', reference: 'd' }).kind).toBe('Done')
    expect(it.give(debit).kind).toBe('Done')
    it.mustAddUp()
  })

  test('commission of resting orders follows the rates as they are when they trade', () => {
    const { it, alice, bob } = harness()
    it.accepted({ who: alice, side: 'SELL', price: 100, quantity: 2 * ONE_BTC })
    it.accepted({ who: bob, side: 'BUY', price: 100, quantity: ONE_BTC })
    it.give({
      kind: 'SetSymbolRates',
      operator: OPERATOR,
      symbol: 'BTC/USDT',
      makerRate: 0 as never,
      takerRate: 0 as never,
    })
    it.accepted({ who: bob, side: 'BUY', price: 100, quantity: ONE_BTC })
    expect(matches(it).map(({ maker, taker }) => [maker.commission, taker.commission])).toEqual([
      [0 as never, 0 as never],
    ])
    it.mustAddUp()
  })

  test('the house cannot trade', () => {
    const { it } = harness()
    expect(it.order({ who: 1 as AccountId, side: 'BUY', price: 100, quantity: ONE_BTC })).toEqual(
      refused('UNKNOWN_ACCOUNT'),
    )
    expect(it.order({ who: 99 as AccountId, side: 'BUY', price: 100, quantity: ONE_BTC })).toEqual(
      refused('UNKNOWN_ACCOUNT'),
    )
  })
})

test('a symbol that takes no order says why: halted, for canceling only, or delisted', () => {
  for (const [state, reason] of [
    ['HALTED', 'SYMBOL_HALTED'],
    ['CANCEL_ONLY', 'SYMBOL_CANCEL_ONLY'],
    ['DELISTED', 'SYMBOL_DELISTED'],
  ] as const) {
    const { it, alice } = harness()
    expect(it.give({ kind: 'SetSymbolState', operator: OPERATOR, symbol: 'BTC/USDT', state }).kind).toBe(
      'Done',
    )
    expect(it.order({ who: alice, side: 'SELL', price: 1, quantity: 1 })).toEqual(refused(reason))
  }
})
