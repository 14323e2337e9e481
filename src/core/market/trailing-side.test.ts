import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { OrderNumber } from '../../units/ids.ts'
import { SIDES, type Side } from '../../units/order-enums.ts'
import type { Price, TimeMs } from '../../units/quantities.ts'
import { type TrailingDelta, trailingTrigger } from '../../units/trailing-delta.ts'
import { type Trailing, type TrailingOrder, TrailingSide, type Triggered } from './trailing-side.ts'
import type { TriggerDirection } from './trigger-direction.ts'

const at = (ticks: number) => ticks as Price
const time = (ms: number) => ms as TimeMs

function order(number: number, delta: number, turn = number): Trailing {
  return { number: number as OrderNumber, turn: turn as OrderNumber, delta: delta as TrailingDelta }
}

/** `[number, trigger price]` of the orders triggered by trades at these prices. */
function traded(side: TrailingSide, ...prices: readonly number[]): [number, number][] {
  const triggered: Triggered[] = []
  for (const price of prices) side.trade(at(price), time(price), triggered)
  return triggered
    .map(({ follower, trigger }): [number, number] => [follower.number, trigger])
    .sort(([a], [b]) => a - b)
}

const groups = (side: TrailingSide) =>
  side.following().map((group) => [group.at as number, group.orders.map(({ number }) => number as number)])

test('an order follows the price from the next trade on, and is triggered at its distance from the best one', () => {
  const side = new TrailingSide('SELL')
  const follower = side.add(order(1, 100), 'FALLING', undefined)
  expect([side.bestOf(follower), follower.following.since]).toEqual([undefined, undefined])
  expect(traded(side, 1_000)).toEqual([])
  expect([side.bestOf(follower), follower.following.since]).toEqual([at(1_000), time(1_000)])
  expect(traded(side, 1_200, 1_189, 1_200)).toEqual([])
  expect(traded(side, 1_188)).toEqual([[1, 1_188]])
  expect(side.priceCount).toBe(0)
})

test('a BUY follows the lowest price and is triggered above it', () => {
  const side = new TrailingSide('BUY')
  side.add(order(1, 100), 'RISING', undefined)
  expect(traded(side, 1_000, 900, 908)).toEqual([])
  expect(traded(side, 909)).toEqual([[1, 909]])
})

describe('an order that begins at a price', () => {
  test('ignores the trades before, and begins with the first one that reaches it', () => {
    const side = new TrailingSide('SELL')
    const falling = side.add(order(1, 100), 'FALLING', at(900))
    const rising = side.add(order(2, 100), 'RISING', at(1_100))
    expect(traded(side, 1_000, 950, 1_050)).toEqual([])
    expect([side.bestOf(falling), side.bestOf(rising)]).toEqual([undefined, undefined])
    expect(traded(side, 1_105, 895)).toEqual([[2, 1_093]])
    expect(side.bestOf(falling)).toBe(at(895))
  })

  test('is found beside others by its price and its direction', () => {
    const side = new TrailingSide('BUY')
    side.add(order(1, 100), 'RISING', at(110))
    side.add(order(2, 100), 'FALLING', at(90))
    side.add(order(3, 100), 'RISING', undefined)
    expect(side.hasPrice('RISING', at(110))).toBe(true)
    expect(side.hasPrice('FALLING', at(110))).toBe(false)
    expect(side.hasPrice('FALLING', undefined)).toBe(true)
    expect(side.priceCount).toBe(3)
    side.add(order(4, 50), 'RISING', at(110))
    expect(side.priceCount).toBe(3)
  })
})

test('a better price absorbs the groups that it passes, and no others', () => {
  const side = new TrailingSide('SELL')
  for (const [i, price] of [1_000, 990, 980, 970].entries()) {
    side.add(order(i + 1, 2_000), 'FALLING', undefined)
    expect(traded(side, price)).toEqual([])
  }
  expect(groups(side)).toEqual([
    [1_000, [1]],
    [990, [2]],
    [980, [3]],
    [970, [4]],
  ])
  expect(traded(side, 985)).toEqual([])
  expect(groups(side)).toEqual([
    [1_000, [1]],
    [990, [2]],
    [985, [3, 4]],
  ])
  side.add(order(5, 2_000), 'FALLING', undefined)
  expect(traded(side, 990)).toEqual([])
  expect(groups(side)).toEqual([
    [1_000, [1]],
    [990, [2, 3, 4, 5]],
  ])
})

test('an order that leaves is in no group any more, whichever group has absorbed its own', () => {
  const side = new TrailingSide('SELL')
  const followers = [1, 2, 3].map((number) => {
    const follower = side.add(order(number, 100 * number), 'FALLING', undefined)
    traded(side, 1_000 - number)
    return follower
  })
  traded(side, 1_500)
  side.remove(followers[0] as TrailingOrder)
  expect(traded(side, 1_485)).toEqual([])
  expect(traded(side, 1_470)).toEqual([[2, 1_470]])
  side.remove(followers[2] as TrailingOrder)
  expect([groups(side), side.priceCount]).toEqual([[], 0])
  const waiting = side.add(order(4, 100), 'RISING', at(2_000))
  const fresh = side.add(order(5, 100), 'RISING', undefined)
  side.remove(waiting)
  side.remove(fresh)
  expect(side.priceCount).toBe(0)
})

type Plain = Trailing & { best: number | undefined; direction: TriggerDirection; price: number | undefined }

/** Compares each order with the trade. */
function plainTrade(side: Side, orders: Plain[], price: number): [number, number][] {
  const triggered: [number, number][] = []
  for (const one of [...orders]) {
    if (one.best === undefined) {
      const { direction, price: from } = one
      const begins = from === undefined || (direction === 'RISING' ? price >= from : price <= from)
      if (begins) one.best = price
      continue
    }
    if (side === 'SELL' ? price > one.best : price < one.best) one.best = price
    const trigger = trailingTrigger(side, at(one.best), one.delta)
    if (side === 'SELL' ? price > trigger : price < trigger) continue
    triggered.push([one.number, trigger])
    orders.splice(orders.indexOf(one), 1)
  }
  return triggered
}

const price = fc.integer({ min: 950, max: 1_050 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('trade' as const), price }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('add' as const),
      delta: fc.integer({ min: 10, max: 300 }),
      direction: fc.constantFrom('RISING' as const, 'FALLING' as const),
      from: fc.option(price, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restore' as const) }) },
)

/** The same orders in another side, added in the way in which a snapshot is read. */
function restored(side: Side, { fresh, waiting, following }: ReturnType<typeof partsOf>) {
  const again = new TrailingSide(side)
  const followers = new Map<number, TrailingOrder>()
  for (const each of fresh) followers.set(each.number, again.add(each, 'RISING', undefined))
  for (const [direction, levels] of waiting) {
    for (const { at, orders } of levels) {
      for (const each of orders) followers.set(each.number, again.add(each, direction, at))
    }
  }
  for (const { at, orders } of following) {
    for (const each of orders) followers.set(each.number, again.restore(each, at, time(1)))
  }
  return { again, followers }
}

function partsOf(side: TrailingSide) {
  const directions = ['RISING', 'FALLING'] as const
  const waiting = directions.map((direction) => [direction, side.waiting(direction)] as const)
  return { fresh: side.fresh, waiting, following: side.following() }
}

test('orders are triggered as if each checked every trade, also after a snapshot', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SIDES), fc.array(step, { maxLength: 150 }), (word, steps) => {
      let side = new TrailingSide(word)
      let followers = new Map<number, TrailingOrder>()
      const plain: Plain[] = []
      for (const [i, one] of steps.entries()) {
        const number = i + 1
        if (one.does === 'add') {
          const asked = order(number, one.delta)
          followers.set(number, side.add(asked, one.direction, one.from as Price | undefined))
          plain.push({ ...asked, direction: one.direction, price: one.from, best: undefined })
        } else if (one.does === 'trade') {
          const expected = plainTrade(word, plain, one.price).sort(([a], [b]) => a - b)
          expect(traded(side, one.price)).toEqual(expected)
          for (const [gone] of expected) followers.delete(gone)
        } else if (one.does === 'remove') {
          const gone = plain[one.which % Math.max(1, plain.length)]
          if (gone === undefined) continue
          plain.splice(plain.indexOf(gone), 1)
          side.remove(followers.get(gone.number) as TrailingOrder)
          followers.delete(gone.number)
        } else {
          const parts = partsOf(side)
          const { again, followers: others } = restored(word, parts)
          expect(groups(again)).toEqual(groups(side))
          expect(again.priceCount).toBe(side.priceCount)
          side = again
          followers = others
        }
        for (const { number: each, best } of plain) {
          expect(side.bestOf(followers.get(each) as TrailingOrder) as number | undefined).toBe(best)
        }
      }
      expect(followers.size).toBe(plain.length)
    }),
    { numRuns: 300 },
  )
})

/** The cost is counted as reads of the distances by which orders are compared. */
test('a trade that triggers nothing reads no order, however many follow the price', () => {
  const side = new TrailingSide('SELL')
  for (let i = 1; i <= 20_000; i++) {
    side.add(order(i, 2_000), 'FALLING', undefined)
    // Each order follows its own price, below that of the one before.
    if (i <= 1_000) traded(side, 200_000 - i)
  }
  traded(side, 190_000)
  let looked = 0
  for (const { orders } of side.following()) {
    for (const follower of orders) {
      const { delta } = follower
      Object.defineProperty(follower, 'delta', {
        get: () => {
          looked++
          return delta
        },
      })
    }
  }
  // Trades below all best prices, then above them one by one, then above all at once: each group is merged
  // once.
  for (let price = 190_001; price <= 190_500; price++) traded(side, price)
  expect(looked).toBeLessThan(10 * 500)
  traded(side, 250_000)
  expect(looked).toBeLessThan(10 * 500 + 10 * 1_002)
  expect(groups(side)).toHaveLength(1)
  const before = looked
  traded(side, 200_001)
  expect(looked - before).toBe(0)
})
