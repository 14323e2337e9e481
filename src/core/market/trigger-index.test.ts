import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { OrderNumber } from '../../units/ids.ts'
import { type Price, seq } from '../../units/quantities.ts'
import { TRIGGER_DIRECTIONS, type TriggerDirection } from './trigger-direction.ts'
import { TriggerIndex } from './trigger-index.ts'

const at = (ticks: number) => ticks as Price
const order = (number: number) => number as OrderNumber

/** `[direction, price]` of orders 1, 2, 3 ... */
function indexOf(...orders: readonly (readonly [TriggerDirection, number])[]): TriggerIndex {
  const index = new TriggerIndex()
  for (const [i, [direction, price]] of orders.entries()) index.add(direction, at(price), order(i + 1))
  return index
}

const due = (index: TriggerIndex): number[] => [...index.dueOrders()]

test('a rising order is due from its price on, a falling one from its price down', () => {
  const index = indexOf(['RISING', 110], ['RISING', 111], ['FALLING', 90], ['FALLING', 89])
  index.reach(at(100), at(91), at(109), seq(1))
  expect(due(index)).toEqual([])
  index.reach(at(100), at(90), at(110), seq(1))
  expect(due(index)).toEqual([1, 3])
  expect(index.levels('RISING').map(({ price }) => price)).toEqual([at(111)])
  expect(index.levels('FALLING').map(({ price }) => price)).toEqual([at(89)])
})

test('what one command reached is due nearest first, then the oldest, and behind what was due before', () => {
  const index = indexOf(['RISING', 105], ['FALLING', 97], ['RISING', 103], ['FALLING', 95], ['RISING', 105])
  index.add('RISING', at(101), order(9))
  index.reach(at(100), at(101), at(101), seq(7))
  index.reach(at(100), at(95), at(105), seq(8))
  expect(due(index)).toEqual([9, 2, 3, 1, 4, 5])
  expect([...index.dueTurns()].map(({ since }) => since as number)).toEqual([7, 8, 8, 8, 8, 8])
})

test('an order for a price that was already reached waits for the next trade there', () => {
  const index = indexOf(['RISING', 105])
  index.reach(at(100), at(105), at(105), seq(1))
  index.add('RISING', at(105), order(2))
  expect(due(index)).toEqual([1])
  expect(index.levelCount('RISING')).toBe(1)
  expect(index.hasLevel('RISING', at(105))).toBe(true)
})

test('a level without orders is removed, before its price is reached and after', () => {
  const index = indexOf(['RISING', 105], ['FALLING', 95], ['RISING', 106])
  expect(index.remove(order(3))).toBe(true)
  expect(index.levelCount('RISING')).toBe(1)
  index.reach(at(100), at(95), at(105), seq(1))
  expect([index.remove(order(1)), index.remove(order(1))]).toEqual([true, false])
  expect(due(index)).toEqual([2])
  index.remove(order(2))
  expect([index.hasDue, index.firstDue, index.count]).toEqual([false, undefined, 0])
})

test('an order that is set aside is no longer due and can be removed', () => {
  const index = indexOf(['RISING', 105], ['RISING', 105])
  index.reach(at(100), at(105), at(105), seq(1))
  index.setAside(order(1))
  expect([due(index), index.asideOrders, index.count]).toEqual([[2], [order(1)], 2])
  expect(index.remove(order(1))).toBe(true)
  expect(index.count).toBe(1)
})

test('removing the level of a due order does not change the order of the others', () => {
  const index = indexOf(['FALLING', 95], ['FALLING', 94], ['FALLING', 93], ['RISING', 105], ['RISING', 107])
  index.reach(at(100), at(93), at(107), seq(1))
  for (const number of [2, 1]) index.remove(order(number))
  expect(due(index)).toEqual([4, 3, 5])
  index.add('FALLING', at(94), order(6))
  for (const number of [4, 5, 3]) index.remove(order(number))
  expect([due(index), index.hasDue, index.levelCount('FALLING')]).toEqual([[], false, 1])
})

test('one trade reaches a million prices', () => {
  const index = new TriggerIndex()
  const count = 1_000_000
  for (let i = 1; i <= count; i++) index.add('FALLING', at(i), order(i))
  index.reach(at(count + 1), at(1), at(count + 1), seq(1))
  const turns = index.dueOrders()
  expect([turns.next().value, turns.next().value]).toEqual([order(count), order(count - 1)])
  expect(index.levelCount('FALLING')).toBe(0)
})

/** An index that checks every order, for comparison. */
class PlainIndex {
  #waiting: { direction: TriggerDirection; price: number; number: number }[] = []
  readonly due: number[] = []

  add(direction: TriggerDirection, price: number, number: number): void {
    this.#waiting.push({ direction, price, number })
  }

  remove(number: number): void {
    this.#waiting = this.#waiting.filter((one) => one.number !== number)
    if (this.due.includes(number)) this.due.splice(this.due.indexOf(number), 1)
  }

  reach(from: number, low: number, high: number): void {
    const isReached = ({ direction, price }: { direction: TriggerDirection; price: number }) =>
      direction === 'RISING' ? high >= price : low <= price
    const reached = this.#waiting.filter(isReached)
    this.#waiting = this.#waiting.filter((one) => !isReached(one))
    reached.sort((a, b) => Math.abs(a.price - from) - Math.abs(b.price - from) || a.number - b.number)
    this.due.push(...reached.map(({ number }) => number))
  }
}

const price = fc.integer({ min: 1, max: 12 })

test('the due orders and their sequence are those found by checking every order', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      direction: fc.constantFrom(...TRIGGER_DIRECTIONS),
      price,
    }),
    fc.record({ kind: fc.constant('remove' as const), number: fc.nat(40) }),
    fc.record({ kind: fc.constant('reach' as const), from: price, a: price, b: price }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const index = new TriggerIndex()
      const plain = new PlainIndex()
      let last = 0
      for (const one of steps) {
        if (one.kind === 'add') {
          last++
          index.add(one.direction, at(one.price), order(last))
          plain.add(one.direction, one.price, last)
        } else if (one.kind === 'remove') {
          index.remove(order(one.number))
          plain.remove(one.number)
        } else {
          const [low, high] = [Math.min(one.a, one.b), Math.max(one.a, one.b)]
          index.reach(at(one.from), at(low), at(high), seq(1))
          plain.reach(one.from, low, high)
        }
        expect(due(index)).toEqual(plain.due)
      }
    }),
  )
})
