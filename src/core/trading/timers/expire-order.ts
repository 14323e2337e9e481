/** Ending an order whose end time was reached (docs/reference/timers.md#good-till-date). */
import { invariant } from '../../../units/invariant.ts'
import type { ExpireOrder } from '../../commands/orders.ts'
import type { EventSink } from '../../events/event.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { NO_SLOT } from '../../market/order-book.ts'
import { DONE, type Done, type Refused, refused } from '../../questions/reply.ts'
import { endOrder } from '../end-order.ts'
import { emitLevel } from '../order-events.ts'

/**
 * Refused, without an effect, unless the order is open and has expired. The order ends whatever the state of
 * its symbol.
 */
export function expireOrder(
  state: ExchangeState,
  { orderNumber }: ExpireOrder,
  emit: EventSink,
): Done | Refused {
  const order = state.orders.get(orderNumber)
  if (order === undefined || !state.expiries.isOver(orderNumber, state.time)) return refused('UNKNOWN_ORDER')
  const market = state.market(order.symbolId)
  invariant(market !== undefined, () => `symbol ${order.symbolId} of open order ${orderNumber} must exist`)
  const isResting = order.slot !== NO_SLOT
  endOrder(state, market, order, 'EXPIRED', emit)
  if (isResting) emitLevel(emit, market, order.side, order.price)
  return DONE
}
