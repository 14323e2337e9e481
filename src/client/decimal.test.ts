import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Decimal } from './decimal.ts'

const PLACES = 12
const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })

/** A decimal with this value in units of 10^-12. */
function decimal(value: bigint): Decimal {
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, '0')
  return Decimal.from(`${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`)
}

test('sums, differences, products and comparisons of decimals are those of whole numbers of a small unit', () => {
  fc.assert(
    fc.property(units, units, (a, b) => {
      const [x, y] = [decimal(a), decimal(b)]
      expect(x.plus(y).toString()).toBe(decimal(a + b).toString())
      expect(x.minus(y).toString()).toBe(decimal(a - b).toString())
      expect(x.times(y).compare(decimal(a * b).times(decimal(1n)))).toBe(0)
      expect(x.compare(y)).toBe(a < b ? -1 : a > b ? 1 : 0)
      const tenth = y.times('0.1')
      expect([x.compare(tenth), tenth.compare(x)]).toEqual(
        10n * a < b ? [-1, 1] : 10n * a > b ? [1, -1] : [0, 0],
      )
    }),
  )
})

test('a decimal rounded down to a step is the largest multiple of it that is not above', () => {
  fc.assert(
    fc.property(units, fc.bigInt({ min: 1n, max: 10n ** 15n }), (a, step) => {
      const rounded = decimal(a).roundedDownTo(decimal(step))
      const floor = a >= 0n ? a / step : -((-a + step - 1n) / step)
      expect(rounded.toString()).toBe(decimal(floor * step).toString())
    }),
  )
})

test('a decimal is written in plain digits, and read from nothing else', () => {
  expect(`${Decimal.from('0.1').plus('0.2')}`).toBe('0.3')
  expect(JSON.stringify({ price: Decimal.from('60000.50') })).toBe('{"price":"60000.5"}')
  for (const wrong of ['', '.5', '5.', '1e3', '+1', ' 1', '1,5', '--1', '0x10', '1'.repeat(129)]) {
    expect(() => Decimal.from(wrong)).toThrow(RangeError)
  }
})
