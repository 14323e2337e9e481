/** The least that an order of a symbol may be, by the symbol's own rules (docs/reference/http.md#new-order). */
import { type QuoteScale, quoteScale, worthAtLeast } from '../../core/ledger/money.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { fewestLots } from '../../units/notional.ts'
import { type Amount, amount, type Lots, type Price } from '../../units/quantities.ts'

/** The least quantity of an order at a price: the symbol's own, and what its least total takes; undefined: there is none. */
export function leastQuantity(price: Price, symbol: TradingSymbol): Lots | undefined {
  const lots = fewestLots(worthAtLeast(leastTotal(symbol), scaleOf(symbol)), price)
  return lots === undefined ? undefined : (Math.max(lots, symbol.minQuantity) as Lots)
}

/** An order is worth a unit of the ledger. */
export function leastTotal({ minTotal }: Pick<TradingSymbol, 'minTotal'>): Amount {
  return minTotal > 1 ? minTotal : amount(1)
}

export function scaleOf({ baseFraction, quoteFraction, quotePrecision }: TradingSymbol): QuoteScale {
  return quoteScale(baseFraction, quoteFraction, quotePrecision)
}
