import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDecimal } from '../../../units/decimal.ts'
import { SeededRandom } from '../random.ts'
import { makerOperations, OPERATIONS_MAX, type OwnOrder, QUOTES_A_SIDE, takerOrder } from './decisions.ts'
import { DEMO_MARKETS, type DemoMarket } from './markets.ts'
import { FairPrices } from './prices.ts'

const SYMBOLS = DEMO_MARKETS.map((market) => [market.symbol, market] as const)

/** The orders of a maker after its operations were carried out. */
function after(
  market: DemoMarket,
  orders: readonly OwnOrder[],
  operations: ReturnType<typeof makerOperations>,
) {
  const canceled = new Set(operations.flatMap((each) => (each.method === 'DELETE' ? [each.id] : [])))
  const placed = operations.flatMap((each, place): OwnOrder[] =>
    each.method === 'POST'
      ? [{ id: `${orders.length}-${place}`, side: each.side, ticks: ticksOf(market, each.price ?? '') }]
      : [],
  )
  return [...orders.filter(({ id }) => !canceled.has(id)), ...placed]
}

function ticksOf({ quoteFraction }: DemoMarket, price: string): number {
  const ticks = parseDecimal(price, quoteFraction)
  if (typeof ticks !== 'bigint') throw new Error(`${price} is no price: ${ticks}`)
  return Number(ticks)
}

describe('the demo’s traders', () => {
  test.each(SYMBOLS)(
    'a maker on %s has a full side of quotes around the fair price, and then nothing to do',
    (_, market) => {
      const random = new SeededRandom(1, 'makers')
      const fair = market.startTicks
      const first = makerOperations(market, fair, [], random)
      expect(first).toHaveLength(OPERATIONS_MAX)
      const orders = after(market, [], first)
      for (const side of ['BUY', 'SELL'] as const) {
        const prices = orders.filter((order) => order.side === side).map(({ ticks }) => ticks)
        expect(new Set(prices).size).toBe(QUOTES_A_SIDE)
        expect(prices.every((ticks) => (side === 'BUY' ? ticks < fair : ticks > fair))).toBe(true)
      }
      expect(makerOperations(market, fair, orders, random)).toEqual([])
    },
  )

  test('a maker asks for at most 20 operations in any state, cancels before it places, and never crosses the fair price', () => {
    const order = fc.record({
      id: fc.uuid(),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      away: fc.integer({ min: -200, max: 2_000 }),
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...DEMO_MARKETS),
        fc.array(order, { maxLength: 60 }),
        fc.nat(1_000_000),
        (market, found, seed) => {
          const fair = market.startTicks
          const own = found.map(({ id, side, away }) => ({
            id,
            side,
            ticks: Math.max(1, side === 'BUY' ? fair - away : fair + away),
          }))
          const operations = makerOperations(market, fair, own, new SeededRandom(seed, 'makers'))
          expect(operations.length).toBeLessThanOrEqual(OPERATIONS_MAX)
          const methods = operations.map(({ method }) => method)
          expect(methods).toEqual(methods.toSorted())
          for (const each of operations) {
            if (each.method === 'DELETE') continue
            const ticks = ticksOf(market, each.price ?? '')
            expect(each.side === 'BUY' ? ticks < fair : ticks > fair).toBe(true)
          }
        },
      ),
    )
  })

  test('orders left behind by a price that moved are canceled, a request at a time, until all quotes are placed', () => {
    const [market] = DEMO_MARKETS
    const random = new SeededRandom(3, 'makers')
    let orders = after(market, [], makerOperations(market, market.startTicks, [], random))
    const moved = Math.floor(market.startTicks * 1.05)
    for (let request = 0; request < 2; request++) {
      orders = after(market, orders, makerOperations(market, moved, orders, random))
    }
    expect(orders).toHaveLength(2 * QUOTES_A_SIDE)
    expect(makerOperations(market, moved, orders, random)).toEqual([])
  })

  test('the orders of a taker have sizes and prices that the symbol accepts, mostly small ones', () => {
    const random = new SeededRandom(5, 'takers')
    for (const market of DEMO_MARKETS) {
      const sizes = Array.from({ length: 500 }, () => {
        const order = takerOrder(market, market.startTicks, 500_000, random)
        if (order.type === 'LIMIT') expect(order.timeInForce).toBe('IOC')
        else expect(order.price).toBeUndefined()
        const lots = parseDecimal(order.quantity, market.baseFraction)
        expect(lots).toBeGreaterThan(0n)
        return Number(lots)
      })
      const small = sizes.filter((lots) => lots < 10 * market.unitLots).length
      expect(small).toBeGreaterThan(sizes.length / 2)
      expect(Math.max(...sizes)).toBeGreaterThan(20 * market.unitLots)
    }
  })
})

describe('fair prices', () => {
  test('the same seed gives the same walk, and another seed another one', () => {
    const walk = (seed: number) => {
      const prices = new FairPrices(seed)
      return Array.from({ length: 1_000 }, () => {
        prices.step()
        return DEMO_MARKETS.map((market) => prices.ticks(market))
      })
    }
    expect(walk(7)).toEqual(walk(7))
    expect(walk(7)).not.toEqual(walk(8))
  })

  test('prices move, and stay plausible for as long as a sandbox may run', () => {
    for (const seed of [1, 2, 3]) {
      const prices = new FairPrices(seed)
      const seen = DEMO_MARKETS.map(() => new Set<number>())
      for (let step = 0; step < 300_000; step++) {
        prices.step()
        for (const [i, market] of DEMO_MARKETS.entries()) seen[i]?.add(prices.ticks(market))
      }
      for (const [i, { startTicks }] of DEMO_MARKETS.entries()) {
        const all = [...(seen[i] ?? [])]
        expect(all.length).toBeGreaterThan(5)
        expect(Math.min(...all)).toBeGreaterThan(startTicks / 2)
        expect(Math.max(...all)).toBeLessThan(startTicks * 2)
      }
    }
  })

  test('a price goes on from the last trade, unless that is absurd', () => {
    const [market] = DEMO_MARKETS
    const prices = new FairPrices(1)
    prices.goOnFrom(market, 7_000_000)
    expect(prices.ticks(market)).toBe(7_000_000)
    prices.goOnFrom(market, 1)
    prices.goOnFrom(market, market.startTicks * 11)
    expect(prices.ticks(market)).toBe(7_000_000)
  })
})
