/**
 * Candles as columns of floating-point numbers, only for display: the input of indicators. Candles are
 * consecutive, the running one is the last.
 */
import type { Candle } from '../../../client/interface/answers.ts'

export type Columns = {
  /** The opening time of each, in milliseconds. */
  readonly time: readonly number[]
  readonly open: readonly number[]
  readonly high: readonly number[]
  readonly low: readonly number[]
  readonly close: readonly number[]
  /** In the base asset. */
  readonly volume: readonly number[]
  /** The volume in the quote asset. */
  readonly quoteVolume: readonly number[]
}

type Changing = { readonly [Name in keyof Columns]: number[] }

export class CandleColumns {
  #columns: Changing = none()

  get columns(): Columns {
    return this.#columns
  }

  get size(): number {
    return this.#columns.time.length
  }

  /** Replaces all candles. */
  set(candles: readonly Candle[]): void {
    this.#columns = none()
    for (const candle of candles) this.#write(this.size, candle)
  }

  /**
   * Adds candles that are new or replace the last one, oldest first; returns the index of the first one that
   * changed.
   */
  update(candles: readonly Candle[]): number {
    let first = this.size
    for (const candle of candles) {
      const isLast = this.#columns.time.at(-1) === candle[0]
      const place = isLast ? this.size - 1 : this.size
      this.#write(place, candle)
      first = Math.min(first, place)
    }
    return first
  }

  #write(place: number, [time, open, high, low, close, volume, , quoteVolume]: Candle): void {
    const columns = this.#columns
    columns.time[place] = time
    columns.open[place] = Number(open)
    columns.high[place] = Number(high)
    columns.low[place] = Number(low)
    columns.close[place] = Number(close)
    columns.volume[place] = Number(volume)
    columns.quoteVolume[place] = Number(quoteVolume)
  }
}

function none(): Changing {
  return { time: [], open: [], high: [], low: [], close: [], volume: [], quoteVolume: [] }
}
