/** The symbols of the demo market, as its traders see them: initial prices and usual sizes. */
import { type Decimals, decimals } from '../../../units/quantities.ts'

export type DemoMarket = {
  readonly symbol: string
  /** Decimals of a quantity: one lot is 10^-baseFraction. */
  readonly baseFraction: Decimals
  /** Decimals of a price: one tick is 10^-quoteFraction. */
  readonly quoteFraction: Decimals
  /** The price at which the market begins, and to which it is drawn back; in ticks. */
  readonly startTicks: number
  /** The smallest usual size of a trade, in lots. */
  readonly unitLots: number
  /** Distance from the fair price to the best quote, in parts per million. */
  readonly halfSpreadPpm: number
  /** Distance of the first two quotes of a side, in parts per million; further out the distance grows. */
  readonly stepPpm: number
  /** The volatility of the price: the maximum move of one draw, in parts per million. */
  readonly movePpm: number
  /**
   * Maximum distance between the start and end prices of two days out of three, in the months before the
   * first trade; in parts per million.
   */
  readonly dayMovePpm: number
  /** Its share of trades, relative to the others. */
  readonly weight: number
}

export const BTC_USDT: DemoMarket = {
  symbol: 'BTC/USDT',
  baseFraction: decimals(8),
  quoteFraction: decimals(2),
  startTicks: 6_000_000,
  unitLots: 50_000,
  halfSpreadPpm: 25,
  stepPpm: 50,
  movePpm: 14,
  dayMovePpm: 22_000,
  weight: 45,
}

export const ETH_USDT: DemoMarket = {
  symbol: 'ETH/USDT',
  baseFraction: decimals(6),
  quoteFraction: decimals(2),
  startTicks: 300_000,
  unitLots: 10_000,
  halfSpreadPpm: 35,
  stepPpm: 60,
  movePpm: 18,
  dayMovePpm: 30_000,
  weight: 30,
}

/** Its fair price is that of the two others. */
export const ETH_BTC: DemoMarket = {
  symbol: 'ETH/BTC',
  baseFraction: decimals(6),
  quoteFraction: decimals(6),
  startTicks: 50_000,
  unitLots: 20_000,
  halfSpreadPpm: 60,
  stepPpm: 80,
  movePpm: 0,
  dayMovePpm: 14_000,
  weight: 10,
}

export const USDT_TRY: DemoMarket = {
  symbol: 'USDT/TRY',
  baseFraction: decimals(2),
  quoteFraction: decimals(2),
  startTicks: 4_100,
  unitLots: 2_000,
  halfSpreadPpm: 200,
  stepPpm: 250,
  movePpm: 3,
  dayMovePpm: 2_500,
  weight: 15,
}

export const DEMO_MARKETS: readonly [DemoMarket, ...DemoMarket[]] = [BTC_USDT, ETH_USDT, ETH_BTC, USDT_TRY]
