/**
 * Every formula of price x quantity: exact, before any rounding, and of no asset yet. The market computes with these
 * alone; what they come to in money, the ledger's formulas say (`core/ledger/money.ts`).
 */
import { type Lots, NO_LOTS, type Notional, type Price, UNITS_MAX } from './quantities.ts'
import { add, divideDown, divideUp, isLess, multiply, remainder, subtract } from './whole.ts'

/** Price x quantity. */
export function worthOf(price: Price, quantity: Lots): Notional {
  return multiply(price, quantity) as Notional
}

/** What several fills are worth together. */
export function notionalSum(a: Notional, b: Notional): Notional {
  return add(a, b) as Notional
}

/**
 * What of a budget can be executed when `left` of it is left, where `paid` was. In whole units it is what is left of the
 * budget after DECREMENT, rounded down to a unit, less `paid`; only DECREMENT takes parts of a unit.
 */
export function payable(left: Notional, paid: Notional, unit: Notional | undefined): Notional {
  if (unit === undefined) return left
  return subtract(left, remainder(add(left, paid), unit)) as Notional
}

/** What of the budget left DECREMENT can lower: what was executed is paid for in whole units. */
export function lowerable(left: Notional, paid: Notional, unit: Notional | undefined): Notional {
  if (unit === undefined) return left
  const started = remainder(paid, unit)
  return started === 0 ? left : (add(subtract(left, unit), started) as Notional)
}

/** As many of `wanted` lots at the price `at` as `budget` pays in full. */
export function affordable(wanted: Lots, at: Price, budget: Notional): Lots {
  if (budget < 0) return NO_LOTS
  const paid = divideDown(budget, at)
  return isLess(paid, wanted) ? (paid as Lots) : wanted
}

/** The fewest lots that are worth `worth` at the price `at`; undefined: more than an order can have. */
export function fewestLots(worth: Notional, at: Price): Lots | undefined {
  const lots = divideUp(worth, at)
  return lots <= UNITS_MAX ? (Number(lots) as Lots) : undefined
}

/** What is left of a budget that `taken` was taken from. */
export function budgetAfter(left: Notional, taken: Notional): Notional {
  return subtract(left, taken) as Notional
}
