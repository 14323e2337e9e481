/**
 * Orders of the reference exchange that show one part at a time, from docs/reference/iceberg-orders.md#parts.
 */
import { Fraction, smallest } from './fraction.ts'
import { leaveBook } from './reference-ends.ts'
import type { ReferenceOrder, ReferenceState } from './reference-state.ts'

/**
 * When an order rests, and whenever its shown part is used up, the next part goes to the end of the queue at
 * its price.
 */
export function showNextPart(state: ReferenceState, order: ReferenceOrder): void {
  order.shown = order.part === undefined ? order.remaining : smallest(order.part, order.remaining)
  state.open = [...state.open.filter((other) => other !== order), order]
}

/**
 * Lowers the shown quantity of a resting order; at zero the next part is shown, and without a next part the
 * order has ended.
 */
export function lowerShown(state: ReferenceState, maker: ReferenceOrder, quantity: Fraction): void {
  maker.shown = maker.shown.minus(quantity)
  if (!maker.shown.isPositive && maker.remaining.isPositive) showNextPart(state, maker)
  if (maker.remaining.isPositive) return
  leaveBook(state, maker)
}

/** The next part of an order goes behind all others at its price. */
export function requeued(
  others: readonly ReferenceOrder[],
  maker: ReferenceOrder,
  left: Fraction,
): ReferenceOrder[] {
  const next = { ...maker, remaining: left, shown: smallest(maker.part ?? left, left) }
  const isSame = ({ price }: ReferenceOrder) => (price ?? Fraction.ZERO).equals(maker.price ?? Fraction.ZERO)
  return [...others.filter(isSame), next, ...others.filter((order) => !isSame(order))]
}
