/**
 * The commission of an account in symbols, as exact fractions
 * (docs/reference/extensions.md#commission-of-an-account).
 */
import { plainDecimal } from '../../units/decimal.ts'
import { type Decimals, RATE_DECIMALS, type Rate, type TimeMs } from '../../units/quantities.ts'
import {
  component,
  constant,
  decimal,
  optional,
  symbolName,
  text,
  timeMs,
  type ValueOf,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { type SuccessHeads, successHeads } from '../envelope.ts'

export type Rates = { readonly maker: Rate; readonly taker: Rate }

export type AccountCommission = {
  readonly symbol: string
  /** The rate of the account. */
  readonly paid: Rates
  /** The rate of accounts without a tier. */
  readonly standard: Rates
  /** Undefined if it has none. */
  readonly feeTier: string | undefined
  /** The account has its own rates, which neither the symbol nor the tier changes. */
  readonly isOwn: boolean
  /** The end of these rates; undefined if they have none. */
  readonly until: TimeMs | undefined
}

export const RATES = component('Rates', 'Commission rates as fractions.', {
  maker: decimal(),
  taker: decimal(),
})

export const ACCOUNT_COMMISSION = component(
  'AccountCommission',
  'The commission rates of your account, and the standard ones.',
  {
    symbol: symbolName(),
    commissionRates: RATES,
    standardCommission: RATES,
    feeTier: optional(text()),
    ownRates: optional(
      constant(true, 'The account has its own rates, which neither the symbol nor the tier changes.'),
    ),
    ownRatesUntil: optional(timeMs('The end of these rates; absent if they have no end.')),
  },
)

export const COMMISSION_READ: SuccessHeads = successHeads({
  en: 'The commission has been read.',
  tr: 'Komisyon getirildi.',
})

export function accountCommissionJson(commission: AccountCommission): string {
  const { symbol, paid, standard, feeTier, isOwn, until } = commission
  return jsonOf(ACCOUNT_COMMISSION, {
    symbol,
    commissionRates: ratesOf(paid),
    standardCommission: ratesOf(standard),
    feeTier,
    ownRates: isOwn ? true : undefined,
    ownRatesUntil: until,
  })
}

/** Rates as the fields of an answer. */
export function ratesOf({ maker, taker }: Rates): ValueOf<typeof RATES> {
  return { maker: rateText(maker), taker: rateText(taker) }
}

function rateText(rate: Rate): string {
  return plainDecimal(rate, RATE_DECIMALS as Decimals)
}
