/**
 * The candles of a history, stored in their table. They are stored together with the ends of the lists of
 * trades, up to the same trade, and not with every append: rows for five widths (a second, a minute, a
 * quarter of an hour, two hours, a day) would cost more than the trade itself. Later candles are kept in
 * memory; at a start they are computed again from the trades after the stored candles.
 */
import { CANDLE_WIDTHS, type CandleWidth } from '../../../../engine/history/candles/base-widths.ts'
import { type ListedCandle, RunningCandles } from '../../../../engine/history/candles/running-candles.ts'
import { secondsOf } from '../../../../engine/history/candles/seconds.ts'
import type { CandleRange, HistoryTrade } from '../../../../engine/history/history.ts'
import type { StoredCandles } from '../../../../engine/port/ports.ts'
import type { Candle } from '../../../../units/candle.ts'
import { windowStart } from '../../../../units/candle-intervals.ts'
import type { SymbolId } from '../../../../units/ids.ts'
import { type TimeMs, timeMs, UNITS_MAX } from '../../../../units/quantities.ts'
import { DamagedRowFault } from '../check.ts'
import { ListedCandles } from './list.ts'
import type { CandleList } from './row.ts'
import type { CandleTables } from './tables.ts'

const FOREVER = timeMs(UNITS_MAX)

const NO_CANDLES: StoredCandles = { candles: [], earlier: undefined, first: undefined }

/** The time of a symbol's newest trade that is included in stored candles; undefined if there is none. */
export type NewestStoredTrade = (symbolId: SymbolId) => TimeMs | undefined

/** The candles of a symbol that was traded or queried. */
type Kept = {
  readonly running: RunningCandles
  /** Candles that have ended since candles were last stored. */
  readonly ended: Map<CandleWidth, ListedCandle[]>
  isChanged: boolean
}

export class Candles {
  readonly #tables: CandleTables
  readonly #newestStoredTrade: NewestStoredTrade
  readonly #keptBySymbol = new Map<SymbolId, Kept>()
  /**
   * Trades that were later than the stored candles at the time of loading, for symbols whose candles are not
   * yet in memory.
   */
  #after: ReadonlyMap<SymbolId, readonly Candle[]> = new Map()

  constructor(tables: CandleTables, newestStoredTrade: NewestStoredTrade) {
    this.#tables = tables
    this.#newestStoredTrade = newestStoredTrade
  }

  /** Loads the stored state; `after` has the later trades, oldest first. */
  load(after: readonly HistoryTrade[]): void {
    this.#keptBySymbol.clear()
    this.#after = secondsOf(after)
  }

  /** Throws `DamagedRowFault`, as the other methods do. */
  append(trades: readonly HistoryTrade[]): void {
    for (const [symbolId, seconds] of secondsOf(trades)) addAll(this.#keep(symbolId), seconds)
  }

  /** Must be called in the transaction that stores the ends of lists. */
  store(): void {
    for (const symbolId of this.#after.keys()) this.#keep(symbolId)
    for (const [symbolId, kept] of this.#keptBySymbol) {
      if (!kept.isChanged) continue
      for (const width of CANDLE_WIDTHS) {
        for (const listed of keptOf(kept, width)) this.#tables.set({ symbolId, width }, listed)
      }
      kept.ended.clear()
      kept.isChanged = false
    }
    this.#after = new Map()
  }

  page({ symbolId, width, ...range }: CandleRange): StoredCandles {
    const [oldest, ...newer] = keptOf(this.#keep(symbolId), width)
    if (oldest === undefined) return NO_CANDLES
    return new ListedCandles(this.#tables, { symbolId, width }, [oldest, ...newer]).page(range)
  }

  #keep(symbolId: SymbolId): Kept {
    const known = this.#keptBySymbol.get(symbolId)
    if (known !== undefined) return known
    const kept = { running: this.#stored(symbolId), ended: new Map(), isChanged: false }
    addAll(kept, this.#after.get(symbolId) ?? [])
    this.#keptBySymbol.set(symbolId, kept)
    return kept
  }

  /** The newest stored candle of each width, which must include the newest trade. */
  #stored(symbolId: SymbolId): RunningCandles {
    const running = new RunningCandles()
    const newestTrade = this.#newestStoredTrade(symbolId)
    for (const width of CANDLE_WIDTHS) {
      const expected = newestTrade === undefined ? undefined : windowStart(width, newestTrade)
      const newest = this.#newestOf({ symbolId, width }, expected)
      if (newest !== undefined) running.restore(width, newest)
    }
    return running
  }

  #newestOf(list: CandleList, expected: TimeMs | undefined): ListedCandle | undefined {
    const newest = this.#tables.newestBefore(list, FOREVER)
    if (newest?.candle.start === expected) return newest
    const found = `begins at ${newest?.candle.start ?? 'no time'}, expected ${expected ?? 'none'}`
    throw new DamagedRowFault(`the newest ${list.width} candle of symbol ${list.symbolId} ${found}`)
  }
}

function addAll(kept: Kept, seconds: readonly Candle[]): void {
  const onEnded = (width: CandleWidth, listed: ListedCandle): void => {
    const ended = kept.ended.get(width)
    if (ended === undefined) kept.ended.set(width, [listed])
    else ended.push(listed)
  }
  for (const second of seconds) {
    kept.running.add(second, onEnded)
    kept.isChanged = true
  }
}

/** The candles that have ended since candles were last stored, and the newest one; oldest first. */
function keptOf({ ended, running }: Kept, width: CandleWidth): readonly ListedCandle[] {
  const newest = running.newest(width)
  return [...(ended.get(width) ?? []), ...(newest === undefined ? [] : [newest])]
}
