/**
 * How large and small an order of a symbol can be, by its decimals, which never change: prices and quantities are whole numbers of at most 2^53-1 of
 * their smallest units. A symbol in which nobody could place an order is refused.
 */
import { quoteScale, receivedFor } from '../../../core/ledger/money.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { worthOf } from '../../../units/notional.ts'
import { type Amount, type Decimals, type Lots, type Price, UNITS_MAX } from '../../../units/quantities.ts'
import type { AdminOrderSizes } from '../../../wire/admin-operations/listings.ts'
import { invalid } from '../context.ts'

/** With more decimals the largest quantity of an order is less than one whole unit: 2^53-1 has 16 digits. */
export const QUANTITY_DECIMALS_MAX = 15

type Fractions = { readonly baseFraction: Decimals; readonly quoteFraction: Decimals }

/** 0 stands for no bound of the symbol's own. */
export type Bounds = Fractions & {
  readonly quotePrecision: Decimals
  readonly minTotal: Amount
  readonly maxPrice: Price
}

export function orderSizes({
  baseFraction,
  quoteFraction,
  minQuantity,
}: Fractions & { readonly minQuantity: Lots }): AdminOrderSizes {
  return {
    quantityMin: plainDecimal(Math.max(1, minQuantity), baseFraction),
    quantityMax: plainDecimal(UNITS_MAX, baseFraction),
    priceMin: plainDecimal(1, quoteFraction),
    priceMax: plainDecimal(UNITS_MAX, quoteFraction),
  }
}

/** Throws `INVALID_FIELD` where the largest quantity would be less than one whole `code`. */
export function requireWholeUnit(baseFraction: Decimals, code: string): void {
  if (baseFraction <= QUANTITY_DECIMALS_MAX) return
  const largest = plainDecimal(UNITS_MAX, baseFraction)
  const found = `with ${baseFraction} the largest quantity of an order would be ${largest} ${code}, for good`
  throw invalid('baseFraction', `expected at most ${QUANTITY_DECIMALS_MAX}: ${found}`)
}

/** Throws `INVALID_FIELD` where no order can be worth as much as `minTotal`. */
export function requireReachable({ baseFraction, quoteFraction, quotePrecision, ...bounds }: Bounds): void {
  const price = bounds.maxPrice > 0 ? bounds.maxPrice : (UNITS_MAX as Price)
  const scale = quoteScale(baseFraction, quoteFraction, quotePrecision)
  const largest = receivedFor(worthOf(price, UNITS_MAX as Lots), scale)
  if (bounds.minTotal <= largest) return
  const worth = plainDecimal(largest, quotePrecision)
  throw invalid(
    'minTotal',
    `expected at most ${worth}, which the largest order at the highest price is worth`,
  )
}
