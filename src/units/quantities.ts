/**
 * The types of numbers. Every figure of the exchange is an integer in a named unit; except on the pages, no
 * money is a floating-point fraction.
 */
import type { Branded } from './brand.ts'
import { invariant } from './invariant.ts'
import { AMOUNT_MAX } from './limits.ts'
import { type Whole, wholeOf } from './whole.ts'

/**
 * Largest integer that a JavaScript number can represent exactly, and the largest price or quantity of one
 * order.
 */
export const UNITS_MAX = Number.MAX_SAFE_INTEGER

/** A price in ticks: units of 10^-priceDecimals of the quote asset. 1 to `UNITS_MAX`; 0 means "no price". */
export type Price = Branded<number, 'Price'>

/** A quantity of one order in lots: units of 10^-quantityDecimals of the base asset. 0 to `UNITS_MAX`. */
export type Lots = Branded<number, 'Lots'>

/**
 * Money of one asset in ledger units: units of 10^-fraction of that asset. Unbounded and exact: a `Whole`,
 * always in the one form for its size, so that `===` compares amounts. Only `amount`, the formulas of money
 * and the codecs create them; the ring tool refuses any other cast.
 */
export type Amount = Branded<number, 'Amount'> | Branded<bigint, 'Amount'>

/**
 * A sum of price x quantity in ticks x lots: the value of fills before any rounding. A `Whole`, as an
 * `Amount` is.
 */
export type Notional = Branded<number, 'Notional'> | Branded<bigint, 'Notional'>

/** A commission rate in units of 10^-8: 100_000 is 0.001, one part in a thousand. 0 to 99_999_999. */
export type Rate = Branded<number, 'Rate'>

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type TimeMs = Branded<number, 'TimeMs'>

/** Position of a command in the journal; the first command is 1. */
export type Seq = Branded<number, 'Seq'>

/** Decimal places of an asset, price or quantity: 0 to `DECIMALS_MAX`. */
export type Decimals = Branded<number, 'Decimals'>

/** Maximum number of decimal places of an asset, price or quantity. */
export const DECIMALS_MAX = 18

/** The number of units of `Rate` in a rate of 1. */
export const RATE_ONE = 100_000_000

/** Decimal places of a `Rate`. */
export const RATE_DECIMALS = 8

function isUnits(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** A price from an integer count of ticks; a negative, fractional or too large one is a bug of the caller. */
export function price(ticks: number): Price {
  invariant(isUnits(ticks), () => `price must be 0 to 2^53-1 ticks, found ${ticks}`)
  return ticks as Price
}

/**
 * A quantity from an integer count of lots; a negative, fractional or too large one is a bug of the caller.
 */
export function lots(count: number): Lots {
  invariant(isUnits(count), () => `quantity must be 0 to 2^53-1 lots, found ${count}`)
  return count as Lots
}

/**
 * An amount from ledger units in either form. Negative amounts exist only as balances of the outside world.
 */
export function amount(units: Whole): Amount {
  return canonical(units) as Amount
}

/**
 * Whether an amount is from `least` (0 or 1) to `AMOUNT_MAX`. Every amount of a command passes this check, so
 * an amount in the wrong form, created without `amount`, is found before it is compared or stored.
 */
export function isAmount(units: Amount, least: 0 | 1 = 0): boolean {
  if (typeof units === 'number') return units >= least && Number.isSafeInteger(units)
  invariant(
    typeof wholeOf(units) === 'bigint',
    () => `an amount of ${units} must be a number, found a bigint`,
  )
  return units > 0 && units <= AMOUNT_MAX
}

/** A notional from ticks x lots in either form. */
export function notional(units: Whole): Notional {
  return canonical(units) as Notional
}

function canonical(units: Whole): Whole {
  if (typeof units === 'bigint') return wholeOf(units)
  invariant(
    Number.isSafeInteger(units),
    () => `a number of units must be a whole number up to 2^53-1, found ${units}`,
  )
  // Replaces -0 with 0.
  return units === 0 ? 0 : units
}

/** A time from an integer number of milliseconds since 1970. */
export function timeMs(milliseconds: number): TimeMs {
  invariant(isUnits(milliseconds), () => `time must be whole milliseconds since 1970, found ${milliseconds}`)
  return milliseconds as TimeMs
}

/** A journal position; 0 means "before the first command". */
export function seq(position: number): Seq {
  invariant(isUnits(position), () => `sequence number must be 0 to 2^53-1, found ${position}`)
  return position as Seq
}

/** A commission rate in units of 10^-8; at least 0 and below 1. */
export function rate(units: number): Rate {
  invariant(
    isUnits(units) && units < RATE_ONE,
    () => `rate must be 0 to 99999999 units of 1e-8, found ${units}`,
  )
  return units as Rate
}

/** A number of decimal places from 0 to 18. */
export function decimals(places: number): Decimals {
  invariant(
    isUnits(places) && places <= DECIMALS_MAX,
    () => `decimals must be 0 to ${DECIMALS_MAX}, found ${places}`,
  )
  return places as Decimals
}

export const NO_AMOUNT = 0 as Amount
export const NO_NOTIONAL = 0 as Notional
export const NO_LOTS = 0 as Lots
