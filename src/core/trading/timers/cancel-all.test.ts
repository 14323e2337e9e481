import { describe, expect, test } from 'bun:test'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import {
  COUNTDOWN_MAX_MS,
  COUNTDOWNS_PER_ACCOUNT_MAX,
  MASS_CANCELS_PER_ACCOUNT_MAX,
} from '../../../units/limits.ts'
import { timeMs } from '../../../units/quantities.ts'
import type { EngineCommand } from '../../commands/command.ts'
import { Exchange } from '../../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR, type OrderWords } from '../../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../exchange/rules.ts'

const RICH = 10n ** 20n
const LOT = 100_000_000
const OPTIONS = { massCancelSteps: { first: 2, next: 1 } }

type Scene = {
  readonly it: ExchangeHarness
  readonly ann: AccountId
  readonly ben: AccountId
  readonly eth: SymbolId
}

function scene(): Scene {
  const it = new ExchangeHarness(OPTIONS)
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  it.asset('ETH', 8)
  const eth = it.symbol('ETH', 'USDT', {})
  const rich = { BTC: RICH, USDT: RICH, ETH: RICH }
  return { it, eth, ann: it.trader('ann', rich), ben: it.trader('ben', rich) }
}

const sell = (s: Scene, price: number, more: Partial<OrderWords> = {}) =>
  s.it.accepted({ who: s.ann, side: 'SELL', price, quantity: LOT, ...more })
const cancelAll = (s: Scene, symbolId?: SymbolId, accountId = s.ann) =>
  s.it.give({ kind: 'CancelAllOrders', accountId, symbolId })
const setCountdown = (
  s: Scene,
  countdownMs: number,
  more: { symbolId?: SymbolId; keepsStops?: boolean } = {},
) =>
  s.it.give({
    kind: 'SetCountdown',
    accountId: s.ann,
    symbolId: more.symbolId,
    countdownMs,
    keepsStops: more.keepsStops ?? false,
  })
const pass = (s: Scene, ms: number) => s.it.give({ kind: 'MarkTime' }, ms)
const open = (s: Scene) => s.it.exchange.openOrders(s.ann, undefined).map(({ orderNumber }) => orderNumber)
const causes = (s: Scene) =>
  s.it.events.flatMap((event) => (event.kind === 'OrderCanceled' ? [event.cause as string] : []))

/** Carries out everything due; returns the number of commands. */
function carryOut(s: Scene): number {
  let commands = 0
  for (let [due] = s.it.exchange.due(1); due !== undefined; [due] = s.it.exchange.due(1), commands++) {
    expect(s.it.give(due).kind).not.toBe('Refused')
  }
  return commands
}

describe('a mass cancel', () => {
  test('ends some orders at once, the newest first, and the others by commands of the engine', () => {
    const s = scene()
    const orders = [10_001, 10_002, 10_003, 10_004, 10_005].map((price) => sell(s, price).orderNumber)
    expect(cancelAll(s)).toEqual({ kind: 'OrdersCanceled', canceled: 2, left: 3 })
    expect([open(s), causes(s)]).toEqual([orders.slice(0, 3).reverse(), ['USER', 'USER']])
    expect(carryOut(s)).toBe(3)
    expect([open(s), s.it.exchange.due(10)]).toEqual([[], []])
    expect(s.it.money(s.ann, 0)).toEqual({ free: RICH, locked: 0n })
    s.it.mustAddUp()
  })

  test('ends no order that is placed after it, and those that it covers trade no more from then on', () => {
    const s = scene()
    for (const price of [10_001, 10_002, 10_003]) sell(s, price)
    cancelAll(s)
    const later = sell(s, 10_004)
    const taker = s.it.accepted({ who: s.ben, side: 'BUY', price: 10_004, quantity: LOT })
    expect([taker.status, causes(s), open(s)]).toEqual(['FILLED', ['USER'], []])
    expect(s.it.events.filter(({ kind }) => kind === 'OrdersMatched')).toHaveLength(1)
    expect([carryOut(s), later.status]).toEqual([0, 'NEW'])
    s.it.mustAddUp()
  })

  test('lets orders placed after it trade, while those that it covers are still open', () => {
    const s = scene()
    const [oldest] = [10_001, 10_002, 10_003].map((price) => sell(s, price).orderNumber)
    cancelAll(s)
    sell(s, 10_000)
    const taker = s.it.accepted({ who: s.ben, side: 'BUY', price: 10_000, quantity: LOT })
    expect([taker.status, open(s)]).toEqual(['FILLED', [oldest!]])
    expect([carryOut(s), open(s)]).toEqual([1, []])
    s.it.mustAddUp()
  })

  test('of a symbol leaves orders in other symbols alone, and is over when it has read them', () => {
    const s = scene()
    const kept = [sell(s, 10_001, { symbol: s.eth }), sell(s, 10_002), sell(s, 10_003, { symbol: s.eth })]
    sell(s, 10_004)
    expect(cancelAll(s, 0 as SymbolId)).toEqual({ kind: 'OrdersCanceled', canceled: 1, left: 1 })
    expect(carryOut(s)).toBe(2)
    expect(open(s)).toEqual([kept[2]!.orderNumber, kept[0]!.orderNumber])
    expect(cancelAll(s, 0 as SymbolId)).toEqual({ kind: 'OrdersCanceled', canceled: 0, left: 0 })
    expect(s.it.exchange.due(1)).toEqual([])
  })

  test('ends orders that wait for a trigger, and those that are due', () => {
    const s = scene()
    const stop = { type: 'STOP_LOSS', stopPrice: 9_000, price: undefined } as const
    const words = { who: s.ann, side: 'SELL', quantity: LOT } as const
    const first = s.it.accepted({ ...words, type: 'STOP_LOSS', stopPrice: 9_000 })
    for (let i = 0; i < 2; i++) s.it.accepted({ ...words, type: stop.type, stopPrice: 9_000 })
    s.it.accepted({ who: s.ben, side: 'SELL', price: 8_900, quantity: LOT })
    s.it.accepted({ who: s.ben, side: 'BUY', price: 8_900, quantity: LOT })
    cancelAll(s)
    expect(s.it.exchange.due(10).map(({ kind }) => kind)).toEqual(['ContinueCancelAll'])
    const reply = s.it.give({ kind: 'TriggerOrder', orderNumber: first.orderNumber })
    expect([reply, causes(s)]).toMatchObject([{ status: 'CANCELED' }, ['USER']])
    expect([open(s), carryOut(s)]).toEqual([[], 0])
    s.it.mustAddUp()
  })

  test('is alone for its account among the tasks of the engine: it may end what also ends by time', () => {
    const s = scene()
    const expireTime = s.it.exchange.time + 5
    for (const price of [10_001, 10_002, 10_003]) sell(s, price, { timeInForce: 'GTD', expireTime })
    const other = {
      who: s.ben,
      side: 'SELL',
      price: 10_004,
      quantity: LOT,
      timeInForce: 'GTD',
      expireTime,
    } as const
    const { orderNumber } = s.it.accepted(other)
    cancelAll(s)
    setCountdown(s, 1)
    pass(s, 50)
    expect(s.it.exchange.due(9)).toEqual([
      { kind: 'FireCountdown', accountId: s.ann, symbolId: undefined },
      { kind: 'ExpireOrder', orderNumber },
    ])
    carryOut(s)
    expect(open(s)).toEqual([])
  })

  test('continues where an order at its position ends otherwise, and across a snapshot', () => {
    const s = scene()
    const orders = [1, 2, 3, 4, 5].map((i) => sell(s, 10_000 + i))
    cancelAll(s)
    expect(s.it.cancel(s.ann, orders[2]!)).toMatchObject({ kind: 'Done' })
    const bytes = s.it.exchange.encodeSnapshot()
    const read = Exchange.decodeSnapshot(bytes, OPTIONS)
    expect([read.encodeSnapshot(), read.due(9)]).toEqual([bytes, s.it.exchange.due(9)])
    expect([carryOut(s), open(s)]).toEqual([2, []])
  })

  test('is refused beyond the number allowed at a time, but not where it replaces one', () => {
    const s = scene()
    for (let i = 0; i < MASS_CANCELS_PER_ACCOUNT_MAX; i++) {
      s.it.asset(`A${i}`, 2)
      s.it.symbol(`A${i}`, 'USDT', { baseFraction: 2 as never })
    }
    for (let i = 0; i < 40; i++) sell(s, 10_000 + i)
    const symbols = Array.from({ length: MASS_CANCELS_PER_ACCOUNT_MAX }, (_, i) => (i + 2) as SymbolId)
    for (const symbol of symbols) {
      s.it.credit(s.ann, `A${symbol - 2}`, 1_000n)
      for (let i = 0; i < 5; i++) sell(s, 10_000 + i, { symbol, quantity: 1 })
    }
    for (const symbol of symbols) expect(cancelAll(s, symbol)).toMatchObject({ kind: 'OrdersCanceled' })
    expect(cancelAll(s)).toEqual({ kind: 'Refused', reason: 'TOO_MANY_MASS_CANCELS' })
    expect(cancelAll(s, symbols[0])).toMatchObject({ kind: 'OrdersCanceled' })
    carryOut(s)
    expect([open(s).length, cancelAll(s)]).toMatchObject([
      40,
      { kind: 'OrdersCanceled', canceled: 2, left: 38 },
    ])
    s.it.mustAddUp()
  })

  test('whose continuation is quarantined is set aside: its orders do not trade, and can be canceled', () => {
    const s = scene()
    const orders = [1, 2, 3, 4].map((i) => sell(s, 10_000 + i))
    cancelAll(s)
    const [due] = s.it.exchange.due(1) as [EngineCommand]
    s.it.exchange.refuse(timeMs(s.it.exchange.time + 1), due)
    const bytes = s.it.exchange.encodeSnapshot()
    expect([s.it.exchange.due(9), Exchange.decodeSnapshot(bytes, OPTIONS).due(9)]).toEqual([[], []])
    const fok = { who: s.ben, side: 'BUY', price: 10_004, quantity: LOT, timeInForce: 'FOK' } as const
    expect(s.it.order(fok)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    for (const order of orders.slice(0, 2)) expect(s.it.cancel(s.ann, order)).toMatchObject({ kind: 'Done' })
    expect(s.it.exchange.encodeSnapshot().length).toBeLessThan(bytes.length)
  })

  test('needs an existing account and symbol', () => {
    const s = scene()
    expect(cancelAll(s, 99 as SymbolId)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_SYMBOL' })
    expect(cancelAll(s, undefined, 99 as AccountId)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ACCOUNT' })
  })
})

describe('a countdown', () => {
  test('cancels all orders of its account when it ends, and is then off', () => {
    const s = scene()
    for (const price of [10_001, 10_002, 10_003]) sell(s, price)
    const reply = setCountdown(s, 50)
    const triggerAt = timeMs(s.it.exchange.time + 50)
    expect([reply, s.it.exchange.dueAt]).toEqual([{ kind: 'CountdownSet', triggerAt }, triggerAt])
    expect(s.it.exchange.due(9, timeMs(triggerAt - 1))).toEqual([])
    pass(s, 50)
    expect([carryOut(s), causes(s), open(s)]).toEqual([3, ['DEAD_MAN'], []])
    expect([s.it.exchange.dueAt, s.it.exchange.due(9)]).toEqual([undefined, []])
    s.it.mustAddUp()
  })

  test('starts again each time it is set, and is switched off by 0', () => {
    const s = scene()
    sell(s, 10_001)
    setCountdown(s, 50)
    pass(s, 40)
    setCountdown(s, 50)
    pass(s, 40)
    expect(s.it.exchange.due(9)).toEqual([])
    expect(setCountdown(s, 0)).toEqual({ kind: 'CountdownSet', triggerAt: undefined })
    pass(s, 1_000)
    expect([s.it.exchange.due(9), open(s).length]).toEqual([[], 1])
  })

  test('of a symbol ends beside that of all symbols, each at its time', () => {
    const s = scene()
    sell(s, 10_001)
    const eth = sell(s, 10_002, { symbol: s.eth })
    setCountdown(s, 50, { symbolId: 0 as SymbolId })
    setCountdown(s, 500)
    pass(s, 60)
    carryOut(s)
    expect(open(s)).toEqual([eth.orderNumber])
    pass(s, 500)
    carryOut(s)
    expect(open(s)).toEqual([])
  })

  test('with keepStops spares orders that wait for their trigger, also when they are triggered meanwhile', () => {
    const s = scene()
    const words = { who: s.ann, side: 'SELL', quantity: LOT } as const
    const stop = s.it.accepted({ ...words, type: 'STOP_LOSS_LIMIT', stopPrice: 9_000, price: 12_000 })
    sell(s, 10_001)
    setCountdown(s, 50, { keepsStops: true })
    pass(s, 60)
    s.it.accepted({ who: s.ben, side: 'SELL', price: 8_900, quantity: LOT })
    s.it.accepted({ who: s.ben, side: 'BUY', price: 8_900, quantity: LOT })
    carryOut(s)
    expect(open(s)).toEqual([stop.orderNumber])
    expect(s.it.accepted({ who: s.ben, side: 'BUY', price: 12_000, quantity: LOT }).status).toBe('FILLED')
    s.it.mustAddUp()
  })

  test('with keepStops does not replace one that also ends waiting orders', () => {
    const s = scene()
    const words = { who: s.ann, side: 'SELL', quantity: LOT } as const
    s.it.accepted({ ...words, type: 'STOP_LOSS_LIMIT', stopPrice: 9_000, price: 12_000 })
    for (let i = 0; i < 6; i++) sell(s, 10_001 + i)
    setCountdown(s, 50)
    pass(s, 60)
    const [fire] = s.it.exchange.due(1)
    expect(fire).toMatchObject({ kind: 'FireCountdown' })
    s.it.give(fire as EngineCommand)
    // The first mass cancel is in progress and has not yet examined the stop order.
    expect(open(s).length).toBeGreaterThan(1)
    setCountdown(s, 1, { keepsStops: true })
    pass(s, 60)
    carryOut(s)
    expect(open(s)).toEqual([])
    s.it.mustAddUp()
  })

  test('with keepStops spares an order that is triggered at the very moment of its end', () => {
    const s = scene()
    const words = { who: s.ann, side: 'SELL', quantity: LOT } as const
    const stop = s.it.accepted({ ...words, type: 'STOP_LOSS_LIMIT', stopPrice: 9_000, price: 12_000 })
    setCountdown(s, 50, { keepsStops: true })
    const end = s.it.exchange.time + 50
    s.it.accepted({ who: s.ben, side: 'SELL', price: 8_900, quantity: LOT })
    pass(s, 47)
    s.it.accepted({ who: s.ben, side: 'BUY', price: 8_900, quantity: LOT })
    const [trigger] = s.it.exchange.due(1)
    expect(trigger).toMatchObject({ kind: 'TriggerOrder', orderNumber: stop.orderNumber })
    s.it.give(trigger as EngineCommand)
    expect(s.it.exchange.time).toBe(timeMs(end))
    carryOut(s)
    expect(open(s)).toEqual([stop.orderNumber])
  })

  test('that has ended takes its orders out of trading before the engine cancels them, and no later ones', () => {
    const s = scene()
    sell(s, 10_001)
    setCountdown(s, 5)
    pass(s, 50)
    const later = sell(s, 10_002)
    const fok = { who: s.ben, side: 'BUY', price: 10_001, quantity: LOT, timeInForce: 'FOK' } as const
    expect(s.it.order(fok)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    carryOut(s)
    expect(open(s)).toEqual([later.orderNumber])
  })

  test('of a symbol that has ended takes the orders there out of trading, and none in others', () => {
    const s = scene()
    for (const symbol of [undefined, s.eth]) sell(s, 10_001, symbol === undefined ? {} : { symbol })
    setCountdown(s, 5, { symbolId: 0 as SymbolId })
    pass(s, 50)
    const fok = { who: s.ben, side: 'BUY', price: 10_001, quantity: LOT, timeInForce: 'FOK' } as const
    expect(s.it.order(fok)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    expect(s.it.order({ ...fok, symbol: s.eth })).toMatchObject({ status: 'FILLED' })
    expect([carryOut(s), open(s)]).toEqual([1, []])
  })

  test('that is set again after it has ended, or at that very moment, is still carried out', () => {
    for (const laterMs of [0, 45]) {
      const s = scene()
      sell(s, 10_001)
      setCountdown(s, 5)
      pass(s, 4 + laterMs)
      setCountdown(s, 50)
      expect([laterMs, carryOut(s), open(s)]).toEqual([laterMs, 1, []])
      expect(s.it.exchange.dueAt).toBeDefined()
    }
  })

  test('is kept by a snapshot, and one whose end is quarantined is set aside', () => {
    const s = scene()
    sell(s, 10_001)
    setCountdown(s, 50, { keepsStops: true, symbolId: 0 as SymbolId })
    const bytes = s.it.exchange.encodeSnapshot()
    const read = Exchange.decodeSnapshot(bytes, OPTIONS)
    expect([read.encodeSnapshot(), read.dueAt]).toEqual([bytes, s.it.exchange.dueAt])
    pass(s, 50)
    const [due] = s.it.exchange.due(1) as [EngineCommand]
    s.it.exchange.refuse(timeMs(s.it.exchange.time + 1), due)
    expect([s.it.exchange.due(9), s.it.exchange.dueAt, open(s).length]).toEqual([[], undefined, 1])
    const fok = { who: s.ben, side: 'BUY', price: 10_001, quantity: LOT, timeInForce: 'FOK' } as const
    expect(s.it.order(fok)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
  })

  test('is bounded in length and in number', () => {
    const s = scene()
    expect(setCountdown(s, COUNTDOWN_MAX_MS)).toMatchObject({ kind: 'CountdownSet' })
    for (const ms of [COUNTDOWN_MAX_MS + 1, -1, 0.5]) {
      expect(setCountdown(s, ms)).toEqual({ kind: 'Refused', reason: 'INVALID_COMMAND' })
    }
    for (let i = 0; i < COUNTDOWNS_PER_ACCOUNT_MAX; i++) {
      s.it.asset(`A${i}`, 2)
      s.it.symbol(`A${i}`, 'USDT', { baseFraction: 2 as never })
    }
    for (let i = 1; i < COUNTDOWNS_PER_ACCOUNT_MAX; i++) {
      expect(setCountdown(s, 100, { symbolId: i as SymbolId })).toMatchObject({ kind: 'CountdownSet' })
    }
    expect(setCountdown(s, 100, { symbolId: 0 as SymbolId })).toEqual({
      kind: 'Refused',
      reason: 'TOO_MANY_COUNTDOWNS',
    })
    expect(setCountdown(s, 100, { symbolId: 1 as SymbolId })).toMatchObject({ kind: 'CountdownSet' })
  })
})
