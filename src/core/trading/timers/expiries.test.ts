import { describe, expect, test } from 'bun:test'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import { EXPIRE_TIME_AHEAD_MAX_MS } from '../../../units/limits.ts'
import { amount, lots, price, timeMs } from '../../../units/quantities.ts'
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
const SYMBOL = 0 as SymbolId

type Scene = { readonly it: ExchangeHarness; readonly ann: AccountId; readonly ben: AccountId }

function scene(terms: ConstructorParameters<typeof ExchangeHarness>[0] = {}): Scene {
  const it = new ExchangeHarness(terms)
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const rich = { BTC: RICH, USDT: RICH }
  return { it, ann: it.trader('ann', rich), ben: it.trader('ben', rich) }
}

/** An order that rests until this many milliseconds after its placement. */
function resting(
  { it }: Scene,
  who: AccountId,
  at: number,
  endsAfterMs: number,
  more: Partial<OrderWords> = {},
) {
  const expireTime = it.exchange.time + 1 + endsAfterMs
  return it.accepted({ who, side: 'SELL', price: at, quantity: LOT, timeInForce: 'GTD', expireTime, ...more })
}

/** Advances time by `ms`. */
const pass = ({ it }: Scene, ms: number) => it.give({ kind: 'MarkTime' }, ms)

const buy = (who: AccountId, at: number, more: Partial<OrderWords> = {}): OrderWords => {
  return { who, side: 'BUY', price: at, quantity: LOT, ...more }
}

const ends = (it: ExchangeHarness) =>
  it.events.flatMap((event) =>
    event.kind === 'OrderCanceled' ? [`${event.orderNumber} ${event.cause}`] : [],
  )
const trades = (it: ExchangeHarness) => it.events.filter(({ kind }) => kind === 'OrdersMatched').length

describe('an order that ends at a time', () => {
  test('trades before that time, and rests like any other', () => {
    const s = scene()
    const order = resting(s, s.ann, 10_000, 10)
    expect([order.status, s.it.exchange.openOrders(s.ann, undefined)[0]]).toMatchObject([
      'NEW',
      { timeInForce: 'GTD', expireTime: order.time + 10 },
    ])
    pass(s, 8)
    expect(s.it.exchange.due(10, timeMs(order.time + 9))).toEqual([])
    expect(s.it.accepted(buy(s.ben, 10_000)).status).toBe('FILLED')
    expect([s.it.exchange.dueAt, s.it.exchange.due(10, timeMs(order.time + 99))]).toEqual([undefined, []])
    s.it.mustAddUp()
  })

  test('does not trade from that time on: an order that meets it ends it, and takes the next', () => {
    const s = scene()
    const order = resting(s, s.ann, 10_000, 10)
    s.it.accepted({ who: s.ann, side: 'SELL', price: 10_001, quantity: LOT })
    pass(s, 8)
    const taker = s.it.accepted(buy(s.ben, 10_001))
    expect([taker.time, taker.status, trades(s.it)]).toEqual([timeMs(order.time + 10), 'FILLED', 1])
    expect(ends(s.it)).toEqual([`${order.orderNumber} EXPIRED`])
    const levels = s.it.events.flatMap((event) => (event.kind === 'LevelChanged' ? [event.price] : []))
    expect(levels).toEqual([price(10_000), price(10_001)])
    expect(s.it.money(s.ann, 0).locked).toBe(0n)
    s.it.mustAddUp()
  })

  test('is ended by the engine, which knows when, the earliest first, then the oldest', () => {
    const s = scene()
    const late = resting(s, s.ann, 10_000, 10)
    const soon = resting(s, s.ann, 10_001, 5)
    const same = resting(s, s.ann, 10_002, 4)
    expect(s.it.exchange.dueAt).toBe(timeMs(soon.time + 5))
    const due = s.it.exchange.due(10, timeMs(late.time + 10))
    expect(s.it.dueOrders(10, timeMs(late.time + 10))).toEqual([
      soon.orderNumber,
      same.orderNumber,
      late.orderNumber,
    ])
    expect(s.it.exchange.due(1, timeMs(late.time + 10))).toEqual(due.slice(0, 1))
    pass(s, 20)
    for (const command of due) expect(s.it.give(command)).toMatchObject({ kind: 'Done' })
    expect([s.it.exchange.openOrders(s.ann, undefined), s.it.exchange.book(SYMBOL).sell]).toEqual([[], []])
    expect(s.it.money(s.ann, 0)).toEqual({ free: RICH, locked: 0n })
  })

  test('is ended while its symbol is halted', () => {
    const s = scene()
    const { orderNumber } = resting(s, s.ann, 10_000, 2)
    s.it.state('BTC/USDT', 'HALTED')
    pass(s, 5)
    const [due] = s.it.exchange.due(10)
    expect(due).toEqual({ kind: 'ExpireOrder', orderNumber })
    s.it.give(due as NonNullable<typeof due>)
    expect(ends(s.it)).toEqual([`${orderNumber} EXPIRED`])
  })

  test('and is canceled after its time ends as expired', () => {
    const s = scene()
    const order = resting(s, s.ann, 10_000, 2)
    pass(s, 5)
    expect(s.it.cancel(s.ann, order)).toMatchObject({ kind: 'Done' })
    expect(ends(s.it)).toEqual([`${order.orderNumber} EXPIRED`])
  })

  test('and is not amended after its time', () => {
    const s = scene()
    const { orderNumber, time } = resting(s, s.ann, 10_000, 2)
    pass(s, 5)
    const target = { orderNumber, orderTime: time, clientOrderId: undefined }
    const quantity = amount(5n * 10n ** 17n)
    const amend = { kind: 'AmendOrder', accountId: s.ann, target, quantity } as const
    expect(s.it.give(amend)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ORDER' })
  })

  test('is not ended before its time, nor twice, by anyone', () => {
    const s = scene()
    const { orderNumber } = resting(s, s.ann, 10_000, 2)
    const expire = { kind: 'ExpireOrder', orderNumber } as const
    expect(s.it.give(expire)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ORDER' })
    expect(s.it.give(expire)).toMatchObject({ kind: 'Done' })
    expect(s.it.give(expire)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ORDER' })
  })
})

describe('an order whose time is over, and that is still in the book,', () => {
  test('counts for nothing in a FOK order', () => {
    const s = scene()
    resting(s, s.ann, 10_000, 2)
    pass(s, 5)
    const order = buy(s.ben, 10_000, { timeInForce: 'FOK' })
    expect(s.it.order(order)).toEqual({ kind: 'Refused', reason: 'FOK_NOT_FILLABLE' })
    s.it.accepted({ who: s.ann, side: 'SELL', price: 10_000, quantity: LOT })
    expect(s.it.accepted(order).status).toBe('FILLED')
  })

  test('blocks no LIMIT_MAKER order, which ends it and rests', () => {
    const s = scene()
    const { orderNumber } = resting(s, s.ann, 10_000, 2)
    pass(s, 5)
    expect(s.it.accepted(buy(s.ben, 10_000, { type: 'LIMIT_MAKER' })).status).toBe('NEW')
    expect([ends(s.it), trades(s.it)]).toEqual([[`${orderNumber} EXPIRED`], 0])
    expect(s.it.exchange.book(SYMBOL)).toMatchObject({ sell: [], buy: [{ price: price(10_000) }] })
  })

  test('where a MARKET order finds nothing else: it ends it, and cancels its own rest', () => {
    const s = scene()
    const { orderNumber } = resting(s, s.ann, 10_000, 2)
    pass(s, 5)
    const reply = s.it.accepted({ who: s.ben, side: 'BUY', type: 'MARKET', total: 100_00000000n })
    expect([reply.status, trades(s.it), ends(s.it)[0]]).toEqual(['CANCELED', 0, `${orderNumber} EXPIRED`])
  })

  test('counts as one of the resting orders that an arriving one meets', () => {
    const s = scene({ matchStepsMax: 2 })
    for (let i = 0; i < 3; i++) resting(s, s.ann, 10_000, 3 - i)
    pass(s, 5)
    const maker = s.it.order(buy(s.ben, 10_000, { type: 'LIMIT_MAKER' }))
    expect(maker).toEqual({ kind: 'Refused', reason: 'LIMIT_MAKER_WOULD_TAKE' })
    const reply = s.it.accepted(buy(s.ben, 10_000))
    expect([reply.status, ends(s.it).at(-1)]).toEqual(['CANCELED', `${reply.orderNumber} STEPS`])
    expect(s.it.exchange.openOrders(s.ann, undefined)).toHaveLength(1)
  })

  test('is not an own order to self-trade prevention', () => {
    const s = scene()
    const { orderNumber } = resting(s, s.ann, 10_000, 2)
    pass(s, 5)
    const reply = s.it.accepted(buy(s.ann, 10_000, { selfTradeMode: 'EXPIRE_BOTH' }))
    expect([reply.status, ends(s.it)]).toEqual(['NEW', [`${orderNumber} EXPIRED`]])
  })

  test('is not predicted to trade', () => {
    const s = scene()
    resting(s, s.ann, 10_000, 2)
    pass(s, 5)
    const tested = s.it.exchange.testOrder(orderOf(buy(s.ben, 10_000)))
    expect(tested).toMatchObject({ kind: 'Tested', status: 'NEW', executedQuantity: lots(0), fillCount: 0 })
  })
})

describe('an order that waits for its trigger and ends at a time', () => {
  const waits = (s: Scene, endsAfterMs: number): OrderAccepted =>
    resting(s, s.ann, 9_000, endsAfterMs, { type: 'STOP_LOSS_LIMIT', stopPrice: 9_500 })
  const trade = (s: Scene, at: number) => {
    s.it.accepted({ who: s.ben, side: 'SELL', price: at, quantity: LOT })
    s.it.accepted(buy(s.ben, at))
  }

  test('ends while it waits', () => {
    const s = scene()
    const { orderNumber } = waits(s, 2)
    pass(s, 5)
    const [due] = s.it.exchange.due(10)
    s.it.give(due as NonNullable<typeof due>)
    expect(ends(s.it)).toEqual([`${orderNumber} EXPIRED`])
    expect(s.it.money(s.ann, 0)).toEqual({ free: RICH, locked: 0n })
    s.it.mustAddUp()
  })

  test('rests once it is triggered, and ends then', () => {
    const s = scene()
    const { orderNumber, time } = waits(s, 50)
    trade(s, 9_400)
    expect(s.it.carryOut()).toMatchObject([{ orderNumber, status: 'NEW' }])
    expect(s.it.exchange.openOrders(s.ann, undefined)[0]?.expireTime).toBe(timeMs(time + 50))
    const bytes = s.it.exchange.encodeSnapshot()
    expect(Exchange.decodeSnapshot(bytes).encodeSnapshot()).toEqual(bytes)
    pass(s, 60)
    expect(s.it.exchange.due(10)).toEqual([{ kind: 'ExpireOrder', orderNumber }])
  })

  test('is not triggered once its time is over, even when it is due', () => {
    const s = scene()
    const { orderNumber } = waits(s, 10)
    trade(s, 9_400)
    pass(s, 20)
    expect(s.it.exchange.due(10)).toEqual([{ kind: 'ExpireOrder', orderNumber }])
    const reply = s.it.give({ kind: 'TriggerOrder', orderNumber })
    expect([reply, ends(s.it), s.it.exchange.due(10)]).toMatchObject([
      { status: 'CANCELED' },
      [`${orderNumber} EXPIRED`],
      [],
    ])
    s.it.mustAddUp()
  })

  test('is not due at a moment when its time is over, even if the last command was before', () => {
    const s = scene()
    const { orderNumber, time } = waits(s, 10)
    trade(s, 9_400)
    expect(s.it.exchange.due(10, timeMs(time + 9))).toEqual([{ kind: 'TriggerOrder', orderNumber }])
    expect(s.it.exchange.due(10, timeMs(time + 10))).toEqual([{ kind: 'ExpireOrder', orderNumber }])
  })
})

describe('the time to end at', () => {
  const ending = (s: Scene, expireTime: number) =>
    s.it.order(buy(s.ann, 10_000, { timeInForce: 'GTD', expireTime }))

  test('lies after the command, and not too far ahead', () => {
    const s = scene()
    const now = s.it.exchange.time + 1
    expect(ending(s, now)).toEqual({ kind: 'Refused', reason: 'EXPIRE_TIME_PASSED' })
    expect(ending(s, now + 2)).toMatchObject({ kind: 'OrderAccepted' })
    const last = s.it.exchange.time + 1 + EXPIRE_TIME_AHEAD_MAX_MS
    expect(ending(s, last)).toMatchObject({ kind: 'OrderAccepted' })
    expect(ending(s, last + 2)).toEqual({ kind: 'Refused', reason: 'EXPIRE_TIME_TOO_FAR' })
  })

  test('requires GTD, and GTD requires it', () => {
    const { it, ann } = scene()
    const order = orderOf(buy(ann, 10_000))
    for (const words of [{ expireTime: timeMs(10 ** 9) }, { timeInForce: 'GTD' as const }]) {
      expect(it.give({ ...order, ...words } as typeof order)).toEqual({
        kind: 'Refused',
        reason: 'INVALID_COMMAND',
      })
    }
  })

  test('is part of what makes a repeated order the same', () => {
    const { it, ann } = scene()
    const expireTime = it.exchange.time + 1_000
    const order = buy(ann, 10_000, { timeInForce: 'GTD', expireTime, clientOrderId: 'a' })
    it.accepted(order)
    expect(it.order(order)).toMatchObject({ kind: 'OrderRepeated' })
    expect(it.order({ ...order, expireTime: expireTime + 1 })).toMatchObject({
      reason: 'DUPLICATE_CLIENT_ORDER_ID',
    })
  })
})

test('an order whose end is quarantined stays open, does not trade, is not retried and can be canceled', () => {
  const s = scene()
  const order = resting(s, s.ann, 10_000, 2)
  const { orderNumber } = order
  const expire = { kind: 'ExpireOrder', orderNumber } as const
  s.it.exchange.refuse(timeMs(order.time + 1), expire)
  expect(s.it.exchange.due(10, timeMs(order.time + 2))).toEqual([expire])
  s.it.exchange.refuse(timeMs(order.time + 2), expire)
  expect([s.it.exchange.due(10, timeMs(order.time + 9)), s.it.exchange.dueAt]).toEqual([[], undefined])
  const bytes = s.it.exchange.encodeSnapshot()
  const read = Exchange.decodeSnapshot(bytes)
  expect([read.encodeSnapshot(), read.due(10, timeMs(order.time + 9))]).toEqual([bytes, []])
  expect(s.it.order(buy(s.ben, 10_000, { timeInForce: 'FOK' }))).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
  expect(s.it.cancel(s.ann, order)).toMatchObject({ kind: 'Done' })
  s.it.mustAddUp()
})
