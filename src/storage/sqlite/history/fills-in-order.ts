/**
 * Trades in the order in which they happened, for the numbered feed: from a number on, of all accounts or of
 * one.
 */
import type { HistoryTrade } from '../../../engine/history/history.ts'
import { type FeedEvent, fillNumber } from '../../../engine/history/numbered-events.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { Block } from './lists/blocks.ts'
import type { ChainedList } from './lists/chain.ts'
import type { Head } from './lists/record.ts'
import type { ListTables } from './lists/tables.ts'

type Trades = Pick<ListTables<HistoryTrade>, 'block' | 'blockAfter'>

/** Number of records of an account that are read at once: the distance between two steps. */
const CHUNK = 64

/** The number of trades up to a command. */
export function tradesUpTo(trades: Trades, upTo: Seq): number {
  return lastWhere(trades, ({ seq }) => seq <= upTo)
}

/** Trades whose number in the feed is above `after`; each block is read on demand. */
export function* fillsAfter(trades: Trades, after: number): Generator<FeedEvent, void> {
  const last = lastUpTo(trades, after)
  const begun = last === 0 ? undefined : trades.block(last)
  for (
    let block = begun ?? trades.blockAfter(last);
    block !== undefined;
    block = trades.blockAfter(block.last)
  ) {
    for (const { record } of block.records()) {
      if (record.trade.tradeNumber > last) yield fillOf(record)
    }
  }
}

/** Trades of an account's list whose number in the feed is above `after`. */
export function* accountFillsAfter(
  trades: Trades,
  list: ChainedList<HistoryTrade>,
  after: number,
): Generator<FeedEvent, void> {
  let given = lastUpTo(trades, after)
  for (let first = list.olderThan(given + 1) + 1; first <= list.length; first += CHUNK) {
    const met = list.range({ first, last: Math.min(list.length, first + CHUNK - 1) })
    for (const { record } of met.reverse()) {
      const { tradeNumber } = record.trade
      // A trade of an account with itself is in its list twice.
      if (tradeNumber > given) yield fillOf(record)
      given = tradeNumber
    }
  }
}

function fillOf(trade: HistoryTrade): FeedEvent {
  return { kind: 'FILL', number: fillNumber(trade.seq, trade.trade.tradeNumber), trade }
}

/** The last trade whose number in the feed is not above `number`; 0 if there is none. */
function lastUpTo(trades: Trades, number: number): number {
  return lastWhere(trades, (head) => fillNumber(head.seq, head.number) <= number)
}

/**
 * The last trade for which `isUpTo` is true; it must be true for all earlier trades. Takes about 20 lookups
 * among a million trades, and a single one if the newest is meant.
 */
function lastWhere(trades: Trades, isUpTo: (head: Head) => boolean): number {
  const newest = trades.block(Number.MAX_SAFE_INTEGER)
  if (newest === undefined) return 0
  let block = newest
  if (!isUpTo(newest.first)) {
    // `isUpTo` is true for all trades up to `low`, and false from `high` on.
    let [low, high] = [0, newest.first.number]
    while (high - low > 1) {
      // Numbers jump: if no trade has the middle number, the block before it decides for all numbers up to
      // the middle.
      const at = Math.floor((low + high) / 2)
      const middle = trades.block(at)
      if (middle === undefined) low = at
      else if (isUpTo(middle.first)) [low, block] = [Math.max(middle.last, at), middle]
      else high = middle.first.number
    }
    if (block === newest) return 0
  }
  return lastOf(block, isUpTo)
}

function lastOf(block: Block<HistoryTrade>, isUpTo: (head: Head) => boolean): number {
  return (
    block
      .records()
      .findLast(({ record: { seq, trade } }) => isUpTo({ number: trade.tradeNumber, seq, time: trade.time }))
      ?.record.trade.tradeNumber ?? 0
  )
}
