/**
 * The order that was just placed, as the answer to its placement
 * (docs/reference/orders.md#answer-to-a-placement). It is already placed: if it cannot be read now, the
 * outcome is unknown and must be queried; this is never a refusal.
 */

import {
  filledOrderBody,
  type ORDER_READ,
  orderBody,
  type PlacedFill,
} from '../../../../contract/api/order-object.ts'
import { ORDER_PLACED } from '../../../../contract/api/orders.ts'
import type { OrdersMatched } from '../../../../core/events/event.ts'
import type { OrderAccepted, OrderRepeated } from '../../../../core/questions/reply.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { EngineFault } from '../../../../engine/port/fault.ts'
import { uuidOf } from '../../../../units/ids.ts'
import type { Placement, PlacementWatch } from '../../../../views/placements.ts'
import { PLACED_FILLS_MAX } from '../../../../views/placements.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import { placedObject } from '../../../description/order-objects.ts'
import type { Answer, Call } from '../../call.ts'
import { marketOf, shownOrder } from '../../order-objects.ts'
import type { ResponseType } from '../../order-parameters.ts'

export function placedAnswer(call: Call, order: OrderAccepted | OrderRepeated): Promise<Answer> {
  return changedAnswer(call, order, ORDER_PLACED)
}

/** Weight of an answer with fills: 1 for every 25 possible fills. */
const FULL_WEIGHT = PLACED_FILLS_MAX / 25

/** The weight of a form of answer beyond the operation's own. */
export function formWeight(type: string | undefined): number {
  return type === 'FULL' ? FULL_WEIGHT : 0
}

/**
 * Charges that weight before the order is submitted: once the order is placed, its answer cannot be refused.
 */
export function chargeForm(call: Call, type: ResponseType | undefined): Refusal | undefined {
  const weight = formWeight(type)
  return weight === 0 ? undefined : call.charge(weight)
}

/**
 * Data for the answer, kept from before the order is sent to the engine; must be released. Undefined if the
 * data is read later.
 */
export function watchFor(call: Call, type: ResponseType | undefined): PlacementWatch | undefined {
  return type === 'FULL' ? call.services.market.placements.watch(call.accountId) : undefined
}

/**
 * The order that was just placed, with its fills, from its command's own events, so nothing needs to be read
 * and nothing can fail. For a repeat (`placement` is undefined), the order must be read in its current state.
 */
export async function filledAnswer(
  call: Call,
  order: OrderAccepted | OrderRepeated,
  placement: Placement | undefined,
): Promise<Answer> {
  if (order.kind === 'OrderAccepted' && placement !== undefined) {
    const symbol = marketOf(call, placement.placed.symbolId)
    const fills = placement.fills.map(fillOf)
    const hasMoreFills = placement.fillCount > fills.length
    const shown = placedObject(order, placement, symbol, call.services.market.registry)
    return filledOrderBody({ order: shown, fills, hasMoreFills }, symbol, call.language)
  }
  try {
    const shown = await shownOrder(call, order)
    if (shown instanceof Refusal) return refuse('OUTCOME_UNKNOWN', {})
    const { fills, hasMoreFills } = await readFills(call, order, shown.symbol)
    return filledOrderBody({ order: shown.order, fills, hasMoreFills }, shown.symbol, call.language)
  } catch (error) {
    return error instanceof EngineFault ? refuse('OUTCOME_UNKNOWN', {}) : call.lost(error)
  }
}

function fillOf(match: OrdersMatched): PlacedFill {
  const { tradeNumber, symbolTrade, time, price, quantity, taker } = match
  const { total, commission } = taker
  const id = uuidOf('trade', tradeNumber, time)
  return { id, number: symbolTrade, price, quantity, total, commission, isMaker: false }
}

/** The newest fills of an order that was placed before, oldest first. */
async function readFills(
  call: Call,
  { orderNumber, time }: Pick<OrderAccepted, 'orderNumber' | 'time'>,
  symbol: TradingSymbol,
): Promise<{ readonly fills: readonly PlacedFill[]; readonly hasMoreFills: boolean }> {
  const { history, market } = call.services
  const order = { accountId: call.accountId, symbolId: symbol.id, orderNumber, from: time, to: undefined }
  const page = { before: undefined, limit: PLACED_FILLS_MAX, atLeast: market.seq }
  const { fills, next } = await history.fills({ ...order, ...page })
  const found = fills.toReversed().map(({ tradeNumber, ...fill }) => {
    const { symbolTrade, price, quantity, total, commission, isMaker } = fill
    const id = uuidOf('trade', tradeNumber, fill.time)
    return { id, number: symbolTrade, price, quantity, total, commission, isMaker }
  })
  return { fills: found, hasMoreFills: next !== undefined }
}

/** Like `placedAnswer`, for an order that was changed; `heads`: those of its answer. */
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
