/** The smallest order that a symbol's own rules allow (docs/reference/http.md#new-order). */
import { type QuoteScale, quoteScale, worthAtLeast } from '../../core/ledger/money.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { fewestLots } from '../../units/notional.ts'
import { type Amount, amount, type Lots, type Price, UNITS_MAX } from '../../units/quantities.ts'

/**
 * The smallest quantity of an order at a price: the symbol's own, and the quantity that its minimum total
 * requires, in whole steps; undefined if there is none.
 */
export function leastQuantity(price: Price, symbol: TradingSymbol): Lots | undefined {
  const lots = fewestLots(worthAtLeast(leastTotal(symbol), scaleOf(symbol)), price)
  return lots === undefined ? undefined : wholeSteps(Math.max(lots, symbol.minQuantity) as Lots, symbol)
}

/**
 * The smallest number of lots that is a multiple of the symbol's step size and at least `lots`; undefined if
 * it is more than an order can have.
 */
export function wholeSteps(lots: Lots, { increments }: TradingSymbol): Lots | undefined {
  const stepSize = increments?.stepSize ?? 1
  const over = lots % stepSize
  const whole = over === 0 ? lots : lots + (stepSize - over)
  return whole <= UNITS_MAX ? (whole as Lots) : undefined
}

/** The smallest total of an order: at least one ledger unit. */
export function leastTotal({ minTotal }: Pick<TradingSymbol, 'minTotal'>): Amount {
  return minTotal > 1 ? minTotal : amount(1)
}

export function scaleOf({ baseFraction, quoteFraction, quotePrecision }: TradingSymbol): QuoteScale {
  return quoteScale(baseFraction, quoteFraction, quotePrecision)
}
