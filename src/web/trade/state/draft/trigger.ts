/**
 * The direction of an order's trigger from the last trade, and its distance
 * (docs/reference/waiting-orders.md#orders-that-wait).
 */
import { Decimal } from '../../../../client/decimal.ts'
import type { OrderType, Side } from '../../../../client/interface/words.ts'
import { quantityFor } from '../../exact-sums.ts'
import { numberIn } from './draft.ts'

export type Trigger = {
  /** The order is triggered by a trade at the price, or beyond it in this direction. */
  readonly direction: 'UP' | 'DOWN'
  readonly last: string | undefined
  /** Relative to the last trade; undefined if no price is typed, or there was no trade. */
  readonly away: { readonly isReached: boolean; readonly percent: string } | undefined
}

/** Undefined for types of orders without a trigger. */
export function triggerOf(
  { type, side, stopPrice }: { readonly type: OrderType; readonly side: Side; readonly stopPrice: string },
  last: string | undefined,
): Trigger | undefined {
  const isStop = type.startsWith('STOP')
  if (!isStop && !type.startsWith('TAKE')) return undefined
  const direction = isStop === (side === 'BUY') ? 'UP' : 'DOWN'
  const price = numberIn(stopPrice)
  if (last === undefined || price === undefined || Decimal.from(last).compare('0') === 0)
    return { direction, last, away: undefined }
  const distance = direction === 'UP' ? price.minus(last) : Decimal.from(last).minus(price)
  const isReached = distance.compare('0') <= 0
  const size = distance.compare('0') < 0 ? distance.negated() : distance
  const percent = quantityFor(size.times('100'), Decimal.from(last), 2).toString()
  return { direction, last, away: { isReached, percent } }
}
