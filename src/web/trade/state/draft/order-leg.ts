/**
 * The leg of an order within its list, which cannot be derived from the order's type alone. A take profit
 * that rests in the book has the type of a post-only order.
 */
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { LegName } from './list-draft.ts'

type Leg = Pick<Order, 'id' | 'listId' | 'symbol' | 'side' | 'type' | 'isWorking'>

/**
 * `open`: open orders, including those of its list. Undefined if the order belongs to no list, or is the last
 * one left of a list: its type is then sufficient.
 */
export function legOf(order: Leg, open: readonly Leg[]): LegName | undefined {
  if (order.listId === undefined) return undefined
  const others = open.filter(({ id, listId }) => listId === order.listId && id !== order.id)
  const [other] = others
  if (other === undefined) return undefined
  const isStop = isStopLoss(order)
  // Only an entry is the working order while two others are waiting for it.
  if (others.length > 1) return order.isWorking === true ? 'entry' : isStop ? 'loss' : 'profit'
  // Each cancels the other: both have the same side, and one of the two is the stop. A LIMIT order belongs to
  // no such pair.
  const isPair = order.side === other.side && isStop !== isStopLoss(other) && ![order, other].some(isLimit)
  if (isPair) return isStop ? 'loss' : 'profit'
  return order.isWorking === true ? 'entry' : 'next'
}

/** A text with the leg and the type, or the type alone. */
export function kindText(order: Order, open: readonly Order[]): string {
  const leg = legOf(order, open)
  const type = TEXTS.types[order.type]
  return leg === undefined ? type : TEXTS.lists.typed(TEXTS.lists.legs[leg], type)
}

function isStopLoss({ type }: Leg): boolean {
  return type === 'STOP_LOSS' || type === 'STOP_LOSS_LIMIT'
}

function isLimit({ type }: Leg): boolean {
  return type === 'LIMIT'
}
