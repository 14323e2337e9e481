/**
 * Commands on orders as the second bookkeeper expects them: placing, canceling, triggering, and possible
 * refusals.
 */
import {
  type CancelAnyOrder,
  type CancelClientOrder,
  type CancelOrder,
  isStop,
  type PlaceOrder,
  type PlaceStop,
  type TriggerOrder,
} from '../../src/core/commands/orders.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { Arrival, checkAnswer } from './shadow-arrival.ts'
import { assetHeld, checkLevels, checkPlaced, hold, levelOf } from './shadow-book.ts'
import { checkEnd, endAlone } from './shadow-ends.ts'
import { close, partnerOf } from './shadow-lists.ts'
import { newOrder } from './shadow-new-order.ts'
import { placeRefusals } from './shadow-refusals.ts'
import { checkRepeat, rememberOrder } from './shadow-repeats.ts'
import { type Applied, demand, type ShadowOrder, type ShadowState, type ShadowStop } from './shadow-state.ts'
import { causeOfEnd } from './shadow-timers.ts'
import { askedOf, carriesOut, isPassedOver, takeTurn } from './shadow-triggers.ts'

export function checkCancel(state: ShadowState, { reply, events }: Applied, command: CancelOrder): void {
  const order = state.orders.get(command.orderNumber)
  const { symbolId } = command
  const isOfSymbol = symbolId === undefined || order?.symbol.id === symbolId
  const isOpen = isOfSymbol && order?.account === command.accountId && order.time === command.orderTime
  if (reply.kind === 'Refused') {
    demand(!isOpen && reply.reason === 'UNKNOWN_ORDER', () => `order ${command.orderNumber} is open`)
    return
  }
  demand(isOpen && order !== undefined, () => `order ${command.orderNumber} is not open, and was canceled`)
  checkEnd(state, order, events, causeOfEnd(state, order) ?? 'USER')
}

/** An operator's cancel of any account's order. */
export function checkCancelAny(
  state: ShadowState,
  { reply, events }: Applied,
  command: CancelAnyOrder,
): void {
  const order = state.orders.get(command.orderNumber)
  const isOpen = order?.time === command.orderTime
  if (reply.kind === 'Refused') {
    demand(!isOpen && reply.reason === 'UNKNOWN_ORDER', () => `order ${command.orderNumber} is open`)
    return
  }
  demand(isOpen && order !== undefined, () => `order ${command.orderNumber} is not open, and was canceled`)
  checkEnd(state, order, events, 'OPERATOR')
}

export function checkCancelByClientOrderId(
  state: ShadowState,
  applied: Applied,
  { accountId, clientOrderId, symbolId }: CancelClientOrder,
): void {
  const known = state.ids.find({ accountId, clientOrderId })
  const orderNumber = (known?.number ?? 0) as OrderNumber
  const orderTime = (known?.time ?? 0) as TimeMs
  checkCancel(state, applied, { kind: 'CancelOrder', accountId, orderNumber, orderTime, symbolId })
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
  const arrival = new Arrival(state, applied, command, newOrder(state, applied.time, command), 'OrderPlaced')
  for (const event of events) arrival.take(event)
  checkAnswer(reply, arrival.taker, arrival.finish())
  rememberOrder(state, command, reply)
}

/**
 * Checks that an order with a stop price waits: it is placed, its possible cost is locked, and nothing else
 * happens.
 */
export function checkWaits(state: ShadowState, { time, events, reply }: Applied, command: PlaceStop): void {
  const order = newOrder(state, time, command)
  checkOpened(state, order, command, events)
  const isNew = reply.kind === 'OrderAccepted' && reply.status === 'NEW' && reply.orderNumber === order.number
  demand(isNew && reply.executedQuantity === 0, () => `order ${order.number} waits, and is NEW`)
  state.waiting.push(order)
  hold(state, order)
}

/** An order that is not matched now is open from now on and causes nothing else. Its hold is not checked. */
export function checkOpened(
  state: ShadowState,
  order: ShadowOrder,
  command: PlaceOrder,
  [placed, ...more]: Applied['events'],
): void {
  demand(
    placed?.kind === 'OrderPlaced' && more.length === 0,
    'an order that waits is placed, and causes nothing else',
  )
  demand(
    placed.orderNumber === order.number && placed.accountId === order.account && placed.time === order.time,
    () => `order numbers count up: ${order.number}, found ${placed.orderNumber}`,
  )
  checkPlaced(command, order, command.selfTradeMode ?? order.symbol.selfTradeMode, placed)
  state.lastOrder = order.number
  state.orders.set(order.number, order)
}

/**
 * Checks that the engine carries out what is due by itself: in order, if the symbol trades, and nothing else.
 */
export function checkTrigger(state: ShadowState, applied: Applied, command: TriggerOrder): void {
  const { reply, events, time } = applied
  if (reply.kind === 'Refused') {
    demand(
      isPassedOver(state, command) && reply.reason === 'UNKNOWN_ORDER',
      () => `order ${command.orderNumber} is not to be refused with ${reply.reason}`,
    )
    return
  }
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
  const arrival = new Arrival(state, applied, asked, order, 'OrderTriggered')
  const caused = [...events]
  const partner = partnerOf(state, order)
  const leftLevels = partner === undefined ? new Set<string>() : levelOf(state, partner)
  if (partner !== undefined) {
    if (leftLevels.size > 0) arrival.touch(partner)
    endAlone(state, partner, 'LIST', caused.shift())
  }
  state.due.splice(state.due.indexOf(order), 1)
  state.moveUnits(assetHeld(order), [order.account, 'locked'], [order.account, 'free'], order.hold)
  order.hold = 0n
  order.stop = { ...(order.stop as ShadowStop), total: undefined, triggeredAt: time }
  order.updatedAt = time
  const { before, whileMatching } = placeRefusals(state, asked)
  // The order has the figures with which it was placed.
  for (const reason of ['TOO_MANY_OPEN_ORDERS', 'PRICE_NOT_ON_TICK', 'QUANTITY_NOT_ON_STEP'])
    before.delete(reason)
  const [first] = caused
  if (first?.kind === 'OrderCanceled' && first.cause === 'TRIGGER_REFUSED') {
    const reason = first.reason ?? 'none'
    demand(
      before.has(reason) || whileMatching.has(reason),
      () => `order ${order.number} is not to end for ${reason}`,
    )
    demand(reply.status === 'CANCELED', () => `order ${order.number} ends, and gives up all`)
    endAlone(state, order, 'TRIGGER_REFUSED', caused.shift())
    checkLevels(state, order.symbol, caused, leftLevels)
    return
  }
  demand(before.size === 0, () => `order ${order.number} is to end: ${[...before].join(', ')}`)
  state.orders.delete(order.number)
  if (asked.quantity === undefined) order.remaining = Number.MAX_SAFE_INTEGER
  for (const event of caused) arrival.take(event)
  checkAnswer(reply, order, arrival.finish())
  if (!state.orders.has(order.number)) close(state, order)
}
