/**
 * Orders that follow the price, as the second bookkeeper records them (docs/reference/trailing-orders.md):
 * each trade is shown to each of them.
 */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { isReachedAt } from './shadow-reached.ts'
import type { ShadowOrder, ShadowState } from './shadow-state.ts'

/** From these rules on orders can follow the price. */
export const TRAILING_RULES = 21

/** Whether a distance is one that an order may have. */
export function isDistance(delta: number | undefined): boolean {
  return delta === undefined || (delta >= 10 && delta <= 2_000)
}

/** Shows trades to the orders of a symbol; returns the triggered ones, with their trigger prices. */
export function followPrices(
  state: ShadowState,
  symbol: number,
  prices: readonly number[],
): Map<ShadowOrder, number> {
  const triggers = new Map<ShadowOrder, number>()
  for (const price of prices) {
    for (const order of state.waiting) {
      if (order.symbol.id !== symbol || triggers.has(order)) continue
      const trigger = followOne(order, price, state.time)
      if (trigger !== undefined) triggers.set(order, trigger)
    }
  }
  return triggers
}

/** The order's trigger price if this trade triggers it. */
function followOne(order: ShadowOrder, price: number, time: number): number | undefined {
  const { stop, side } = order
  if (stop?.trailing === undefined) return undefined
  const { delta, best, isNext } = stop.trailing
  const follow = (since: number | undefined) => {
    order.stop = { ...stop, trailing: { delta, isNext, since, best: price } }
  }
  if (best === undefined) {
    if (isNext || isReachedAt(stop, price)) follow(time)
    return undefined
  }
  if (side === 'SELL' ? price > best : price < best) {
    follow(stop.trailing.since)
    return undefined
  }
  const trigger = triggerOf(side, best, delta)
  return (side === 'SELL' ? price <= trigger : price >= trigger) ? trigger : undefined
}

/** Rounded away from the best price. */
function triggerOf(side: string, best: number, delta: number): number {
  const whole = BigInt(best)
  const share = BigInt(delta)
  if (side === 'SELL') return Number((whole * (10_000n - share)) / 10_000n)
  return Number((whole * (10_000n + share) + 9_999n) / 10_000n)
}

/** Whether the trailing orders of a side have room for the price from which another one follows. */
export function hasRoom(
  state: ShadowState,
  symbol: TradingSymbol,
  { side, stopPrice }: PlaceOrder,
  rises: boolean,
): boolean {
  const places = new Set<string>()
  for (const { symbol: its, side: itsSide, stop } of state.waiting) {
    if (its.id !== symbol.id || itsSide !== side || stop?.trailing === undefined) continue
    const { best, isNext } = stop.trailing
    if (best !== undefined) places.add(`best ${best}`)
    else places.add(isNext ? 'next' : `${stop.isRising} ${stop.price}`)
  }
  return (
    places.size < symbol.levelsMax || places.has(stopPrice === undefined ? 'next' : `${rises} ${stopPrice}`)
  )
}
