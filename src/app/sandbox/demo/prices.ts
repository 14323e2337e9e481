/**
 * The fair price of each symbol in the view of the demo's traders: a random walk in thousandths of a tick,
 * with calm and lively periods, drawn back to its start, so that a sandbox which runs for months keeps
 * plausible prices.
 */

import { SeededRandom } from '../random.ts'
import { BTC_USDT, DEMO_MARKETS, type DemoMarket, ETH_BTC, ETH_USDT } from './markets.ts'

/** Prices are kept in thousandths of a tick. */
const PARTS = 1_000
const MILLION = 1_000_000
/** The number of thousandths of a tick of ETH/BTC (10^-6 BTC) in one BTC. */
const CROSS_PARTS = BigInt(PARTS) * 1_000_000n
/** Number of random draws that add up to one move: small moves are usual, large ones rare. */
const DRAWS = 4
/** At each step the price is drawn back by its distance divided by this number. */
const PULL = 200_000
/** How often the volatility changes, per million steps, and its maximum. */
const CHANGE_PER_MILLION = 2_000
const LIVELINESS_MAX = 4

export class FairPrices {
  readonly #random: SeededRandom
  /** Thousandths of a tick, by symbol. */
  readonly #partsBySymbol = new Map<string, number>()
  #liveliness = 1

  constructor(seed: number) {
    this.#random = new SeededRandom(seed, 'prices')
    for (const market of DEMO_MARKETS) this.#partsBySymbol.set(market.symbol, market.startTicks * PARTS)
  }

  /**
   * Continues the market from its last trade. Prices outside a tenth to ten times the first one are ignored.
   */
  goOnFrom({ symbol, startTicks }: DemoMarket, lastTicks: number): void {
    if (lastTicks * 10 < startTicks || lastTicks > startTicks * 10) return
    this.#partsBySymbol.set(symbol, lastTicks * PARTS)
  }

  /** Moves every price by one step of time. */
  step(): void {
    if (this.#random.chance(CHANGE_PER_MILLION)) this.#liveliness = this.#random.between(1, LIVELINESS_MAX)
    for (const market of DEMO_MARKETS) if (market.movePpm > 0) this.#move(market)
    // The ticks of the two have the same size, so their quotient has no unit.
    const cross = (BigInt(this.#parts(ETH_USDT)) * CROSS_PARTS) / BigInt(this.#parts(BTC_USDT))
    this.#partsBySymbol.set(ETH_BTC.symbol, Number(cross))
  }

  /** Whole ticks, at least 1. */
  ticks({ symbol }: DemoMarket): number {
    return Math.max(1, Math.round((this.#partsBySymbol.get(symbol) ?? 0) / PARTS))
  }

  #parts({ symbol }: DemoMarket): number {
    return this.#partsBySymbol.get(symbol) ?? 0
  }

  #move(market: DemoMarket): void {
    const parts = this.#parts(market)
    const most = market.movePpm * this.#liveliness
    let ppm = 0
    for (let i = 0; i < DRAWS; i++) ppm += this.#random.between(-most, most)
    const pull = Math.trunc((market.startTicks * PARTS - parts) / PULL)
    this.#partsBySymbol.set(market.symbol, parts + Math.trunc((parts * ppm) / MILLION) + pull)
  }
}
