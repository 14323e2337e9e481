/** The events of an order's end and of its level, for every part of trading. */
import type { Side } from '../../units/order-enums.ts'
import type { Lots, Price } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { type CancelCause, type EventSink, NO_EVENTS } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import type { Order } from './open-orders.ts'

export function emitCanceled(
  emit: EventSink,
  order: Order,
  quantity: Lots,
  cause: CancelCause,
  reason?: CoreReason,
): void {
  const { symbolId, accountId, number: orderNumber, side } = order
  if (reason === undefined) {
    emit({ kind: 'OrderCanceled', symbolId, accountId, orderNumber, side, quantity, cause })
  } else emit({ kind: 'OrderCanceled', symbolId, accountId, orderNumber, side, quantity, cause, reason })
}

export function emitDecremented(emit: EventSink, order: Order, quantity: Lots): void {
  const { symbolId, accountId, number, side } = order
  emit({ kind: 'OrderDecremented', symbolId, accountId, orderNumber: number, side, quantity })
}

export function emitLevel(emit: EventSink, market: Market, side: Side, price: Price): void {
  if (emit === NO_EVENTS) return
  const quantity = market.book.levelQuantity(side, price)
  emit({ kind: 'LevelChanged', symbolId: market.symbol.id, side, price, quantity })
}
