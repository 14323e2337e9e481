/**
 * Ranges of lists: the number of records older than a place, a command or a time, and the oldest records from
 * a place on.
 */
import type { FillRange, LedgerRange } from '../../../engine/history/history.ts'
import type { PageRange } from '../../../engine/history/history-pages.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import type { ChainedList } from './lists/chain.ts'

/** The places in a list of the oldest records from a number and a time on. */
export function oldestRange(
  list: ChainedList<unknown>,
  { oldestFrom, from, to, limit }: Pick<FillRange, 'from' | 'to' | 'limit'> & { readonly oldestFrom: number },
): PageRange {
  const earlier = from === undefined ? 0 : list.upToTime(from - 1)
  const before = Math.max(list.olderThan(oldestFrom), earlier)
  return { first: before + 1, last: Math.min(upToTime(list, to), before + limit) }
}

/**
 * The number of an account's trades that may have entries before a place. If no record has that place, the
 * number is still limited by the place's command, so no request makes more records be read than are counted.
 */
export function tradesOlderThan(trades: ChainedList<unknown>, before: LedgerRange['before']): number {
  if (before === undefined) return trades.length
  // A command that makes a transfer makes no trade.
  if (before.tradeNumber === 0) return trades.upTo((before.seq - 1) as Seq)
  return Math.min(trades.olderThan(before.tradeNumber + 1), trades.upTo(before.seq))
}

/** The number of records of a list up to a command, or up to a time; all of them if it is undefined. */
export function upTo(list: ChainedList<unknown>, seq: Seq | undefined): number {
  return seq === undefined ? list.length : list.upTo(seq)
}

export function upToTime(list: ChainedList<unknown>, time: TimeMs | undefined): number {
  return time === undefined ? list.length : list.upToTime(time)
}
