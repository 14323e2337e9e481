/**
 * Orders that follow the price in the reference exchange, from docs/reference/trailing-orders.md: each is
 * updated by every trade of its symbol. The rule that a line follows is stated beside it.
 */
import type { PlaceOrder, PlaceStop } from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { Side } from '../../src/units/order-enums.ts'
import { amount, type TimeMs } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { Fraction } from './fraction.ts'
import { isReached, isRising } from './reference-reached.ts'
import type { ReferenceOrder, ReferenceState, ReferenceStop, ReferenceTrailing } from './reference-state.ts'

/** From these rules on orders can follow the price. */
export const TRAILING_RULES = 21

/** `trailingDelta` is from 10 to 2,000. */
export function isDistance(delta: number | undefined): boolean {
  return delta === undefined || (delta >= 10 && delta <= 2_000)
}

/** Trailing orders exist from rules 21 on. */
export function trailsTooEarly(
  { rulesVersion }: ReferenceState,
  orders: readonly Pick<PlaceOrder, 'trailingDelta'>[],
): boolean {
  return rulesVersion < TRAILING_RULES && orders.some(({ trailingDelta }) => trailingDelta !== undefined)
}

/** The trigger of a new order. */
export function stopOf(command: PlaceStop, symbol: TradingSymbol): ReferenceStop {
  const { stopPrice, trailingDelta: delta, price: limit, side, total } = command
  const isNext = stopPrice === undefined
  const isBudget = limit === undefined && side === 'BUY'
  return {
    price: stopPrice && Fraction.decimal(stopPrice, symbol.quoteFraction),
    trailing: delta && { delta, isNext, best: undefined, since: undefined },
    isRising: isRising(command),
    total: isBudget ? Fraction.decimal(bigintOf(total ?? amount(0n)), symbol.quotePrecision) : undefined,
    triggeredAt: undefined,
  }
}

/** An order after a trade; `trigger` is its trigger price if the trade triggers it. */
export function afterTrade(
  order: ReferenceOrder,
  traded: Fraction,
  time: TimeMs,
): { readonly trailing: ReferenceTrailing; readonly trigger: Fraction | undefined } | undefined {
  const { stop, side, symbol } = order
  const trailing = stop?.trailing
  if (stop === undefined || trailing === undefined) return undefined
  if (trailing.best === undefined) {
    // The price of the trade from which an order follows is its first best price.
    const begins = trailing.isNext || isReached(stop, traded)
    const begun = { ...trailing, best: traded, since: time }
    return { trailing: begins ? begun : trailing, trigger: undefined }
  }
  const gap = traded.compare(trailing.best)
  const isBetter = side === 'SELL' ? gap > 0 : gap < 0
  if (isBetter) return { trailing: { ...trailing, best: traded }, trigger: undefined }
  const trigger = triggerOf(side, trailing.best, trailing.delta, symbol)
  const beyond = traded.compare(trigger)
  const isTriggered = side === 'SELL' ? beyond <= 0 : beyond >= 0
  return { trailing, trigger: isTriggered ? trigger : undefined }
}

/**
 * For a SELL, best price x (10,000 - `trailingDelta`) / 10,000, rounded down; for a BUY with +, rounded up.
 */
function triggerOf(side: Side, best: Fraction, delta: number, { quoteFraction }: TradingSymbol): Fraction {
  const share = Fraction.of(side === 'SELL' ? 10_000 - delta : 10_000 + delta, 10_000)
  const exact = best.times(share)
  return side === 'SELL' ? exact.roundedDown(quoteFraction) : exact.roundedUp(quoteFraction)
}

/**
 * Counted for each side: the different prices from which trailing orders follow (the next trade is one), plus
 * the different best prices.
 */
export function hasRoom(
  state: ReferenceState,
  { side, stopPrice }: PlaceOrder,
  rises: boolean,
  symbol: TradingSymbol,
): boolean {
  const keys = new Set(
    state.waiting
      .filter((order) => order.symbol.id === symbol.id && order.side === side)
      .flatMap(({ stop }) => {
        if (stop?.trailing === undefined) return []
        const { best, isNext } = stop.trailing
        if (best !== undefined) return [`best ${best}`]
        return [isNext ? 'next' : `${stop.isRising} ${stop.price}`]
      }),
  )
  const at = stopPrice && Fraction.decimal(stopPrice, symbol.quoteFraction)
  return keys.size < symbol.levelsMax || keys.has(at === undefined ? 'next' : `${rises} ${at}`)
}
