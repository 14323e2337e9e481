/**
 * The distance at which a trailing order follows the price, and the price that triggers it
 * (docs/reference/trailing-orders.md#the-trigger-price).
 */
import type { Branded } from './brand.ts'
import { TRAILING_DELTA_MAX, TRAILING_DELTA_MIN } from './limits.ts'
import type { Side } from './order-enums.ts'
import type { Price } from './quantities.ts'

/** In basis points, hundredths of a percent: `TRAILING_DELTA_MIN` to `TRAILING_DELTA_MAX`. */
export type TrailingDelta = Branded<number, 'TrailingDelta'>

const BASIS_POINTS = 10_000

export function isTrailingDelta(value: number): value is TrailingDelta {
  return Number.isSafeInteger(value) && value >= TRAILING_DELTA_MIN && value <= TRAILING_DELTA_MAX
}

/**
 * The trigger price, in ticks, of an order that follows the price with the best price `best`. A SELL follows
 * the highest price and is triggered at `best` x (10,000 - delta) / 10,000 rounded down; a BUY follows the
 * lowest price and is triggered at `best` x (10,000 + delta) / 10,000 rounded up, so that no order is
 * triggered before the whole distance. For a SELL the result may be 0, for a BUY above any possible price:
 * then no trade triggers the order.
 */
export function trailingTrigger(side: Side, best: Price, delta: TrailingDelta): number {
  // Multiples of 10,000 and the rest are computed separately, so that each product is exact.
  const rest = best % BASIS_POINTS
  const wholes = (best - rest) / BASIS_POINTS
  if (side === 'SELL') {
    const share = BASIS_POINTS - delta
    return wholes * share + Math.floor((rest * share) / BASIS_POINTS)
  }
  return best + wholes * delta + Math.ceil((rest * delta) / BASIS_POINTS)
}
