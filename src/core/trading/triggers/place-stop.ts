/**
 * Placing an order that waits for its trigger: it holds the amount that it may need, counts as open, and
 * rests in no book (docs/reference/waiting-orders.md#orders-that-wait).
 */
import { invariant } from '../../../units/invariant.ts'
import type { OrderStatus, Side, StopType } from '../../../units/order-enums.ts'
import type { Price } from '../../../units/quantities.ts'
import type { TrailingDelta } from '../../../units/trailing-delta.ts'
import type { PlaceStop } from '../../commands/orders.ts'
import type { EventSink } from '../../events/event.ts'
import type { Market } from '../../exchange/market.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { TriggerDirection } from '../../market/trigger-direction.ts'
import { emitPlaced, openOrder } from '../execution.ts'
import type { Order } from '../open-orders.ts'
import { lock } from '../settlement.ts'

export type StopPlacement = {
  readonly market: Market
  readonly order: Order
  readonly command: PlaceStop
  readonly emit: EventSink
}

type FollowTerms = Pick<PlaceStop, 'type' | 'side' | 'stopPrice'> & { readonly trailingDelta: TrailingDelta }

/** Makes a checked order wait, and returns its status. */
export function placeStop(
  state: ExchangeState,
  { market, order, command, emit }: StopPlacement,
): OrderStatus {
  state.nextOrder++
  lock(order, market)
  openOrder(state, order, command)
  if (command.trailingDelta === undefined) {
    market.triggers.add(directionOf(command.type, command.side), command.stopPrice, order.number)
  } else followPrice(market, order, command)
  emitPlaced(state, order, command, market, emit)
  return 'NEW'
}

/**
 * Makes an open trailing order follow the price, from its stop price on if it has one. `turn` is as in
 * `TriggerIndex`.
 */
export function followPrice(
  { triggers }: Market,
  order: Order,
  { type, side, stopPrice, trailingDelta: delta }: FollowTerms,
  turn = order.number,
): void {
  const trailing = { number: order.number, turn, delta }
  const following = triggers.follow(side, trailing, directionOf(type, side), stopPrice)
  invariant(order.stop !== undefined, () => `order ${order.number} must have a trigger`)
  order.stop = { ...order.stop, trailing: { delta, following } }
}

/**
 * A BUY STOP_LOSS waits for a rising price and a SELL STOP_LOSS for a falling one; TAKE_PROFIT is the other
 * way around.
 */
export function directionOf(type: StopType, side: Side): TriggerDirection {
  const isStopLoss = type === 'STOP_LOSS' || type === 'STOP_LOSS_LIMIT'
  return isStopLoss === (side === 'BUY') ? 'RISING' : 'FALLING'
}

/** Whether the last trade has already reached a stop price. */
export function isReached(direction: TriggerDirection, stopPrice: Price, last: Price | undefined): boolean {
  return last !== undefined && (direction === 'RISING' ? last >= stopPrice : last <= stopPrice)
}
