/** Own fills grouped by candle and side: one mark for each group. */

import { Decimal } from '../../../client/decimal.ts'
import type { Candle } from '../../../client/interface/answers.ts'
import type { Fill } from '../../../client/interface/orders.ts'
import type { Side } from '../../../client/interface/words.ts'

export type FillMark = {
  /** The candle's opening time, in milliseconds. */
  readonly openTime: number
  readonly side: Side
  readonly count: number
  /** The exact sum. */
  readonly quantity: string
}

/**
 * Counts each fill once, even if it is in both lists. Marks are in the order of their candles; fills without
 * a candle have none.
 */
export function fillMarks(
  fills: Iterable<Fill>,
  candleAt: (time: number) => Candle | undefined,
): readonly FillMark[] {
  const seen = new Set<string>()
  const marks = new Map<string, FillMark>()
  for (const { id, orderId, side, quantity, time } of fills) {
    // A trade of an account with itself has two fills.
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
