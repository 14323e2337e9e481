/**
 * When a trade reaches the price that an order waits for, from
 * docs/reference/waiting-orders.md#orders-that-wait.
 */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { Fraction } from './fraction.ts'
import type { ReferenceStop } from './reference-state.ts'

/**
 * A BUY STOP_LOSS and a SELL TAKE_PROFIT wait for a trade at the stop price or above, the two others for a
 * trade at the stop price or below.
 */
export function isRising({ type, side }: Pick<PlaceOrder, 'type' | 'side'>): boolean {
  return (side === 'BUY') === type.startsWith('STOP_LOSS')
}

export function isReached(
  { isRising: rises, price }: Pick<ReferenceStop, 'isRising' | 'price'>,
  traded: Fraction,
): boolean {
  if (price === undefined) return false
  const gap = traded.compare(price)
  return rises ? gap >= 0 : gap <= 0
}
