/** Own fills, put together by candle and side: one mark each. */

import { Decimal } from '../../../client/decimal.ts'
import type { Candle } from '../../../client/interface/answers.ts'
import type { Fill } from '../../../client/interface/orders.ts'
import type { Side } from '../../../client/interface/words.ts'

export type FillMark = {
  /** Of the candle, in milliseconds. */
  readonly openTime: number
  readonly side: Side
  readonly count: number
  /** The sum, exactly. */
  readonly quantity: string
}

/** Each fill once, also where it is in both lists. Marks are in the order of their candles; fills without a candle have none. */
export function fillMarks(
  fills: Iterable<Fill>,
  candleAt: (time: number) => Candle | undefined,
): readonly FillMark[] {
  const seen = new Set<string>()
  const marks = new Map<string, FillMark>()
  for (const { id, orderId, side, quantity, time } of fills) {
    // Who trades with himself has two fills of one trade.
    const fill = `${id} ${orderId}`
    if (seen.has(fill)) continue
    seen.add(fill)
    const openTime = candleAt(time)?.[0]
    if (openTime === undefined) continue
    const key = `${openTime} ${side}`
    const mark = marks.get(key) ?? { openTime, side, count: 0, quantity: '0' }
    const sum = Decimal.from(mark.quantity).plus(quantity).toString()
    marks.set(key, { ...mark, count: mark.count + 1, quantity: sum })
  }
  return [...marks.values()].sort((one, other) => one.openTime - other.openTime)
}
