/**
 * Every formula of money (decisions: "Money"). All of them are exact integer arithmetic of unlimited size, and
 * all of them speak of an order's whole life: what a single fill moves is the difference between the figure
 * after it and the figure before it, so that no way of slicing an order into fills changes its sum.
 */
import type { Branded } from '../../units/brand.ts'
import { invariant } from '../../units/invariant.ts'
import type { Amount, Decimals, Lots, Notional, Price, Rate } from '../../units/quantities.ts'
import { RATE_ONE } from '../../units/quantities.ts'

/** Ledger units of the quote asset = notional x `multiply` / `divide`. Both are powers of ten, one of them 1n. */
export type QuoteScale = { readonly multiply: bigint; readonly divide: bigint }

/** Ledger units of the base asset in one lot: a power of ten. */
export type LotScale = Branded<bigint, 'LotScale'>

/** Commission before rounding, in units of 10^-8 ledger unit. At least 0. */
export type ExactCommission = Branded<bigint, 'ExactCommission'>

export const NO_COMMISSION = 0n as ExactCommission

const RATE_WHOLE = BigInt(RATE_ONE)
const RATE_HALF = RATE_WHOLE / 2n

/** How a symbol's notional (10^-(baseFraction+quoteFraction) quote) becomes ledger units (10^-quotePrecision). */
export function quoteScale(
  baseFraction: Decimals,
  quoteFraction: Decimals,
  quotePrecision: Decimals,
): QuoteScale {
  const finer = quotePrecision - baseFraction - quoteFraction
  return finer >= 0
    ? { multiply: 10n ** BigInt(finer), divide: 1n }
    : { multiply: 1n, divide: 10n ** BigInt(-finer) }
}

/** How many ledger units a lot has; `baseFraction` is at most `basePrecision`. */
export function lotScale(baseFraction: Decimals, basePrecision: Decimals): LotScale {
  invariant(
    baseFraction <= basePrecision,
    () => `a lot of ${baseFraction} decimals must not be finer than a ledger of ${basePrecision}`,
  )
  return (10n ** BigInt(basePrecision - baseFraction)) as LotScale
}

/** Price x quantity. */
export function notionalOf(price: Price, quantity: Lots): Notional {
  return (BigInt(price) * BigInt(quantity)) as Notional
}

/** What a buy order has paid over its life when its fills are worth `executed`: rounded up. */
export function paidFor(executed: Notional, scale: QuoteScale): Amount {
  return ((executed * scale.multiply + scale.divide - 1n) / scale.divide) as Amount
}

/** What a sell order has received over its life when its fills are worth `executed`: rounded down. */
export function receivedFor(executed: Notional, scale: QuoteScale): Amount {
  return ((executed * scale.multiply) / scale.divide) as Amount
}

/**
 * What a LIMIT BUY order holds: enough to pay for all it has bought and all that rests, less what it has paid.
 * `resting` is its price x remaining quantity.
 */
export function lockedFor(executed: Notional, resting: Notional, scale: QuoteScale): Amount {
  return (paidFor((executed + resting) as Notional, scale) - paidFor(executed, scale)) as Amount
}

/**
 * The largest notional that costs a buyer at most `total`; and, as its exact worth is then at most `total` too,
 * the largest that a MARKET SELL limited to `total` may execute.
 */
export function budgetOf(total: Amount, scale: QuoteScale): Notional {
  return ((total * scale.divide) / scale.multiply) as Notional
}

/** A quantity in ledger units of the base asset. */
export function baseAmount(quantity: Lots, scale: LotScale): Amount {
  return (BigInt(quantity) * scale) as Amount
}

/**
 * An order's commission so far, unrounded, after it `received` more at `rate`. The rate may differ from fill to
 * fill (maker, taker, or changed by the operator).
 */
export function commissionAccrued(before: ExactCommission, received: Amount, rate: Rate): ExactCommission {
  return (before + received * BigInt(rate)) as ExactCommission
}

/** The commission that an order owes over its life: rounded half up. A fill is charged what this grew by. */
export function commissionDue(exact: ExactCommission): Amount {
  return ((exact + RATE_HALF) / RATE_WHOLE) as Amount
}

/** The average price of what was executed, in ticks, rounded half up; 0 ("no price") when nothing was. */
export function averagePrice(executed: Notional, quantity: Lots): Price {
  if (quantity === 0) return 0 as Price
  const divisor = 2n * BigInt(quantity)
  return Number((2n * executed + divisor / 2n) / divisor) as Price
}

/** The rate that pays `share` (0 to `RATE_ONE`) of `rate`, rounded down. */
export function sharedRate(rate: Rate, share: Rate): Rate {
  return Number((BigInt(rate) * BigInt(share)) / RATE_WHOLE) as Rate
}
