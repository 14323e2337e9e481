import { describe, expect, test } from 'bun:test'
import { moveEffect } from './move-effect.ts'

const ASKS = [
  { ticks: 101, lots: 2n },
  { ticks: 103, lots: 5n },
]
const at = (lastTicks: number | undefined, opposite = ASKS) => ({ opposite, lastTicks })

describe('an order at another price', () => {
  test('rests below the best ask, and takes exactly the quantity available up to its price and quantity', () => {
    const order = { side: 'BUY', type: 'LIMIT' } as const
    const effect = (ticks: number, lots: bigint | undefined) =>
      moveEffect(order, 'price', ticks, lots, at(100))
    expect(effect(100, 4n)).toEqual({ kind: 'RESTS' })
    expect(effect(101, 4n)).toEqual({ kind: 'TAKES', lots: 2n, cost: 202n })
    expect(effect(103, 4n)).toEqual({ kind: 'TAKES', lots: 4n, cost: 408n })
    expect(effect(103, undefined)).toEqual({ kind: 'TAKES', lots: 7n, cost: 717n })
  })

  test('of a SELL takes bids down to its price, and a post-only order is refused there', () => {
    const bids = [
      { ticks: 99, lots: 1n },
      { ticks: 98, lots: 1n },
    ]
    const effect = (type: 'LIMIT' | 'LIMIT_MAKER', ticks: number) =>
      moveEffect({ side: 'SELL', type }, 'price', ticks, 5n, at(100, bids))
    expect(effect('LIMIT', 98)).toEqual({ kind: 'TAKES', lots: 2n, cost: 197n })
    expect(effect('LIMIT_MAKER', 99)).toEqual({ kind: 'REFUSED' })
    expect(effect('LIMIT_MAKER', 100)).toEqual({ kind: 'RESTS' })
  })

  test('that waits keeps waiting, unless the last trade has reached its stop price', () => {
    const kinds = (side: 'BUY' | 'SELL', type: 'STOP_LOSS' | 'TAKE_PROFIT') =>
      [99, 100, 101].map((ticks) => moveEffect({ side, type }, 'stopPrice', ticks, 1n, at(100)).kind)
    expect(kinds('BUY', 'STOP_LOSS')).toEqual(['REACHED', 'REACHED', 'WAITS'])
    expect(kinds('SELL', 'STOP_LOSS')).toEqual(['WAITS', 'REACHED', 'REACHED'])
    expect(kinds('BUY', 'TAKE_PROFIT')).toEqual(['WAITS', 'REACHED', 'REACHED'])
    expect(kinds('SELL', 'TAKE_PROFIT')).toEqual(['REACHED', 'REACHED', 'WAITS'])
    const limit = { side: 'BUY', type: 'STOP_LOSS_LIMIT' } as const
    expect(moveEffect(limit, 'price', 103, 1n, at(100))).toEqual({ kind: 'WAITS' })
    expect(moveEffect({ ...limit, triggeredAt: 5 }, 'price', 103, 1n, at(100)).kind).toBe('TAKES')
    expect(moveEffect(limit, 'stopPrice', 1, 1n, at(undefined))).toEqual({ kind: 'WAITS' })
  })
})
