/**
 * The place of a page in a numbered list. Records are numbered 1, 2, 3 ... from the oldest; a page is counted
 * from the newest. Pure arithmetic, shared by the stores, so that page 0 and page 10,000 cost the same.
 */
import { RECENT_TRADES_MAX } from '../../core/questions/view.ts'
import { invariant } from '../../units/invariant.ts'
import { POSITIONS_MAX, STORED_CANDLES_MAX } from '../port/ports.ts'

/** Maximum number of records in one page (docs/reference/http.md#trade-history). */
const PAGE_SIZE_MAX = 1000

/** Numbers of the records of a page, both inclusive; `last` is the newest. Empty when `last < first`. */
export type PageRange = { readonly first: number; readonly last: number }

/** The range of page `page` (from 0, any size of number) of a list of `total` records. */
export function pageRange(total: number, page: number, size: number): PageRange {
  invariant(
    Number.isSafeInteger(page) &&
      page >= 0 &&
      Number.isSafeInteger(size) &&
      size >= 1 &&
      size <= PAGE_SIZE_MAX,
    () => `page must be 0 or more and size 1 to ${PAGE_SIZE_MAX}, found page ${page}, size ${size}`,
  )
  const last = total - page * size
  if (last < 1) return { first: 1, last: 0 }
  return { first: Math.max(1, last - size + 1), last }
}

/**
 * Checks the limit of a list of recent trades: 0 to `RECENT_TRADES_MAX`; anything else is a bug of the
 * caller.
 */
export function assertRecentLimit(limit: number): void {
  invariant(
    Number.isSafeInteger(limit) && limit >= 0 && limit <= RECENT_TRADES_MAX,
    () => `limit must be 0 to ${RECENT_TRADES_MAX}, found ${limit}`,
  )
}

/** Checks the limit of a list of candles: 1 to `STORED_CANDLES_MAX`; anything else is a bug of the caller. */
export function assertCandleLimit(limit: number): void {
  invariant(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= STORED_CANDLES_MAX,
    () => `limit must be 1 to ${STORED_CANDLES_MAX}, found ${limit}`,
  )
}

/** Checks the limit of a page of positions: 1 to `POSITIONS_MAX`; anything else is a bug of the caller. */
export function assertPositionLimit(limit: number): void {
  invariant(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= POSITIONS_MAX,
    () => `limit must be 1 to ${POSITIONS_MAX}, found ${limit}`,
  )
}

/**
 * How many of `total` records, or of the steps among them, belong to trades older than `before`. Neither
 * trade numbers nor the numbers of the causing commands ever decrease along a list, so a binary search needs
 * no index: about 24 lookups for ten million.
 */
export function countOlder(total: number, before: number, tradeNumberOf: (n: number) => number): number {
  let low = 0
  let high = total
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    if (tradeNumberOf(middle) < before) low = middle
    else high = middle - 1
  }
  return low
}
