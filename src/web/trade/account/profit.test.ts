import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Position } from '../../../client/interface/positions.ts'
import { percentOf, roundedText, totalsOf } from './profit.ts'
import { PriceTable } from './worth.ts'

describe('a displayed figure', () => {
  test('is rounded half up, a loss as a profit of the same size, and there is no minus zero', () => {
    const shown = ['1.005', '-1.005', '0.994', '-0.004', '12', '0.5'].map((exact) => roundedText(exact, 2))
    expect(shown).toEqual(['1.01', '-1.01', '0.99', '0.00', '12.00', '0.50'])
    expect([roundedText('2.5', 0), roundedText('-2.4', 0)]).toEqual(['3', '-2'])
  })

  test('differs from the exact one by at most half of its last decimal', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 8 }),
        (units, places) => {
          const size = (units < 0n ? -units : units).toString().padStart(19, '0')
          const exact = `${units < 0n ? '-' : ''}${size.slice(0, -18)}.${size.slice(-18)}`
          const rounded = BigInt(roundedText(exact, places).replace('.', '')) * 10n ** BigInt(18 - places)
          const off = rounded > units ? rounded - units : units - rounded
          expect(off * 2n <= 10n ** BigInt(18 - places)).toBe(true)
        },
      ),
    )
  })

  test('has its percentage of the cost, where there is one', () => {
    expect(percentOf('1', '3')).toEqual({ isBelow: false, size: '33.33' })
    expect(percentOf('-0.5', '1000')).toEqual({ isBelow: true, size: '0.05' })
    expect(percentOf('-0.00000001', '1000')).toEqual({ isBelow: false, size: '0.00' })
    expect(percentOf('1', '0')).toBeUndefined()
  })
})

describe('totals', () => {
  const position = (asset: string, costAsset: string, profit: string): Position => ({
    ...{ asset, costAsset, quantity: '2' },
    ...{ unrealizedProfit: profit, realizedProfit: '-1' },
  })
  const prices = new PriceTable([
    { symbol: 'BTC/USDT', price: '100', time: 0 },
    { symbol: 'USDT/TRY', price: '40', time: 0 },
  ])

  test('are in one asset, leave its own profit out, and name assets without a market', () => {
    const all = [position('BTC', 'USDT', '10'), position('USDT', 'TRY', '-80'), position('XYZ', 'ABC', '5')]
    const inUsdt = totalsOf(all, 'USDT', prices)
    expect([inUsdt.value, inUsdt.unrealized, inUsdt.realized].map(({ value }) => value.toString())).toEqual([
      '202',
      '10',
      '-1',
    ])
    expect(inUsdt.unknown).toEqual(['XYZ'])
    const inTry = totalsOf(all, 'TRY', prices)
    expect(inTry.unrealized.value.toString()).toBe('320')
    expect(inTry.realized.value.toString()).toBe('-41')
  })
})
