/**
 * The smallest and largest order of a symbol, from its decimals, which never change, and its terms, which do:
 * prices and quantities are whole numbers of at most 2^53-1 of their smallest units. A symbol in which no
 * order could be placed is refused.
 */

import type { AdminOrderSizes } from '../../../contract/admin/operations/listings.ts'
import { paidFor, quoteScale, receivedFor } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { AMOUNT_MAX } from '../../../units/limits.ts'
import { worthOf } from '../../../units/notional.ts'
import { amount, type Decimals, type Lots, type Price, UNITS_MAX } from '../../../units/quantities.ts'
import { invalid } from '../context.ts'

/** With more decimals the largest quantity of an order is less than one whole unit: 2^53-1 has 16 digits. */
export const QUANTITY_DECIMALS_MAX = 15

/**
 * Decimals of prices and quantities together: with more the largest order is worth less than one whole unit
 * of the quote asset.
 */
export const WORTH_DECIMALS_MAX = 31

type Fractions = { readonly baseFraction: Decimals; readonly quoteFraction: Decimals }

/** The values that decide whether any order is possible. */
export type OrderTerms = Fractions &
  Pick<TradingSymbol, 'quotePrecision' | 'minTotal' | 'minQuantity'> & {
    readonly priceBand?: TradingSymbol['priceBand'] | undefined
    readonly increments?: TradingSymbol['increments'] | undefined
  }

/** The terms that a request can set; the first of those that it sets, in this order, is reported. */
const FIELDS = ['minQuantity', 'stepSize', 'minTotal', 'maxPrice', 'tickSize'] as const
type TermsField = (typeof FIELDS)[number]

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

/**
 * Throws `INVALID_FIELD` if the largest quantity would be less than one whole `code`, or the largest order
 * worth less than one unit of the quote asset.
 */
export function requireWholeUnit({ baseFraction, quoteFraction }: Fractions, code: string): void {
  if (baseFraction > QUANTITY_DECIMALS_MAX) {
    const largest = plainDecimal(UNITS_MAX, baseFraction)
    const found = `with ${baseFraction} the largest quantity of an order would be ${largest} ${code}, and this cannot be changed later`
    throw invalid('baseFraction', `expected at most ${QUANTITY_DECIMALS_MAX}: ${found}`)
  }
  const most = WORTH_DECIMALS_MAX - baseFraction
  if (quoteFraction <= most) return
  const found = `with ${quoteFraction}, and ${baseFraction} for quantities, the largest order would be worth less than 1, and this cannot be changed later`
  throw invalid('quoteFraction', `expected at most ${most}: ${found}`)
}

/**
 * Throws `INVALID_FIELD` if no order can be placed under a symbol's terms: no quantity is large enough and on
 * the step, none is worth `minTotal` at any price, or even the smallest is worth more than an account can
 * hold. `named`: the fields of the request, one of which is reported. Whether some price of the band is on
 * the tick is checked by the operation that sets one of the two.
 */
export function requirePlaceable(terms: OrderTerms, named: Readonly<Record<string, unknown>>): void {
  if (FIELDS.every((field) => named[field] === undefined)) return
  const { baseFraction, quoteFraction, quotePrecision, minTotal, minQuantity, priceBand, increments } = terms
  const { tickSize = 1, stepSize = 1 } = increments ?? {}
  const [least, most] = [onNext(minQuantity, stepSize), onLast(UNITS_MAX, stepSize)]
  if (least > most) {
    const [quantity, step] = [minQuantity, stepSize].map((lots) => plainDecimal(lots, baseFraction))
    const found = `found ${quantity} in steps of ${step}`
    throw invalid(
      blamed(named),
      `expected a minimum quantity of at most ${plainDecimal(most, baseFraction)}: ${found}`,
    )
  }
  const [low, high] = [onNext(priceBand?.min ?? 0, tickSize), onLast(priceBand?.max ?? UNITS_MAX, tickSize)]
  const scale = quoteScale(baseFraction, quoteFraction, quotePrecision)
  const largest = receivedFor(worthOf(high as Price, most as Lots), scale)
  if (largest === 0 || largest < minTotal) {
    const [worth, total] = [largest, minTotal].map((units) => plainDecimal(units, quotePrecision))
    const field = blamed(named, 'minTotal')
    const of = 'the value of the largest order at the highest price'
    throw invalid(
      field,
      field === 'minTotal'
        ? `expected at most ${worth}, ${of}`
        : `expected minTotal, ${total}, or more as ${of}: found ${worth}`,
    )
  }
  const smallest = paidFor(worthOf(low as Price, least as Lots), scale)
  if (smallest <= AMOUNT_MAX) return
  const [worth, held] = [smallest, amount(AMOUNT_MAX)].map((units) => plainDecimal(units, quotePrecision))
  throw invalid(
    blamed(named),
    `expected orders of at most ${held}, the most that an account can pay: the smallest order at the lowest price is worth ${worth}`,
  )
}

/** The field to be reported: `first` if the request has it, otherwise the first of `FIELDS` that it has. */
function blamed(named: Readonly<Record<string, unknown>>, first?: TermsField): TermsField {
  const fields = first === undefined ? FIELDS : [first, ...FIELDS]
  return fields.find((field) => named[field] !== undefined) ?? (fields[0] as TermsField)
}

/** The least multiple of `size` that is at least `units`, and at least one. */
function onNext(units: number, size: number): number {
  const over = units % size
  return over === 0 ? Math.max(units, size) : units - over + size
}

/** The largest multiple of `size` that is at most `units`. */
function onLast(units: number, size: number): number {
  return units - (units % size)
}
