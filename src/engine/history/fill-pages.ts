/**
 * A page of fills cut from an account's list, by any store that has the list: the work is limited even if few
 * of the fills that are read belong to the requested order (docs/reference/orders.md#fills).
 */
import { invariant } from '../../units/invariant.ts'
import { FILLS_MAX, FILLS_READ_MAX, type FillPage, type TradeRecord } from '../port/ports.ts'
import type { FillRange } from './history.ts'

/**
 * `newestFirst`: the list from the newest record that `before` and `to` allow; it is read only as far as
 * necessary.
 */
export function fillPage(newestFirst: Iterable<TradeRecord>, range: FillRange): FillPage {
  const { from = 0, orderNumber, limit } = range
  invariant(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= FILLS_MAX,
    () => `limit must be 1 to ${FILLS_MAX}, found ${limit}`,
  )
  const fills: TradeRecord[] = []
  let lookedAt = 0
  let last: TradeRecord | undefined
  for (const record of newestFirst) {
    if (record.time < from) break
    const isFull = fills.length >= limit || lookedAt >= FILLS_READ_MAX
    // A page continues from a trade: the other side of an account's trade with itself would be missed.
    if (isFull && record.tradeNumber !== last?.tradeNumber) return { fills, lookedAt, next: placeOf(last) }
    last = record
    lookedAt++
    if (orderNumber === undefined || record.orderNumber === orderNumber) fills.push(record)
  }
  return { fills, lookedAt, next: undefined }
}

/**
 * The page of the oldest fills. `newestFirst` has one record more than the limit, if there is one; that
 * record belongs to the page if it is the other side of the page's last trade.
 */
export function oldestFills(newestFirst: readonly TradeRecord[], limit: number): FillPage {
  const [newest, second] = newestFirst
  const isMore = newestFirst.length > limit && newest?.tradeNumber !== second?.tradeNumber
  const fills = isMore ? newestFirst.slice(1) : newestFirst
  return { fills, lookedAt: newestFirst.length, next: undefined }
}

function placeOf(record: TradeRecord | undefined): FillPage['next'] {
  return record && { tradeNumber: record.tradeNumber, time: record.time }
}
