/**
 * Reduces the quantity of an order that rests in its book
 * (docs/reference/order-changes.md#lower-the-quantity). The order keeps its place in the queue, since this is
 * no disadvantage for later orders; the hold for the removed quantity is released.
 */
import { invariant } from '../../units/invariant.ts'
import { worthOf } from '../../units/notional.ts'
import { isAmount, type Lots } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { AmendOrder } from '../commands/order-changes.ts'
import { type EventSink, NO_EVENTS } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { exactLots, receivedFor } from '../ledger/money.ts'
import { NO_SLOT } from '../market/order-book.ts'
import { type OrderAmended, type Refused, refused } from '../questions/reply.ts'
import type { Order } from './open-orders.ts'
import { emitLevel } from './order-events.ts'
import { release } from './settlement.ts'
import { causeOfEnd } from './timers/ended.ts'
import { openOrderOf } from './trading.ts'

/** Takes constant time, whatever the order and its book. */
export function amendOrder(
  state: ExchangeState,
  { accountId, target, quantity: asked }: AmendOrder,
  emit: EventSink,
): OrderAmended | Refused {
  if (!isAmount(asked, 1)) return refused('INVALID_COMMAND')
  const order = openOrderOf(state, accountId, target)
  const isOpen = order !== undefined && causeOfEnd(state, order) === undefined
  if (!isOpen) return refused('UNKNOWN_ORDER')
  const isAlone = state.lists.of(order.number) === undefined
  if (order.slot === NO_SLOT || !isAlone) return refused('ORDER_NOT_AMENDABLE')
  const market = state.market(order.symbolId)
  invariant(market !== undefined, () => `symbol ${order.symbolId} of open order ${order.number} must exist`)
  const quantity = exactLots(asked, market.symbol.baseFraction)
  if (quantity === undefined) return refused('AMENDED_QUANTITY_TOO_PRECISE')
  const reason = refusalOf(order, market, quantity)
  if (reason !== undefined) return refused(reason)
  if (quantity < order.quantity) lower(state, market, order, quantity, emit)
  return { kind: 'OrderAmended', orderNumber: order.number, time: order.time }
}

/**
 * The reason why the quantity of a resting order cannot be changed to `quantity`. A quantity that self-trade
 * prevention has removed is not restored.
 */
function refusalOf(order: Order, { symbol, scale }: Market, quantity: Lots): CoreReason | undefined {
  if (quantity > order.quantity) return 'AMENDED_QUANTITY_TOO_LARGE'
  if (quantity === order.quantity) return undefined
  const isWhole = quantity % (symbol.increments?.stepSize ?? 1) === 0
  if (!isWhole) return 'QUANTITY_NOT_ON_STEP'
  if (quantity <= order.quantity - order.remaining) return 'AMENDED_QUANTITY_TOO_SMALL'
  const worth = receivedFor(worthOf(order.price, quantity), scale)
  const isBelowPart = order.icebergQuantity !== undefined && quantity < order.icebergQuantity
  const isTooSmall = quantity < symbol.minQuantity || worth === 0 || worth < symbol.minTotal || isBelowPart
  return isTooSmall ? 'AMENDED_QUANTITY_TOO_SMALL' : undefined
}

function lower(state: ExchangeState, market: Market, order: Order, quantity: Lots, emit: EventSink): void {
  const by = (order.quantity - quantity) as Lots
  const remaining = (order.remaining - by) as Lots
  release(order, market, remaining)
  // The hidden part is reduced first: the visible part changes only if it exceeds the remaining quantity.
  const tooMuch = market.book.remaining(order.slot) - remaining
  if (tooMuch > 0) market.book.reduce(order.slot, tooMuch as Lots)
  order.askedQuantity ??= order.quantity
  order.quantity = quantity
  order.remaining = remaining
  order.updatedAt = state.time
  state.orders.keep(order)
  if (emit === NO_EVENTS) return
  const { symbolId, accountId, number: orderNumber, side } = order
  emit({ kind: 'OrderAmended', symbolId, accountId, orderNumber, side, quantity, remaining })
  if (tooMuch > 0) emitLevel(emit, market, side, order.price)
}
