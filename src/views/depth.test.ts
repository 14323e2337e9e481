import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Level } from '../core/market/order-book.ts'
import type { Side } from '../units/order-words.ts'
import { type Price, price } from '../units/quantities.ts'
import { Depth } from './depth.ts'

const changes = fc.array(
  fc.record({
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    price: fc.integer({ min: 1, max: 60 }).map(price),
    quantity: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 2n ** 70n })),
  }),
  { maxLength: 300 },
)

/** The obvious depth: a map, sorted when asked. */
function plainLevels(levels: ReadonlyMap<Price, bigint>, side: Side): Level[] {
  const direction = side === 'BUY' ? -1 : 1
  return [...levels]
    .sort(([a], [b]) => (a - b) * direction)
    .map(([at, quantity]) => ({ price: at, quantity }))
}

describe('depth', () => {
  test('after any changes the levels are those of a sorted map, best first', () => {
    fc.assert(
      fc.property(changes, fc.nat(20), (steps, limit) => {
        const depth = new Depth()
        const plain = { BUY: new Map<Price, bigint>(), SELL: new Map<Price, bigint>() }
        for (const step of steps) {
          depth.set(step.side, step.price, step.quantity)
          if (step.quantity === 0n) plain[step.side].delete(step.price)
          else plain[step.side].set(step.price, step.quantity)
        }
        for (const side of ['BUY', 'SELL'] as const) {
          const expected = plainLevels(plain[side], side)
          expect(depth.levels(side)).toEqual(expected)
          expect(depth.levels(side, limit)).toEqual(expected.slice(0, limit))
          expect(depth.best(side)).toBe(expected[0]?.price)
          expect(depth.levelCount(side)).toBe(expected.length)
        }
      }),
    )
  })

  test('a depth kept by changes equals one rebuilt from its levels', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const kept = new Depth()
        for (const step of steps) kept.set(step.side, step.price, step.quantity)
        const rebuilt = new Depth({ sell: kept.levels('SELL'), buy: kept.levels('BUY') })
        expect(rebuilt.levels('SELL')).toEqual(kept.levels('SELL'))
        expect(rebuilt.levels('BUY')).toEqual(kept.levels('BUY'))
      }),
    )
  })
})
