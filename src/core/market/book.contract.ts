/** Rules for every implementation of `OrderBook`. */
import { describe, expect, test } from 'bun:test'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { InvariantError } from '../../units/invariant.ts'
import { SIDES, type Side } from '../../units/order-enums.ts'
import { type Lots, type Price, UNITS_MAX } from '../../units/quantities.ts'
import { NO_SLOT, type OrderBook, type Slot } from './order-book.ts'

const OWNER = 7 as AccountId
const NUMBER = 1 as OrderNumber
const MAX = BigInt(UNITS_MAX)

export function bookContract(name: string, create: () => OrderBook): void {
  describe(`${name}: order book contract`, () => {
    emptyBookRules(create)
    priorityRules(create)
    leavingRules(create)
    levelRules(create)
    drainRules(create)
    slotRules(create)
    refusalRules(create)
  })
}

function add(book: OrderBook, side: Side, price: number, quantity: number): Slot {
  return book.add(side, price as Price, quantity as Lots, OWNER, NUMBER)
}

function ladder(book: OrderBook, side: Side): [number, bigint][] {
  return book.levels(side, Number.POSITIVE_INFINITY).map((level) => [level.price, level.quantity])
}

function emptyBookRules(create: () => OrderBook): void {
  test('an empty book has no best order, levels or slots', () => {
    const book = create()
    expect(book.restingCount).toBe(0)
    for (const side of SIDES) {
      expect(book.best(side)).toBe(NO_SLOT)
      expect(book.levelCount(side)).toBe(0)
      expect(book.levelQuantity(side, 1 as Price)).toBe(0n)
      expect(book.levels(side, 10)).toEqual([])
      expect([...book.slots(side)]).toEqual([])
    }
  })

  test('a book emptied by removal is like a new one', () => {
    const book = create()
    for (const side of SIDES) book.remove(add(book, side, 5, 1))
    expect(book.restingCount).toBe(0)
    for (const side of SIDES) {
      expect(book.best(side)).toBe(NO_SLOT)
      expect(ladder(book, side)).toEqual([])
    }
  })
}

function priorityRules(create: () => OrderBook): void {
  test('an order keeps the values that it was added with', () => {
    const book = create()
    const slot = book.add('SELL', 101 as Price, 55 as Lots, 99_999_999 as AccountId, UNITS_MAX as OrderNumber)
    expect(book.side(slot)).toBe('SELL')
    expect(book.price(slot)).toBe(101 as Price)
    expect(book.remaining(slot)).toBe(55 as Lots)
    expect(book.owner(slot)).toBe(99_999_999 as AccountId)
    expect(book.orderNumber(slot)).toBe(UNITS_MAX as OrderNumber)
  })

  test('the best buy is the highest price, the best sell the lowest', () => {
    const book = create()
    const slots = [3, 1, 4, 2].map((price) => [add(book, 'BUY', price, 1), add(book, 'SELL', price, 1)])
    expect(book.best('BUY')).toBe(slots[2]![0]!)
    expect(book.best('SELL')).toBe(slots[1]![1]!)
    expect(ladder(book, 'BUY').map(([price]) => price)).toEqual([4, 3, 2, 1])
    expect(ladder(book, 'SELL').map(([price]) => price)).toEqual([1, 2, 3, 4])
  })

  test('at one price the older order comes first in the queue', () => {
    const book = create()
    for (const side of SIDES) {
      const slots = [add(book, side, 10, 3), add(book, side, 10, 1), add(book, side, 10, 2)]
      expect([...book.slots(side)]).toEqual(slots)
      book.remove(slots[0]!)
      expect(book.best(side)).toBe(slots[1]!)
    }
  })

  test('a reduced order keeps its place in the queue', () => {
    const book = create()
    const first = add(book, 'BUY', 10, 5)
    const second = add(book, 'BUY', 10, 5)
    book.reduce(first, 4 as Lots)
    expect([...book.slots('BUY')]).toEqual([first, second])
    expect(book.remaining(first)).toBe(1 as Lots)
    expect(book.levelQuantity('BUY', 10 as Price)).toBe(6n)
  })

  test('an order added after the last one at a price stays there when that one leaves', () => {
    for (const side of SIDES) {
      const book = create()
      const first = add(book, side, 10, 3)
      const part = add(book, side, 10, 2)
      book.reduce(first, 3 as Lots)
      expect([...book.slots(side)]).toEqual([part])
      const next = add(book, side, 10, 4)
      book.reduce(part, 2 as Lots)
      expect(book.best(side)).toBe(next)
      expect(ladder(book, side)).toEqual([[10, 4n]])
    }
  })

  test('an order added again at its price goes to the end of the queue', () => {
    const book = create()
    const first = add(book, 'SELL', 10, 1)
    const second = add(book, 'SELL', 10, 1)
    book.remove(first)
    const again = add(book, 'SELL', 10, 1)
    expect([...book.slots('SELL')]).toEqual([second, again])
  })
}

function leavingRules(create: () => OrderBook): void {
  test('an order reduced to 0 leaves, and its level with the last one', () => {
    const book = create()
    const first = add(book, 'SELL', 10, 5)
    const second = add(book, 'SELL', 10, 5)
    book.reduce(first, 5 as Lots)
    expect(book.best('SELL')).toBe(second)
    expect(book.restingCount).toBe(1)
    book.reduce(second, 5 as Lots)
    expect(book.best('SELL')).toBe(NO_SLOT)
    expect(book.levelCount('SELL')).toBe(0)
  })

  test('the first, a middle and the last order of a queue can be removed', () => {
    for (const gone of [0, 1, 2]) {
      const book = create()
      const slots = [1, 2, 4].map((quantity) => add(book, 'BUY', 10, quantity))
      book.remove(slots[gone]!)
      const left = slots.filter((_, index) => index !== gone)
      const behind = add(book, 'BUY', 10, 8)
      expect([...book.slots('BUY')]).toEqual([...left, behind])
      expect(book.levelQuantity('BUY', 10 as Price)).toBe(15n - BigInt([1, 2, 4][gone]!))
    }
  })

  test('the best, a middle and the worst level can be removed and added again', () => {
    for (const side of SIDES) {
      for (const price of [1, 2, 3]) {
        const book = create()
        const slots = [1, 2, 3].map((each) => add(book, side, each, each))
        const before = ladder(book, side)
        book.remove(slots[price - 1]!)
        expect(ladder(book, side)).toEqual(before.filter(([each]) => each !== price))
        add(book, side, price, price)
        expect(ladder(book, side)).toEqual(before)
      }
    }
  })
}

function levelRules(create: () => OrderBook): void {
  test('levels are cut at the limit, best first', () => {
    const book = create()
    for (const price of [2, 1, 3]) add(book, 'SELL', price, 10 * price)
    expect(book.levels('SELL', 2)).toEqual([
      { price: 1 as Price, quantity: 10n },
      { price: 2 as Price, quantity: 20n },
    ])
    expect(book.levels('SELL', 0)).toEqual([])
    expect(book.levels('SELL', 5)).toHaveLength(3)
  })

  test('the sides do not share levels', () => {
    const book = create()
    add(book, 'BUY', 10, 1)
    add(book, 'SELL', 10, 2)
    expect(book.levelQuantity('BUY', 10 as Price)).toBe(1n)
    expect(book.levelQuantity('SELL', 10 as Price)).toBe(2n)
  })

  test('prices and quantities are exact up to 2^53-1', () => {
    const book = create()
    for (const price of [UNITS_MAX, UNITS_MAX - 1, 1]) add(book, 'SELL', price, UNITS_MAX)
    expect(ladder(book, 'SELL')).toEqual([
      [1, MAX],
      [UNITS_MAX - 1, MAX],
      [UNITS_MAX, MAX],
    ])
  })

  test('a level sums exactly far beyond 2^53', () => {
    const book = create()
    const slots: Slot[] = []
    for (let i = 0; i < 9; i++) slots.push(add(book, 'BUY', 10, i % 3 === 0 ? 1 : UNITS_MAX))
    let expected = 6n * MAX + 3n
    expect(book.levelQuantity('BUY', 10 as Price)).toBe(expected)
    for (const slot of slots) {
      const remaining = book.remaining(slot)
      if (remaining > 1) book.reduce(slot, 2 as Lots)
      expected -= remaining > 1 ? 2n : 0n
      expect(book.levelQuantity('BUY', 10 as Price)).toBe(expected)
    }
    for (const slot of slots) {
      expected -= BigInt(book.remaining(slot))
      book.remove(slot)
      expect(book.levelQuantity('BUY', 10 as Price)).toBe(expected)
    }
    expect(expected).toBe(0n)
  })

  test('thousands of levels stay in order whatever the order of arrival and leaving', () => {
    for (const side of SIDES) {
      const book = create()
      const slotByPrice = new Map<number, Slot>()
      // 1009 and 2000 have no common factor, so the walk visits every price once, far from its neighbors.
      for (let i = 0; i < 2000; i++) {
        const price = ((i * 1009) % 2000) + 1
        slotByPrice.set(price, add(book, side, price, price))
      }
      for (let price = 1; price <= 2000; price++) {
        if (price % 7 === 0 || (price > 300 && price < 900)) book.remove(slotByPrice.get(price)!)
      }
      const left = [...slotByPrice.keys()].filter((p) => p % 7 !== 0 && !(p > 300 && p < 900))
      left.sort((a, b) => (side === 'BUY' ? b - a : a - b))
      expect(ladder(book, side)).toEqual(left.map((price) => [price, BigInt(price)]))
      expect(book.levelCount(side)).toBe(left.length)
      expect(book.best(side)).toBe(slotByPrice.get(left[0]!)!)
    }
  })
}

function drainRules(create: () => OrderBook): void {
  const ends = { best: 0, middle: 0.5, worst: 1 }
  for (const [name, fraction] of Object.entries(ends)) {
    test(`a thousand levels can be removed from the ${name} until nothing is left, and added again`, () => {
      for (const side of SIDES) {
        const book = create()
        for (let round = 0; round < 2; round++) {
          for (let price = 1; price <= 1000; price++) add(book, side, price, price)
          const inTurn = [...book.slots(side)]
          while (inTurn.length > 0) {
            expect(book.best(side)).toBe(inTurn[0]!)
            expect(book.levelCount(side)).toBe(inTurn.length)
            const [gone] = inTurn.splice(Math.floor(fraction * (inTurn.length - 1)), 1)
            const price = book.price(gone!)
            book.remove(gone!)
            expect(book.levelQuantity(side, price)).toBe(0n)
          }
          expect(book.best(side)).toBe(NO_SLOT)
          expect(book.levels(side, 10)).toEqual([])
        }
      }
    })
  }
}

function slotRules(create: () => OrderBook): void {
  test('slots of removed orders are reused before new ones are created', () => {
    const book = create()
    const slots = Array.from({ length: 3000 }, (_, i) => add(book, 'BUY', (i % 10) + 1, 1))
    expect(new Set(slots).size).toBe(3000)
    for (const slot of slots) book.remove(slot)
    const again = Array.from({ length: 3000 }, (_, i) => add(book, 'SELL', (i % 10) + 1, 1))
    expect(new Set(again).size).toBe(3000)
    expect(Math.max(...again)).toBeLessThan(3000)
  })

  test('growing keeps every order', () => {
    const book = create()
    const slots = Array.from({ length: 5000 }, (_, i) => add(book, 'SELL', 1 + (i % 1500), i + 1))
    slots.forEach((slot, i) => {
      expect(book.remaining(slot)).toBe((i + 1) as Lots)
      expect(book.price(slot)).toBe((1 + (i % 1500)) as Price)
    })
    expect(book.restingCount).toBe(5000)
  })
}

function refusalRules(create: () => OrderBook): void {
  test('a slot without an order is refused by every method', () => {
    const book = create()
    add(book, 'BUY', 1, 1)
    const left = add(book, 'BUY', 1, 1)
    book.remove(left)
    for (const slot of [left, NO_SLOT, 2 as Slot, 1_000_000 as Slot]) {
      expect(() => book.remove(slot)).toThrow(InvariantError)
      expect(() => book.reduce(slot, 1 as Lots)).toThrow(InvariantError)
      expect(() => book.side(slot)).toThrow(InvariantError)
      expect(() => book.price(slot)).toThrow(InvariantError)
      expect(() => book.remaining(slot)).toThrow(InvariantError)
      expect(() => book.owner(slot)).toThrow(InvariantError)
      expect(() => book.orderNumber(slot)).toThrow(InvariantError)
    }
  })

  test('an order without a price or quantity is refused and changes nothing', () => {
    const book = create()
    for (const [price, quantity] of [
      [0, 1],
      [1, 0],
      [-1, 1],
      [1, -1],
      [Number.NaN, 1],
      [1, Number.NaN],
      [2 ** 53, 1],
      [1, 2 ** 53],
    ] as const) {
      expect(() => add(book, 'BUY', price, quantity)).toThrow(InvariantError)
    }
    expect(book.restingCount).toBe(0)
    expect(book.levelCount('BUY')).toBe(0)
  })

  test('an order is never reduced by zero or by more than remains', () => {
    const book = create()
    const slot = add(book, 'BUY', 1, 5)
    for (const by of [0, -1, 6, Number.NaN]) {
      expect(() => book.reduce(slot, by as Lots)).toThrow(InvariantError)
    }
    expect(book.remaining(slot)).toBe(5 as Lots)
    expect(book.levelQuantity('BUY', 1 as Price)).toBe(5n)
  })
}
