/** The plain book is the model of the fast one: after the same operations both show the same. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PlainBook } from '../../../test/support/plain-book.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { SIDES, type Side } from '../../units/order-enums.ts'
import { type Lots, type Price, UNITS_MAX } from '../../units/quantities.ts'
import { bookContract } from './book.contract.ts'
import { FastBook } from './fast-book.ts'
import type { OrderBook, Slot } from './order-book.ts'

bookContract('PlainBook', () => new PlainBook())

/** `pick` chooses a resting order: its index is their number times `pick` / 2^16. */
type Step =
  | { readonly kind: 'add'; readonly side: Side; readonly price: number; readonly quantity: number }
  | { readonly kind: 'remove'; readonly pick: number }
  | { readonly kind: 'reduce'; readonly pick: number; readonly by: number }
  | { readonly kind: 'takeBest'; readonly side: Side; readonly by: number }

type Resting = { readonly orderNumber: OrderNumber; readonly plain: Slot; readonly fast: Slot }

/** Both books, and the slot of an order in each. */
class Pair {
  readonly plain: OrderBook = new PlainBook()
  readonly fast: OrderBook = new FastBook()
  readonly #resting: Resting[] = []
  #lastNumber = 0

  apply(step: Step): void {
    if (step.kind === 'add') {
      this.#add(step.side, step.price as Price, step.quantity as Lots)
      return
    }
    const index = step.kind === 'takeBest' ? this.#bestIndex(step.side) : this.#pickedIndex(step.pick)
    const picked = this.#resting[index]
    if (picked === undefined) return
    const remaining = this.plain.remaining(picked.plain)
    if (step.kind === 'remove') {
      this.plain.remove(picked.plain)
      this.fast.remove(picked.fast)
      this.#resting.splice(index, 1)
      return
    }
    const by = Math.min(step.by, remaining) as Lots
    this.plain.reduce(picked.plain, by)
    this.fast.reduce(picked.fast, by)
    if (by === remaining) this.#resting.splice(index, 1)
  }

  /** Compares the values that are available in constant time. */
  checkEnds(): void {
    expect(this.fast.restingCount).toBe(this.#resting.length)
    for (const side of SIDES) {
      expect(this.fast.levelCount(side)).toBe(this.plain.levelCount(side))
      expect(bestNumber(this.fast, side)).toBe(bestNumber(this.plain, side))
      expect(this.fast.levels(side, 3)).toEqual(this.plain.levels(side, 3))
    }
  }

  checkAll(): void {
    this.checkEnds()
    for (const side of SIDES) {
      expect(content(this.fast, side)).toEqual(content(this.plain, side))
      const levels = this.plain.levels(side, UNITS_MAX)
      expect(this.fast.levels(side, UNITS_MAX)).toEqual(levels)
      for (const { price, quantity } of levels) expect(this.fast.levelQuantity(side, price)).toBe(quantity)
    }
    for (const { fast, orderNumber } of this.#resting) expect(this.fast.orderNumber(fast)).toBe(orderNumber)
  }

  #add(side: Side, price: Price, quantity: Lots): void {
    this.#lastNumber++
    const owner = (this.#lastNumber % 5) as AccountId
    const orderNumber = this.#lastNumber as OrderNumber
    const plain = this.plain.add(side, price, quantity, owner, orderNumber)
    const fast = this.fast.add(side, price, quantity, owner, orderNumber)
    this.#resting.push({ orderNumber, plain, fast })
  }

  #pickedIndex(pick: number): number {
    return Math.floor((pick / 2 ** 16) * this.#resting.length)
  }

  #bestIndex(side: Side): number {
    const best = this.plain.best(side)
    return this.#resting.findIndex((order) => order.plain === best)
  }
}

function bestNumber(book: OrderBook, side: Side): number {
  const slot = book.best(side)
  return slot < 0 ? 0 : book.orderNumber(slot)
}

/** Every order of a side in matching order, with all of the book's data about it. */
function content(book: OrderBook, side: Side): (string | number)[][] {
  return Array.from(book.slots(side), (slot) => [
    book.orderNumber(slot),
    book.side(slot),
    book.price(slot),
    book.remaining(slot),
    book.owner(slot),
  ])
}

const side = fc.constantFrom(...SIDES)
const pick = fc.nat(2 ** 16 - 1)
const units = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: UNITS_MAX - 3, max: UNITS_MAX }))

/** `adds` is the number of orders added for every six that shrink or leave. */
function stepOf(price: fc.Arbitrary<number>, adds: number): fc.Arbitrary<Step> {
  return fc.oneof(
    {
      weight: adds,
      arbitrary: fc.record({ kind: fc.constant('add' as const), side, price, quantity: units }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('reduce' as const), pick, by: units }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('takeBest' as const), side, by: units }) },
  )
}

test('both books show the same after every step, with huge prices and quantities too', () => {
  const steps = fc.array(stepOf(units, 6), { maxLength: 120, size: 'max' })
  fc.assert(
    fc.property(steps, (all) => {
      const pair = new Pair()
      for (const step of all) {
        pair.apply(step)
        pair.checkAll()
      }
    }),
    { numRuns: 150 },
  )
})

test('both books show the same with hundreds of levels, while they grow and while they shrink', () => {
  const price = fc.integer({ min: 1, max: 4000 })
  const growing = stepOf(price, 24)
  const shrinking = stepOf(price, 3)
  let levelsMost = 0
  fc.assert(
    // The steps come from a seed: lists of thousands would neither shrink nor print in a useful way.
    fc.property(fc.integer(), (seed) => {
      const pair = new Pair()
      const steps = [
        ...fc.sample(growing, { seed, numRuns: 1800 }),
        ...fc.sample(shrinking, { seed, numRuns: 1200 }),
      ]
      for (const step of steps) {
        pair.apply(step)
        pair.checkEnds()
        levelsMost = Math.max(levelsMost, pair.fast.levelCount('BUY'))
      }
      pair.checkAll()
    }),
    { numRuns: 8, endOnFailure: true },
  )
  // So many levels use many rows in several pages of the fast book.
  expect(levelsMost).toBeGreaterThan(300)
})
