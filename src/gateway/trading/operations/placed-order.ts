/**
 * The order that was just placed, as the answer to its placement (docs/reference/orders.md#answer-to-a-placement). It is placed whatever
 * comes now: what cannot be read is an unknown outcome to look up, never a refusal.
 */
import type { OrderAccepted, OrderRepeated } from '../../../core/exchange/reply.ts'
import { EngineFault } from '../../../engine/fault.ts'
import { orderBody } from '../../../wire/order-object.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Answer, Call } from '../call.ts'
import { shownOrder } from '../order-objects.ts'

export async function placedAnswer(
  call: Call,
  { orderNumber, time }: OrderAccepted | OrderRepeated,
): Promise<Answer> {
  try {
    const shown = await shownOrder(call, { orderNumber, time })
    if (shown instanceof Refusal) return refuse('OUTCOME_UNKNOWN', {})
    return orderBody(shown.order, shown.symbol, call.language)
  } catch (error) {
    return error instanceof EngineFault ? refuse('OUTCOME_UNKNOWN', {}) : call.lost(error)
  }
}
