import { expect, spyOn, test } from 'bun:test'
import { BytePool } from '../../units/byte-pool.ts'
import { BytesFault } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import { Desk, OPERATOR, type OrderWords } from '../exchange/desk.fixture.ts'
import { Exchange } from '../exchange/exchange.ts'
import { FIRST_RULES_VERSION, ORDER_RECORD_RULES, ORDER_TYPE_RULES } from '../exchange/rules.ts'
import { CLIENT_ORDER_ID_LIMITS, type ClientOrderIdLimits } from './client-order-ids.ts'
import { collidingIds } from './colliding-ids.fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An exchange with two rich traders, under rules that support ids. */
function open(limits: Partial<ClientOrderIdLimits> = {}, rules = ORDER_RECORD_RULES) {
  const desk = new Desk({ clientOrderIdLimits: { ...CLIENT_ORDER_ID_LIMITS, ...limits } })
  if (rules > FIRST_RULES_VERSION) desk.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: rules })
  const money = { BTC: 10n ** 15n, USDT: 10n ** 15n }
  const [alice, bob] = ['alice', 'bob'].map((name) => desk.trader(name, money)) as [AccountId, AccountId]
  const buy = (id: string, words: Partial<OrderWords> = {}): OrderWords => ({
    who: alice,
    side: 'BUY',
    price: 500,
    quantity: 1_000_000,
    clientOrderId: id,
    ...words,
  })
  return { desk, alice, bob, buy }
}

const DUPLICATE = { kind: 'Refused', reason: 'DUPLICATE_CLIENT_ORDER_ID' } as const
const TOO_MANY = { kind: 'Refused', reason: 'TOO_MANY_CLIENT_ORDER_IDS' } as const

/** Advances time; these commands forget the expired ids. */
function pass(desk: Desk, ms: number, commands = 1): void {
  for (let i = 0; i < commands; i++) {
    desk.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: ORDER_RECORD_RULES }, i === 0 ? ms : 0)
  }
}

test('an order that is placed again under its id is answered as it was, and changes nothing, whatever has happened since', () => {
  const { desk, alice, bob, buy } = open()
  const placed = desk.accepted(buy('a'))
  desk.accepted({ who: bob, side: 'SELL', price: 500, quantity: 400_000 })
  const repeated = { ...placed, kind: 'OrderRepeated' as const }
  const mustRepeat = () => {
    const before = desk.exchange.balances(alice)
    expect(desk.order(buy('a'))).toEqual(repeated)
    expect(desk.events).toEqual([])
    expect(desk.exchange.balances(alice)).toEqual(before)
  }
  mustRepeat()
  desk.cancel(alice, placed)
  desk.give({
    kind: 'Debit',
    operator: OPERATOR,
    accountId: alice,
    asset: 'USDT',
    amount: amount(desk.money(alice, 1).free),
    reference: 'all',
  })
  mustRepeat()
  desk.state('BTC/USDT', 'HALTED')
  mustRepeat()
  desk.give({
    kind: 'SetAccountRestrictions',
    operator: OPERATOR,
    accountId: alice,
    restrictions: ['TRADE'],
  })
  mustRepeat()
})

test('an order that asks for anything else under a known id is refused as a duplicate', () => {
  const { desk, buy, bob } = open()
  desk.accepted(buy('a'))
  for (const words of [
    { price: 501 },
    { quantity: 1_000_001 },
    { side: 'SELL' },
    { timeInForce: 'IOC' },
    { type: 'LIMIT_MAKER' },
    { selfTradeMode: 'EXPIRE_BOTH' },
    { total: 4n },
  ] as const) {
    expect(desk.order(buy('a', words))).toEqual(DUPLICATE)
  }
  expect(desk.order(buy('a', { who: bob })).kind).toBe('OrderAccepted')
  expect(desk.order(buy('A')).kind).toBe('OrderAccepted')
})

test('defaults that are named and a total that is price x quantity are the same order; the symbol’s mode is that of the placement', () => {
  const { desk, alice, buy } = open()
  desk.accepted(buy('a'))
  const mode = (selfTradeMode: 'NONE' | 'EXPIRE_TAKER') =>
    desk.give({
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
  expect(desk.order(buy('a')).kind).toBe('OrderRepeated')
  expect(desk.order(buy('a', { selfTradeMode: 'NONE' })).kind).toBe('OrderRepeated')
  expect(desk.order(buy('a', { selfTradeMode: 'EXPIRE_TAKER' }))).toEqual(DUPLICATE)
  expect(desk.order(buy('a', { timeInForce: 'GTC', total: 5_000_000n })).kind).toBe('OrderRepeated')
  expect(desk.exchange.openOrders(alice, undefined)).toHaveLength(1)
})

test('an order that is refused uses no id', () => {
  const { desk, buy } = open()
  for (const words of [
    { price: 10 ** 12, quantity: 10 ** 12 },
    { timeInForce: 'FOK' },
    { type: 'MARKET', total: 1n },
  ] as const) {
    const { price: _, quantity: __, ...bare } = buy('a')
    const order = 'type' in words ? { ...bare, ...words } : buy('a', words)
    expect(desk.order(order).kind).toBe('Refused')
  }
  expect(desk.order(buy('a')).kind).toBe('OrderAccepted')
})

test('an id is remembered while its order is open, and for 24 hours after its end', () => {
  const { desk, alice, buy } = open()
  const resting = desk.accepted(buy('rests'))
  const atOnce = buy('at-once', { side: 'SELL', quantity: 100_000, timeInForce: 'IOC' })
  desk.accepted(atOnce)
  // The command itself comes 1 ms after the one before.
  pass(desk, DAY_MS - 3)
  expect(desk.order(atOnce).kind).toBe('OrderRepeated')
  pass(desk, 1)
  expect(desk.order(atOnce).kind).toBe('OrderAccepted')
  pass(desk, 30 * DAY_MS, 5)
  expect(desk.order(buy('rests')).kind).toBe('OrderRepeated')
  desk.cancel(alice, resting)
  pass(desk, DAY_MS - 2)
  expect(desk.order(buy('rests')).kind).toBe('OrderRepeated')
  pass(desk, 1)
  expect(desk.order(buy('rests')).kind).toBe('OrderAccepted')
})

test('a command forgets at most two ids, those that ended first', () => {
  const { desk, buy } = open()
  const ids = ['a', 'b', 'c', 'd', 'e']
  for (const id of ids) desk.accepted(buy(id, { timeInForce: 'IOC' }))
  const known = () => ids.filter((clientOrderId) => isKnown(desk, buy('').who, clientOrderId))
  pass(desk, DAY_MS)
  expect(known()).toEqual(['c', 'd', 'e'])
  pass(desk, 0)
  expect(known()).toEqual(['e'])
})

test('at the bounds, of an account and in all, orders with a new id are refused, and nothing is forgotten early', () => {
  const { desk, alice, bob, buy } = open({ perAccount: 2, inAll: 3 })
  const first = desk.accepted(buy('a'))
  desk.accepted(buy('b'))
  expect(desk.order(buy('c'))).toEqual(TOO_MANY)
  expect(desk.order(buy('a')).kind).toBe('OrderRepeated')
  expect(desk.order({ who: alice, side: 'BUY', price: 500, quantity: 1_000_000 }).kind).toBe('OrderAccepted')
  desk.accepted(buy('a', { who: bob }))
  expect(desk.order(buy('b', { who: bob }))).toEqual(TOO_MANY)
  desk.cancel(alice, first)
  expect(desk.order(buy('c'))).toEqual(TOO_MANY)
  pass(desk, DAY_MS)
  expect(desk.order(buy('c')).kind).toBe('OrderAccepted')
})

test('under older rules ids are any text without a meaning, and leave no trace', () => {
  const { desk, buy } = open({}, ORDER_TYPE_RULES)
  expect(desk.order(buy('any text at all')).kind).toBe('OrderAccepted')
  expect(desk.order(buy('any text at all')).kind).toBe('OrderAccepted')
  expect(isKnown(desk, buy('').who, 'any text at all')).toBe(false)
})

test('an id of another form is refused', () => {
  const { desk, buy } = open()
  for (const id of ['', ' ', 'a b', 'é', 'a\n', 'x'.repeat(37)]) {
    expect(desk.order(buy(id))).toEqual({ kind: 'Refused', reason: 'INVALID_COMMAND' })
  }
  expect(desk.order(buy('x'.repeat(36))).kind).toBe('OrderAccepted')
  expect(desk.order(buy('Az09._:/-')).kind).toBe('OrderAccepted')
})

test('a snapshot has all ids: what is read back answers, forgets and refuses like the original', () => {
  const { desk, alice, buy } = open({ perAccount: 6 })
  const orders = ['a', 'b', 'c', 'd'].map((id) => desk.accepted(buy(id)))
  desk.accepted(
    buy('e', { side: 'SELL', quantity: 2_500_000, timeInForce: 'IOC', selfTradeMode: 'EXPIRE_MAKER' }),
  )
  desk.accepted(buy('f'))
  desk.cancel(alice, orders[2] as NonNullable<(typeof orders)[number]>)
  const bytes = desk.exchange.encodeSnapshot()
  const options = { clientOrderIdLimits: { ...CLIENT_ORDER_ID_LIMITS, perAccount: 6 } }
  const copy = Exchange.decodeSnapshot(bytes, options)
  expect(copy.encodeSnapshot()).toEqual(bytes)
  const other = new Desk()
  Object.assign(other, { exchange: copy })
  for (const it of [desk, other]) {
    expect(it.order(buy('g'))).toEqual(TOO_MANY)
    expect(it.order(buy('c')).kind).toBe('OrderRepeated')
    pass(it, DAY_MS, 3)
    expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => isKnown(it, alice, id))).toEqual(['f'])
  }
  expect(copy.encodeSnapshot()).toEqual(desk.exchange.encodeSnapshot())
})

test('a snapshot in which a byte of an id is another one is refused, or is another state', () => {
  const { desk, alice, buy } = open()
  desk.accepted(buy('order-of-alice'))
  desk.cancel(alice, desk.accepted(buy('ended-order')))
  const bytes = desk.exchange.encodeSnapshot()
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

test('ids chosen so that all have one hash are found in as many steps as any others', () => {
  const { desk, alice, buy } = open()
  const ids = collidingIds(alice)
  expect(new Set(ids).size).toBe(512)
  const looks = spyOn(BytePool.prototype, 'at')
  let worst = 0
  for (const id of [...ids, ...ids]) {
    looks.mockClear()
    desk.order(buy(id, { timeInForce: 'IOC' }))
    worst = Math.max(worst, looks.mock.calls.length)
  }
  looks.mockRestore()
  expect(ids.every((id) => isKnown(desk, alice, id))).toBe(true)
  // Two searches of the repeat or of the new order, and the reads of the record found.
  expect(worst).toBeGreaterThan(9)
  expect(worst).toBeLessThanOrEqual(40)
})

function isKnown({ exchange }: Desk, accountId: AccountId, clientOrderId: string): boolean {
  return exchange.clientOrder({ accountId, clientOrderId }).order !== undefined
}
