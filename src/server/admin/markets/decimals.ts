/**
 * Conversion between decimals of the admin server and integers; every refusal names the field and the
 * expected form.
 */
import type { Asset } from '../../../core/registry/records.ts'
import { parseDecimal } from '../../../units/decimal.ts'
import { AMOUNT_MAX } from '../../../units/limits.ts'
import {
  type Amount,
  amount,
  type Decimals,
  decimals,
  type Lots,
  lots,
  type Price,
  price,
  RATE_DECIMALS,
  RATE_ONE,
  type Rate,
  rate,
  UNITS_MAX,
} from '../../../units/quantities.ts'
import { invalid } from '../context.ts'

/** Amounts of an asset; `0` only where that has a meaning. */
export function amountOf(field: string, text: string, asset: Pick<Asset, 'code' | 'fraction'>): Amount {
  const units = unitsOf(field, text, asset.fraction, asset.code)
  if (units > AMOUNT_MAX) throw invalid(field, `is more ${asset.code} than an account can hold`)
  return amount(units)
}

/** A quantity of a symbol with `places` decimals, in lots. */
export function lotsOf(field: string, text: string, places: Decimals): Lots {
  const units = unitsOf(field, text, places, 'a quantity of this symbol')
  if (units > BigInt(UNITS_MAX)) throw invalid(field, `is more than ${UNITS_MAX} lots`)
  return lots(Number(units))
}

/** A commission rate as a fraction: `0.001` is one part in a thousand. */
export function rateOf(field: string, text: string): Rate {
  const units = unitsOf(field, text, decimals(RATE_DECIMALS), 'a rate')
  if (units >= BigInt(RATE_ONE))
    throw invalid(field, `expected a rate of at least 0 and below 1, found ${text}`)
  return rate(Number(units))
}

/** A price of a symbol with `places` decimals, in ticks; 0 only where that has a meaning. */
export function priceOf(field: string, text: string, places: Decimals): Price {
  const units = unitsOf(field, text, places, 'a price of this symbol')
  if (units > BigInt(UNITS_MAX)) throw invalid(field, `is more than ${UNITS_MAX} ticks`)
  return price(Number(units))
}

/** A share of a rate: `1` is the whole rate, `0.5` half of it. */
export function shareOf(field: string, text: string): Rate {
  const units = unitsOf(field, text, decimals(RATE_DECIMALS), 'a share')
  if (units > BigInt(RATE_ONE)) throw invalid(field, `expected a share of 0 to 1, found ${text}`)
  return Number(units) as Rate
}

function unitsOf(field: string, text: string, places: Decimals, of: string): bigint {
  const parsed = parseDecimal(text, places)
  switch (parsed) {
    case 'MALFORMED':
    case 'TOO_LONG':
      throw invalid(field, `expected digits with an optional fraction, found ${JSON.stringify(text)}`)
    case 'TOO_MANY_DECIMALS':
      throw invalid(field, `${of} has ${places} decimals, found ${text}`)
    default:
      return parsed
  }
}
