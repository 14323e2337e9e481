/**
 * Pages of trades and of aggregates by their numbers in a symbol. Pure arithmetic over a list of
 * consecutively numbered records; shared by the stores.
 */
import { RECENT_TRADES_MAX } from '../../core/questions/view.ts'
import { invariant } from '../../units/invariant.ts'
import type { AggregateTrade, NumberedRange } from '../port/history-questions.ts'
import type { HistoryTrade } from './history.ts'
import type { PageRange } from './history-pages.ts'

/** Number of the oldest records of a list up to a command, or up to a time. */
export type CountedList = {
  readonly upTo: (seq: number) => number
  readonly upToTime: (time: number) => number
}

type Asked = Omit<NumberedRange, 'symbolId'>

/**
 * The places of the page in the list, from 1. `numberAt`: the number of the record at a place; 0 for records
 * without a number, which come first.
 */
export function numberedRange(list: CountedList, numberAt: (n: number) => number, asked: Asked): PageRange {
  const { first, from, to, limit, upTo } = asked
  assertNumberedLimit(limit)
  const known = list.upTo(upTo)
  const last = to === undefined ? known : Math.min(known, list.upToTime(to))
  const lastNumber = last === 0 ? 0 : numberAt(last)
  if (lastNumber === 0) return { first: 1, last: 0 }
  const before = last - lastNumber
  const since = from === undefined ? 0 : list.upToTime(from - 1)
  const oldest = Math.max(before + Math.max(1, first ?? 1), since + 1)
  const isFromOldest = first !== undefined || from !== undefined
  return isFromOldest
    ? { first: oldest, last: Math.min(last, oldest + limit - 1) }
    : { first: Math.max(oldest, last - limit + 1), last }
}

/** Checks the limit of a page: 1 to `RECENT_TRADES_MAX`; anything else is a bug of the caller. */
export function assertNumberedLimit(limit: number): void {
  invariant(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= RECENT_TRADES_MAX,
    () => `limit must be 1 to ${RECENT_TRADES_MAX}, found ${limit}`,
  )
}

/** An aggregate, made from the trade that closes it and the aggregate's own number. */
export function aggregateTrade(
  closing: Pick<HistoryTrade, 'trade' | 'aggregate'>,
  number: number,
): AggregateTrade {
  const { trade, aggregate } = closing
  invariant(aggregate !== undefined, () => `trade ${trade.tradeNumber} must close aggregate ${number}`)
  const { symbolTrade, price, time, takerSide } = trade
  const { trades, quantity } = aggregate
  return {
    number,
    firstTrade: symbolTrade - trades + 1,
    lastTrade: symbolTrade,
    price,
    quantity,
    time,
    takerSide,
  }
}
