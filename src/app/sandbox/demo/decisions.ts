/**
 * The next action of a trader of the demo market, computed from the market and from random numbers: no clock,
 * no network. Prices are ticks, quantities lots.
 */
import { fixedDecimal } from '../../../units/decimal.ts'
import type { SeededRandom } from '../random.ts'
import type { DemoMarket } from './markets.ts'

export type Side = 'BUY' | 'SELL'

/** An open order of the trader's own. */
export type OwnOrder = { readonly id: string; readonly side: Side; readonly ticks: number }

/** A new order, with the interface's names and texts. */
export type NewOrder = {
  readonly symbol: string
  readonly side: Side
  readonly type: 'LIMIT' | 'MARKET'
  readonly quantity: string
  readonly price?: string
  readonly timeInForce?: 'IOC'
}

/** One operation of `POST /api/v3/order/batch`. */
export type Operation =
  | ({ readonly method: 'POST' } & NewOrder)
  | { readonly method: 'DELETE'; readonly id: string }

/** Number of prices that a maker quotes on each side. */
export const QUOTES_A_SIDE = 10
/** Limits of one request. */
export const OPERATIONS_MAX = 20

const MILLION = 1_000_000
const SIDES: readonly Side[] = ['BUY', 'SELL']

/**
 * Brings a maker's quotes to the fair price: each side has places, wider apart the further out they are. An
 * order that is in a place stays; all others are canceled, and empty places get new orders, the best first.
 * At most 20 operations; the rest is left for the next time.
 */
export function makerOperations(
  market: DemoMarket,
  fairTicks: number,
  orders: readonly OwnOrder[],
  random: SeededRandom,
): readonly Operation[] {
  const cancels: Operation[] = []
  const placements: { readonly place: number; readonly operation: Operation }[] = []
  for (const side of SIDES) {
    const taken = new Set<number>()
    for (const order of orders) {
      if (order.side !== side) continue
      const place = placeOf(market, fairTicks, order)
      if (place === undefined || taken.has(place)) cancels.push({ method: 'DELETE', id: order.id })
      else taken.add(place)
    }
    for (let place = 0; place < QUOTES_A_SIDE; place++) {
      if (taken.has(place)) continue
      const order = quote(market, fairTicks, side, place, random)
      if (order !== undefined) placements.push({ place, operation: { method: 'POST', ...order } })
    }
  }
  placements.sort((one, other) => one.place - other.place)
  return [...cancels, ...placements.map(({ operation }) => operation)].slice(0, OPERATIONS_MAX)
}

/**
 * The action of a trader who wants to trade now: mostly a market order, otherwise a limit near the fair
 * price. `buyPerMillion`: the share of buyers.
 */
export function takerOrder(
  market: DemoMarket,
  fairTicks: number,
  buyPerMillion: number,
  random: SeededRandom,
): NewOrder {
  const { symbol } = market
  const side = random.chance(buyPerMillion) ? 'BUY' : 'SELL'
  const quantity = fixedDecimal(takerLots(market, random), market.baseFraction)
  if (random.chance(700_000)) return { symbol, side, type: 'MARKET', quantity }
  const reach = Math.max(1, ppmOf(fairTicks, market.halfSpreadPpm + random.below(3 * market.stepPpm)))
  const ticks = Math.max(1, side === 'BUY' ? fairTicks + reach : fairTicks - reach)
  const price = fixedDecimal(ticks, market.quoteFraction)
  return { symbol, side, type: 'LIMIT', timeInForce: 'IOC', quantity, price }
}

/** From the fair price to the near end of a place, in ticks. */
function distance(market: DemoMarket, fairTicks: number, place: number): number {
  const half = Math.max(1, ppmOf(fairTicks, market.halfSpreadPpm))
  const step = Math.max(1, ppmOf(fairTicks, market.stepPpm))
  return half + (step * place * (place + 1)) / 2
}

/** The place of an order; undefined if it is in none. */
function placeOf(market: DemoMarket, fairTicks: number, { side, ticks }: OwnOrder): number | undefined {
  const away = side === 'BUY' ? fairTicks - ticks : ticks - fairTicks
  for (let place = 0; place < QUOTES_A_SIDE; place++) {
    if (away >= distance(market, fairTicks, place) && away < distance(market, fairTicks, place + 1))
      return place
  }
  return undefined
}

/** A new order in a place; undefined if it would be below the minimum price. */
function quote(
  market: DemoMarket,
  fairTicks: number,
  side: Side,
  place: number,
  random: SeededRandom,
): NewOrder | undefined {
  const near = distance(market, fairTicks, place)
  const far = distance(market, fairTicks, place + 1)
  const away = near + random.below(far - near)
  const ticks = side === 'BUY' ? fairTicks - away : fairTicks + away
  if (ticks < 1) return undefined
  const lots = market.unitLots * random.between(10, 60) * (place + 2)
  return {
    symbol: market.symbol,
    side,
    type: 'LIMIT',
    quantity: fixedDecimal(
      random.chance(500_000) ? lots : lots + random.below(market.unitLots),
      market.baseFraction,
    ),
    price: fixedDecimal(ticks, market.quoteFraction),
  }
}

/** Small sizes are usual, large ones rare; most are round. */
function takerLots({ unitLots }: DemoMarket, random: SeededRandom): number {
  const { times } = random.weighted([
    { weight: 70, times: 1 },
    { weight: 25, times: 10 },
    { weight: 5, times: 80 },
  ])
  const lots = unitLots * random.between(1, 9) * times
  return random.chance(600_000) ? lots : lots + random.below(unitLots)
}

function ppmOf(ticks: number, ppm: number): number {
  return Math.trunc((ticks * ppm) / MILLION)
}
