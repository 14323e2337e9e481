/**
 * Price-time priority with self-trade prevention. It decides which orders trade, how much and at which price,
 * calls an observer, and changes the book. It does not depend on money, order types or symbols.
 *
 * Other modules do the rest. Fill-or-kill and post-only look at the book (`look-ahead.ts`) before they match,
 * so nothing has to be undone. Stop orders wait outside the book and become takers when a trade triggers
 * them. An iceberg order rests with its visible part and, when that is filled to 0, adds the next part from
 * inside the observer, behind all others at its price. Amending is `reduce` where priority stays, else
 * `remove` and a new taker.
 */
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { affordable, budgetAfter, lowerable, notionalSum, payable, worthOf } from '../../units/notional.ts'
import type { SelfTradeMode, Side } from '../../units/order-enums.ts'
import {
  type Lots,
  NO_LOTS,
  NO_NOTIONAL,
  type Notional,
  type Price,
  UNITS_MAX,
} from '../../units/quantities.ts'
import { NO_SLOT, type OrderBook, type Slot } from './order-book.ts'

/** An arriving order. At least one of `quantity` and `budget` is given. */
export type Taker = {
  readonly side: Side
  readonly owner: AccountId
  /** The worst price that the order accepts; undefined for any (MARKET). */
  readonly limit: Price | undefined
  /**
   * Maximum number of lots to trade. Undefined if the budget is the limit; then at most the 2^53-1 lots that
   * one order can have.
   */
  readonly quantity: Lots | undefined
  /** Maximum of ticks x lots to trade, at least 0; undefined for no budget. */
  readonly budget: Notional | undefined
  /**
   * For a taker that pays in whole units of this many ticks x lots: executed amounts count against the budget
   * rounded up, DECREMENT's deductions exactly. Undefined if both count exactly.
   */
  readonly budgetUnit?: Notional | undefined
  /**
   * If the budget is the limit, a multiple of this many lots is traded or deducted; undefined for any
   * quantity.
   */
  readonly stepSize?: Lots | undefined
  /** The mode of the taker, which applies whatever the mode of the resting order. */
  readonly selfTradeMode: SelfTradeMode
  /** Maximum number of resting orders that the taker is matched against, at least 1. */
  readonly stepsMax: number
  /**
   * Returns whether a resting order has already ended and is only removed when its turn comes. Undefined if
   * none has.
   */
  readonly hasEnded?: ((orderNumber: OrderNumber) => boolean) | undefined
}

/** A record for a taker. A caller that matches many orders reuses one, like the record of an outcome. */
export type TakerRecord = { -readonly [Field in keyof Taker]: Taker[Field] }

export function takerRecord(): TakerRecord {
  return {
    side: 'BUY',
    owner: 0 as AccountId,
    limit: undefined,
    quantity: undefined,
    budget: undefined,
    budgetUnit: undefined,
    stepSize: undefined,
    selfTradeMode: 'NONE',
    stepsMax: 1,
    hasEnded: undefined,
  }
}

/**
 * Called for each step before the book changes for it, so that the slot can still be read. It may add orders
 * on the maker's side (they queue up as always), and must not otherwise change the book.
 */
export interface MatchObserver {
  /** Called at a trade at the maker's price; at `makerRemaining` 0 the maker leaves. */
  filled(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void
  /** EXPIRE_MAKER or EXPIRE_BOTH takes the maker out, with `quantity` that remained. */
  makerExpired(slot: Slot, quantity: Lots): void
  /** Called when a maker that has already ended leaves, with `quantity` that remained. */
  makerEnded(slot: Slot, quantity: Lots): void
  /**
   * DECREMENT lowers both orders by `quantity`; at `makerRemaining` 0 the maker leaves. Nothing was executed.
   */
  decremented(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void
}

/**
 * The reason why matching ended; if several apply, the first of:
 * - `FILLED`: nothing remains of the taker's quantity (executed or decremented);
 * - `EMPTY`: nothing rests on the other side;
 * - `NO_MORE_PRICE`: the best price is worse than the limit;
 * - `BUDGET`: the remaining budget does not pay for one lot at the best price (one step if there is a step
 *   size), or is too small for DECREMENT to deduct that;
 * - `STEPS`: the taker was matched against the maximum number of orders, and could match another;
 * - `SELF_TRADE`: EXPIRE_TAKER or EXPIRE_BOTH applied to an order of the same account.
 */
export type MatchStop = 'FILLED' | 'EMPTY' | 'NO_MORE_PRICE' | 'BUDGET' | 'STEPS' | 'SELF_TRADE'

/** The outcome of a taker. */
export type MatchOutcome = {
  /** Requested quantity - executed - decremented; undefined if no quantity was given. */
  readonly remaining: Lots | undefined
  readonly executed: Lots
  /** Lots deducted by DECREMENT. */
  readonly decremented: Lots
  /**
   * The part of the budget that could still be executed: budget - exact price x quantity of everything
   * executed or decremented, without the part below a `budgetUnit`, which pays for nothing. Undefined without
   * a budget.
   */
  readonly budgetLeft: Notional | undefined
  /**
   * Whether self-trade prevention ended the taker: its remainder must not be placed in the book. True if
   * `stop` is `SELF_TRADE`, and only then.
   */
  readonly takerExpired: boolean
  readonly stop: MatchStop
}

/**
 * A record for an outcome. A caller that matches millions of orders a second reuses one
 * (`npm run bench -- book`: a sixth).
 */
type OutcomeRecord = { -readonly [Field in keyof MatchOutcome]: MatchOutcome[Field] }

export function outcomeRecord(): OutcomeRecord {
  return {
    remaining: undefined,
    executed: NO_LOTS,
    decremented: NO_LOTS,
    budgetLeft: undefined,
    takerExpired: false,
    stop: 'FILLED',
  }
}

/**
 * Matches `taker` against the other side of `book`, best price first, then oldest, each at the resting price.
 * A better-priced order is never skipped: if the budget does not pay for one lot of it, or one step, matching
 * ends. An order of the same account counts only if a lot of it could have been traded, or reduced; an
 * expired one at any price that is not worse than the limit. Returns `outcome`, with every field rewritten.
 */
export function match(
  book: OrderBook,
  taker: Taker,
  observer: MatchObserver,
  outcome: OutcomeRecord = outcomeRecord(),
): MatchOutcome {
  const { owner, limit, selfTradeMode, budgetUnit, stepSize, stepsMax, hasEnded } = taker
  invariant(taker.quantity !== undefined || taker.budget !== undefined, 'expected a quantity or a budget')
  invariant(taker.budget === undefined || taker.budget >= 0, 'a budget must be at least 0')
  const makerSide = taker.side === 'BUY' ? 'SELL' : 'BUY'
  let remaining = taker.quantity ?? (UNITS_MAX as Lots)
  let budgetLeft = taker.budget
  let paid = NO_NOTIONAL
  let executed = 0
  let decremented = 0
  let steps = 0
  let stop: MatchStop = 'FILLED'
  while (remaining > 0) {
    const slot = book.best(makerSide)
    if (slot === NO_SLOT) {
      stop = 'EMPTY'
      break
    }
    const price = book.price(slot)
    if (limit !== undefined && isWorse(price, limit, makerSide)) {
      stop = 'NO_MORE_PRICE'
      break
    }
    const resting = book.remaining(slot)
    const isOver = hasEnded?.(book.orderNumber(slot)) === true
    const wanted = Math.min(remaining, resting) as Lots
    const isOwn = selfTradeMode !== 'NONE' && book.owner(slot) === owner
    let quantity = wanted
    if (budgetLeft !== undefined && !isOver) {
      const isLowered = isOwn && selfTradeMode === 'DECREMENT'
      const reach = (isLowered ? lowerable : payable)(budgetLeft, paid, budgetUnit)
      quantity = affordableSteps(wanted, price, reach, stepSize)
    }
    if (quantity === 0) {
      stop = 'BUDGET'
      break
    }
    if (steps === stepsMax) {
      stop = 'STEPS'
      break
    }
    steps++
    if (isOver || (isOwn && selfTradeMode !== 'DECREMENT')) {
      if (isOver || selfTradeMode !== 'EXPIRE_TAKER') removeMaker(book, slot, isOver, observer)
      if (isOver || selfTradeMode === 'EXPIRE_MAKER') continue
      stop = 'SELF_TRADE'
      break
    }
    remaining = (remaining - quantity) as Lots
    if (budgetLeft !== undefined) {
      const worth = worthOf(price, quantity)
      budgetLeft = budgetAfter(budgetLeft, worth)
      if (!isOwn) paid = notionalSum(paid, worth)
    }
    const makerRemaining = (resting - quantity) as Lots
    if (isOwn) {
      decremented += quantity
      observer.decremented(slot, price, quantity, makerRemaining)
    } else {
      executed += quantity
      observer.filled(slot, price, quantity, makerRemaining)
    }
    book.reduce(slot, quantity)
  }
  outcome.remaining = taker.quantity === undefined ? undefined : remaining
  outcome.executed = executed as Lots
  outcome.decremented = decremented as Lots
  outcome.budgetLeft = budgetLeft === undefined ? undefined : payable(budgetLeft, paid, budgetUnit)
  outcome.takerExpired = stop === 'SELF_TRADE'
  outcome.stop = stop
  return outcome
}

/**
 * The number of lots that a budget pays for: all `wanted` lots if it pays for them, otherwise as many as
 * possible, in steps of the step size if there is one.
 */
function affordableSteps(wanted: Lots, price: Price, budget: Notional, stepSize: Lots | undefined): Lots {
  const quantity = affordable(wanted, price, budget)
  if (stepSize === undefined || quantity === wanted) return quantity
  return (quantity - (quantity % stepSize)) as Lots
}

/** Whether a maker's price is outside the taker's limit. */
export function isWorse(price: Price, limit: Price, makerSide: Side): boolean {
  return makerSide === 'SELL' ? price > limit : price < limit
}

function removeMaker(book: OrderBook, slot: Slot, hasEnded: boolean, observer: MatchObserver): void {
  const quantity = book.remaining(slot)
  if (hasEnded) observer.makerEnded(slot, quantity)
  else observer.makerExpired(slot, quantity)
  book.remove(slot)
}
