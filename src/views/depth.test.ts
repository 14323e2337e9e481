import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Level } from '../core/market/order-book.ts'
import type { Side } from '../units/order-enums.ts'
import { type Price, price } from '../units/quantities.ts'
import { Depth } from './depth.ts'
import { RUN_LEVELS_MAX } from './ladder.ts'

const changes = fc.array(
  fc.record({
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    price: fc.integer({ min: 1, max: 60 }).map(price),
    quantity: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 2n ** 70n })),
  }),
  { maxLength: 300 },
)

/** The obvious implementation: a map, sorted on demand. */
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

  test('pieces contain all levels, best first, and an unchanged one is the same piece', () => {
    const spread = fc.array(
      fc.record({ price: fc.integer({ min: 1, max: 3 * RUN_LEVELS_MAX }).map(price), isGone: fc.boolean() }),
      { minLength: 200, maxLength: 200 },
    )
    fc.assert(
      fc.property(spread, fc.constantFrom<Side>('BUY', 'SELL'), (steps, side) => {
        const depth = new Depth()
        const plain = new Map<Price, bigint>()
        const set = (at: Price, quantity: bigint) => {
          depth.set(side, at, quantity)
          if (quantity === 0n) plain.delete(at)
          else plain.set(at, quantity)
        }
        for (let at = 1; at <= 3 * RUN_LEVELS_MAX; at++) set(price(at), 1n)
        const seen = new Map<unknown, Level[]>()
        for (const [i, step] of steps.entries()) {
          set(step.price, step.isGone ? 0n : BigInt(i + 2))
          for (const piece of depth.pieces(side)) {
            const levels = piece.levels()
            expect(seen.get(piece) ?? levels).toEqual(levels)
            seen.set(piece, levels)
          }
        }
        const pieces = depth.pieces(side)
        expect(pieces.length).toBeGreaterThan(2)
        expect(pieces.flatMap((piece) => piece.levels())).toEqual(plainLevels(plain, side))
      }),
      { numRuns: 10 },
    )
  })

  test('runs that have shrunk are joined and empty ones dropped: few levels are in few pieces', () => {
    const depth = new Depth()
    const count = 20 * RUN_LEVELS_MAX
    for (let at = 1; at <= count; at++) depth.set('SELL', price(at), 1n)
    for (let at = 1; at <= count; at++) if (at % RUN_LEVELS_MAX !== 0) depth.set('SELL', price(at), 0n)
    expect(depth.levelCount('SELL')).toBe(20)
    expect(depth.pieces('SELL').length).toBeLessThanOrEqual(4)
    for (let at = 1; at <= count; at++) depth.set('SELL', price(at), 0n)
    expect(depth.pieces('SELL')).toEqual([])
    expect(depth.best('SELL')).toBeUndefined()
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
