/** Where the price that an order waits for lies, seen from the last trade (docs/reference/waiting-orders.md#orders-that-wait). */
import { Decimal } from '../../../../client/decimal.ts'
import type { OrderType, Side } from '../../../../client/interface/words.ts'
import { quantityFor } from '../../exact-sums.ts'
import { numberIn } from './draft.ts'

export type Trigger = {
  /** It is carried out once a trade is at the price, or beyond it in this direction. */
  readonly direction: 'UP' | 'DOWN'
  readonly last: string | undefined
  /** Seen from the last trade; undefined: no price is typed, or nobody has traded. */
  readonly away: { readonly isReached: boolean; readonly percent: string } | undefined
}

/** Undefined: orders of this type wait for nothing. */
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
