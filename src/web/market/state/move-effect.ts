/**
 * The effect of moving an order to another price, by the page's book: a preview. The exchange decides when
 * the order arrives.
 */
import type { Order } from '../../../client/interface/orders.ts'
import type { BookLevel } from '../../../client/stream/book-side.ts'
import type { LineField } from './order-lines.ts'

/**
 * `RESTS`: it stays in the book. `TAKES`: this quantity of it is executed at once, for this cost. `REFUSED`:
 * a post-only order would take. `WAITS`: for its stop price. `REACHED`: the stop price has already been
 * reached, which the exchange refuses.
 */
export type MoveEffect =
  | { readonly kind: 'RESTS' | 'REFUSED' | 'WAITS' | 'REACHED' }
  | { readonly kind: 'TAKES'; readonly lots: bigint; readonly cost: bigint }

export type Surroundings = {
  /** The opposite side, best first. */
  readonly opposite: readonly Pick<BookLevel, 'ticks' | 'lots'>[]
  /** In ticks; undefined if nothing has been traded yet. */
  readonly lastTicks: number | undefined
}

/** `ticks`: the new price in `field`. `lots`: the rest of the order; undefined if it is for a total. */
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
