/**
 * All formulas for price x quantity: exact, before any rounding, and without an asset. The market computes
 * only with these; the ledger's formulas turn the results into money (`core/ledger/money.ts`).
 */
import { type Lots, NO_LOTS, type Notional, type Price, UNITS_MAX } from './quantities.ts'
import { add, divideDown, divideUp, isLess, multiply, remainder, subtract } from './whole.ts'

/** Price x quantity. */
export function worthOf(price: Price, quantity: Lots): Notional {
  return multiply(price, quantity) as Notional
}

/** The total value of two fills. */
export function notionalSum(a: Notional, b: Notional): Notional {
  return add(a, b) as Notional
}

/**
 * The part of a budget that can be executed, if `left` of it is left and `paid` was paid. With a `unit`, it
 * is the rest of the budget after DECREMENT, rounded down to a whole unit, minus `paid`; only DECREMENT takes
 * parts of a unit.
 */
export function payable(left: Notional, paid: Notional, unit: Notional | undefined): Notional {
  if (unit === undefined) return left
  return subtract(left, remainder(add(left, paid), unit)) as Notional
}

/** The part of the remaining budget that DECREMENT can take: executed fills are paid in whole units. */
export function lowerable(left: Notional, paid: Notional, unit: Notional | undefined): Notional {
  if (unit === undefined) return left
  const started = remainder(paid, unit)
  return started === 0 ? left : (add(subtract(left, unit), started) as Notional)
}

/** The number of lots, up to `wanted`, for which `budget` pays in full at the price `at`. */
export function affordable(wanted: Lots, at: Price, budget: Notional): Lots {
  if (budget < 0) return NO_LOTS
  const paid = divideDown(budget, at)
  return isLess(paid, wanted) ? (paid as Lots) : wanted
}

/**
 * The smallest number of lots whose value at the price `at` is `worth` or more; undefined if an order cannot
 * have that many.
 */
export function fewestLots(worth: Notional, at: Price): Lots | undefined {
  const lots = divideUp(worth, at)
  return lots <= UNITS_MAX ? (Number(lots) as Lots) : undefined
}

/** The rest of a budget after `taken` was taken from it. */
export function budgetAfter(left: Notional, taken: Notional): Notional {
  return subtract(left, taken) as Notional
}
