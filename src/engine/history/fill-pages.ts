/**
 * A page of fills cut from an account's list, by whatever store has the list: the work is bounded also where few of
 * those that are looked at belong to the order that is asked for (docs/reference/orders.md#fills).
 */
import { invariant } from '../../units/invariant.ts'
import { FILLS_LOOKED_AT_MAX, FILLS_MAX, type FillPage, type TradeRecord } from '../port/ports.ts'
import type { FillRange } from './history.ts'

/** `newestFirst`: the list from the newest record that `before` and `to` allow; no more of it is taken than is looked at. */
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
    const isFull = fills.length >= limit || lookedAt >= FILLS_LOOKED_AT_MAX
    // A place is a trade: whoever goes on from it would miss the other side of a trade with oneself.
    if (isFull && record.tradeNumber !== last?.tradeNumber) return { fills, lookedAt, next: placeOf(last) }
    last = record
    lookedAt++
    if (orderNumber === undefined || record.orderNumber === orderNumber) fills.push(record)
  }
  return { fills, lookedAt, next: undefined }
}

function placeOf(record: TradeRecord | undefined): FillPage['next'] {
  return record && { tradeNumber: record.tradeNumber, time: record.time }
}
