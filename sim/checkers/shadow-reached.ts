/**
 * When a trade reaches the price that an order waits for
 * (docs/reference/waiting-orders.md#orders-that-wait).
 */
import type { ShadowStop } from './shadow-state.ts'

/** A stop loss buys at a rising price and sells at a falling one; a take profit does the opposite. */
export function isRising(type: string, side: string): boolean {
  const word = `${type.replace('_LIMIT', '')} ${side}`
  return word === 'STOP_LOSS BUY' || word === 'TAKE_PROFIT SELL'
}

export function isReachedAt(
  { price, isRising: rises }: Pick<ShadowStop, 'price' | 'isRising'>,
  traded: number,
): boolean {
  if (price === undefined) return false
  return rises ? traded >= price : traded <= price
}
