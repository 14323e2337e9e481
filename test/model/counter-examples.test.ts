/**
 * Shrunk runs on which the core and the reference exchange once disagreed. Each is kept for the rule that
 * decided it.
 */

import { expect, test } from 'bun:test'
import type { Command } from '../../src/core/commands/command.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { timeMs } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { disagreementOf } from './agreement.ts'
import { OPERATOR } from './random-world.ts'
import { STEPS_MOST } from './reference-state.ts'
import { Comparison, MODEL_START_MS } from './run.ts'
import { marketSteps, type OrderWords, orderOf, orderStep, step, TRADER } from './scenario.ts'
import type { Step } from './step.ts'

const COIN = 1

const ann = { accountId: TRADER.ann } as const

/** Checks that both exchanges agree on all effects of these orders; returns the events of the last order. */
function eventsAfter(terms: Parameters<typeof marketSteps>[0], ...orders: OrderWords[]): string[] {
  const steps: Step[] = [...marketSteps(terms), ...orders.map(orderStep)]
  expect(disagreementOf(steps)).toBeUndefined()
  const comparison = new Comparison()
  const outcomes = steps.map((step) => comparison.take(step))
  const last = outcomes.at(-1)
  if (last?.reply?.kind === 'Refused') return [last.reply.reason]
  return (last?.events ?? []).map((event) =>
    event.kind === 'OrderCanceled' ? `${event.kind} ${event.quantity} ${event.cause}` : event.kind,
  )
}

test('an arriving order that self-trade prevention lowers to nothing ends with OrderCanceled', () => {
  const resting = { ...ann, side: 'SELL', price: 98, quantity: 500 } as const
  const arriving = { ...ann, side: 'BUY', price: 99, quantity: 76 } as const
  expect(eventsAfter({ selfTradeMode: 'DECREMENT' }, resting, arriving)).toEqual([
    'OrderPlaced',
    'OrderDecremented',
    'OrderDecremented',
    'OrderCanceled 0 SELF_TRADE',
    'LevelChanged',
  ])
})

test('a MARKET order lowered by self-trade prevention until its total reaches no further ends with OrderCanceled', () => {
  const other = { accountId: TRADER.ben, side: 'SELL', price: 100, quantity: 100 } as const
  const own = { ...ann, side: 'SELL', price: 100, quantity: 100 } as const
  const market = {
    ...ann,
    side: 'BUY',
    type: 'MARKET',
    timeInForce: 'IOC',
    total: 15n,
    quantity: 400,
  } as const
  expect(eventsAfter({ selfTradeMode: 'DECREMENT' }, other, own, market)).toEqual([
    'OrderPlaced',
    'OrdersMatched',
    'OrderDecremented',
    'OrderDecremented',
    'OrderCanceled 250 SELF_TRADE',
    'LevelChanged',
  ])
})

test('a total of 11 of which DECREMENT takes 1.5 buys for 9, and not for 9.5, which would be paid as 10', () => {
  const own = { ...ann, side: 'SELL', price: 3, quantity: 500 } as const
  const other = { accountId: TRADER.ben, side: 'SELL', price: 5, quantity: 10_000 } as const
  const market = { ...ann, side: 'BUY', type: 'MARKET', timeInForce: 'IOC', total: 11n } as const
  const steps = [...marketSteps({ selfTradeMode: 'DECREMENT' }), ...[own, other, market].map(orderStep)]
  expect(disagreementOf(steps)).toBeUndefined()
  const comparison = new Comparison()
  for (const each of steps) comparison.take(each)
  expect(10n ** 15n - bigintOf(comparison.core.balances(TRADER.ann)[COIN]?.free ?? 0)).toBe(9n)
})

test('an order whose total is beyond the largest amount is refused for its form', () => {
  const sell = { ...ann, side: 'SELL', type: 'MARKET', timeInForce: 'IOC', quantity: 5 } as const
  expect(eventsAfter({}, { ...sell, total: AMOUNT_MAX + 1n })).toEqual(['INVALID_COMMAND'])
  expect(eventsAfter({}, { ...sell, total: AMOUNT_MAX })).toEqual(['NO_LIQUIDITY'])
})

test('an order whose client reference is longer than an id may be is refused for its form', () => {
  const buy = { ...ann, side: 'BUY', price: 100, quantity: 100 } as const
  expect(eventsAfter({}, { ...buy, clientOrderId: 'c'.repeat(37) })).toEqual(['INVALID_COMMAND'])
  expect(eventsAfter({}, { ...buy, clientOrderId: 'c'.repeat(36) })).toEqual(['OrderPlaced', 'LevelChanged'])
})

test('a total that is left with less than one lot at one tick ends as FILLED', () => {
  const offer = { accountId: TRADER.ben, side: 'SELL', price: 100, quantity: 10 } as const
  const market = { ...ann, side: 'BUY', type: 'MARKET', timeInForce: 'IOC', total: 1n } as const
  expect(eventsAfter({}, offer, market)).toEqual(['OrderPlaced', 'OrdersMatched', 'LevelChanged'])
})

test('a pair is refused whole where more orders than one command meets stand before its LIMIT_MAKER, ended or not', () => {
  const expireTime = timeMs(MODEL_START_MS + 50)
  const ending = {
    ...orderOf({ accountId: TRADER.ben, side: 'SELL', price: 300, quantity: 100 }),
    timeInForce: 'GTD',
    expireTime,
  }
  const legs = [
    { side: 'BUY', type: 'STOP_LOSS', stopPrice: 400, quantity: 100, total: 9_000 },
    { side: 'BUY', type: 'LIMIT_MAKER', price: 300, quantity: 100 },
  ]
  const list = { kind: 'PlaceList', ...ann, symbolId: 0, list: 'OCO', legs }
  const endings = Array.from({ length: STEPS_MOST + 1 }, () => step(ending as PlaceOrder))
  const pair: Step = { kind: 'apply', command: list as unknown as Command, afterMs: 100 }
  const rules = step({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const steps = [rules, ...marketSteps(), ...endings, pair]
  expect(disagreementOf(steps)).toBeUndefined()
  const comparison = new Comparison()
  expect(steps.map((each) => comparison.take(each)).at(-1)?.reply).toEqual({
    kind: 'Refused',
    reason: 'LIMIT_MAKER_WOULD_TAKE',
  })
})

test('an order that ends between a test and its placement may change the answer, though its account ends others first', () => {
  const sell = { accountId: TRADER.ben, side: 'SELL', price: 300, quantity: 100 } as const
  const countdown = { kind: 'SetCountdown', accountId: TRADER.ben, symbolId: undefined, countdownMs: 1 }
  const ending = { ...orderOf(sell), timeInForce: 'GTD', expireTime: timeMs(MODEL_START_MS + 50) }
  const maker = orderOf({ ...ann, side: 'BUY', type: 'LIMIT_MAKER', price: 300, quantity: 100 })
  const steps = [
    step({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }),
    ...marketSteps(),
    orderStep({ ...sell, price: 310 }),
    step({ ...countdown, keepsStops: false } as Command),
    // Placed after the countdown ended: the order stays until its own time.
    step(ending as PlaceOrder),
    { kind: 'apply', command: maker, afterMs: 100 } as const,
  ]
  expect(disagreementOf(steps)).toBeUndefined()
})

test('special terms that end between a test and the placement of an order may change the answer', () => {
  const sell = { ...ann, side: 'SELL', price: 300, quantity: 100 } as const
  const openOrders = { max: 1, until: timeMs(MODEL_START_MS + 50) }
  const terms = { kind: 'SetSpecialTerms', operator: OPERATOR, accountId: TRADER.ann, openOrders }
  const steps = [
    step({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }),
    ...marketSteps(),
    step(terms as Command),
    orderStep(sell),
    { kind: 'apply', command: orderOf({ ...sell, price: 310 }), afterMs: 100 } as const,
  ]
  expect(disagreementOf(steps)).toBeUndefined()
  const comparison = new Comparison()
  const replies = steps.map((each) => comparison.take(each).reply)
  expect(replies.at(-1)).toMatchObject({ kind: 'OrderAccepted', status: 'NEW' })
  expect(replies.at(-3)).toMatchObject({ kind: 'Done' })
})

test('a FOK order is filled with the order of a pair that a countdown spares for its stop', () => {
  const legs = [
    { side: 'BUY', type: 'STOP_LOSS', stopPrice: 400, quantity: 100, total: 9_000 },
    { side: 'BUY', type: 'LIMIT_MAKER', price: 300, quantity: 100 },
  ]
  const pair = { kind: 'PlaceList', accountId: TRADER.ben, symbolId: 0, list: 'OCO', legs }
  const countdown = { kind: 'SetCountdown', accountId: TRADER.ben, symbolId: undefined, countdownMs: 1 }
  const taker = orderOf({ ...ann, side: 'SELL', type: 'LIMIT', timeInForce: 'FOK', price: 300, quantity: 40 })
  const steps = [
    step({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }),
    ...marketSteps(),
    step(pair as unknown as Command),
    step({ ...countdown, keepsStops: true } as Command),
    step(taker),
  ]
  expect(disagreementOf(steps)).toBeUndefined()
  const comparison = new Comparison()
  const last = steps.map((each) => comparison.take(each)).at(-1)
  expect(last?.reply).toMatchObject({ kind: 'OrderAccepted', status: 'FILLED' })
})

test('a replacement in the millisecond of its order, of as much at the same price, changes no level', () => {
  const sell = { ...ann, side: 'SELL', price: 300, quantity: 100 } as const
  const placed = [
    step({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }),
    ...marketSteps(),
    orderStep(sell),
  ]
  const comparison = new Comparison()
  const reply = placed.map((each) => comparison.take(each)).at(-1)?.reply
  if (reply?.kind !== 'OrderAccepted') throw new Error('the order was not placed')
  const target = { orderNumber: reply.orderNumber, orderTime: reply.time }
  const replacement = { kind: 'ReplaceOrder', target, mode: 'STOP_ON_FAILURE', order: orderOf(sell) }
  const { events } = comparison.take({ kind: 'apply', command: replacement as Command, afterMs: 0 })
  expect(events.map(({ kind }) => kind)).toEqual(['OrderCanceled', 'OrderPlaced'])
})
