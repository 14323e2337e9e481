import { expect, spyOn, test } from 'bun:test'
import { BytePool } from '../../units/byte-pool.ts'
import { BytesFault } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR, type OrderWords } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'
import { CLIENT_ORDER_ID_LIMITS, type ClientOrderIdLimits } from './client-order-ids.ts'
import { collidingIds } from './colliding-ids.fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An exchange with two traders who have ample funds. */
function open(limits: Partial<ClientOrderIdLimits> = {}) {
  const harness = new ExchangeHarness({ clientOrderIdLimits: { ...CLIENT_ORDER_ID_LIMITS, ...limits } })
  harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const money = { BTC: 10n ** 15n, USDT: 10n ** 15n }
  const [alice, bob] = ['alice', 'bob'].map((name) => harness.trader(name, money)) as [AccountId, AccountId]
  const buy = (id: string, words: Partial<OrderWords> = {}): OrderWords => ({
    who: alice,
    side: 'BUY',
    price: 500,
    quantity: 1_000_000,
    clientOrderId: id,
    ...words,
  })
  return { harness, alice, bob, buy }
}

const DUPLICATE = { kind: 'Refused', reason: 'DUPLICATE_CLIENT_ORDER_ID' } as const
const TOO_MANY = { kind: 'Refused', reason: 'TOO_MANY_CLIENT_ORDER_IDS' } as const

/** Advances time by `ms`, and submits commands that forget the expired ids. */
function pass(harness: ExchangeHarness, ms: number, commands = 1): void {
  for (let i = 0; i < commands; i++) {
    harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }, i === 0 ? ms : 0)
  }
}

test('an order that is placed again under its id is answered as it was, and changes nothing, whatever has happened since', () => {
  const { harness, alice, bob, buy } = open()
  const placed = harness.accepted(buy('a'))
  harness.accepted({ who: bob, side: 'SELL', price: 500, quantity: 400_000 })
  const repeated = { ...placed, kind: 'OrderRepeated' as const }
  const mustRepeat = () => {
    const before = harness.exchange.balances(alice)
    expect(harness.order(buy('a'))).toEqual(repeated)
    expect(harness.events).toEqual([])
    expect(harness.exchange.balances(alice)).toEqual(before)
  }
  mustRepeat()
  harness.cancel(alice, placed)
  harness.give({
    kind: 'Debit',
    operator: OPERATOR,
    accountId: alice,
    asset: 'USDT',
    amount: amount(harness.money(alice, 1).free),
    reference: 'all',
  })
  mustRepeat()
  harness.state('BTC/USDT', 'HALTED')
  mustRepeat()
  harness.give({
    kind: 'SetAccountRestrictions',
    operator: OPERATOR,
    accountId: alice,
    restrictions: ['TRADE'],
  })
  mustRepeat()
})

test('an order that differs in anything under a known id is refused as a duplicate', () => {
  const { harness, buy, bob } = open()
  harness.accepted(buy('a'))
  for (const words of [
    { price: 501 },
    { quantity: 1_000_001 },
    { side: 'SELL' },
    { timeInForce: 'IOC' },
    { type: 'LIMIT_MAKER' },
    { selfTradeMode: 'EXPIRE_BOTH' },
    { total: 4n },
  ] as const) {
    expect(harness.order(buy('a', words))).toEqual(DUPLICATE)
  }
  expect(harness.order(buy('a', { who: bob })).kind).toBe('OrderAccepted')
  expect(harness.order(buy('A')).kind).toBe('OrderAccepted')
})

test('explicit defaults and a total of price x quantity are the same order; the symbol’s mode is that of the placement', () => {
  const { harness, alice, buy } = open()
  harness.accepted(buy('a'))
  const mode = (selfTradeMode: 'NONE' | 'EXPIRE_TAKER') =>
    harness.give({
      kind: 'SetSymbolTerms',
      operator: OPERATOR,
      symbol: 'BTC/USDT',
      minTotal: amount(0n),
      minQuantity: 0 as never,
      selfTradeMode,
      openOrdersMax: 1_000,
      levelsMax: 1_000,
      minPrice: 0 as never,
      maxPrice: 0 as never,
    })
  mode('EXPIRE_TAKER')
  expect(harness.order(buy('a')).kind).toBe('OrderRepeated')
  expect(harness.order(buy('a', { selfTradeMode: 'NONE' })).kind).toBe('OrderRepeated')
  expect(harness.order(buy('a', { selfTradeMode: 'EXPIRE_TAKER' }))).toEqual(DUPLICATE)
  expect(harness.order(buy('a', { timeInForce: 'GTC', total: 5_000_000n })).kind).toBe('OrderRepeated')
  expect(harness.exchange.openOrders(alice, undefined)).toHaveLength(1)
})

test('an order that is refused uses no id', () => {
  const { harness, buy } = open()
  for (const words of [
    { price: 10 ** 12, quantity: 10 ** 12 },
    { timeInForce: 'FOK' },
    { type: 'MARKET', total: 1n },
  ] as const) {
    const { price: _, quantity: __, ...bare } = buy('a')
    const order = 'type' in words ? { ...bare, ...words } : buy('a', words)
    expect(harness.order(order).kind).toBe('Refused')
  }
  expect(harness.order(buy('a')).kind).toBe('OrderAccepted')
})

test('an id is remembered while its order is open, and for 24 hours after its end', () => {
  const { harness, alice, buy } = open()
  const resting = harness.accepted(buy('rests'))
  const atOnce = buy('at-once', { side: 'SELL', quantity: 100_000, timeInForce: 'IOC' })
  harness.accepted(atOnce)
  // The repeat itself comes 1 ms after the command before.
  pass(harness, DAY_MS - 3)
  expect(harness.order(atOnce).kind).toBe('OrderRepeated')
  pass(harness, 1)
  expect(harness.order(atOnce).kind).toBe('OrderAccepted')
  pass(harness, 30 * DAY_MS, 5)
  expect(harness.order(buy('rests')).kind).toBe('OrderRepeated')
  harness.cancel(alice, resting)
  pass(harness, DAY_MS - 2)
  expect(harness.order(buy('rests')).kind).toBe('OrderRepeated')
  pass(harness, 1)
  expect(harness.order(buy('rests')).kind).toBe('OrderAccepted')
})

test('a command forgets at most two ids, those that ended first', () => {
  const { harness, buy } = open()
  const ids = ['a', 'b', 'c', 'd', 'e']
  for (const id of ids) harness.accepted(buy(id, { timeInForce: 'IOC' }))
  const known = () => ids.filter((clientOrderId) => isKnown(harness, buy('').who, clientOrderId))
  pass(harness, DAY_MS)
  expect(known()).toEqual(['c', 'd', 'e'])
  pass(harness, 0)
  expect(known()).toEqual(['e'])
})

test('at the bounds, of an account and in all, orders with a new id are refused, and nothing is forgotten early', () => {
  const { harness, alice, bob, buy } = open({ perAccount: 2, inAll: 3 })
  const first = harness.accepted(buy('a'))
  harness.accepted(buy('b'))
  expect(harness.order(buy('c'))).toEqual(TOO_MANY)
  expect(harness.order(buy('a')).kind).toBe('OrderRepeated')
  expect(harness.order({ who: alice, side: 'BUY', price: 500, quantity: 1_000_000 }).kind).toBe(
    'OrderAccepted',
  )
  harness.accepted(buy('a', { who: bob }))
  expect(harness.order(buy('b', { who: bob }))).toEqual(TOO_MANY)
  harness.cancel(alice, first)
  expect(harness.order(buy('c'))).toEqual(TOO_MANY)
  pass(harness, DAY_MS)
  expect(harness.order(buy('c')).kind).toBe('OrderAccepted')
})

test('an id of another form is refused', () => {
  const { harness, buy } = open()
  for (const id of ['', ' ', 'a b', 'é', 'a\n', 'x'.repeat(37)]) {
    expect(harness.order(buy(id))).toEqual({ kind: 'Refused', reason: 'INVALID_COMMAND' })
  }
  expect(harness.order(buy('x'.repeat(36))).kind).toBe('OrderAccepted')
  expect(harness.order(buy('Az09._:/-')).kind).toBe('OrderAccepted')
})

test('a snapshot has all ids: what is read back answers, forgets and refuses like the original', () => {
  const { harness, alice, buy } = open({ perAccount: 6 })
  const orders = ['a', 'b', 'c', 'd'].map((id) => harness.accepted(buy(id)))
  harness.accepted(
    buy('e', { side: 'SELL', quantity: 2_500_000, timeInForce: 'IOC', selfTradeMode: 'EXPIRE_MAKER' }),
  )
  harness.accepted(buy('f'))
  harness.cancel(alice, orders[2] as NonNullable<(typeof orders)[number]>)
  const bytes = harness.exchange.encodeSnapshot()
  const options = { clientOrderIdLimits: { ...CLIENT_ORDER_ID_LIMITS, perAccount: 6 } }
  const copy = Exchange.decodeSnapshot(bytes, options)
  expect(copy.encodeSnapshot()).toEqual(bytes)
  const other = new ExchangeHarness()
  Object.assign(other, { exchange: copy })
  for (const it of [harness, other]) {
    expect(it.order(buy('g'))).toEqual(TOO_MANY)
    expect(it.order(buy('c')).kind).toBe('OrderRepeated')
    pass(it, DAY_MS, 3)
    expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => isKnown(it, alice, id))).toEqual(['f'])
  }
  expect(copy.encodeSnapshot()).toEqual(harness.exchange.encodeSnapshot())
})

test('a snapshot in which a byte of an id is another one is refused, or is another state', () => {
  const { harness, alice, buy } = open()
  harness.accepted(buy('order-of-alice'))
  harness.cancel(alice, harness.accepted(buy('ended-order')))
  const bytes = harness.exchange.encodeSnapshot()
  const start = Buffer.from(bytes).indexOf('ended-order') - 8
  let refused = 0
  for (let at = start; at < bytes.length; at++) {
    const damaged = Uint8Array.from(bytes)
    damaged[at] = (damaged[at] as number) ^ 1
    try {
      expect(Exchange.decodeSnapshot(damaged).encodeSnapshot()).toEqual(damaged)
    } catch (fault) {
      if (!(fault instanceof BytesFault)) throw fault
      refused++
    }
  }
  expect(refused).toBeGreaterThan(10)
})

test('ids with colliding hashes are found in as many steps as any others', () => {
  const { harness, alice, buy } = open()
  const ids = collidingIds(alice)
  expect(new Set(ids).size).toBe(512)
  const looks = spyOn(BytePool.prototype, 'at')
  let worst = 0
  for (const id of [...ids, ...ids]) {
    looks.mockClear()
    harness.order(buy(id, { timeInForce: 'IOC' }))
    worst = Math.max(worst, looks.mock.calls.length)
  }
  looks.mockRestore()
  expect(ids.every((id) => isKnown(harness, alice, id))).toBe(true)
  // Two searches, for a repeat or for a new order, and the reads of the record found.
  expect(worst).toBeGreaterThan(9)
  expect(worst).toBeLessThanOrEqual(40)
})

function isKnown({ exchange }: ExchangeHarness, accountId: AccountId, clientOrderId: string): boolean {
  return exchange.clientOrder({ accountId, clientOrderId }).order !== undefined
}
