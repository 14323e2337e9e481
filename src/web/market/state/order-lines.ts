/** The prices at which own orders stand on the chart, and what is done with them by hand: found, snapped to the market's step, moved step by step. */
import { Decimal } from '../../../client/decimal.ts'
import type { Order } from '../../../client/interface/orders.ts'
import { nearestTo } from '../../trade/exact-sums.ts'

/** What of an order stands at a price: its limit, or what it waits for. */
export type LineField = 'price' | 'stopPrice'

export type OrderLine = {
  readonly id: string
  readonly order: Order
  readonly field: LineField
  /** As the exchange writes it. */
  readonly price: string
}

/** Lines that are drawn: of more those that are nearest to the last price. */
export const LINES_MAX = 50

/** `near`: the last price; undefined: there is none, and the newest orders count. Newest first. */
export function orderLines(orders: readonly Order[], near: string | undefined): readonly OrderLine[] {
  const lines = orders.flatMap(linesOf)
  if (lines.length <= LINES_MAX) return lines
  if (near === undefined) return lines.slice(0, LINES_MAX)
  // Which ones are drawn is for the eye: floating-point numbers will do, and thousands of orders are sorted in no time.
  const last = Number(near)
  const byDistance = lines
    .map((line) => ({ line, distance: Math.abs(Number(line.price) - last) }))
    .sort((one, other) => one.distance - other.distance)
  const kept = new Set(byDistance.slice(0, LINES_MAX).map(({ line }) => line))
  return lines.filter((line) => kept.has(line))
}

function linesOf(order: Order): readonly OrderLine[] {
  const { id, price, stopPrice, triggeredAt } = order
  const isWaiting = stopPrice !== undefined && triggeredAt === undefined
  return [
    ...(isWaiting ? [{ id: `${id}-stop`, order, field: 'stopPrice', price: stopPrice } as const] : []),
    ...(price === undefined ? [] : [{ id: `${id}-limit`, order, field: 'price', price } as const]),
  ]
}

/** Of things at heights, the one that is nearest to a height and within reach. Of two that are as near the first. */
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

/** Decimals of a price that was pointed at, before it is snapped: more than any market has. */
const POINTED_PLACES = 20

/** The nearest price of the market, exactly. Undefined: nothing can be bought or sold there. */
export function snappedPrice(pointed: number, tickSize: string): string | undefined {
  if (!(pointed > 0 && pointed < 1e18)) return undefined
  return nearestTo(Decimal.from(pointed.toFixed(POINTED_PLACES)), Decimal.from(tickSize)).toString()
}

/** So many steps up or down; a price between two steps first goes to the next one that way. Never below one step. */
export function steppedPrice(price: string, tickSize: string, steps: number): string {
  const [from, tick] = [Decimal.from(price), Decimal.from(tickSize)]
  const below = from.roundedDownTo(tick)
  const isBetween = steps < 0 && below.compare(from) < 0
  const to = below.plus(tick.times(BigInt(isBetween ? steps + 1 : steps)))
  return (to.compare(tick) < 0 ? tick : to).toString()
}
