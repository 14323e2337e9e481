import { describe, expect, test } from 'bun:test'
import { BytesFault } from '../../../units/bytes.ts'
import type { SessionNumber } from '../../../units/ids.ts'
import { MATCH_STEPS_MAX, SESSION_GRACE_MAX_MS } from '../../../units/limits.ts'
import { timeMs } from '../../../units/quantities.ts'
import { Exchange } from '../../exchange/exchange.ts'
import { orderOf } from '../../exchange/exchange-harness.fixture.ts'
import { ExchangeState } from '../../exchange/state.ts'
import { FastBook } from '../../market/fast-book.ts'
import { REGISTRY_LIMITS } from '../../registry/registry.ts'
import { CLIENT_ORDER_ID_LIMITS } from '../client-order-ids.ts'
import { listOf } from '../lists/lists.fixture.ts'
import { LOT, OPTIONS, RICH, SessionHarness } from './sessions.fixture.ts'
import { SESSION_LIMITS } from './sessions.ts'

const STATE_OPTIONS = {
  createBook: () => new FastBook(),
  matchStepsMax: MATCH_STEPS_MAX,
  clientOrderIdLimits: CLIENT_ORDER_ID_LIMITS,
  massCancelSteps: { first: 2, next: 2 },
  sessionLimits: SESSION_LIMITS,
  registryLimits: REGISTRY_LIMITS,
}

const UNKNOWN = { kind: 'Refused', reason: 'UNKNOWN_SESSION' } as const

describe('a session whose connection ends', () => {
  test('keeps its orders for its grace, then ends them and no others, several per command, the oldest first', () => {
    const s = new SessionHarness()
    const kept = [s.placed(undefined)]
    const session = s.opened(100)
    const other = s.opened(100)
    const placed = [10_002, 10_003, 10_004].map((price) => s.placed(session, { price }))
    kept.push(s.placed(other, { price: 10_005 }))
    expect(s.disconnect(session)).toEqual({ kind: 'Done', repeated: false })
    expect(s.exchange.dueAt).toBe(timeMs(s.exchange.time + 100))
    s.pass(98)
    expect([s.exchange.due(9), s.openOf()]).toMatchObject([[], { length: 5 }])
    s.pass(2)
    expect(s.exchange.due(9)).toEqual([{ kind: 'EndSession', sessionNumber: session.sessionNumber }])
    s.it.give(s.exchange.due(1)[0]!)
    expect([s.causes, s.openOf()]).toEqual([
      ['DISCONNECT', 'DISCONNECT'],
      [kept[0]!, placed[2]!, kept[1]!],
    ])
    expect([s.carryOut(), s.openOf(), s.exchange.dueAt]).toEqual([[['DISCONNECT']], kept, undefined])
    s.it.mustAddUp()
  })

  test('ends at once without a grace, and is forgotten when it has no order left', () => {
    const s = new SessionHarness()
    const session = s.opened(0)
    s.placed(session)
    s.disconnect(session)
    expect([s.carryOut(), s.openOf(), s.exchange.hasSessions]).toEqual([[['DISCONNECT']], [], false])
    expect(s.open(0, { sessionNumber: session.sessionNumber, sessionTime: session.time })).toEqual(UNKNOWN)
    expect(s.it.money(s.ann, 0)).toEqual({ free: RICH, locked: 0n })
  })

  test('has orders that do not trade from the end of its grace on, however far the engine has come', () => {
    const s = new SessionHarness()
    const session = s.opened(50)
    for (const price of [10_001, 10_002]) s.placed(session, { price })
    const kept = s.placed(undefined, { price: 10_003 })
    s.disconnect(session)
    s.pass(50)
    const fok = { who: s.ben, side: 'BUY', price: 10_003, quantity: 2 * LOT, timeInForce: 'FOK' } as const
    expect(s.it.order(fok)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    const taker = s.it.accepted({ ...fok, quantity: LOT })
    expect([taker.status, s.causes]).toEqual(['FILLED', ['DISCONNECT', 'DISCONNECT']])
    const matched = s.it.events.find((event) => event.kind === 'OrdersMatched')
    expect(matched?.maker.orderNumber).toBe(kept as never)
    expect([s.carryOut(), s.openOf()]).toEqual([[[]], []])
    s.it.mustAddUp()
  })

  test('ends orders that wait for a trigger, and whole lists with their pending orders', () => {
    const s = new SessionHarness()
    const session = s.opened(0)
    s.placed(session, { type: 'STOP_LOSS', stopPrice: 9_000 })
    const legs = [
      { side: 'SELL', type: 'LIMIT', price: 10_001, quantity: LOT },
      { side: 'BUY', type: 'LIMIT', price: 9_000, quantity: LOT },
    ] as const
    const list = { ...listOf('OTO', legs, { who: s.ann }), sessionNumber: session.sessionNumber }
    expect(s.it.give(list)).toMatchObject({ kind: 'ListAccepted' })
    expect(s.openOf()).toHaveLength(3)
    s.disconnect(session)
    expect([s.carryOut(), s.openOf()]).toEqual([[['DISCONNECT', 'LIST', 'DISCONNECT']], []])
    s.it.mustAddUp()
  })

  test('accepts no more orders, and a repeat is still answered', () => {
    const s = new SessionHarness()
    const session = s.opened(100)
    s.placed(session, { clientOrderId: 'one' })
    s.disconnect(session)
    expect(s.order(session, { price: 10_002 })).toEqual(UNKNOWN)
    expect(s.order(session, { clientOrderId: 'one' })).toMatchObject({ kind: 'OrderRepeated' })
    expect(s.order(undefined, { clientOrderId: 'one' })).toMatchObject({ kind: 'OrderRepeated' })
  })

  test('is due beside whatever else ends for its account, which is left for later', () => {
    const s = new SessionHarness()
    const session = s.opened(0)
    const expireTime = s.exchange.time + 10
    s.placed(session, { timeInForce: 'GTD', expireTime })
    s.placed(undefined, { timeInForce: 'GTD', expireTime })
    s.disconnect(session)
    s.pass(20)
    expect(s.exchange.due(9).map(({ kind }) => kind)).toEqual(['EndSession'])
    expect(s.carryOut()).toEqual([['EXPIRED'], ['EXPIRED']])
  })
})

describe('a session that is resumed', () => {
  test('before its grace is over keeps its orders, with the grace that is requested then', () => {
    const s = new SessionHarness()
    const session = s.opened(50)
    const order = s.placed(session)
    s.disconnect(session)
    s.pass(40)
    const name = { sessionNumber: session.sessionNumber, sessionTime: session.time }
    const again = s.opened(7, name)
    expect(again).toEqual({ ...session, attachment: 2 })
    s.pass(100)
    expect([s.exchange.due(9), s.openOf()]).toEqual([[], [order]])
    s.placed(again, { price: 10_002 })
    s.disconnect(again)
    s.pass(7)
    expect([s.carryOut(), s.openOf()]).toEqual([[['DISCONNECT', 'DISCONNECT']], []])
  })

  test('while it has a connection belongs to the later one, and the end of the former has no effect', () => {
    const s = new SessionHarness()
    const session = s.opened(0)
    const order = s.placed(session)
    const name = { sessionNumber: session.sessionNumber, sessionTime: session.time }
    const again = s.opened(0, name)
    expect([s.disconnect(session), s.exchange.due(9), s.openOf()]).toEqual([UNKNOWN, [], [order]])
    s.disconnect(again)
    expect(s.carryOut()).toEqual([['DISCONNECT']])
  })

  test('is resumed by its own key alone, under its own time, and not after its grace', () => {
    const s = new SessionHarness()
    const session = s.opened(50)
    const name = { sessionNumber: session.sessionNumber, sessionTime: session.time }
    expect(s.open(0, name, 'ann-2')).toEqual(UNKNOWN)
    expect(s.open(0, name, 'ben-1', s.ben)).toEqual(UNKNOWN)
    expect(s.open(0, { ...name, sessionTime: timeMs(name.sessionTime + 1) })).toEqual(UNKNOWN)
    expect(s.open(0, { ...name, sessionNumber: 99 as SessionNumber })).toEqual(UNKNOWN)
    s.placed(session)
    s.disconnect(session)
    s.pass(49)
    expect(s.open(0, name)).toEqual(UNKNOWN)
    expect(s.openOf()).toHaveLength(1)
  })
})

describe('the restart of the service', () => {
  test('gives every session its grace again, also one that was waiting when the service went down', () => {
    const s = new SessionHarness()
    const connected = s.opened(30)
    const waiting = s.opened(40)
    const orders = [s.placed(connected), s.placed(waiting, { price: 10_002 })]
    s.disconnect(waiting)
    expect(s.exchange.hasSessions).toBe(true)
    s.it.give({ kind: 'DisconnectSessions' }, 1_000_000)
    expect([s.exchange.due(9), s.openOf()]).toEqual([[], orders])
    s.pass(30)
    expect([s.carryOut(), s.openOf()]).toEqual([[['DISCONNECT']], [orders[1]!]])
    s.pass(10)
    expect([s.carryOut(), s.openOf(), s.exchange.hasSessions]).toEqual([[['DISCONNECT']], [], false])
  })

  test('does not restore a grace that was over before', () => {
    const s = new SessionHarness()
    const session = s.opened(30)
    s.placed(session)
    s.disconnect(session)
    s.pass(30)
    expect(s.exchange.hasSessions).toBe(false)
    s.it.give({ kind: 'DisconnectSessions' })
    expect(s.carryOut()).toEqual([['DISCONNECT']])
  })
})

describe('an order', () => {
  test('belongs to the session over which it was placed, whoever amends it; a replacement to its own session', () => {
    const s = new SessionHarness()
    const [first, second] = [s.opened(0), s.opened(0)]
    const replaced = s.it.accepted({ who: s.ann, side: 'SELL', price: 10_001, quantity: LOT })
    const order = { ...orderOf({ who: s.ann, side: 'SELL', price: 10_002, quantity: LOT }) }
    const { orderNumber, time: orderTime } = replaced
    const reply = s.it.give({
      kind: 'ReplaceOrder',
      target: { orderNumber, orderTime },
      mode: 'STOP_ON_FAILURE',
      restriction: undefined,
      order: { ...order, sessionNumber: second.sessionNumber },
    })
    expect(reply).toMatchObject({ kind: 'OrderReplaced', placed: { kind: 'OrderAccepted' } })
    const kept = s.placed(first, { price: 10_003 })
    s.disconnect(second)
    expect([s.carryOut(), s.openOf()]).toEqual([[['DISCONNECT']], [kept]])
  })

  test('in the session of another account is refused, alone, in a list and in place of another', () => {
    const s = new SessionHarness()
    const { sessionNumber } = s.opened(0, undefined, 'ben-1', s.ben)
    const order = orderOf({ who: s.ann, side: 'SELL', price: 10_002, quantity: LOT })
    const legs = [
      { side: 'SELL', type: 'LIMIT', price: 10_001, quantity: LOT },
      { side: 'BUY', type: 'LIMIT', price: 9_000, quantity: LOT },
    ] as const
    const old = s.placed(undefined)
    const [{ time: orderTime, orderNumber } = { time: timeMs(0), orderNumber: 0 as never }] =
      s.exchange.openOrders(s.ann, undefined)
    const replacing = { kind: 'ReplaceOrder', mode: 'ALLOW_FAILURE', restriction: undefined } as const
    const replies = [
      s.it.give({ ...order, sessionNumber }),
      s.it.give({ ...listOf('OTO', legs, { who: s.ann }), sessionNumber }),
      s.it.give({ ...replacing, target: { orderNumber, orderTime }, order: { ...order, sessionNumber } }),
    ]
    expect([...replies, s.openOf()]).toEqual([UNKNOWN, UNKNOWN, UNKNOWN, [old]])
  })
})

describe('sessions', () => {
  test('are bounded in grace, and in number for an account and in total; ended ones make room', () => {
    const s = new SessionHarness({ sessionLimits: { perAccount: 2, inAll: 3 } })
    for (const graceMs of [SESSION_GRACE_MAX_MS + 1, -1, 0.5]) {
      expect(s.open(graceMs)).toEqual({ kind: 'Refused', reason: 'INVALID_COMMAND' })
    }
    const first = s.opened(0)
    s.opened(SESSION_GRACE_MAX_MS)
    const tooMany = { kind: 'Refused', reason: 'TOO_MANY_SESSIONS' } as const
    expect(s.open(0)).toEqual(tooMany)
    s.opened(0, undefined, 'ben-1', s.ben)
    expect(s.open(0, undefined, 'ben-1', s.ben)).toEqual(tooMany)
    s.disconnect(first)
    s.carryOut()
    expect(s.open(0)).toMatchObject({ kind: 'SessionOpened', attachment: 1 })
  })

  test('are opened by a key of their account', () => {
    const s = new SessionHarness()
    expect(s.open(0, undefined, 'ben-1')).toEqual({ kind: 'Refused', reason: 'UNKNOWN_API_KEY' })
    expect(s.open(0, undefined, 'ann-1', 0 as never)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ACCOUNT' })
  })

  test('whose end is quarantined are set aside until their last order is gone, and trade no more', () => {
    const s = new SessionHarness()
    const session = s.opened(0)
    const [first, second] = [s.placed(session), s.placed(session, { price: 10_002 })]
    s.disconnect(session)
    s.refuseDue()
    expect([s.exchange.due(9), s.exchange.dueAt, s.openOf()]).toEqual([[], undefined, [first, second]])
    const read = Exchange.decodeSnapshot(s.exchange.encodeSnapshot(), OPTIONS)
    expect([read.encodeSnapshot(), read.due(9)]).toEqual([s.exchange.encodeSnapshot(), []])
    const fok = { who: s.ben, side: 'BUY', price: 10_001, quantity: LOT, timeInForce: 'FOK' } as const
    expect(s.it.order(fok)).toMatchObject({ reason: 'FOK_NOT_FILLABLE' })
    for (const { orderNumber, time: orderTime } of s.exchange.openOrders(s.ann, undefined)) {
      s.it.give({ kind: 'CancelOrder', accountId: s.ann, orderNumber, orderTime })
      expect(s.causes).toEqual(['DISCONNECT'])
    }
    expect(s.exchange.encodeSnapshot().length).toBeLessThan(read.encodeSnapshot().length)
    s.it.mustAddUp()
  })

  test('whose grace after a restart is quarantined are over and set aside, and it is not retried', () => {
    const s = new SessionHarness()
    const order = s.placed(s.opened(1_000))
    s.opened(1_000)
    s.exchange.refuse(timeMs(s.exchange.time + 1), { kind: 'DisconnectSessions' })
    expect([s.exchange.hasSessions, s.exchange.due(9), s.openOf()]).toEqual([false, [], [order]])
  })
})

test('a snapshot whose session has the number of an order or of a list is refused', () => {
  const numbers = (s: SessionHarness): number[] => {
    const order = s.placed(undefined)
    const legs = [
      { side: 'BUY', type: 'LIMIT', price: 9_999, quantity: LOT },
      { side: 'SELL', type: 'LIMIT', price: 10_002, quantity: LOT },
    ] as const
    const list = s.it.give(listOf('OTO', legs, { who: s.ann }))
    return [order, list.kind === 'ListAccepted' ? list.listNumber : 0]
  }
  for (const which of [0, 1, undefined]) {
    const state = ExchangeState.empty(STATE_OPTIONS)
    const s = new SessionHarness({ state })
    const session = state.sessions.get(s.opened(0).sessionNumber)!
    state.sessions.remove(session.number)
    const number = which === undefined ? session.number : numbers(s)[which]!
    state.sessions.put({ ...session, number: number as SessionNumber })
    const read = () => Exchange.decodeSnapshot(s.exchange.encodeSnapshot())
    if (which === undefined) expect(read()).toBeInstanceOf(Exchange)
    else expect(read).toThrow(BytesFault)
  }
})
