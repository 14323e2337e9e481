/**
 * All formulas for money (docs/reference/matching.md#money-and-rounding,
 * docs/reference/matching.md#commission). They are exact integer arithmetic of unlimited size, and each
 * states a figure over an order's whole life: a single fill moves the difference between the figure after it
 * and the figure before it, so that no way of slicing an order into fills changes the sum.
 */
import type { Branded } from '../../units/brand.ts'
import { invariant } from '../../units/invariant.ts'
import { notionalSum } from '../../units/notional.ts'
import {
  type Amount,
  DECIMALS_MAX,
  type Decimals,
  type Lots,
  NO_AMOUNT,
  type Notional,
  type Price,
  RATE_ONE,
  type Rate,
  UNITS_MAX,
} from '../../units/quantities.ts'
import {
  add,
  bigintOf,
  divideDown,
  divideUp,
  isLess,
  multiply,
  subtract,
  type Whole,
  wholeOf,
} from '../../units/whole.ts'

/**
 * Ledger units of the quote asset = notional x `multiply` / `divide`. Both are powers of ten, one of them 1.
 */
export type QuoteScale = { readonly multiply: Whole; readonly divide: Whole }

/** Ledger units of the base asset in one lot: a power of ten. */
export type LotScale = Branded<number, 'LotScale'> | Branded<bigint, 'LotScale'>

/** Commission before rounding: whole ledger units, and the rest in units of 10^-8. Both at least 0. */
export type ExactCommission = { readonly units: Amount; readonly fraction: number }

export const NO_COMMISSION: ExactCommission = { units: NO_AMOUNT, fraction: 0 }

const RATE_HALF = RATE_ONE / 2

/**
 * How a symbol's notional (10^-(baseFraction+quoteFraction) quote) becomes ledger units (10^-quotePrecision).
 */
export function quoteScale(
  baseFraction: Decimals,
  quoteFraction: Decimals,
  quotePrecision: Decimals,
): QuoteScale {
  const finer = quotePrecision - baseFraction - quoteFraction
  return finer >= 0 ? { multiply: powerOfTen(finer), divide: 1 } : { multiply: 1, divide: powerOfTen(-finer) }
}

/** Number of ledger units in a lot; `baseFraction` is at most `basePrecision`. */
export function lotScale(baseFraction: Decimals, basePrecision: Decimals): LotScale {
  invariant(
    baseFraction <= basePrecision,
    () => `a lot of ${baseFraction} decimals must not be finer than a ledger of ${basePrecision}`,
  )
  return powerOfTen(basePrecision - baseFraction) as LotScale
}

function powerOfTen(exponent: number): Whole {
  return wholeOf(10n ** BigInt(exponent))
}

/**
 * A quantity in units of 10^-18 of the base asset as lots; undefined if it is not an integer number of lots,
 * or more than an order can have.
 */
export function exactLots(units: Amount, baseFraction: Decimals): Lots | undefined {
  const lot = 10n ** BigInt(DECIMALS_MAX - baseFraction)
  const whole = BigInt(units) / lot
  return whole * lot === BigInt(units) && whole <= UNITS_MAX ? (Number(whole) as Lots) : undefined
}

/** The same movement from the other side: incoming money becomes outgoing. */
export function negated(sum: Amount): Amount {
  return subtract(0, sum) as Amount
}

/** The sum of two amounts. */
export function amountSum(a: Amount, b: Amount): Amount {
  return add(a, b) as Amount
}

/** The smaller of two amounts. */
export function leastAmount(a: Amount, b: Amount): Amount {
  return isLess(b, a) ? b : a
}

/** The larger of two amounts. */
export function greatestAmount(a: Amount, b: Amount): Amount {
  return isLess(a, b) ? b : a
}

/** The amount that was moved between the figures `before` and `after`; also the rest of a sum. */
export function difference(after: Amount, before: Amount): Amount {
  return subtract(after, before) as Amount
}

/**
 * The value of ledger units of a base asset at a price: units x price x `multiply` / `divide`, rounded half
 * up.
 */
export function worthAtPrice(units: Amount, price: Price, multiply: bigint, divide: bigint): bigint {
  const worth = bigintOf(units) * BigInt(price) * multiply
  return divide === 1n ? worth : (worth * 2n + divide) / (divide * 2n)
}

/** The total payment of a buy order over its life when its fills are worth `executed`: rounded up. */
export function paidFor(executed: Notional, scale: QuoteScale): Amount {
  if (executed === 0) return NO_AMOUNT
  return divideUp(multiply(executed, scale.multiply), scale.divide) as Amount
}

/** The total proceeds of a sell order over its life when its fills are worth `executed`: rounded down. */
export function receivedFor(executed: Notional, scale: QuoteScale): Amount {
  if (executed === 0) return NO_AMOUNT
  return divideDown(multiply(executed, scale.multiply), scale.divide) as Amount
}

/**
 * The hold of a LIMIT BUY order: the payment for its executed and its resting quantity, minus what it has
 * already paid. `resting` is its price x remaining quantity.
 */
export function lockedFor(executed: Notional, resting: Notional, scale: QuoteScale): Amount {
  return difference(paidFor(notionalSum(executed, resting), scale), paidFor(executed, scale))
}

/**
 * The largest notional that costs a buyer at most `total`. Its exact value is also at most `total`, so it is
 * the most that a MARKET SELL limited to `total` may execute.
 */
export function budgetOf(total: Amount, scale: QuoteScale): Notional {
  return divideDown(multiply(total, scale.divide), scale.multiply) as Notional
}

/** The smallest notional that brings a seller at least `total`. */
export function worthAtLeast(total: Amount, scale: QuoteScale): Notional {
  return divideUp(multiply(total, scale.divide), scale.multiply) as Notional
}

/**
 * The notional for which a buyer pays one ledger unit; undefined if every notional costs whole ledger units.
 */
export function budgetUnit({ divide }: QuoteScale): Notional | undefined {
  return divide === 1 ? undefined : (divide as Notional)
}

/** A quantity in ledger units of the base asset. */
export function baseUnits(quantity: Lots, scale: LotScale): Amount {
  return multiply(quantity, scale) as Amount
}

/**
 * The integer number of lots in an amount of ledger units of the base asset; the whole quantity is at most
 * 2^53-1 lots.
 */
export function lotsWithin(units: Amount, scale: LotScale): Lots {
  return Number(divideDown(units, scale)) as Lots
}

/**
 * An order's commission so far, unrounded, after it `received` a further amount at `rate`. The rate may
 * differ from fill to fill (maker, taker, or changed by the operator).
 */
export function commissionAccrued(before: ExactCommission, received: Amount, rate: Rate): ExactCommission {
  // In two parts, so that the received amount and the commission stay numbers as long as possible.
  if (typeof received === 'number' && typeof before.units === 'number') {
    // Nearly every call ends here: the same result as below in a third of the time (`npm run bench -- core`).
    const wholes = Math.floor(received / RATE_ONE)
    const fractions = (received - wholes * RATE_ONE) * rate + before.fraction
    const carried = Math.floor(fractions / RATE_ONE)
    const units = before.units + wholes * rate + carried
    if (fractions <= UNITS_MAX && units <= UNITS_MAX) {
      return { units: units as Amount, fraction: fractions - carried * RATE_ONE }
    }
  }
  const wholes = divideDown(received, RATE_ONE)
  const rest = subtract(received, multiply(wholes, RATE_ONE))
  const fractions = add(multiply(rest, rate), before.fraction)
  const carried = divideDown(fractions, RATE_ONE)
  return {
    units: add(add(before.units, multiply(wholes, rate)), carried) as Amount,
    fraction: Number(subtract(fractions, multiply(carried, RATE_ONE))),
  }
}

/**
 * The commission that an order owes over its life: rounded half up. A fill is charged the increase of this.
 */
export function commissionDue({ units, fraction }: ExactCommission): Amount {
  return fraction < RATE_HALF ? units : (add(units, 1) as Amount)
}

/** The smallest received amount for which the commission is one ledger unit at `rate`, which is above 0. */
export function leastCharged(rate: Rate): Amount {
  return divideUp(RATE_HALF, rate) as Amount
}

/** A commission as one number of 10^-8 ledger units, as snapshots store it. */
export function commissionParts({ units, fraction }: ExactCommission): Whole {
  return add(multiply(units, RATE_ONE), fraction)
}

/** The commission for a number of 10^-8 ledger units. */
export function commissionOf(parts: Whole): ExactCommission {
  const units = divideDown(parts, RATE_ONE) as Amount
  return { units, fraction: Number(subtract(parts, multiply(units, RATE_ONE))) }
}

/** Decimals of a price, and of the quote asset's ledger, which has at least as many. */
type AverageDecimals = { readonly quoteFraction: Decimals; readonly quotePrecision: Decimals }

/**
 * The average price of one base asset, in ledger units of the quote asset, rounded half up; undefined if
 * nothing was executed. It lies between the prices of the fills (docs/reference/matching.md#averages).
 */
export function averagePrice(
  executed: Notional,
  quantity: Whole,
  { quoteFraction, quotePrecision }: AverageDecimals,
): Amount | undefined {
  if (quantity === 0) return undefined
  return halfUp(multiply(executed, powerOfTen(quotePrecision - quoteFraction)), quantity) as Amount
}

/** The average price in ticks, for the answer to a MARKET order; 0 ("no price") if nothing was executed. */
export function averageTicks(executed: Notional, quantity: Whole): Price {
  return (quantity === 0 ? 0 : Number(halfUp(executed, quantity))) as Price
}

function halfUp(dividend: Whole, divisor: Whole): Whole {
  return divideDown(add(multiply(dividend, 2), divisor), multiply(divisor, 2))
}

/** The rate that is `share` (0 to `RATE_ONE`) of `rate`, rounded down. */
export function sharedRate(rate: Rate, share: Rate): Rate {
  return Number(divideDown(multiply(rate, share), RATE_ONE)) as Rate
}
