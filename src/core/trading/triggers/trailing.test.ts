import { describe, expect, test } from 'bun:test'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import { amount, timeMs } from '../../../units/quantities.ts'
import type { TrailingDelta } from '../../../units/trailing-delta.ts'
import type { Command } from '../../commands/command.ts'
import { NO_EVENTS } from '../../events/event.ts'
import { Exchange } from '../../exchange/exchange.ts'
import {
  ExchangeHarness,
  OPERATOR,
  type OrderWords,
  orderOf,
} from '../../exchange/exchange-harness.fixture.ts'
import type { OpenOrder } from '../../questions/view.ts'
import {
  endsOf,
  type LegWords,
  LOT,
  listOf,
  openIn,
  orderIn,
  placed,
  RICH,
  scene,
  trade,
} from '../lists/lists.fixture.ts'

const DELTA = 100 as TrailingDelta

const sell = (who: AccountId, trailingDelta: number, more: Partial<OrderWords> = {}): OrderWords => {
  return { who, side: 'SELL', type: 'STOP_LOSS', quantity: LOT, trailingDelta, ...more }
}

const buy = (who: AccountId, trailingDelta: number, more: Partial<OrderWords> = {}): OrderWords => {
  return { who, side: 'BUY', type: 'STOP_LOSS', total: 200_00000000n, trailingDelta, ...more }
}

function open(it: ExchangeHarness, who: AccountId, orderNumber: number): OpenOrder | undefined {
  return it.exchange.openOrders(who, undefined).find((order) => order.orderNumber === orderNumber)
}

test('a trailing order holds what it may need, waits without a price, and follows the price from the next trade on', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const { orderNumber, status } = it.accepted(sell(cleo, 100))
  expect([status, it.events.map(({ kind }) => kind)]).toEqual(['NEW', ['OrderPlaced']])
  expect(it.events[0]).toMatchObject({ trailingDelta: 100, stopPrice: undefined })
  expect(it.money(cleo, 0).locked).toBe(BigInt(LOT))
  expect(open(it, cleo, orderNumber)?.stop).toMatchObject({
    price: undefined,
    trailing: { delta: 100, since: undefined },
  })
  trade(s, 9_000)
  expect(open(it, cleo, orderNumber)?.stop?.trailing?.since).toBe(it.exchange.time)
  expect(it.exchange.due(10)).toEqual([])
  trade(s, 8_910)
  expect(it.dueOrders(10)).toEqual([orderNumber])
  it.mustAddUp()
})

test('a SELL follows the highest price and a BUY the lowest, as STOP_LOSS and as TAKE_PROFIT', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const types = ['STOP_LOSS', 'TAKE_PROFIT'] as const
  const sells = types.map((type) => it.accepted(sell(cleo, 500, { type })).orderNumber)
  const buys = types.map((type) => it.accepted(buy(cleo, 500, { type })).orderNumber)
  trade(s, 10_000)
  trade(s, 10_499)
  expect(it.dueOrders(10)).toEqual([])
  trade(s, 10_500)
  expect(it.dueOrders(10)).toEqual(buys)
  for (const command of it.exchange.due(10)) it.give(command)
  trade(s, 9_976)
  expect(it.dueOrders(10)).toEqual([])
  trade(s, 9_975)
  expect(it.dueOrders(10)).toEqual(sells)
})

test('each price of a sweep counts in its order: the highest of them is followed before the lowest triggers', () => {
  const s = scene()
  const { it, ann, ben, cleo } = s
  trade(s, 10_000)
  const { orderNumber } = it.accepted(sell(cleo, 500))
  trade(s, 10_000)
  // A sell trades down from 11,000; 5 % below that is 10,450.
  for (const at of [11_000, 10_600, 10_450]) it.accepted({ who: ben, side: 'BUY', price: at, quantity: LOT })
  it.accepted({ who: ann, side: 'SELL', price: 10_600, quantity: 2 * LOT })
  expect(it.dueOrders(10)).toEqual([])
  it.accepted({ who: ben, side: 'BUY', price: 10_600, quantity: LOT })
  it.accepted({ who: ann, side: 'SELL', price: 10_450, quantity: 2 * LOT })
  expect(it.dueOrders(10)).toEqual([orderNumber])
})

describe('a trailing order with a stop price', () => {
  test('begins with the first trade that reaches it, and that price is its first best one', () => {
    const s = scene()
    const { it, cleo } = s
    trade(s, 40_000)
    const limit = { type: 'STOP_LOSS_LIMIT', price: 45_000, quantity: LOT } as const
    const { orderNumber } = it.accepted({
      who: cleo,
      side: 'BUY',
      ...limit,
      stopPrice: 44_000,
      trailingDelta: 500,
    })
    trade(s, 37_000)
    trade(s, 43_999)
    expect(open(it, cleo, orderNumber)?.stop?.trailing?.since).toBeUndefined()
    trade(s, 44_000)
    expect(open(it, cleo, orderNumber)?.stop?.trailing?.since).toBe(it.exchange.time)
    trade(s, 45_000)
    trade(s, 42_000)
    trade(s, 44_099)
    expect(it.dueOrders(10)).toEqual([])
    trade(s, 44_100)
    expect(it.dueOrders(10)).toEqual([orderNumber])
  })

  test('begins at a price of a sweep that reaches it, and may be triggered by a later one of the same sweep', () => {
    const s = scene()
    const { it, ann, ben, cleo } = s
    trade(s, 10_000)
    const { orderNumber } = it.accepted(sell(cleo, 1_000, { stopPrice: 9_500 }))
    for (const at of [9_800, 9_400, 8_460]) it.accepted({ who: ben, side: 'BUY', price: at, quantity: LOT })
    it.accepted({ who: ann, side: 'SELL', price: 8_460, quantity: 3 * LOT })
    expect(it.dueOrders(10)).toEqual([orderNumber])
  })

  test('that the last price has reached is refused, and so is one out of the range of prices', () => {
    const s = scene()
    const { it, cleo } = s
    trade(s, 10_000)
    for (const words of [
      sell(cleo, 100, { stopPrice: 10_000 }),
      sell(cleo, 100, { stopPrice: 9_999, type: 'TAKE_PROFIT' }),
      buy(cleo, 100, { stopPrice: 10_000 }),
    ])
      expect(it.order(words)).toEqual({ kind: 'Refused', reason: 'STOP_PRICE_REACHED' })
    it.accepted(sell(cleo, 100, { stopPrice: 9_999 }))
  })
})

test('triggered trailing orders are due with the stop orders that the same command reached, nearest first, then the oldest', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const far = it.accepted(sell(cleo, 300)).orderNumber
  const near = it.accepted(sell(cleo, 100)).orderNumber
  const stop = it.accepted({
    who: cleo,
    side: 'SELL',
    type: 'STOP_LOSS',
    stopPrice: 9_800,
    quantity: LOT,
  }).orderNumber
  const nearToo = it.accepted(sell(cleo, 100)).orderNumber
  const beside = it.accepted(sell(cleo, 200)).orderNumber
  trade(s, 10_000)
  trade(s, 9_000)
  expect(it.dueOrders(10) as number[]).toEqual([near, nearToo, stop, beside, far])
})

test('a trailing order that is canceled, expires or is part of a mass cancel frees its hold and follows nothing', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const first = it.accepted(sell(cleo, 100))
  const second = it.accepted(sell(cleo, 100, { stopPrice: 9_000 }))
  trade(s, 10_000)
  for (const order of [first, second]) expect(it.cancel(cleo, order)).toMatchObject({ kind: 'Done' })
  const expireTime = it.exchange.time + 50
  it.accepted(sell(cleo, 100, { type: 'STOP_LOSS_LIMIT', price: 5, timeInForce: 'GTD', expireTime }))
  trade(s, 10_000)
  const over = timeMs(expireTime)
  for (const command of it.exchange.due(10, over)) it.give(command, over - it.exchange.time)
  expect(endsOf(it).map(([, cause]) => cause)).toEqual(['EXPIRED'])
  it.accepted(sell(cleo, 100))
  it.give({ kind: 'CancelAllOrders', accountId: cleo, symbolId: 0 as SymbolId })
  expect(it.money(cleo, 0)).toEqual({ free: RICH, locked: 0n })
  expect(it.exchange.openOrders(cleo, undefined)).toEqual([])
  trade(s, 5_000)
  expect(it.exchange.due(10)).toEqual([])
  it.mustAddUp()
})

test('a halted symbol triggers nothing, and triggered orders are carried out when it trades again', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const { orderNumber } = it.accepted(sell(cleo, 100))
  trade(s, 10_000)
  trade(s, 9_900)
  it.give({ kind: 'SetSymbolState', operator: OPERATOR, symbol: 'BTC/USDT', state: 'HALTED' })
  expect(it.exchange.due(10)).toEqual([])
  expect(it.order(sell(cleo, 100))).toMatchObject({ reason: 'SYMBOL_HALTED' })
  it.give({ kind: 'SetSymbolState', operator: OPERATOR, symbol: 'BTC/USDT', state: 'TRADING' })
  expect(it.dueOrders(10)).toEqual([orderNumber])
})

test('a trailing order that is set aside, triggered or due keeps its distance over a snapshot', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const orders = [1, 2, 3].map(() => it.accepted(sell(cleo, 100)))
  const limit = it.accepted(sell(cleo, 50, { type: 'STOP_LOSS_LIMIT', price: 15_000 })).orderNumber
  trade(s, 10_000)
  trade(s, 9_900)
  it.give(it.exchange.due(1)[0] as Command)
  it.exchange.refuse(it.exchange.time, it.exchange.due(1)[0])
  const again = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
  expect(again.openOrders(cleo, undefined)).toEqual(it.exchange.openOrders(cleo, undefined))
  expect(again.due(10)).toEqual(it.exchange.due(10))
  expect(open(it, cleo, limit)?.stop).toMatchObject({ trailing: { delta: 50 } })
  expect(open(it, cleo, limit)?.stop?.triggeredAt).toBeDefined()
  for (const { orderNumber } of orders.slice(1))
    expect(open(it, cleo, orderNumber)?.stop?.trailing?.delta).toBe(DELTA)
})

test('a snapshot restores what each order follows, and the same trades trigger the same orders', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  for (const delta of [100, 400, 100, 2_000]) {
    it.accepted(sell(cleo, delta))
    it.accepted(buy(cleo, delta))
    trade(s, 10_000 - delta / 100)
  }
  it.accepted(sell(cleo, 70))
  it.accepted(buy(cleo, 70, { stopPrice: 12_000 }))
  const again = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
  const prices = [10_050, 9_949, 10_200, 9_700, 12_500, 9_000, 13_000]
  for (const at of prices) {
    const commands: Command[] = []
    const give = it.give.bind(it)
    it.give = (command, afterMs) => {
      commands.push(command)
      return give(command, afterMs)
    }
    trade(s, at)
    it.carryOut()
    it.give = give
    for (const command of commands) again.apply(command, timeMs(again.time + 1), NO_EVENTS)
    expect(again.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
  }
  expect(it.exchange.openOrders(cleo, undefined)).toEqual([])
})

describe('in a list', () => {
  const working: LegWords = { side: 'BUY', type: 'LIMIT', price: 10_000, quantity: LOT }

  test('a trailing stop is paired with a limit, and the one that is carried out ends the other', () => {
    const s = scene()
    const { it, cleo } = s
    trade(s, 10_000)
    const pair: readonly LegWords[] = [
      { side: 'SELL', type: 'LIMIT_MAKER', price: 11_000, quantity: LOT },
      { side: 'SELL', type: 'STOP_LOSS', trailingDelta: 200, quantity: LOT },
    ]
    const list = placed(it, listOf('OCO', pair, { who: cleo }))
    expect(it.money(cleo, 0).locked).toBe(BigInt(LOT))
    trade(s, 10_000)
    trade(s, 9_800)
    expect(it.dueOrders(10)).toEqual([orderIn(list, 1)])
    it.carryOut()
    expect(endsOf(it)[0]).toEqual([orderIn(list, 0), 'LIST'])
    it.mustAddUp()
  })

  test('only the given stop prices must be on both sides of the last price', () => {
    const s = scene()
    trade(s, 10_000)
    const pair = (above: Partial<LegWords>, below: Partial<LegWords>) => {
      const one = { side: 'SELL', quantity: LOT } as const
      const legs: readonly LegWords[] = [
        { ...one, type: 'TAKE_PROFIT', trailingDelta: 100, ...above },
        { ...one, type: 'STOP_LOSS', trailingDelta: 100, ...below },
      ]
      return s.it.give(listOf('OCO', legs, { who: s.cleo }))
    }
    expect(pair({ stopPrice: 10_000 }, {})).toMatchObject({ reason: 'LIST_PRICES_CROSSED' })
    expect(pair({}, { stopPrice: 10_000 })).toMatchObject({ reason: 'LIST_PRICES_CROSSED' })
    expect(pair({}, {})).toMatchObject({ kind: 'ListAccepted' })
    expect(pair({ stopPrice: 10_001 }, { stopPrice: 9_999 })).toMatchObject({ kind: 'ListAccepted' })
  })

  test('a pending trailing stop follows nothing until its list has received, then from the next trade on', () => {
    const s = scene()
    const { it, ann, cleo } = s
    trade(s, 10_000)
    const list = placed(
      it,
      listOf('OTO', [working, { side: 'SELL', type: 'STOP_LOSS', trailingDelta: 1_000 }], { who: cleo }),
    )
    trade(s, 20_000)
    expect(openIn(it, cleo, list, 1)?.stop?.trailing).toEqual({
      delta: 1_000 as TrailingDelta,
      since: undefined,
    })
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: LOT })
    it.carryOut()
    expect(openIn(it, cleo, list, 1)?.isPending).toBe(false)
    expect(openIn(it, cleo, list, 1)?.stop?.trailing?.since).toBeUndefined()
    trade(s, 10_000)
    trade(s, 9_000)
    expect(it.dueOrders(10)).toEqual([orderIn(list, 1)])
    it.mustAddUp()
  })

  test('a pending trailing stop whose stop price is passed when it is placed follows from the next trade on', () => {
    const s = scene()
    const { it, ann, cleo } = s
    trade(s, 10_000)
    const later: LegWords = { side: 'SELL', type: 'STOP_LOSS', stopPrice: 10_500, trailingDelta: 1_000 }
    const list = placed(it, listOf('OTO', [working, later], { who: cleo }))
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: LOT })
    it.carryOut()
    trade(s, 11_000)
    const again = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
    expect(again.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
    trade(s, 9_900)
    expect(it.dueOrders(10)).toEqual([orderIn(list, 1)])
  })
})

test('a trailing order is recognized under its client order id only with its distance', () => {
  const { it, cleo } = scene()
  const words = sell(cleo, 100, { clientOrderId: 'mine' })
  const { orderNumber } = it.accepted(words)
  expect(it.order(words)).toMatchObject({ kind: 'OrderRepeated', orderNumber })
  for (const other of [sell(cleo, 101, { clientOrderId: 'mine' }), { ...words, stopPrice: 9 }])
    expect(it.order(other)).toMatchObject({ reason: 'DUPLICATE_CLIENT_ORDER_ID' })
})

test('a side follows and waits for as many different prices as a side of the book may have', () => {
  const s = scene({ terms: { levelsMax: 3 } })
  const { it, cleo } = s
  trade(s, 10_000)
  it.accepted(sell(cleo, 2_000))
  trade(s, 9_000)
  it.accepted(sell(cleo, 2_000))
  it.accepted(sell(cleo, 2_000))
  it.accepted(sell(cleo, 2_000, { stopPrice: 8_000 }))
  it.accepted(sell(cleo, 100))
  expect(it.order(sell(cleo, 100, { stopPrice: 7_000 }))).toMatchObject({ reason: 'TOO_MANY_PRICE_LEVELS' })
  it.accepted(sell(cleo, 100, { stopPrice: 8_000 }))
  it.accepted(buy(cleo, 100))
  trade(s, 8_900)
  expect(it.order(sell(cleo, 100))).toMatchObject({ reason: 'TOO_MANY_PRICE_LEVELS' })
  // A trade above all best prices makes one group of all orders.
  trade(s, 9_100)
  it.accepted(sell(cleo, 100))
})

test('a forbidden distance is refused, and a trailing order is refused under the rules before', () => {
  const { it, cleo } = scene()
  for (const delta of [0, 9, 2_001, 10.5]) {
    expect(it.order(sell(cleo, delta))).toEqual({ kind: 'Refused', reason: 'INVALID_COMMAND' })
  }
  const old = new ExchangeHarness()
  const dan = old.trader('dan', { BTC: RICH })
  old.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: 19 })
  expect(old.order(sell(dan, 100))).toEqual({ kind: 'Refused', reason: 'RULES_VERSION_TOO_LOW' })
  const pair: readonly LegWords[] = [
    { side: 'SELL', type: 'LIMIT_MAKER', price: 11_000, quantity: LOT },
    { side: 'SELL', type: 'STOP_LOSS', trailingDelta: 200, quantity: LOT },
  ]
  expect(old.give(listOf('OCO', pair, { who: dan }))).toMatchObject({ reason: 'RULES_VERSION_TOO_LOW' })
})

test('a trailing order replaces another one, is replaced, and cannot be amended', () => {
  const s = scene()
  const { it, cleo } = s
  trade(s, 10_000)
  const { time: orderTime, orderNumber } = it.accepted(sell(cleo, 100))
  const target = { orderNumber, orderTime }
  const amend = { kind: 'AmendOrder', accountId: cleo, target, quantity: amount(1n) } as const
  expect(it.give(amend)).toMatchObject({ reason: 'ORDER_NOT_AMENDABLE' })
  const replacing = { kind: 'ReplaceOrder', mode: 'STOP_ON_FAILURE', restriction: undefined } as const
  const reply = it.give({ ...replacing, target, order: orderOf(sell(cleo, 200)) })
  expect(reply).toMatchObject({ kind: 'OrderReplaced', placed: { status: 'NEW' } })
  const [only, ...others] = it.exchange.openOrders(cleo, undefined)
  expect([only?.stop?.trailing?.delta, others.length]).toEqual([200 as TrailingDelta, 0])
  it.mustAddUp()
})
