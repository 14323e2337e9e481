/** What would happen to an order at another price, by the book that the page has: for who moves it. The exchange decides when it comes. */
import type { Order } from '../../../client/interface/orders.ts'
import type { BookLevel } from '../../../client/stream/book-side.ts'
import type { LineField } from './order-lines.ts'

/**
 * `RESTS`: it stays in the book. `TAKES`: so much of it is executed at once, for so much. `REFUSED`: a post-only order would take. `WAITS`: for its stop
 * price. `REACHED`: the stop price was reached already, which the exchange refuses.
 */
export type MoveEffect =
  | { readonly kind: 'RESTS' | 'REFUSED' | 'WAITS' | 'REACHED' }
  | { readonly kind: 'TAKES'; readonly lots: bigint; readonly cost: bigint }

export type Surroundings = {
  /** Of the other side, best first. */
  readonly opposite: readonly Pick<BookLevel, 'ticks' | 'lots'>[]
  /** In ticks; undefined: nothing was traded yet. */
  readonly lastTicks: number | undefined
}

/** `ticks`: the price that `field` would have. `lots`: what is left of the order; undefined: it is for a sum. */
export function moveEffect(
  order: Pick<Order, 'side' | 'type' | 'triggeredAt'>,
  field: LineField,
  ticks: number,
  lots: bigint | undefined,
  { opposite, lastTicks }: Surroundings,
): MoveEffect {
  const isWaiting = order.triggeredAt === undefined && /^(?:STOP|TAKE)/.test(order.type)
  if (field === 'stopPrice') return { kind: isReached(order, ticks, lastTicks) ? 'REACHED' : 'WAITS' }
  if (isWaiting) return { kind: 'WAITS' }
  let [taken, cost] = [0n, 0n]
  for (const level of opposite) {
    if (order.side === 'BUY' ? level.ticks > ticks : level.ticks < ticks) break
    const wanted = lots === undefined ? level.lots : lots - taken
    const here = wanted < level.lots ? wanted : level.lots
    taken += here
    cost += here * BigInt(level.ticks)
    if (taken === lots) break
  }
  if (taken === 0n) return { kind: 'RESTS' }
  return order.type === 'LIMIT_MAKER' ? { kind: 'REFUSED' } : { kind: 'TAKES', lots: taken, cost }
}

/** A stop of a BUY and a take-profit of a SELL wait for a rise, the others for a fall. */
function isReached(
  { side, type }: Pick<Order, 'side' | 'type'>,
  ticks: number,
  lastTicks: number | undefined,
): boolean {
  if (lastTicks === undefined) return false
  const isForRise = type.startsWith('STOP') === (side === 'BUY')
  return isForRise ? lastTicks >= ticks : lastTicks <= ticks
}
