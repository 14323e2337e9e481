/**
 * The order that was just placed, as the answer to its placement (docs/reference/orders.md#answer-to-a-placement). It is placed whatever
 * comes now: what cannot be read is an unknown outcome to look up, never a refusal.
 */
import type { PlaceOrder } from '../../../core/exchange/commands/orders.ts'
import type { OrderAccepted, OrderRepeated } from '../../../core/exchange/reply.ts'
import { EngineFault } from '../../../engine/fault.ts'
import { FILLS_MAX } from '../../../engine/ports.ts'
import { fillJson } from '../../../wire/fills.ts'
import { orderBody } from '../../../wire/order-object.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Answer, Call } from '../call.ts'
import { shownOrder } from '../order-objects.ts'
import type { ResponseType } from '../order-parameters.ts'
import { historyItem } from './trade-history.ts'

type Placed = OrderAccepted | OrderRepeated

export async function placedAnswer(
  call: Call,
  command: PlaceOrder,
  { orderNumber, time }: Placed,
  responseType: ResponseType,
): Promise<Answer> {
  try {
    const { clientOrderId } = command
    const shown = await shownOrder(call, { orderNumber, time, clientOrderId })
    if (shown instanceof Refusal) return refuse('OUTCOME_UNKNOWN', {})
    const fills = responseType === 'FULL' ? await fillsOf(call, command, { orderNumber, time }) : undefined
    return orderBody(shown.order, shown.symbol, call.language, fills)
  } catch (error) {
    if (error instanceof EngineFault) return refuse('OUTCOME_UNKNOWN', {})
    throw error
  }
}

/** The newest `FILLS_MAX`, oldest first, each as JSON. */
async function fillsOf(
  { services, accountId }: Call,
  { symbolId }: PlaceOrder,
  { orderNumber, time }: Pick<Placed, 'orderNumber' | 'time'>,
): Promise<string[]> {
  const { fills } = await services.history.fills({
    ...{ accountId, symbolId, orderNumber, atLeast: services.market.seq },
    ...{ from: time, to: undefined, before: undefined, limit: FILLS_MAX },
  })
  const { registry } = services.market
  return fills.map((fill) => fillJson({ ...historyItem(fill, registry), isMaker: fill.isMaker })).reverse()
}
