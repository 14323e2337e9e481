/**
 * The nearest number to a text is in the range, has no more decimals than allowed, and no other such number
 * is nearer.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDecimal } from '../../units/decimal.ts'
import type { Decimals } from '../../units/quantities.ts'
import { nearestDecimal, nearestWhole } from './nearest.ts'

describe('the nearest number', () => {
  test('passes, and no other in the range is nearer', () => {
    const number = fc.record({
      units: fc.bigInt({ min: -5_000n, max: 20_000n }),
      decimals: fc.integer({ min: 0, max: 6 }),
      places: fc.integer({ min: 0, max: 4 }),
      min: fc.bigInt({ min: 0n, max: 300n }),
      span: fc.bigInt({ min: 0n, max: 9_000n }),
    })
    fc.assert(
      fc.property(number, ({ units, decimals, places, min, span }) => {
        const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
        const point = digits.length - decimals
        const fraction = decimals === 0 ? '' : `.${digits.slice(point)}`
        const text = `${units < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`
        const max = min + span
        const nearest = parseDecimal(
          nearestDecimal(text, places as Decimals, min, max) ?? '',
          places as Decimals,
        )
        if (typeof nearest !== 'bigint') throw new Error(`${text} has no nearest number`)
        expect(nearest >= min && nearest <= max).toBe(true)
        // In units of 10^-10 all values are integers.
        const sent = units * 10n ** BigInt(10 - decimals)
        const away = (value: bigint) => {
          const gap = value * 10n ** BigInt(10 - places) - sent
          return gap < 0n ? -gap : gap
        }
        for (const other of [nearest - 1n, nearest + 1n]) {
          if (other >= min && other <= max) expect(away(other) >= away(nearest)).toBe(true)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  test('is missing for text that is not a number', () => {
    for (const text of ['', 'x', '1e5', '1.', '.5', ' 1', '0x1', '--1', '9'.repeat(129)]) {
      expect(nearestWhole(text, 1, 10)).toBeUndefined()
    }
    expect([nearestWhole('0', 1, 10), nearestWhole('1000', 1, 10), nearestWhole('2.5', 1, 10)]).toEqual([
      '1',
      '10',
      '3',
    ])
  })
})
