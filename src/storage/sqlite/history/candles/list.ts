/**
 * All candles of a symbol and a width: stored ones and, from some time on, those kept in memory. Lost rows
 * are detected when candles are read, since each candle has the start of its predecessor.
 */
import type { ListedCandle } from '../../../../engine/history/candles/running-candles.ts'
import type { CandleRange } from '../../../../engine/history/history.ts'
import type { StoredCandles } from '../../../../engine/port/ports.ts'
import { type TimeMs, timeMs } from '../../../../units/quantities.ts'
import { DamagedRowFault } from '../check.ts'
import type { CandleList } from './row.ts'
import type { CandleTables } from './tables.ts'

export class ListedCandles {
  readonly #tables: CandleTables
  readonly #list: CandleList
  /** Oldest first, at least one. Stored candles that begin with the first of these or later are outdated. */
  readonly #kept: readonly ListedCandle[]
  readonly #keptFrom: TimeMs

  constructor(
    tables: CandleTables,
    list: CandleList,
    kept: readonly [ListedCandle, ...(readonly ListedCandle[])],
  ) {
    this.#tables = tables
    this.#list = list
    this.#kept = kept
    this.#keptFrom = kept[0].candle.start
  }

  /** Throws `DamagedRowFault`. */
  page({ from, before, limit }: Omit<CandleRange, keyof CandleList>): StoredCandles {
    const found = this.#within(from, before, limit)
    const earlier = this.#newestBefore(found.at(-1)?.candle.start ?? from)
    const first = this.#oldestFrom(timeMs(0))
    this.#assertChained([this.#oldestFrom(before), ...found, earlier])
    this.#assertChained([first, undefined])
    return {
      candles: found.map(({ candle }) => candle),
      earlier: earlier?.candle,
      first: first?.candle.start,
    }
  }

  #within(from: TimeMs, before: TimeMs, limit: number): ListedCandle[] {
    const isWithin = ({ candle }: ListedCandle): boolean => candle.start >= from && candle.start < before
    const kept = this.#kept.filter(isWithin).slice(-limit).reverse()
    const storedBefore = this.#keptFrom < before ? this.#keptFrom : before
    return [...kept, ...this.#tables.within(this.#list, from, storedBefore, limit - kept.length)]
  }

  #newestBefore(before: TimeMs): ListedCandle | undefined {
    if (before <= this.#keptFrom) return this.#tables.newestBefore(this.#list, before)
    return this.#kept.findLast(({ candle }) => candle.start < before)
  }

  #oldestFrom(from: TimeMs): ListedCandle | undefined {
    const stored = from < this.#keptFrom ? this.#tables.oldestFrom(this.#list, from) : undefined
    if (stored !== undefined && stored.candle.start < this.#keptFrom) return stored
    return this.#kept.find(({ candle }) => candle.start >= from)
  }

  /**
   * Checks a list of candles, newest first. The first may be undefined; if the last is undefined, the one
   * before it must be the oldest of all.
   */
  #assertChained([newest, ...older]: readonly (ListedCandle | undefined)[]): void {
    let newer = newest
    for (const next of older) {
      if (newer !== undefined && newer.previous !== next?.candle.start) {
        throw new DamagedRowFault(
          `the ${this.#list.width} candle of symbol ${this.#list.symbolId} before that of ${newer.candle.start} ` +
            `begins at ${next?.candle.start ?? 'no time'}, expected ${newer.previous ?? 'none'}`,
        )
      }
      newer = next
    }
  }
}
