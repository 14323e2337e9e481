/**
 * The candles of one symbol and interval: the newest are kept from the channel `kline_<interval>` (docs/reference/stream-extensions.md#kline), older ones
 * are added page by page as they are looked at (docs/reference/candles.md). They follow one another without a gap: what does not fit is left out.
 */
import type { Candle } from '../../../client/interface/answers.ts'
import type { KlineMessage } from '../../../client/interface/messages.ts'
import { CANDLE_INTERVALS, type CandleInterval } from '../../../units/candle-intervals.ts'

/** Every interval that the exchange has, shortest first. */
export const INTERVALS = CANDLE_INTERVALS

export type Interval = CandleInterval

/** Candles kept that are over: no older ones are added beyond that. */
export const CANDLES_MAX = 6_000

/** So many more may come by the stream before the oldest are forgotten: each time the whole chart is drawn anew. */
export const CANDLES_SPARE = 500

/**
 * What has become of the series. `whole`: it is another one. `continued`: much of it may be new, but it is the same series. `older`: it begins at
 * another time than before. `newest`: the candles that are new or changed, oldest first.
 */
export type CandleChange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'continued' }
  | { readonly kind: 'older' }
  | { readonly kind: 'newest'; readonly candles: readonly Candle[] }

export class CandleSeries {
  #closed: readonly Candle[] = []
  #current: Candle | undefined

  /** Oldest first, the running one last. */
  get candles(): readonly Candle[] {
    return this.#current === undefined ? this.#closed : [...this.#closed, this.#current]
  }

  get size(): number {
    return this.#closed.length + (this.#current === undefined ? 0 : 1)
  }

  get oldest(): Candle | undefined {
    return this.#closed[0] ?? this.#current
  }

  /** Undefined: the symbol was never traded. */
  get newest(): Candle | undefined {
    return this.#current ?? this.#closed.at(-1)
  }

  /** No older candles find room. */
  get isFull(): boolean {
    return this.#closed.length >= CANDLES_MAX
  }

  /** The candle whose window a time lies in. */
  at(time: number): Candle | undefined {
    const isWithin = ([openTime, , , , , , closeTime]: Candle) => openTime <= time && time <= closeTime
    if (this.#current !== undefined && isWithin(this.#current)) return this.#current
    const found = this.#closed[firstAfter(this.#closed, time) - 1]
    return found !== undefined && isWithin(found) ? found : undefined
  }

  take({ closed = [], current, prevSeq }: KlineMessage): CandleChange {
    this.#current = current
    if (prevSeq === undefined) {
      const kept = endingAt(this.#closed, (closed[0] ?? current)?.[0])
      this.#closed = [...kept, ...closed].slice(-CANDLES_MAX)
      return { kind: kept.length > 0 ? 'continued' : 'whole' }
    }
    if (closed.length > 0) this.#closed = [...this.#closed, ...closed]
    if (this.#closed.length > CANDLES_MAX + CANDLES_SPARE) {
      this.#closed = this.#closed.slice(-CANDLES_MAX)
      return { kind: 'older' }
    }
    return { kind: 'newest', candles: current === undefined ? closed : [...closed, current] }
  }

  /** Puts older candles, oldest first, in front; those that are there already, or find no room, are left out. How many were added. */
  addOlder(candles: readonly Candle[]): number {
    const room = CANDLES_MAX - this.#closed.length
    const added = room > 0 ? endingAt(candles, this.oldest?.[0]).slice(-room) : []
    this.#closed = [...added, ...this.#closed]
    return added.length
  }
}

/** A sandbox has made up some of it: it was not traded (docs/sandbox.md#candles-before-the-first-trade). */
export function isMadeUp(candle: Candle): boolean {
  return candle[11] === '1'
}

/** Those before a time, where the last of them ends right there; otherwise none. */
function endingAt(candles: readonly Candle[], time: number | undefined): readonly Candle[] {
  if (time === undefined) return []
  const before = candles.slice(0, firstAfter(candles, time - 1))
  return before.at(-1)?.[6] === time - 1 ? before : []
}

/** The place of the first candle that opens after a time. */
function firstAfter(candles: readonly Candle[], time: number): number {
  let low = 0
  let high = candles.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((candles[middle] as Candle)[0] <= time) low = middle + 1
    else high = middle
  }
  return low
}
