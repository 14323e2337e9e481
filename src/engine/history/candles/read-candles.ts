/**
 * The candles of any interval, made from stored candles of the interval's base width. History is read a
 * bounded number of candles at a time, so that a query for years does not delay others. Windows without
 * trades are filled (docs/reference/candles.md#windows-without-trades).
 */
import { type Candle, flatCandle, joined } from '../../../units/candle.ts'
import { type CandleInterval, startOfWindow, windowOf } from '../../../units/candle-intervals.ts'
import type { SymbolId } from '../../../units/ids.ts'
import type { Price, Seq, TimeMs } from '../../../units/quantities.ts'
import type { HistoryPort } from '../../port/history-questions.ts'
import { type CandlePage, type CandleQuery, STORED_CANDLES_MAX } from '../../port/ports.ts'
import { BASE_OF } from './base-widths.ts'

export type CandlesQuery = {
  readonly symbolId: SymbolId
  readonly interval: CandleInterval
  /**
   * The oldest candles that begin at this time or later; undefined for the newest. Never before the symbol's
   * first trade.
   */
  readonly from: TimeMs | undefined
  /** Candles that begin at this time or earlier. */
  readonly to: TimeMs
  readonly limit: number
  /** The answer includes at least the whole journal up to this command. */
  readonly atLeast: Seq
}

type CandleSource = Pick<HistoryPort, 'candles'>

/** Numbers of windows of the interval, both inclusive; none when `last < first`. */
type Windows = { readonly first: number; readonly last: number }

/** Oldest first, without a gap. */
export async function readCandles(history: CandleSource, query: CandlesQuery): Promise<Candle[]> {
  const { candles } = await readCandlesUpTo(history, query)
  return candles
}

export type CandlesUpTo = {
  readonly candles: Candle[]
  /** The last command whose trades are in the candles. */
  readonly seq: Seq
}

/** The candles with the command up to which they are complete, for callers that add later trades. */
export async function readCandlesUpTo(history: CandleSource, query: CandlesQuery): Promise<CandlesUpTo> {
  const { symbolId, interval, atLeast } = query
  const { width } = BASE_OF[interval]
  const nowhere = 0 as TimeMs
  const start = await history.candles({ symbolId, width, from: nowhere, before: nowhere, limit: 1, atLeast })
  if (start.first === undefined) return { candles: [], seq: start.seq }
  const windows = windowsOf(query, start.first)
  if (windows.last < windows.first) return { candles: [], seq: start.seq }
  const range = {
    symbolId,
    width,
    from: startOfWindow(interval, windows.first),
    before: startOfWindow(interval, windows.last + 1),
    atLeast,
  }
  const { candles, closeBefore, seq } = await joinedByWindow(history, range, interval)
  return { candles: filled(candles, windows, interval, closeBefore), seq }
}

function windowsOf({ interval, from, to, limit }: CandlesQuery, firstTrade: TimeMs): Windows {
  const last = windowOf(interval, to)
  const oldest = windowOf(interval, firstTrade)
  if (from === undefined) return { first: Math.max(oldest, last - limit + 1), last }
  const window = windowOf(interval, from)
  const first = Math.max(oldest, startOfWindow(interval, window) < from ? window + 1 : window)
  return { first, last: Math.min(last, first + limit - 1) }
}

type Joined = {
  /** By window number; only windows with trades. */
  readonly candles: ReadonlyMap<number, Candle>
  /** The last price before the range; undefined if there was no trade. */
  readonly closeBefore: Price | undefined
  /** The position of the newest page: only its candles may have changed while the others were read. */
  readonly seq: Seq
}

/** From the newest page to the oldest: only the newest candle of all can still change. */
export async function* storedCandles(
  history: CandleSource,
  range: Omit<CandleQuery, 'limit'>,
): AsyncGenerator<CandlePage, void> {
  let { before } = range
  for (;;) {
    const page = await history.candles({ ...range, before, limit: STORED_CANDLES_MAX })
    yield page
    const last = page.candles.at(-1)
    if (last === undefined || page.earlier === undefined || page.earlier.start < range.from) return
    before = last.start
  }
}

async function joinedByWindow(
  history: CandleSource,
  range: Omit<CandleQuery, 'limit'>,
  interval: CandleInterval,
): Promise<Joined> {
  const candles = new Map<number, Candle>()
  let closeBefore: Price | undefined
  let seq = range.atLeast
  let isNewest = true
  for await (const page of storedCandles(history, range)) {
    for (const candle of page.candles) {
      const window = windowOf(interval, candle.start)
      const later = candles.get(window)
      const start = startOfWindow(interval, window)
      candles.set(window, later === undefined ? { ...candle, start } : both(candle, later, start))
    }
    closeBefore = page.earlier?.close
    if (isNewest) seq = page.seq
    isNewest = false
  }
  return { candles, closeBefore, seq }
}

function both(earlier: Candle, later: Candle, start: TimeMs): Candle {
  const candle = joined(earlier, later, start)
  return earlier.isMadeUp || later.isMadeUp ? { ...candle, isMadeUp: true } : candle
}

function filled(
  candles: ReadonlyMap<number, Candle>,
  { first, last }: Windows,
  interval: CandleInterval,
  closeBefore: Price | undefined,
): Candle[] {
  const all: Candle[] = []
  let close = closeBefore
  for (let window = first; window <= last; window++) {
    const candle = candles.get(window)
    if (candle !== undefined) all.push(candle)
    else if (close !== undefined) all.push(flatCandle(startOfWindow(interval, window), close))
    close = candle?.close ?? close
  }
  return all
}
