import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import { SELF_TRADE_MODES, SIDES, type Side, STOP_TYPES, TIMES_IN_FORCE } from '../../../units/order-enums.ts'
import { amount, lots, price } from '../../../units/quantities.ts'
import { Exchange } from '../../exchange/exchange.ts'
import {
  ExchangeHarness,
  OPERATOR,
  type OrderWords,
  orderOf,
} from '../../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../exchange/rules.ts'
import type { OrderAccepted } from '../../questions/reply.ts'

const RICH = 10n ** 20n
const LOT = 100_000_000

type Scene = {
  readonly it: ExchangeHarness
  readonly ann: AccountId
  readonly ben: AccountId
  readonly cleo: AccountId
}

/** Three traders under the newest rules. */
function scene(terms: ConstructorParameters<typeof ExchangeHarness>[0] = {}): Scene {
  const it = new ExchangeHarness(terms)
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const rich = { BTC: RICH, USDT: RICH }
  return { it, ann: it.trader('ann', rich), ben: it.trader('ben', rich), cleo: it.trader('cleo', rich) }
}

/** Two other accounts trade a lot at this price; orders resting at better prices trade too. */
function trade({ it, ann, ben }: Scene, at: number): void {
  it.accepted({ who: ann, side: 'SELL', price: at, quantity: LOT })
  it.accepted({ who: ben, side: 'BUY', price: at, quantity: LOT })
}

const stop = (who: AccountId, side: Side, stopPrice: number, more: Partial<OrderWords> = {}): OrderWords => {
  return { who, side, type: 'STOP_LOSS', stopPrice, ...bound(side), ...more }
}

const bound = (side: Side) => (side === 'SELL' ? { quantity: LOT } : { total: 200_00000000n })

const numbers = (replies: readonly OrderAccepted[]) => replies.map(({ orderNumber }) => orderNumber)

const kinds = (it: ExchangeHarness) => it.events.map(({ kind }) => kind)

test('an order that waits holds what it may need, is open and listed, and is not in the book', () => {
  const { it, cleo } = scene()
  const reply = it.accepted(stop(cleo, 'BUY', 11_000))
  expect([reply.status, kinds(it)]).toEqual(['NEW', ['OrderPlaced']])
  expect(it.money(cleo, 1).locked).toBe(200_00000000n)
  it.accepted(stop(cleo, 'SELL', 9_000))
  expect(it.money(cleo, 0).locked).toBe(BigInt(LOT))
  it.accepted({
    who: cleo,
    side: 'BUY',
    type: 'STOP_LOSS_LIMIT',
    stopPrice: 11_000,
    price: 10_000,
    quantity: LOT,
  })
  expect(it.money(cleo, 1).locked).toBe(200_00000000n + 100_00000000n)
  const [limit, sell, buy] = it.exchange.openOrders(cleo, undefined)
  expect(buy).toMatchObject({ price: 0, quantity: 0, remaining: 0, type: 'STOP_LOSS' })
  expect(buy?.stop).toEqual({
    price: price(11_000),
    total: amount(200_00000000n),
    triggeredAt: undefined,
    trailing: undefined,
  })
  expect([sell?.stop?.price, sell?.remaining, limit?.price]).toEqual([price(9_000), lots(LOT), price(10_000)])
  expect(it.exchange.book(0 as SymbolId)).toMatchObject({ sell: [], buy: [] })
  it.mustAddUp()
})

test('an order that waits and is canceled frees what it held and is never triggered', () => {
  const s = scene()
  const { it, cleo } = s
  const order = it.accepted(stop(cleo, 'BUY', 10_000))
  expect(it.cancel(cleo, order)).toMatchObject({ kind: 'Done' })
  expect(kinds(it)).toEqual(['OrderCanceled'])
  expect(it.money(cleo, 1)).toEqual({ free: RICH, locked: 0n })
  trade(s, 10_000)
  expect(it.exchange.due(10)).toEqual([])
  it.mustAddUp()
})

test('a STOP_LOSS SELL and a TAKE_PROFIT BUY wait for a falling price, the two others for a rising one', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const falling = [stop(cleo, 'SELL', 9_000), stop(cleo, 'BUY', 9_000, { type: 'TAKE_PROFIT' })]
  const rising = [stop(cleo, 'BUY', 11_000), stop(cleo, 'SELL', 11_000, { type: 'TAKE_PROFIT' })]
  const [a, b, c, d] = [...falling, ...rising].map((words) => it.accepted(words).orderNumber)
  trade(s, 9_001)
  expect(it.exchange.due(10)).toEqual([])
  trade(s, 9_000)
  expect(it.dueOrders(10)).toEqual([a!, b!])
  it.carryOut()
  trade(s, 11_000)
  expect(it.dueOrders(10)).toEqual([c!, d!])
})

test('an order that would be triggered at once is refused, and one that waits for a price on the other side is not', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  for (const words of [
    stop(cleo, 'SELL', 10_000),
    stop(cleo, 'SELL', 10_001),
    stop(cleo, 'BUY', 10_000),
    stop(cleo, 'BUY', 9_999),
    stop(cleo, 'BUY', 10_000, { type: 'TAKE_PROFIT' }),
    stop(cleo, 'SELL', 9_999, { type: 'TAKE_PROFIT' }),
  ])
    expect(it.order(words)).toEqual({ kind: 'Refused', reason: 'STOP_PRICE_REACHED' })
  it.accepted(stop(cleo, 'SELL', 9_999))
  it.accepted(stop(cleo, 'BUY', 10_001))
})

test('a price inside a sweep triggers too, though the last trade is beyond it', () => {
  const s = scene()
  const { it, ann, ben, cleo } = s
  trade(s, 10_000)
  const { orderNumber } = it.accepted(stop(cleo, 'BUY', 10_500))
  const beyond = it.accepted(stop(cleo, 'BUY', 11_001))
  for (const at of [10_200, 10_600, 11_000]) it.accepted({ who: ann, side: 'SELL', price: at, quantity: LOT })
  it.accepted({ who: ben, side: 'BUY', price: 11_000, quantity: 3 * LOT })
  expect(numbers(it.carryOut())).toEqual([orderNumber])
  expect(it.exchange.openOrders(cleo, undefined).map((order) => order.orderNumber)).toEqual([
    beyond.orderNumber,
  ])
})

test('the first price of a sweep triggers too, though the last trade is on the other side of it', () => {
  const s = scene()
  const { it, ann, ben, cleo } = s
  trade(s, 10_500)
  const { orderNumber } = it.accepted(stop(cleo, 'SELL', 10_300))
  for (const at of [10_200, 11_000]) it.accepted({ who: ann, side: 'SELL', price: at, quantity: LOT })
  it.accepted({ who: ben, side: 'BUY', price: 11_000, quantity: 2 * LOT })
  expect(numbers(it.carryOut())).toEqual([orderNumber])
})

test('triggered orders are due nearest to the last price first, then the oldest', () => {
  const s = scene()
  const { it, ann, ben, cleo } = s
  trade(s, 10_000)
  const at = (ticks: number) => it.accepted(stop(cleo, 'BUY', ticks)).orderNumber
  const [far, near, middle, nearToo] = [at(10_030), at(10_010), at(10_020), at(10_010)]
  it.accepted({ who: ann, side: 'SELL', price: 10_030, quantity: LOT })
  it.accepted({ who: ben, side: 'BUY', price: 10_030, quantity: LOT })
  expect(numbers(it.carryOut())).toEqual([near, nearToo, middle, far])
})

test('a triggered LIMIT order keeps its number, its place in the list and its time, and its priority begins when it is triggered', () => {
  const s = scene()
  const { it, ann, ben, cleo } = s
  const words = { type: 'STOP_LOSS_LIMIT', price: 9_500, quantity: LOT } as const
  const waiting = it.accepted({ who: cleo, side: 'SELL', stopPrice: 9_000, ...words })
  const younger = it.accepted({ who: cleo, side: 'SELL', price: 20_000, quantity: LOT })
  it.accepted({ who: ann, side: 'SELL', price: 9_500, quantity: LOT })
  it.accepted({ who: ben, side: 'BUY', price: 9_000, quantity: LOT })
  it.accepted({ who: ann, side: 'SELL', price: 9_000, quantity: LOT })
  const [done] = it.carryOut()
  expect(done).toMatchObject({ orderNumber: waiting.orderNumber, time: waiting.time, status: 'NEW' })
  expect(kinds(it)).toEqual(['OrderTriggered', 'LevelChanged'])
  const listed = it.exchange.openOrders(cleo, undefined)
  expect(listed.map(({ orderNumber }) => orderNumber)).toEqual([younger.orderNumber, waiting.orderNumber])
  expect(listed[1]?.stop?.triggeredAt).toBe(it.exchange.time)
  expect(listed[1]?.updatedAt).toBe(it.exchange.time)
  it.accepted({ who: ben, side: 'BUY', price: 9_500, quantity: LOT })
  expect(it.events.find((event) => event.kind === 'OrdersMatched')).toMatchObject({
    maker: { accountId: ann },
  })
  it.mustAddUp()
})

test('a trade of a triggered order has the time of its trigger and the time of its order', () => {
  const s = scene()
  const { it, ann, cleo } = s
  const order = it.accepted(stop(cleo, 'BUY', 10_000))
  trade(s, 10_000)
  it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: LOT })
  it.carryOut()
  const match = it.events.find((event) => event.kind === 'OrdersMatched')
  expect(match).toMatchObject({ time: it.exchange.time, taker: { orderTime: order.time } })
  expect(it.exchange.time).toBeGreaterThan(order.time)
})

test('a triggered order that would be refused as a new one is canceled with the reason, and holds nothing', () => {
  const cases: readonly [string, Partial<OrderWords>, (s: Scene) => void][] = [
    ['NO_LIQUIDITY', {}, () => {}],
    [
      'FOK_NOT_FILLABLE',
      { type: 'STOP_LOSS_LIMIT', timeInForce: 'FOK', price: 1, quantity: 2 * LOT },
      () => {},
    ],
    [
      'ACCOUNT_RESTRICTED',
      {},
      ({ it, cleo }) =>
        void it.give({
          kind: 'SetAccountRestrictions',
          operator: OPERATOR,
          accountId: cleo,
          restrictions: ['TRADE'],
        }),
    ],
  ]
  for (const [reason, more, before] of cases) {
    const s = scene()
    const { it, cleo } = s
    const order = it.accepted(stop(cleo, 'SELL', 9_000, more))
    trade(s, 9_000)
    before(s)
    expect(it.carryOut()).toMatchObject([{ orderNumber: order.orderNumber, status: 'CANCELED' }])
    expect(it.events).toMatchObject([{ kind: 'OrderCanceled', cause: 'TRIGGER_REFUSED', reason }])
    expect(it.money(cleo, 0)).toEqual({ free: RICH, locked: 0n })
    expect(it.exchange.openOrders(cleo, undefined)).toEqual([])
    it.mustAddUp()
  }
})

test('a symbol that does not trade triggers nothing, and due orders are carried out when it trades again', () => {
  for (const state of ['HALTED', 'CANCEL_ONLY'] as const) {
    const s = scene()
    const { it, cleo } = s
    const [first, second] = [it.accepted(stop(cleo, 'SELL', 9_000)), it.accepted(stop(cleo, 'SELL', 9_000))]
    trade(s, 9_000)
    it.state('BTC/USDT', state)
    expect(it.exchange.due(10)).toEqual([])
    const { orderNumber } = first
    expect(it.give({ kind: 'TriggerOrder', orderNumber })).toEqual({
      kind: 'Refused',
      reason: 'UNKNOWN_ORDER',
    })
    expect(it.cancel(cleo, first)).toMatchObject({ kind: 'Done' })
    it.state('BTC/USDT', 'TRADING')
    expect(numbers(it.carryOut())).toEqual([second.orderNumber])
  }
})

test('an asset that is not traded triggers nothing of its symbols', () => {
  const s = scene()
  const { it, cleo } = s
  it.accepted(stop(cleo, 'SELL', 9_000))
  trade(s, 9_000)
  const flags = { isDeposit: true, isWithdraw: true, isTrade: false, isSaving: true }
  it.give({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'BTC', flags })
  expect(it.exchange.due(10)).toEqual([])
  it.give({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'BTC', flags: { ...flags, isTrade: true } })
  expect(it.carryOut()).toHaveLength(1)
})

test('only the order whose turn it is can be carried out', () => {
  const s = scene()
  const { it, cleo } = s
  const [first, second, waiting] = [9_000, 9_000, 8_000].map((at) => it.accepted(stop(cleo, 'SELL', at)))
  trade(s, 9_000)
  for (const order of [second, waiting]) {
    const reply = it.give({ kind: 'TriggerOrder', orderNumber: order!.orderNumber })
    expect(reply).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ORDER' })
    expect(it.events).toEqual([])
  }
  expect(it.give({ kind: 'TriggerOrder', orderNumber: first!.orderNumber })).toMatchObject({
    status: 'CANCELED',
  })
})

test('waiting orders count as open, and wait at no more prices in each direction than a side of the book may have', () => {
  const { it, ann, ben } = scene({ terms: { openOrdersMax: 3, levelsMax: 2 } })
  it.accepted(stop(ann, 'SELL', 9_000))
  it.accepted(stop(ann, 'SELL', 8_000))
  expect(it.order(stop(ann, 'SELL', 7_000))).toMatchObject({ reason: 'TOO_MANY_PRICE_LEVELS' })
  it.accepted(stop(ann, 'BUY', 7_000))
  expect(it.order(stop(ann, 'SELL', 8_000))).toMatchObject({ reason: 'TOO_MANY_OPEN_ORDERS' })
  it.accepted(stop(ben, 'SELL', 8_000))
  // If both limits are exceeded, the refusal is about the open orders, as for a resting order.
  expect(it.order(stop(ben, 'SELL', 7_000))).toMatchObject({ reason: 'TOO_MANY_PRICE_LEVELS' })
  expect(it.order(stop(ann, 'SELL', 7_000))).toMatchObject({ reason: 'TOO_MANY_OPEN_ORDERS' })
})

test('a triggered order at the limit of open orders counts as open no more than before', () => {
  const s = scene({ terms: { openOrdersMax: 1 } })
  const { it, cleo } = s
  it.accepted({
    who: cleo,
    side: 'SELL',
    type: 'STOP_LOSS_LIMIT',
    stopPrice: 9_000,
    price: 9_500,
    quantity: LOT,
  })
  trade(s, 9_000)
  expect(it.carryOut()).toMatchObject([{ status: 'NEW' }])
})

test('triggered orders in a deep book are carried out a few at a time, in a shallow one as many as requested', () => {
  const s = scene({ matchStepsMax: 10 })
  const { it, ann, cleo } = s
  trade(s, 10_000)
  for (let i = 0; i < 20; i++) it.accepted(stop(cleo, 'SELL', 9_000))
  trade(s, 9_000)
  const count = () => it.exchange.due(32, it.exchange.time, 40).length
  expect(count()).toBe(20)
  const rest = (quantity: number) => it.accepted({ who: ann, side: 'BUY', price: 5_000, quantity })
  for (let i = 0; i < 8; i++) rest(LOT)
  expect(count()).toBe(5)
  for (let i = 0; i < 92; i++) rest(LOT)
  expect([count(), it.exchange.due(32).length]).toEqual([4, 20])
  expect(it.exchange.due(32, it.exchange.time, 1)).toHaveLength(1)
  expect(it.carryOut()).toHaveLength(20)
  expect(it.exchange.due(1)).toEqual([])

  it.mustAddUp()
})

test('hidden parts count one by one in how many triggered orders are carried out', () => {
  const s = scene({ matchStepsMax: 10 })
  const { it, ann, cleo } = s
  trade(s, 10_000)
  for (let i = 0; i < 20; i++) it.accepted(stop(cleo, 'SELL', 9_000))
  trade(s, 9_000)
  it.accepted({ who: ann, side: 'BUY', price: 5_000, quantity: 10 * LOT, icebergQuantity: LOT })
  expect(it.exchange.due(32, it.exchange.time, 40)).toHaveLength(4)
})

test('two symbols take turns, so that a long queue of one does not delay the other', () => {
  const s = scene()
  const { it, ann, ben, cleo } = s
  const other = it.symbol('USDT', 'BTC', {})
  for (let i = 0; i < 10; i++) it.accepted(stop(cleo, 'SELL', 9_000))
  const { orderNumber } = it.accepted({ ...stop(cleo, 'SELL', 9_000), symbol: other })
  trade(s, 9_000)
  it.accepted({ who: ann, side: 'SELL', price: 9_000, quantity: LOT, symbol: other })
  it.accepted({ who: ben, side: 'BUY', price: 9_000, quantity: LOT, symbol: other })
  expect(it.dueOrders(2)).toContain(orderNumber)
})

test('an order whose execution is quarantined is set aside: open, cancelable, and never retried', () => {
  const s = scene()
  const { it, cleo } = s
  const [first, second] = [it.accepted(stop(cleo, 'SELL', 9_000)), it.accepted(stop(cleo, 'SELL', 9_000))]
  trade(s, 9_000)
  const [command] = it.exchange.due(1)
  expect(it.exchange.refuse(it.exchange.time, command)).toEqual({ kind: 'Refused', reason: 'INTERNAL_ERROR' })
  expect(it.dueOrders(10)).toEqual([second.orderNumber])
  const again = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
  expect(again.due(10)).toEqual(it.exchange.due(10))
  trade(s, 8_000)
  it.carryOut()
  it.mustAddUp()
  expect(it.exchange.openOrders(cleo, undefined).map(({ orderNumber }) => orderNumber)).toEqual([
    first.orderNumber,
  ])
  expect(it.cancel(cleo, first)).toMatchObject({ kind: 'Done' })
  expect(it.money(cleo, 0).locked).toBe(0n)
})

test('a waiting order is recognized under its client order id, waiting, triggered or ended, and only with its stop price', () => {
  const s = scene()
  const { it, cleo } = s
  const words = stop(cleo, 'SELL', 9_000, { clientOrderId: 'mine' })
  const { orderNumber } = it.accepted(words)
  const again = { kind: 'OrderRepeated', orderNumber, status: 'NEW' }
  expect(it.order(words)).toMatchObject(again)
  expect(it.order({ ...words, stopPrice: 9_001 })).toMatchObject({ reason: 'DUPLICATE_CLIENT_ORDER_ID' })
  trade(s, 9_000)
  expect(it.order(words)).toMatchObject(again)
  expect(it.carryOut()).toMatchObject([{ status: 'CANCELED' }])
  expect(it.order(words)).toMatchObject(again)
  const restarted = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
  expect(restarted.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
})

test('a test of a waiting order says what it would hold, and that nothing would be executed', () => {
  const { it, cleo } = scene()
  const before = it.exchange.encodeSnapshot()
  expect(it.exchange.testOrder(orderOf(stop(cleo, 'BUY', 9_000)))).toMatchObject({
    kind: 'Tested',
    status: 'NEW',
    hold: 200_00000000,
    fillCount: 0,
  })
  expect(it.exchange.encodeSnapshot()).toEqual(before)
})

const step = fc.record({
  who: fc.nat(2),
  side: fc.constantFrom(...SIDES),
  type: fc.constantFrom('LIMIT' as const, 'LIMIT' as const, ...STOP_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE.filter((word) => word !== 'GTD')),
  price: fc.integer({ min: 95, max: 105 }),
  stopPrice: fc.integer({ min: 95, max: 105 }),
  lots: fc.integer({ min: 1, max: 3 }),
  selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
  carriesOut: fc.nat(2),
})

test('each order is triggered by the first trade that reaches its price and by no earlier one, and the books add up', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { it, ann, ben, cleo } = scene()
      const waiting = new Map<number, (traded: number) => boolean>()
      const due = new Set<number>()
      const see = () => {
        for (const event of it.events) {
          if (event.kind === 'OrderCanceled') waiting.delete(event.orderNumber)
          if (event.kind !== 'OrdersMatched') continue
          for (const [number, isReached] of waiting) {
            if (!isReached(event.price)) continue
            waiting.delete(number)
            due.add(number)
          }
        }
      }
      for (const { who, lots: quantity, carriesOut, ...words } of steps) {
        const owner = [ann, ben, cleo][who] as AccountId
        const { type, side, stopPrice, timeInForce, price: limit, selfTradeMode } = words
        const isLimit = type === 'LIMIT' || type.endsWith('_LIMIT')
        const figures = isLimit ? { price: limit, quantity, timeInForce } : bound(side)
        const stops = type === 'LIMIT' ? {} : { stopPrice }
        const reply = it.order({ who: owner, side, type, selfTradeMode, ...figures, ...stops })
        if (reply.kind === 'OrderAccepted' && type !== 'LIMIT') {
          const rises = type.startsWith('STOP_LOSS') === (side === 'BUY')
          waiting.set(reply.orderNumber, (at) => (rises ? at >= stopPrice : at <= stopPrice))
        }
        see()
        const listed = new Set<number>(it.dueOrders(1_000))
        expect(listed).toEqual(due)
        for (let i = 0; i < carriesOut; i++) {
          const [command] = it.exchange.due(1)
          if (command?.kind !== 'TriggerOrder') break
          it.give(command)
          due.delete(command.orderNumber ?? 0)
          see()
        }
        it.mustAddUp()
      }
    }),
    { numRuns: 60 },
  )
})
