/** Orders have the number of the key that placed them (docs/reference/authentication.md#numbers-of-keys). */
import { expect, test } from 'bun:test'
import type { KeyNumber, OrderNumber } from '../../units/ids.ts'
import { Exchange } from '../exchange/exchange.ts'
import { OPERATOR, orderOf } from '../exchange/exchange-harness.fixture.ts'
import { KEY_NUMBER_RULES } from '../exchange/rules.ts'
import { type LegWords, LOT, listOf, type Scene, scene } from './lists/lists.fixture.ts'

const key = (number: number) => ({ keyNumber: number as KeyNumber })
const keysOf = (exchange: Exchange, { ann }: Scene) =>
  exchange.openOrders(ann, undefined).map(({ keyNumber }) => keyNumber as number | undefined)
const sell = ({ ann }: Scene, price = 11_000) => orderOf({ who: ann, side: 'SELL', price, quantity: LOT })
const WORKING: LegWords = { side: 'SELL', type: 'LIMIT', price: 12_000, quantity: LOT }
const PENDING: LegWords = { side: 'BUY', type: 'LIMIT', price: 9_000, quantity: LOT }

test('an order names the key that placed it, from its event until it ends, and in a snapshot', () => {
  const s = scene()
  s.it.give({ ...sell(s), ...key(70_000) })
  expect(s.it.events).toMatchObject([{ kind: 'OrderPlaced', keyNumber: 70_000 }, { kind: 'LevelChanged' }])
  s.it.give(sell(s))
  expect(s.it.events[0]).toMatchObject({ kind: 'OrderPlaced', keyNumber: undefined })
  const stop = orderOf({ who: s.ann, side: 'SELL', type: 'STOP_LOSS', stopPrice: 100, quantity: LOT })
  s.it.give({ ...stop, ...key(2) })
  s.it.give({ ...listOf('OTO', [WORKING, PENDING], { who: s.ann }), ...key(3) })
  expect(keysOf(s.it.exchange, s)).toEqual([3, 3, 2, undefined, 70_000])
  const bytes = s.it.exchange.encodeSnapshot()
  const read = Exchange.decodeSnapshot(bytes)
  expect(keysOf(read, s)).toEqual([3, 3, 2, undefined, 70_000])
  expect(read.encodeSnapshot()).toEqual(bytes)
})

test('an order that was executed in part or amended keeps its key', () => {
  const s = scene()
  s.it.give({ ...sell(s), ...key(4) })
  s.it.give(orderOf({ who: s.ben, side: 'BUY', price: 11_000, quantity: LOT / 4 }))
  expect(keysOf(Exchange.decodeSnapshot(s.it.exchange.encodeSnapshot()), s)).toEqual([4])
})

test('the key of an order is not compared when it is placed again under its client order id', () => {
  const s = scene()
  const order = { ...sell(s), clientOrderId: 'mine' }
  const first = s.it.give({ ...order, ...key(1) })
  expect(s.it.give({ ...order, ...key(2) })).toEqual({ ...(first as object), kind: 'OrderRepeated' } as never)
  const list = listOf('OTO', [WORKING, PENDING], { who: s.ann, id: 'ours' })
  s.it.give({ ...list, ...key(1) })
  expect(s.it.give({ ...list, ...key(2) }).kind).toBe('ListRepeated')
  expect(keysOf(s.it.exchange, s)).toEqual([1, 1, 1])
})

test('under earlier rules an order and a list that name a key are refused, and a snapshot has no keys', () => {
  const s = scene({}, KEY_NUMBER_RULES - 1)
  const tooLow = { kind: 'Refused', reason: 'RULES_VERSION_TOO_LOW' } as const
  const target = { orderNumber: 1 as OrderNumber, orderTime: s.it.exchange.time }
  const replacement = { kind: 'ReplaceOrder', target, mode: 'ALLOW_FAILURE', restriction: undefined } as const
  expect(s.it.give({ ...sell(s), ...key(1) })).toEqual(tooLow)
  expect(s.it.give({ ...listOf('OTO', [WORKING, PENDING], { who: s.ann }), ...key(1) })).toEqual(tooLow)
  expect(s.it.give({ ...replacement, order: { ...sell(s), ...key(1) } })).toEqual(tooLow)
  s.it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: KEY_NUMBER_RULES })
  expect(s.it.give({ ...sell(s), ...key(1) }).kind).toBe('OrderAccepted')
})
