/**
 * An audit without findings proves little in an intact exchange: these tests damage the books without the
 * core's knowledge.
 */
import { expect, test } from 'bun:test'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { MATCH_STEPS_MAX } from '../../units/limits.ts'
import type { Side } from '../../units/order-enums.ts'
import { amount, type Lots } from '../../units/quantities.ts'
import { FastBook } from '../market/fast-book.ts'
import { DONE } from '../questions/reply.ts'
import { REGISTRY_LIMITS } from '../registry/registry.ts'
import { CLIENT_ORDER_ID_LIMITS } from '../trading/client-order-ids.ts'
import { SESSION_LIMITS } from '../trading/timers/sessions.ts'
import { ExchangeHarness, OPERATOR } from './exchange-harness.fixture.ts'
import type { Market } from './market.ts'
import { RULES_VERSION } from './rules.ts'
import { ExchangeState } from './state.ts'

const OPTIONS = {
  createBook: () => new FastBook(),
  matchStepsMax: MATCH_STEPS_MAX,
  clientOrderIdLimits: CLIENT_ORDER_ID_LIMITS,
  massCancelSteps: { first: 500, next: 100 },
  sessionLimits: SESSION_LIMITS,
  registryLimits: REGISTRY_LIMITS,
}

const USDT = 1 as AssetId

/** Alice has an order of 3 lots at 500 ticks in the book; nothing is wrong yet. */
function harness() {
  const state = ExchangeState.empty(OPTIONS)
  const it = new ExchangeHarness({ state })
  const alice = it.trader('alice', { USDT: 1_000_000_000n })
  const stranger = it.trader('stranger', {})
  it.accepted({ who: alice, side: 'BUY', price: 500, quantity: 3 })
  const wrongHolds = () => it.exchange.audit().map((audit) => audit.wrongHolds)
  return { it, state, alice, stranger, wrongHolds }
}

test('consistent books have no wrong holds, and the checked orders are counted', () => {
  const { it, wrongHolds } = harness()
  expect(wrongHolds()).toEqual([0, 0])
  // The house holds both assets since the symbol's listing: fees, and remainders of rounding in USDT. Alice
  // and the outside world have used USDT, and one order holds it; BTC was never used.
  expect(it.exchange.audit().map(({ entries }) => entries)).toEqual([1, 5])
})

test('locked money without an order is a wrong hold, too much of it and too little', () => {
  for (const [from, to] of [['free', 'locked'] as const, ['locked', 'free'] as const]) {
    const { state, alice, wrongHolds } = harness()
    state.ledger.move(USDT, alice, from, alice, to, amount(1n))
    expect(wrongHolds()).toEqual([0, 1])
  }
})

test('an order of an account that never had the asset is a wrong hold, however many orders it has', () => {
  const { state, alice, stranger, wrongHolds } = harness()
  const [order] = state.orders.ofAccount(alice, undefined)
  const market = state.market(order!.symbolId)!
  for (let i = 1; i <= 2; i++) {
    const forged = {
      ...order!,
      remaining: 1 as Lots,
      number: (order!.number + i) as never,
      accountId: stranger as AccountId,
    }
    forged.slot = market.book.add('BUY', forged.price, 1 as Lots, stranger, forged.number)
    state.orders.add(forged)
  }
  expect(wrongHolds()).toEqual([0, 1])
})

test('an order that differs from its book is a wrong hold', () => {
  const { state, alice, wrongHolds } = harness()
  const [order] = state.orders.ofAccount(alice, undefined)
  state.market(order!.symbolId)!.book.reduce(order!.slot, 1 as Lots)
  expect(wrongHolds()).toEqual([0, 1])
})

/** Alice's order no longer rests: another one waits for a price. */
function waitingHarness() {
  const found = harness()
  const { it, alice } = found
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const [resting] = it.exchange.openOrders(alice, undefined)
  const { orderNumber, time: orderTime } = resting!
  it.give({ kind: 'CancelOrder', accountId: alice, orderNumber, orderTime })
  const waiting = it.accepted({ who: alice, side: 'BUY', type: 'STOP_LOSS', stopPrice: 700, total: 1_000n })
  return { ...found, waiting }
}

test('an order that waits for a price is audited, listed and counted like one that rests', () => {
  const { it, state, alice, wrongHolds, waiting } = waitingHarness()
  expect(wrongHolds()).toEqual([0, 0])
  expect(it.exchange.openOrders(alice, undefined)).toMatchObject([{ orderNumber: waiting.orderNumber }])
  expect(state.orders.countIn(0 as SymbolId)).toBe(1)
  state.ledger.move(USDT, alice, 'locked', alice, 'free', amount(1n))
  expect(wrongHolds()).toEqual([0, 1])
})

test('an order that waits and that nothing would trigger is a wrong hold', () => {
  const { state, wrongHolds, waiting } = waitingHarness()
  state.market(0 as SymbolId)!.triggers.remove(waiting.orderNumber)
  expect(wrongHolds()).toEqual([1, 1])
})

test('an order that waits keeps its symbol listed, and is canceled with the symbol', () => {
  const { it } = waitingHarness()
  const symbol = 'BTC/USDT'
  const delist = { kind: 'SetSymbolState', operator: OPERATOR, symbol, state: 'DELISTED' } as const
  expect(it.give(delist)).toMatchObject({ reason: 'SYMBOL_NOT_EMPTY' })
  const cancel = { kind: 'CancelOrders', operator: OPERATOR, accountId: undefined, symbol } as const
  expect(it.give(cancel)).toEqual({ kind: 'OrdersCanceled', canceled: 1, left: 0 })
  expect(it.events.map(({ kind }) => kind)).toEqual(['OrderCanceled'])
  expect(it.give(delist)).toEqual(DONE)
})

test('an open order that no book has is a wrong hold, and so is one in a book that is not open', () => {
  const { state, alice, wrongHolds } = harness()
  const [order] = state.orders.ofAccount(alice, undefined)
  const { book } = state.market(order!.symbolId) as Market
  book.remove(order!.slot)
  expect(Math.max(...wrongHolds())).toBeGreaterThan(0)
  const { side, price, remaining } = order!
  book.add(side, price, remaining, alice, 99 as OrderNumber)
  expect(Math.max(...wrongHolds())).toBeGreaterThan(0)
})

test('auditing an asset reads the books of its own symbols alone', () => {
  let looked = 0
  class CountingBook extends FastBook {
    override *slots(side: Side) {
      looked++
      yield* super.slots(side)
    }
  }
  const it = new ExchangeHarness({ createBook: () => new CountingBook() })
  it.asset('ETH', 8)
  it.asset('EUR', 2)
  it.symbol('ETH', 'EUR', {})
  const [btc, , eth] = [0, 1, 2].map((id) => {
    looked = 0
    it.exchange.auditAsset(id as AssetId)
    return looked
  })
  expect([btc, eth]).toEqual([1, 1])
})

test('a sell order holds base, and nothing of what it is paid in', () => {
  const { it, wrongHolds } = harness()
  const seller = it.trader('seller', { BTC: 10n })
  it.accepted({ who: seller, side: 'SELL', price: 1_000, quantity: 10 })
  expect(wrongHolds()).toEqual([0, 0])
})
