/**
 * The prices of own orders on the chart, and operations on them by hand: found, snapped to the tick size,
 * moved step by step.
 */
import { Decimal } from '../../../client/decimal.ts'
import type { Order } from '../../../client/interface/orders.ts'
import { nearestTo } from '../../trade/exact-sums.ts'

/** The price of an order on the chart: its limit, or its trigger. */
export type LineField = 'price' | 'stopPrice'

export type OrderLine = {
  readonly id: string
  readonly order: Order
  readonly field: LineField
  /** In the format of the exchange. */
  readonly price: string
}

/** Maximum number of lines; if there are more, those nearest to the last price are drawn. */
export const LINES_MAX = 50

/**
 * `near`: the last price; undefined if there is none, in which case the newest orders are used. The result is
 * newest first.
 */
export function orderLines(orders: readonly Order[], near: string | undefined): readonly OrderLine[] {
  const lines = orders.flatMap(linesOf)
  if (lines.length <= LINES_MAX) return lines
  if (near === undefined) return lines.slice(0, LINES_MAX)
  // The selection is only for display, so floating-point numbers suffice; thousands of orders are sorted
  // quickly.
  const last = Number(near)
  const byDistance = lines
    .map((line) => ({ line, distance: Math.abs(Number(line.price) - last) }))
    .sort((one, other) => one.distance - other.distance)
  const kept = new Set(byDistance.slice(0, LINES_MAX).map(({ line }) => line))
  return lines.filter((line) => kept.has(line))
}

function linesOf(order: Order): readonly OrderLine[] {
  const { id, price, stopPrice, triggeredAt, trailingTime } = order
  // An order that already follows the price no longer waits for its stop price.
  const isWaiting = stopPrice !== undefined && triggeredAt === undefined && trailingTime === undefined
  return [
    ...(isWaiting ? [{ id: `${id}-stop`, order, field: 'stopPrice', price: stopPrice } as const] : []),
    ...(price === undefined ? [] : [{ id: `${id}-limit`, order, field: 'price', price } as const]),
  ]
}

/** The thing nearest to the height `y`, if it is within `reach`. Of two at the same distance, the first. */
export function nearestWithin<Thing extends { readonly y: number }>(
  things: readonly Thing[],
  y: number,
  reach: number,
): Thing | undefined {
  let nearest: Thing | undefined
  for (const thing of things) {
    const away = Math.abs(thing.y - y)
    if (away <= reach && (nearest === undefined || away < Math.abs(nearest.y - y))) nearest = thing
  }
  return nearest
}

/** Decimals of a price under the pointer before it is snapped: more than any market has. */
const POINTED_PLACES = 20

/** The nearest price of the market, exactly. Undefined if there is no valid price. */
export function snappedPrice(pointed: number, tickSize: string): string | undefined {
  if (!(pointed > 0 && pointed < 1e18)) return undefined
  return nearestTo(Decimal.from(pointed.toFixed(POINTED_PLACES)), Decimal.from(tickSize)).toString()
}

/**
 * Moves by `steps` steps; a price between two steps first moves to the next one in that direction. Never
 * below one step.
 */
export function steppedPrice(price: string, tickSize: string, steps: number): string {
  const [from, tick] = [Decimal.from(price), Decimal.from(tickSize)]
  const below = from.roundedDownTo(tick)
  const isBetween = steps < 0 && below.compare(from) < 0
  const to = below.plus(tick.times(BigInt(isBetween ? steps + 1 : steps)))
  return (to.compare(tick) < 0 ? tick : to).toString()
}
