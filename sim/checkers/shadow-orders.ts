/**
 * Commands on orders as the second bookkeeper expects them: what is placed, cancelled and triggered, and what may be refused.
 */
import {
  type CancelClientOrder,
  type CancelOrder,
  isStop,
  type PlaceOrder,
  type PlaceStop,
  type TriggerOrder,
} from '../../src/core/exchange/commands/orders.ts'
import { Arrival } from './shadow-arrival.ts'
import { assetHeld, checkPlaced } from './shadow-book.ts'
import { newOrder } from './shadow-new-order.ts'
import { placeRefusals } from './shadow-refusals.ts'
import { checkRepeat, rememberOrder } from './shadow-repeats.ts'
import { type Applied, demand, neededFor, type ShadowState, type ShadowStop } from './shadow-state.ts'
import { causeOfEnd, checkEnd } from './shadow-timers.ts'
import { askedOf, carriesOut, takeTurn } from './shadow-triggers.ts'

export function checkCancel(state: ShadowState, { reply, events }: Applied, command: CancelOrder): void {
  const order = state.orders.get(command.orderNumber)
  const isOpen = order?.account === command.accountId && order.time === command.orderTime
  if (reply.kind === 'Refused') {
    demand(!isOpen && reply.reason === 'UNKNOWN_ORDER', () => `order ${command.orderNumber} is open`)
    return
  }
  demand(isOpen && order !== undefined, () => `order ${command.orderNumber} is not open, and was cancelled`)
  checkEnd(state, order, events, causeOfEnd(state, order) ?? 'USER')
}

export function checkCancelByClientOrderId(
  state: ShadowState,
  applied: Applied,
  { accountId, clientOrderId }: CancelClientOrder,
): void {
  const known = state.ids.find({ accountId, clientOrderId })
  const { orderNumber, time: orderTime } = known?.answer ?? { orderNumber: 0 as never, time: 0 as never }
  checkCancel(state, applied, { kind: 'CancelOrder', accountId, orderNumber, orderTime })
}

export function checkPlace(state: ShadowState, applied: Applied, command: PlaceOrder): void {
  const { reply, events } = applied
  if (checkRepeat(state, applied, command)) return
  const justified = placeRefusals(state, command)
  if (reply.kind === 'Refused') {
    demand(
      justified.before.has(reply.reason) || justified.whileMatching.has(reply.reason),
      () => `PlaceOrder is not to be refused with ${reply.reason}`,
    )
    return
  }
  const { before } = justified
  demand(before.size === 0, () => `PlaceOrder is to be refused: ${[...before].join(', ')}`)
  demand(reply.kind === 'OrderAccepted', () => `PlaceOrder is answered by OrderAccepted, found ${reply.kind}`)
  if (isStop(command)) {
    checkWaits(state, applied, command)
    rememberOrder(state, command, reply)
    return
  }
  const arrival = new Arrival(state, applied, command, newOrder(state, applied.time, command), true)
  for (const event of events) arrival.take(event)
  arrival.finish(reply)
  rememberOrder(state, command, reply)
}

/** An order with a stop price waits: it is placed, holds what it may need, and nothing else happens. */
export function checkWaits(state: ShadowState, { time, events, reply }: Applied, command: PlaceStop): void {
  const order = newOrder(state, time, command)
  const [placed, ...more] = events
  demand(
    placed?.kind === 'OrderPlaced' && more.length === 0,
    'an order that waits is placed, and causes nothing else',
  )
  demand(
    placed.orderNumber === order.number && placed.time === time,
    () => `order numbers count up: ${order.number}`,
  )
  checkPlaced(command, order, command.selfTradeMode ?? order.symbol.selfTradeMode, placed)
  const isNew = reply.kind === 'OrderAccepted' && reply.status === 'NEW' && reply.orderNumber === order.number
  demand(isNew && reply.executedQuantity === 0, () => `order ${order.number} waits, and is NEW`)
  state.lastOrder = order.number
  order.hold = neededFor(order)
  state.moveUnits(assetHeld(order), [order.account, 'free'], [order.account, 'locked'], order.hold)
  state.orders.set(order.number, order)
  state.waiting.push(order)
}

/** The engine carries out what is due by itself: in its order, where the symbol trades, and nothing else. */
export function checkTrigger(state: ShadowState, applied: Applied, command: TriggerOrder): void {
  const { reply, events, time } = applied
  const order = takeTurn(state, command)
  demand(
    carriesOut(state, order.symbol.id),
    () => `order ${order.number} is carried out while nothing trades`,
  )
  demand(
    reply.kind === 'OrderAccepted',
    () => `order ${order.number} is due, and was not carried out: ${reply.kind}`,
  )
  const ended = causeOfEnd(state, order)
  if (ended !== undefined) {
    checkEnd(state, order, events, ended)
    demand(reply.status === 'CANCELED', () => `order ${order.number} has ended, found ${reply.status}`)
    return
  }
  const asked = askedOf(order)
  state.due.splice(state.due.indexOf(order), 1)
  state.moveUnits(assetHeld(order), [order.account, 'locked'], [order.account, 'free'], order.hold)
  order.hold = 0n
  order.stop = { ...(order.stop as ShadowStop), total: undefined, triggeredAt: time }
  order.updatedAt = time
  const { before, whileMatching } = placeRefusals(state, asked)
  before.delete('TOO_MANY_OPEN_ORDERS')
  const [first] = events
  if (first?.kind === 'OrderCanceled' && first.cause === 'TRIGGER_REFUSED') {
    const reason = first.reason ?? 'none'
    demand(
      before.has(reason) || whileMatching.has(reason),
      () => `order ${order.number} is not to end for ${reason}`,
    )
    const isWhole =
      events.length === 1 && first.orderNumber === order.number && first.quantity === order.remaining
    demand(isWhole && reply.status === 'CANCELED', () => `order ${order.number} ends, and gives up all`)
    state.orders.delete(order.number)
    state.ids.end(order.number, time)
    return
  }
  demand(before.size === 0, () => `order ${order.number} is to end: ${[...before].join(', ')}`)
  state.orders.delete(order.number)
  if (asked.quantity === undefined) order.remaining = Number.MAX_SAFE_INTEGER
  const arrival = new Arrival(state, applied, asked, order, false)
  for (const event of events) arrival.take(event)
  arrival.finish(reply)
  if (!state.orders.has(order.number)) state.ids.end(order.number, time)
}
