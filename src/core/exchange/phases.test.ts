/**
 * The phase of the exchange: refused and permitted commands, and the automatic effects of a plan
 * (docs/reference/admin.md#phases-of-the-exchange).
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { PHASE_AHEAD_MAX_MS } from '../../units/limits.ts'
import type { ExchangePhase } from '../../units/order-enums.ts'
import { amount, DECIMALS_MAX, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import type { PhaseStep } from '../commands/phases.ts'
import type { OrderAccepted, Reply } from '../questions/reply.ts'
import { Exchange } from './exchange.ts'
import { ExchangeHarness, OPERATOR, orderOf } from './exchange-harness.fixture.ts'
import { RULES_VERSION } from './rules.ts'

const BTC = 100_000_000n
const SYMBOL = 0 as SymbolId
let it: ExchangeHarness
let ann: AccountId
let bob: AccountId

beforeEach(() => {
  it = new ExchangeHarness()
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  ann = it.trader('ann', { BTC: 100n * BTC, USDT: 10_000_000n * BTC })
  bob = it.trader('bob', { BTC: 100n * BTC, USDT: 10_000_000n * BTC })
})

const answerOf = (reply: Reply) => (reply.kind === 'Refused' ? reply.reason : reply.kind)
const give = (command: Command, afterMs?: number) => answerOf(it.give(command, afterMs))
const enter = (phase: ExchangePhase, afterMs?: number) =>
  give({ kind: 'SetPhase', operator: { actor: 'eve', note: 'upgrade' }, phase }, afterMs)
const plan = (...steps: (readonly [phase: ExchangePhase, inMs: number])[]) => {
  const { time } = it.exchange
  const at = steps.map(([phase, inMs]): PhaseStep => ({ phase, at: timeMs(time + inMs) }))
  return give({ kind: 'PlanPhases', operator: { actor: 'eve', note: 'upgrade' }, steps: at })
}
const buy = (price = 10_000) => orderOf({ who: ann, side: 'BUY', price, quantity: 1_000_000 })
const targetOf = ({ orderNumber, time }: OrderAccepted) => ({ orderNumber, orderTime: time })

/** All changes that a trader can make to an open order, one after the other on the same order. */
function changesOf(order: OrderAccepted): Command[] {
  const target = { ...targetOf(order), clientOrderId: undefined }
  return [
    {
      kind: 'AmendOrder',
      accountId: ann,
      target,
      quantity: amount(500_000n * 10n ** BigInt(DECIMALS_MAX - 8)),
    } as Command,
    { kind: 'CancelOrder', accountId: ann, ...targetOf(order) },
    { kind: 'CancelClientOrder', accountId: ann, clientOrderId: 'known' },
    { kind: 'CancelAllOrders', accountId: ann, symbolId: undefined },
    { kind: 'CancelList', accountId: ann, listNumber: 1, listTime: 1 } as unknown as Command,
    { kind: 'CancelClientList', accountId: ann, listClientOrderId: 'known' },
  ]
}

function mustBeKept() {
  const bytes = it.exchange.encodeSnapshot()
  expect(Exchange.decodeSnapshot(bytes).encodeSnapshot()).toEqual(bytes)
}

describe('while only canceling is possible', () => {
  test('placements are refused, and cancels are carried out', () => {
    const [first, second] = [
      it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 1_000_000 }),
      it.accepted({ who: ann, side: 'BUY', price: 9_000, quantity: 1_000_000 }),
    ]
    expect(enter('CANCEL_ONLY')).toBe('Done')
    expect(give(buy())).toBe('EXCHANGE_CANCEL_ONLY')
    expect(answerOf(it.exchange.testOrder(buy()) as Reply)).toBe('EXCHANGE_CANCEL_ONLY')
    const target = targetOf(first)
    const replace = {
      kind: 'ReplaceOrder',
      mode: 'ALLOW_FAILURE',
      restriction: undefined,
      target,
      order: buy(),
    }
    expect(give(replace as Command)).toBe('EXCHANGE_CANCEL_ONLY')
    expect(it.exchange.isOpen(first.orderNumber)).toBe(true)
    const [amend, cancel] = changesOf(first)
    expect(give(amend as Command)).toBe('OrderAmended')
    expect(give(cancel as Command)).toBe('Done')
    expect(give({ kind: 'CancelAllOrders', accountId: ann, symbolId: SYMBOL })).toBe('OrdersCanceled')
    expect(it.exchange.isOpen(second.orderNumber)).toBe(false)
    it.mustAddUp()
  })

  test('a repeated placement under its id is answered as it was, and nothing is placed', () => {
    const placed = { ...buy(), clientOrderId: 'mine' }
    const first = it.give(placed) as OrderAccepted
    enter('CANCEL_ONLY')
    expect(it.give(placed)).toMatchObject({ kind: 'OrderRepeated', orderNumber: first.orderNumber })
    enter('CLOSED')
    expect(it.give(placed)).toMatchObject({ kind: 'OrderRepeated', orderNumber: first.orderNumber })
    expect(it.exchange.openOrders(ann, undefined)).toHaveLength(1)
  })
})

describe('while the exchange is closed', () => {
  test('traders place, amend and cancel nothing, and nothing has changed', () => {
    const order = it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 1_000_000 })
    expect(enter('CLOSED')).toBe('Done')
    const before = it.exchange.openOrders(ann, undefined)
    for (const command of [buy(), ...changesOf(order)]) expect(give(command)).toBe('EXCHANGE_CLOSED')
    expect(it.events).toEqual([])
    expect(it.exchange.openOrders(ann, undefined)).toEqual(before)
  })

  test('operators cancel, and move money', () => {
    it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 1_000_000 })
    enter('CLOSED')
    const all = { kind: 'CancelOrders', operator: OPERATOR, accountId: ann, symbol: undefined } as const
    expect(it.give(all)).toMatchObject({ canceled: 1, left: 0 })
    it.credit(ann, 'BTC', BTC)
    it.mustAddUp()
  })

  test('orders end at their time, and countdowns are set and take effect', () => {
    const { time } = it.exchange
    const ending = { side: 'BUY', price: 10_000, quantity: 1_000_000, timeInForce: 'GTD' } as const
    const gtd = it.accepted({ who: bob, ...ending, expireTime: time + 100 })
    const other = it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 1_000_000 })
    enter('CLOSED')
    const countdown = {
      kind: 'SetCountdown',
      accountId: ann,
      symbolId: undefined,
      keepsStops: false,
    } as const
    expect(give({ ...countdown, countdownMs: 50 })).toBe('CountdownSet')
    it.give({ kind: 'MarkTime' }, 200)
    it.carryOut()
    expect([gtd, other].map(({ orderNumber }) => it.exchange.isOpen(orderNumber))).toEqual([false, false])
    it.mustAddUp()
  })
})

describe('orders that wait for their trigger', () => {
  test('stay due while the exchange does not trade, and are carried out in their order when it trades again', () => {
    const stop = { who: bob, side: 'SELL', type: 'STOP_LOSS', quantity: 1_000_000 } as const
    it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 5_000_000 })
    it.accepted({ who: bob, side: 'SELL', price: 10_000, quantity: 1_000_000 })
    const nearest = it.accepted({ ...stop, stopPrice: 9_999 })
    const next = it.accepted({ ...stop, stopPrice: 9_998 })
    it.accepted({ who: ann, side: 'BUY', price: 9_000, quantity: 5_000_000 })
    it.accepted({ who: bob, side: 'SELL', price: 9_000, quantity: 5_000_000 })
    const numbers: OrderNumber[] = [nearest.orderNumber, next.orderNumber]
    expect(it.dueOrders(10)).toEqual(numbers)
    enter('CLOSED')
    expect(it.dueOrders(10)).toEqual([])
    expect(give({ kind: 'TriggerOrder', orderNumber: nearest.orderNumber })).toBe('UNKNOWN_ORDER')
    enter('CANCEL_ONLY')
    expect(it.dueOrders(10)).toEqual([])
    it.cancel(bob, next)
    enter('TRADING')
    expect(it.dueOrders(10)).toEqual([nearest.orderNumber])
    expect(it.carryOut().map(({ status }) => status)).toEqual(['FILLED'])
    it.mustAddUp()
  })

  test('are not carried out from the moment of a planned phase on', () => {
    it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 5_000_000 })
    it.accepted({ who: bob, side: 'SELL', price: 10_000, quantity: 1_000_000 })
    const stop = it.accepted({
      who: bob,
      side: 'SELL',
      type: 'STOP_LOSS',
      stopPrice: 9_999,
      quantity: 1_000_000,
    })
    it.accepted({ who: ann, side: 'BUY', price: 9_000, quantity: 5_000_000 })
    plan(['CANCEL_ONLY', 100])
    it.accepted({ who: bob, side: 'SELL', price: 9_000, quantity: 5_000_000 })
    const { time } = it.exchange
    expect(it.dueOrders(10)).toEqual([stop.orderNumber])
    expect(it.exchange.due(10, timeMs(time + 200))).toEqual([{ kind: 'EnterPhase' }])
    it.give({ kind: 'MarkTime' }, 200)
    expect(give({ kind: 'TriggerOrder', orderNumber: stop.orderNumber })).toBe('UNKNOWN_ORDER')
  })
})

describe('a planned phase', () => {
  test('is in force from its moment on, and announced once by the engine', () => {
    expect(plan(['CANCEL_ONLY', 100], ['CLOSED', 200], ['CANCEL_ONLY', 300], ['TRADING', 400])).toBe('Done')
    const start = it.exchange.time - 1
    expect(it.exchange.dueAt).toBe(timeMs(start + 100))
    expect(give(buy())).toBe('OrderAccepted')
    // Before the phase was announced.
    expect(give(buy(), 98)).toBe('EXCHANGE_CANCEL_ONLY')
    expect(it.exchange.due(10)).toEqual([{ kind: 'EnterPhase' }])
    expect(give({ kind: 'EnterPhase' })).toBe('Done')
    const current = { phase: 'CANCEL_ONLY', at: timeMs(start + 100), actor: 'eve', note: 'upgrade' }
    expect(it.events).toMatchObject([{ kind: 'PhasesChanged', phases: { current, planned: { length: 3 } } }])
    mustBeKept()
    expect(give({ kind: 'EnterPhase' })).toBe('INVALID_COMMAND')
    // Two phases that have begun since then are announced at once.
    expect(give({ kind: 'EnterPhase' }, 250)).toBe('Done')
    expect(it.exchange.bootstrap().phases).toMatchObject({
      current: { phase: 'CANCEL_ONLY' },
      planned: [{ phase: 'TRADING' }],
    })
    expect(give(buy(), 100)).toBe('OrderAccepted')
    it.carryOut()
    expect(it.exchange.dueAt).toBeUndefined()
    mustBeKept()
  })

  test('replaces the earlier plan, and is dropped by a manual change of the phase', () => {
    plan(['CANCEL_ONLY', 1_000], ['CLOSED', 2_000])
    plan(['CLOSED', 3_000])
    expect(it.exchange.bootstrap().phases?.planned).toMatchObject([{ phase: 'CLOSED' }])
    expect(enter('CANCEL_ONLY')).toBe('Done')
    expect(it.exchange.bootstrap().phases?.planned).toEqual([])
    plan(['TRADING', 1_000])
    expect(plan()).toBe('Done')
    expect(it.exchange.dueAt).toBeUndefined()
  })

  test('lies ahead, at most 366 days, after the one before; four are planned at most', () => {
    expect(plan(['CANCEL_ONLY', 1])).toBe('PHASE_TIME_OUT_OF_RANGE')
    expect(plan(['CANCEL_ONLY', 2])).toBe('Done')
    expect(plan(['CANCEL_ONLY', PHASE_AHEAD_MAX_MS + 2])).toBe('PHASE_TIME_OUT_OF_RANGE')
    expect(plan(['CANCEL_ONLY', PHASE_AHEAD_MAX_MS + 1])).toBe('Done')
    expect(plan(['CANCEL_ONLY', 50], ['CLOSED', 50])).toBe('PHASE_TIME_OUT_OF_RANGE')
    const five = [10, 20, 30, 40, 50].map((inMs) => ['CANCEL_ONLY', inMs] as const)
    expect(plan(...five)).toBe('INVALID_COMMAND')
    expect(plan(...five.slice(1))).toBe('Done')
  })

  test('that is quarantined is still in force, and not retried', () => {
    plan(['CLOSED', 10])
    it.exchange.refuse(timeMs(it.exchange.time + 50), { kind: 'EnterPhase' })
    expect(it.exchange.due(10)).toEqual([])
    expect(give(buy())).toBe('EXCHANGE_CLOSED')
  })
})

describe('the sequence of phases', () => {
  test('lets traders cancel before a closed exchange trades again, by hand or planned', () => {
    enter('CLOSED')
    expect(enter('TRADING')).toBe('PHASE_SEQUENCE')
    expect(plan(['TRADING', 100])).toBe('PHASE_SEQUENCE')
    expect(plan(['CANCEL_ONLY', 100], ['TRADING', 200])).toBe('Done')
    expect(enter('CANCEL_ONLY')).toBe('Done')
    expect(enter('TRADING')).toBe('Done')
    expect(plan(['CLOSED', 100], ['TRADING', 200])).toBe('PHASE_SEQUENCE')
  })

  test('counts a planned phase that has begun and is not announced', () => {
    plan(['CLOSED', 10])
    expect(enter('TRADING', 50)).toBe('PHASE_SEQUENCE')
    expect(enter('CANCEL_ONLY')).toBe('Done')
    expect(it.events).toMatchObject([{ phases: { current: { phase: 'CANCEL_ONLY' }, planned: [] } }])
  })
})

describe('the phase of the exchange', () => {
  test('that is set again stays as it was', () => {
    enter('CANCEL_ONLY')
    const since = it.exchange.bootstrap().phases?.current.at
    enter('CANCEL_ONLY', 500)
    expect(it.exchange.bootstrap().phases?.current.at).toBe(since)
  })

  test('leaves the state unchanged to the byte while it was never set', () => {
    const before = it.exchange.encodeSnapshot().length
    expect(it.exchange.bootstrap().phases).toBeUndefined()
    plan(['CLOSED', 1_000])
    expect(it.exchange.encodeSnapshot().length).toBeGreaterThan(before)
    mustBeKept()
    const restored = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
    plan()
    restored.apply({ kind: 'PlanPhases', operator: OPERATOR, steps: [] }, it.exchange.time, () => {})
    expect(restored.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
    expect(it.exchange.encodeSnapshot().length).toBe(before)
  })
})
