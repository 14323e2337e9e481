/** Rules of matching that hold for every stream of orders, and for both books alike. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PlainBook } from '../../../test/support/plain-book.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { SELF_TRADE_MODES, SIDES, type Side } from '../../units/order-enums.ts'
import { type Lots, notional, type Price, UNITS_MAX } from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import { FastBook } from './fast-book.ts'
import { type MatchObserver, type MatchOutcome, match, type Taker } from './matching.ts'
import { NO_SLOT, type OrderBook, type Slot } from './order-book.ts'

const KINDS = ['filled', 'makerExpired', 'makerEnded', 'decremented'] as const

type Step = {
  readonly kind: (typeof KINDS)[number]
  readonly maker: OrderNumber
  readonly owner: AccountId
  readonly price: Price
  readonly quantity: Lots
}

/** Records the steps, and checks that each concerns the order whose turn it is. */
class Witness implements MatchObserver {
  readonly steps: Step[] = []
  readonly #book: OrderBook
  readonly #makerSide: Side

  constructor(book: OrderBook, makerSide: Side) {
    this.#book = book
    this.#makerSide = makerSide
  }

  filled(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    this.#record('filled', slot, price, quantity, makerRemaining)
  }

  makerExpired(slot: Slot, quantity: Lots): void {
    this.#record('makerExpired', slot, this.#book.price(slot), quantity, 0)
  }

  makerEnded(slot: Slot, quantity: Lots): void {
    this.#record('makerEnded', slot, this.#book.price(slot), quantity, 0)
  }

  decremented(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    this.#record('decremented', slot, price, quantity, makerRemaining)
  }

  #record(kind: Step['kind'], slot: Slot, price: Price, quantity: Lots, makerRemaining: number): void {
    expect(slot).toBe(this.#book.best(this.#makerSide))
    expect(price).toBe(this.#book.price(slot))
    expect(quantity).toBeGreaterThan(0)
    expect(quantity + makerRemaining).toBe(this.#book.remaining(slot))
    const maker = this.#book.orderNumber(slot)
    this.steps.push({ kind, maker, owner: this.#book.owner(slot), price, quantity })
  }
}

function makerSideOf(taker: Taker): Side {
  return taker.side === 'BUY' ? 'SELL' : 'BUY'
}

/** The quantity that rests on one side, in lots. */
function restingSum(book: OrderBook, side: Side): bigint {
  return book.levels(side, UNITS_MAX).reduce((sum, level) => sum + level.quantity, 0n)
}

function sumOf(steps: readonly Step[], ...kinds: readonly Step['kind'][]): bigint {
  return steps.reduce((sum, step) => sum + (kinds.includes(step.kind) ? BigInt(step.quantity) : 0n), 0n)
}

function notionalOf(steps: readonly Step[]): bigint {
  const paid = steps.filter(({ kind }) => kind !== 'makerExpired' && kind !== 'makerEnded')
  return paid.reduce((sum, step) => sum + BigInt(step.price) * BigInt(step.quantity), 0n)
}

/**
 * Matches the taker, checks every rule for a single match, and rests the remainder of a plain limit order.
 */
function place(book: OrderBook, taker: Taker, orderNumber: OrderNumber): [MatchOutcome, Step[]] {
  const makerSide = makerSideOf(taker)
  const before = restingSum(book, makerSide)
  const witness = new Witness(book, makerSide)
  const outcome = match(book, taker, witness)
  const { steps } = witness
  expect(restingSum(book, makerSide)).toBe(before - sumOf(steps, ...KINDS))
  checkTaker(taker, outcome, steps)
  checkStop(book, taker, outcome)
  checkSelfTrade(taker, outcome, steps)
  expect(new Set(steps.map(({ maker }) => maker)).size).toBeLessThanOrEqual(taker.stepsMax)
  if (outcome.stop === 'STEPS') expect(steps).toHaveLength(taker.stepsMax)
  const isOver = outcome.takerExpired || outcome.stop === 'STEPS'
  const canRest = taker.limit !== undefined && taker.budget === undefined && !isOver
  if (canRest && outcome.remaining !== undefined && outcome.remaining > 0) {
    book.add(taker.side, taker.limit, outcome.remaining, taker.owner, orderNumber)
  }
  return [outcome, steps]
}

/** Checks that the quantities add up: no lot appears, and none is lost. */
function checkTaker(taker: Taker, outcome: MatchOutcome, steps: readonly Step[]): void {
  expect(BigInt(outcome.executed)).toBe(sumOf(steps, 'filled'))
  expect(BigInt(outcome.decremented)).toBe(sumOf(steps, 'decremented'))
  const used = BigInt(outcome.executed) + BigInt(outcome.decremented)
  expect(used).toBeLessThanOrEqual(BigInt(UNITS_MAX))
  if (taker.quantity === undefined) expect(outcome.remaining).toBeUndefined()
  else expect(BigInt(outcome.remaining!) + used).toBe(BigInt(taker.quantity))
  if (taker.budget === undefined) expect(outcome.budgetLeft).toBeUndefined()
  else expect(notional(bigintOf(outcome.budgetLeft!) + notionalOf(steps))).toBe(taker.budget)
  expect(outcome.budgetLeft ?? 0).toBeGreaterThanOrEqual(0)
  const { limit } = taker
  if (limit === undefined) return
  for (const { price } of steps) expect(taker.side === 'BUY' ? price <= limit : price >= limit).toBe(true)
}

/** Checks that the reason for the stop is true for the resulting book. */
function checkStop(book: OrderBook, taker: Taker, outcome: MatchOutcome): void {
  const best = book.best(makerSideOf(taker))
  const price = best === NO_SLOT ? undefined : book.price(best)
  const used = outcome.executed + outcome.decremented
  expect(outcome.takerExpired).toBe(outcome.stop === 'SELF_TRADE')
  if (outcome.stop === 'FILLED') expect(used).toBe(taker.quantity ?? UNITS_MAX)
  else expect(outcome.remaining ?? 1).toBeGreaterThan(0)
  if (outcome.stop === 'EMPTY') expect(price).toBeUndefined()
  if (outcome.stop === 'BUDGET') expect(BigInt(price!)).toBeGreaterThan(outcome.budgetLeft!)
  if (outcome.stop === 'NO_MORE_PRICE') {
    expect(taker.side === 'BUY' ? price! > taker.limit! : price! < taker.limit!).toBe(true)
  }
}

function checkSelfTrade(taker: Taker, outcome: MatchOutcome, steps: readonly Step[]): void {
  const mode = taker.selfTradeMode
  for (const { kind, owner, maker } of steps) {
    expect(kind === 'makerEnded').toBe(taker.hasEnded?.(maker) === true)
    if (kind === 'makerEnded') continue
    if (kind === 'filled') expect(mode === 'NONE' || owner !== taker.owner).toBe(true)
    else expect(owner).toBe(taker.owner)
  }
  const expires = mode === 'EXPIRE_MAKER' || mode === 'EXPIRE_BOTH'
  if (!expires) expect(sumOf(steps, 'makerExpired')).toBe(0n)
  if (mode !== 'DECREMENT') expect(outcome.decremented).toBe(0 as Lots)
  if (mode !== 'EXPIRE_TAKER' && mode !== 'EXPIRE_BOTH') expect(outcome.takerExpired).toBe(false)
}

function content(book: OrderBook): number[][] {
  return SIDES.flatMap((side) =>
    Array.from(book.slots(side), (slot) => [
      book.orderNumber(slot),
      book.owner(slot),
      book.price(slot),
      book.remaining(slot),
    ]),
  )
}

const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: UNITS_MAX - 1, max: UNITS_MAX }) },
) as fc.Arbitrary<Price>
const quantity = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: UNITS_MAX - 1, max: UNITS_MAX }) },
) as fc.Arbitrary<Lots>
const budget = fc
  .oneof(
    { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 200n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 3n * BigInt(UNITS_MAX) ** 2n }) },
  )
  .map(notional)
const common = {
  side: fc.constantFrom(...SIDES),
  owner: fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<AccountId>,
  selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
  stepsMax: fc.constantFrom(1, 2, 5, 1_000),
  hasEnded: fc.constantFrom(undefined, (number: OrderNumber) => number % 3 === 0),
}
const none = fc.constant(undefined)
const taker: fc.Arbitrary<Taker> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ...common, limit: price, quantity, budget: none }) },
  { weight: 1, arbitrary: fc.record({ ...common, limit: none, quantity, budget: none }) },
  { weight: 1, arbitrary: fc.record({ ...common, limit: none, quantity: none, budget }) },
  {
    weight: 1,
    arbitrary: fc.record({ ...common, limit: fc.option(price, { nil: undefined }), quantity, budget }),
  },
)

test('every match is exact, in priority order and in bounds, never leaves a crossed book, and is the same on both books', () => {
  fc.assert(
    fc.property(fc.array(taker, { maxLength: 80, size: 'max' }), (takers) => {
      const plain = new PlainBook()
      const fast = new FastBook()
      takers.forEach((each, index) => {
        const orderNumber = (index + 1) as OrderNumber
        const onFast = place(fast, each, orderNumber)
        expect(onFast).toEqual(place(plain, each, orderNumber))
        const buy = fast.best('BUY')
        const sell = fast.best('SELL')
        if (buy !== NO_SLOT && sell !== NO_SLOT) expect(fast.price(buy)).toBeLessThan(fast.price(sell))
      })
      expect(content(fast)).toEqual(content(plain))
    }),
    { numRuns: 300 },
  )
})
