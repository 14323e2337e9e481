/** Terms of a symbol without requirements: no commission, no minimum for orders, any trade. */
import { amount, decimals, lots, rate } from '../../units/quantities.ts'
import type { SymbolTerms } from './terms.ts'

export const PLAIN_TERMS: SymbolTerms = {
  baseFraction: decimals(8),
  quoteFraction: decimals(2),
  makerRate: rate(0),
  takerRate: rate(0),
  minTotal: amount(0n),
  minQuantity: lots(0),
  selfTradeMode: 'NONE',
  openOrdersMax: 100_000,
  levelsMax: 100_000,
}
