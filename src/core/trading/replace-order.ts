/**
 * Canceling an order and placing another one as one command (docs/reference/order-changes.md#replace).
 * Everything that can be checked without the cancel is checked before it: afterwards only funds and the book
 * can refuse the new order.
 */
import type { CancelRestriction } from '../../units/order-enums.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { ReplaceOrder } from '../commands/order-changes.ts'
import { type EventSink, NO_EVENTS } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT } from '../market/order-book.ts'
import { type OrderAccepted, type OrderReplaced, type Refused, refused } from '../questions/reply.ts'
import { ordersOf } from './lists/order-lists.ts'
import type { Order } from './open-orders.ts'
import { lastingRefusalOf, momentaryRefusalOf } from './order-checks.ts'
import { emitLevel } from './order-events.ts'
import { rememberOrder, replacementRepeatOf } from './repeats.ts'
import { causeOfEnd } from './timers/ended.ts'
import { cancelOpenOrder, openOrderOf, takeOrder } from './trading.ts'

/** The steps of a cancel and a placement. A refusal has changed nothing. */
export function replaceOrder(
  state: ExchangeState,
  command: ReplaceOrder,
  emit: EventSink,
): OrderReplaced | Refused {
  const { order, mode } = command
  const market = state.market(order.symbolId)
  if (market === undefined) return refused('UNKNOWN_SYMBOL')
  const repeat = replacementRepeatOf(state, market, command)
  if (repeat !== undefined) return repeat
  const old = oldOrderOf(state, command)
  const cancelRefusal = old === undefined ? 'UNKNOWN_ORDER' : restrictionRefusal(old, command.restriction)
  const leaving = cancelRefusal === undefined ? old : undefined
  const lasting = lastingRefusalOf(order, market, state, leaving === undefined ? 0 : 1)
  if (lasting !== undefined) return refused(lasting)
  if (cancelRefusal !== undefined && mode === 'STOP_ON_FAILURE') return refused(cancelRefusal)
  const placed =
    leaving === undefined
      ? place(state, market, command, emit)
      : exchangeOrders(state, market, command, leaving, emit)
  if (placed.kind === 'Refused') {
    return cancelRefusal === undefined
      ? { kind: 'OrderReplaced', cancelRefusal, placed, repeated: false }
      : placed
  }
  rememberOrder(state, market, order, placed, {
    target: command.target,
    mode,
    restriction: command.restriction,
    cancelRefusal,
  })
  return { kind: 'OrderReplaced', cancelRefusal, placed, repeated: false }
}

/**
 * The order to cancel: open, in the symbol of the new order, and not already ended by a timer. Undefined if
 * there is none.
 */
function oldOrderOf(state: ExchangeState, { order, target }: ReplaceOrder): Order | undefined {
  const named = openOrderOf(state, order.accountId, target)
  const isOpen = named?.symbolId === order.symbolId && causeOfEnd(state, named) === undefined
  return isOpen ? named : undefined
}

/**
 * The reason why an order is not canceled, if the request allows this only before, or only after, a fill;
 * undefined if there is none.
 */
function restrictionRefusal(
  { executedQuantity }: Order,
  restriction: CancelRestriction | undefined,
): CoreReason | undefined {
  if (restriction === undefined) return undefined
  const isNew = executedQuantity === 0
  return isNew === (restriction === 'ONLY_NEW') ? undefined : 'CANCEL_RESTRICTED'
}

/** Places the new order if funds and the book allow it. */
function place(
  state: ExchangeState,
  market: Market,
  { order }: ReplaceOrder,
  emit: EventSink,
): OrderAccepted | Refused {
  const reason = momentaryRefusalOf(order, market, state)
  return reason === undefined ? takeOrder(state, market, order, emit) : refused(reason)
}

/**
 * Cancels the old order and places the new one. A level that an old order leaves is published once, if it
 * shows another quantity than before.
 */
function exchangeOrders(
  state: ExchangeState,
  market: Market,
  command: ReplaceOrder,
  old: Order,
  emit: EventSink,
): OrderAccepted | Refused {
  const levels = levelsLeft(state, market, old)
  if (emit === NO_EVENTS || levels.length === 0) {
    cancelOpenOrder(state, old, emit)
    return place(state, market, command, emit)
  }
  const others: EventSink = (event) => {
    const isLeft =
      event.kind === 'LevelChanged' &&
      levels.some(({ side, price }) => event.side === side && event.price === price)
    if (!isLeft) emit(event)
  }
  cancelOpenOrder(state, old, others)
  const placed = place(state, market, command, others)
  for (const { side, price, before } of levels) {
    if (market.book.levelQuantity(side, price) !== before) emitLevel(emit, market, side, price)
  }
  return placed
}

/** The levels of the old order and of those that end with it, with their current quantities. */
function levelsLeft({ orders, lists }: ExchangeState, { book }: Market, old: Order) {
  const list = lists.of(old.number)
  const leaving = list === undefined ? [old] : ordersOf(list).flatMap((number) => orders.get(number) ?? [])
  return leaving
    .filter(({ slot }) => slot !== NO_SLOT)
    .map(({ side, price }) => ({ side, price, before: book.levelQuantity(side, price) }))
}
