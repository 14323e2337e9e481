/**
 * Candles of trades that never happened: a possible history of a demo market in the months before its first
 * trade, so that a chart has data to show. They are generated only from a seed, equal for equal markets, and
 * stored neither in the journal nor in the history. The minutes of a day lead from the price at its start to
 * that of the next day, and wider candles combine the minutes.
 */
import { type Candle, joined } from '../../../units/candle.ts'
import { MINUTE_MS, windowStart } from '../../../units/candle-intervals.ts'
import { worthOf } from '../../../units/notional.ts'
import { lots, price, type TimeMs, timeMs } from '../../../units/quantities.ts'
import { SeededRandom } from '../random.ts'
import type { DemoMarket } from './markets.ts'

/** Number of whole days before the day of the first trade. */
export const MADE_UP_DAYS = 120

/** The widths that are made up; candles of a second begin with the first trade. */
export const MADE_UP_WIDTHS = ['1m', '15m', '2h', '1d'] as const

export type MadeUpWidth = (typeof MADE_UP_WIDTHS)[number]

export type Made = Candle & { readonly isMadeUp: true }

const DAY_MS = 1_440 * MINUTE_MS
/** The seed of every demo: the months before it are the same each time, except for the initial price. */
const SEED = 1
const MILLION = 1_000_000
/** The factor by which the distance from the market's central price shrinks for each day back. */
const DRAWN_BACK = 0.02
/** Number of days whose minutes are cached: scrolling requests the same ones again. */
const MINUTES_KEPT = 8
const TRADES_MOST = 40

/** A day's candles, oldest first. */
type Day = { readonly [Width in Exclude<MadeUpWidth, '1m'>]: readonly Made[] }

export class MadeUpCandles {
  /** The time at which the first candle begins: the beginning of a day. */
  readonly from: TimeMs
  /** The minute of the first trade: all candles end here at the latest. */
  readonly until: TimeMs
  readonly #market: DemoMarket
  /** Logarithms of the prices at which days begin, from the first; the last one is that at `until`. */
  readonly #opens: readonly number[]
  readonly #days = new Map<number, Day>()
  readonly #minutes = new Map<number, readonly Made[]>()

  /** `first`: time and price of the first trade. */
  constructor(market: DemoMarket, first: { readonly time: TimeMs; readonly ticks: number }) {
    this.#market = market
    this.until = windowStart('1m', first.time)
    this.from = timeMs(Math.max(0, windowStart('1d', first.time) - MADE_UP_DAYS * DAY_MS))
    this.#opens = this.#walkBack(first.ticks)
  }

  /**
   * The candles that begin at `from` or later and before `before`, newest first. Other work may run between
   * two days that must be generated.
   */
  async within(width: MadeUpWidth, from: number, before: number, limit: number): Promise<Made[]> {
    const found: Made[] = []
    const newest = Math.min(before, this.until) - 1
    const oldest = Math.max(from, this.from)
    if (newest < oldest) return found
    for (let day = this.#dayOf(newest); day >= this.#dayOf(oldest) && found.length < limit; day--) {
      const candles = await this.#candles(width, day)
      for (const candle of candles.toReversed())
        if (candle.start >= from && candle.start < before && found.length < limit) found.push(candle)
    }
    return found
  }

  async newestBefore(width: MadeUpWidth, before: number): Promise<Made | undefined> {
    const [newest] = await this.within(width, 0, before, 1)
    return newest
  }

  #dayOf(time: number): number {
    return Math.floor((time - this.from) / DAY_MS)
  }

  async #candles(width: MadeUpWidth, day: number): Promise<readonly Made[]> {
    if (width === '1m') return this.#minutesOf(day)
    const known = this.#days.get(day)
    if (known !== undefined) return known[width]
    const made = this.#joinedDay(this.#minutesOf(day))
    this.#days.set(day, made)
    await new Promise((resolve) => setImmediate(resolve))
    return made[width]
  }

  #joinedDay(minutes: readonly Made[]): Day {
    const of = (width: Exclude<MadeUpWidth, '1m'>): Made[] => {
      const wide: Made[] = []
      for (const minute of minutes) {
        const start = windowStart(width, minute.start)
        const last = wide.at(-1)
        if (last?.start === start) wide[wide.length - 1] = { ...joined(last, minute), isMadeUp: true }
        else wide.push({ ...minute, start })
      }
      return wide
    }
    return { '15m': of('15m'), '2h': of('2h'), '1d': of('1d') }
  }

  /** From the price of the first trade back, day by day. */
  #walkBack(ticks: number): readonly number[] {
    const { symbol, startTicks, dayMovePpm } = this.#market
    const random = new SeededRandom(SEED, `days of ${symbol}`)
    const usual = Math.log(startTicks)
    const opens = [Math.log(ticks)]
    for (let day = this.#dayOf(this.until - 1); day >= 0; day--) {
      const later = opens[0] as number
      opens.unshift(later - normal(random) * (dayMovePpm / MILLION) + (usual - later) * DRAWN_BACK)
    }
    return opens
  }

  #minutesOf(day: number): readonly Made[] {
    const known = this.#minutes.get(day)
    if (known !== undefined) return known
    const made = this.#makeMinutes(day)
    this.#minutes.set(day, made)
    const [oldest] = this.#minutes.keys()
    if (this.#minutes.size > MINUTES_KEPT && oldest !== undefined) this.#minutes.delete(oldest)
    return made
  }

  #makeMinutes(day: number): Made[] {
    const { symbol, dayMovePpm } = this.#market
    const start = this.from + day * DAY_MS
    const count = Math.min(DAY_MS, this.until - start) / MINUTE_MS
    const random = new SeededRandom(SEED, `day ${start / DAY_MS} of ${symbol}`)
    const step = dayMovePpm / MILLION / Math.sqrt(1_440)
    const [open = 0, close = open] = this.#opens.slice(day, day + 2)
    const path = [0]
    for (let minute = 1; minute <= count; minute++)
      path.push((path[minute - 1] as number) + normal(random) * step * liveliness(minute))
    const missing = close - open - (path[count] as number)
    const ticksAt = (minute: number): number =>
      Math.max(1, Math.round(Math.exp(open + (path[minute] as number) + (missing * minute) / count)))
    return Array.from({ length: count }, (_, minute) => {
      const ends = { open: ticksAt(minute), close: ticksAt(minute + 1) }
      return this.#minute(start + minute * MINUTE_MS, ends, random, step * liveliness(minute))
    })
  }

  #minute(
    start: number,
    { open, close }: { readonly open: number; readonly close: number },
    random: SeededRandom,
    step: number,
  ): Made {
    const beyond = (): number => Math.round(Math.max(open, close) * step * Math.abs(normal(random)) * 0.5)
    const low = Math.max(1, Math.min(open, close) - beyond())
    const high = Math.max(open, close) + beyond()
    const count = random.between(1, TRADES_MOST)
    const volume = count * random.between(1, 4) * this.#market.unitLots
    const bought = Math.round((volume * random.between(20, 80)) / 100)
    const average = price(Math.round((open + close + low + high) / 4))
    return {
      start: timeMs(start),
      open: price(open),
      high: price(high),
      low: price(low),
      close: price(close),
      volume: lots(volume),
      quoteVolume: worthOf(average, lots(volume)),
      count,
      takerBuyVolume: lots(bought),
      takerBuyQuoteVolume: worthOf(average, lots(bought)),
      isMadeUp: true,
    }
  }
}

/** Some hours are livelier than others. */
function liveliness(minute: number): number {
  return 1 + 0.5 * Math.sin((minute / 1_440) * 2 * Math.PI)
}

/** A random number around 0, in two of three cases between -1 and 1: from the sum of twelve uniform ones. */
function normal(random: SeededRandom): number {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random.below(MILLION) / MILLION
  return sum
}
