/**
 * The candles of one symbol and interval: the newest come from the channel `kline_<interval>`
 * (docs/reference/stream-extensions.md#kline), older ones are added page by page as they become visible
 * (docs/reference/candles.md). They are consecutive: a candle that does not connect is left out.
 */
import type { Candle } from '../../../client/interface/answers.ts'
import type { KlineMessage } from '../../../client/interface/messages.ts'
import { CANDLE_INTERVALS, type CandleInterval } from '../../../units/candle-intervals.ts'

/** All intervals of the exchange, shortest first. */
export const INTERVALS = CANDLE_INTERVALS

export type Interval = CandleInterval

/** Maximum number of complete candles: beyond it no older ones are added. */
export const CANDLES_MAX = 6_000

/**
 * Additional candles that may arrive by the stream before the oldest are dropped: each time the whole chart
 * is redrawn.
 */
export const CANDLES_SPARE = 500

/**
 * A change of the series. `whole`: it is another series. `continued`: much of it may be new, but it is the
 * same series. `older`: it begins at another time than before. `newest`: the new or changed candles, oldest
 * first.
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

  /** Undefined if the symbol was never traded. */
  get newest(): Candle | undefined {
    return this.#current ?? this.#closed.at(-1)
  }

  /** Whether there is no room for older candles. */
  get isFull(): boolean {
    return this.#closed.length >= CANDLES_MAX
  }

  /** The candle whose window contains a time. */
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

  /**
   * Adds older candles, oldest first, in front; those that exist already, or exceed the limit, are left out.
   * Returns the number added.
   */
  addOlder(candles: readonly Candle[]): number {
    const room = CANDLES_MAX - this.#closed.length
    const added = room > 0 ? endingAt(candles, this.oldest?.[0]).slice(-room) : []
    this.#closed = [...added, ...this.#closed]
    return added.length
  }
}

/**
 * Whether a sandbox invented part of the candle, which was not traded
 * (docs/sandbox.md#candles-before-the-first-trade).
 */
export function isMadeUp(candle: Candle): boolean {
  return candle[11] === '1'
}

/** The candles before a time, if the last of them ends exactly there; otherwise none. */
function endingAt(candles: readonly Candle[], time: number | undefined): readonly Candle[] {
  if (time === undefined) return []
  const before = candles.slice(0, firstAfter(candles, time - 1))
  return before.at(-1)?.[6] === time - 1 ? before : []
}

/** The index of the first candle that opens after a time. */
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
