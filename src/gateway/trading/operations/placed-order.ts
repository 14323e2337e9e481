/**
 * The order that was just placed, as the answer to its placement (docs/reference/orders.md#answer-to-a-placement). It is placed whatever
 * comes now: what cannot be read is an unknown outcome to look up, never a refusal.
 */
import type { OrderAccepted, OrderRepeated } from '../../../core/exchange/reply.ts'
import { EngineFault } from '../../../engine/fault.ts'
import { ORDER_READ, orderBody } from '../../../wire/order-object.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Answer, Call } from '../call.ts'
import { shownOrder } from '../order-objects.ts'

export function placedAnswer(call: Call, order: OrderAccepted | OrderRepeated): Promise<Answer> {
  return changedAnswer(call, order, ORDER_READ)
}

/** The same of an order that was changed, in an answer that says so. */
export async function changedAnswer(
  call: Call,
  { orderNumber, time }: Pick<OrderAccepted, 'orderNumber' | 'time'>,
  heads: typeof ORDER_READ,
): Promise<Answer> {
  try {
    const shown = await shownOrder(call, { orderNumber, time })
    if (shown instanceof Refusal) return refuse('OUTCOME_UNKNOWN', {})
    return orderBody(shown.order, shown.symbol, call.language, heads)
  } catch (error) {
    return error instanceof EngineFault ? refuse('OUTCOME_UNKNOWN', {}) : call.lost(error)
  }
}
