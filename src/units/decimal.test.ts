import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { DECIMAL_TEXT_MAX, fixedDecimal, parseDecimal, plainDecimal } from './decimal.ts'
import { DECIMALS_MAX, decimals } from './quantities.ts'

const places = fc.integer({ min: 0, max: DECIMALS_MAX }).map(decimals)
const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 200n }),
  fc.bigInt({ min: 0n, max: 2n ** 130n }),
  fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n),
)
const P2 = decimals(2)

describe('reading', () => {
  test('returns what either form of writing wrote', () => {
    fc.assert(
      fc.property(amounts, places, (units, p) => {
        expect(parseDecimal(fixedDecimal(units, p), p)).toBe(units)
        expect(parseDecimal(plainDecimal(units, p), p)).toBe(units)
      }),
    )
  })

  test('accepts zeros beyond the decimals allowed and in front, and refuses any other digit beyond', () => {
    fc.assert(
      fc.property(
        amounts,
        places,
        fc.nat({ max: 20 }),
        fc.integer({ min: 1, max: 9 }),
        (units, p, zeros, digit) => {
          const text = p === 0 ? `${units}.` : fixedDecimal(units, p)
          expect(parseDecimal(`00${text}${'0'.repeat(zeros + 1)}`, p)).toBe(units)
          expect(parseDecimal(`${text}${'0'.repeat(zeros)}${digit}`, p)).toBe('TOO_MANY_DECIMALS')
        },
      ),
    )
  })

  test('accepts exactly digits with an optional fraction', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0190.,-+eEx _n\n٣') }), (text) => {
        const isDecimal =
          text.split('.').length <= 2 && text.split('.').every((part) => /^[0-9]+$/.test(part))
        expect(typeof parseDecimal(text, decimals(18)) === 'bigint').toBe(isDecimal && text.length < 20)
      }),
      { examples: [['1.'], ['.1'], [''], ['1.1.1'], ['1e5'], ['-1'], ['+1'], ['1\n'], ['0x1'], ['٣']] },
    )
  })

  test('says what is wrong', () => {
    for (const text of [
      '',
      '.',
      '1.',
      '.5',
      '-1',
      '+1',
      '1e3',
      '1E3',
      ' 1',
      '1 ',
      '1,5',
      '1_0',
      'NaN',
      'Infinity',
      '١',
      '１',
      '0x10',
      '1.2.3',
      '1\n',
    ]) {
      expect(parseDecimal(text, P2), JSON.stringify(text)).toBe('MALFORMED')
    }
    expect(parseDecimal('1.005', P2)).toBe('TOO_MANY_DECIMALS')
    expect(parseDecimal('1.5', decimals(0))).toBe('TOO_MANY_DECIMALS')
    expect(parseDecimal('9'.repeat(DECIMAL_TEXT_MAX + 1), P2)).toBe('TOO_LONG')
    expect(parseDecimal('9'.repeat(DECIMAL_TEXT_MAX), decimals(0))).toBe(BigInt('9'.repeat(DECIMAL_TEXT_MAX)))
  })
})

describe('writing', () => {
  test('plain has no trailing zeros and no point without decimals; fixed has exactly the decimals asked for', () => {
    fc.assert(
      fc.property(amounts, places, (units, p) => {
        const plain = plainDecimal(units, p)
        expect(plain).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/)
        expect(fixedDecimal(units, p)).toMatch(p === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${p}}$`))
      }),
    )
  })

  test('never writes an exponent, and keeps numbers and bigints alike', () => {
    expect(plainDecimal(1, decimals(18))).toBe('0.000000000000000001')
    expect(plainDecimal(10n ** 40n, P2)).toBe(`1${'0'.repeat(38)}`)
    expect(fixedDecimal(Number.MAX_SAFE_INTEGER, decimals(8))).toBe('90071992.54740991')
    expect(fixedDecimal(150n, P2)).toBe('1.50')
    expect(plainDecimal(150n, P2)).toBe('1.5')
    expect(plainDecimal(100n, P2)).toBe('1')
    expect(plainDecimal(0n, P2)).toBe('0')
    expect(plainDecimal(100n, decimals(0))).toBe('100')
  })

  test('writes a number and the bigint of the same value alike, for every whole number that a number holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.maxSafeNat(),
          fc.nat(1_000),
          fc.nat(20).map((p) => 10 ** Math.min(p, 15)),
        ),
        places,
        (units, p) => {
          expect(plainDecimal(units, p)).toBe(plainDecimal(BigInt(units), p))
        },
      ),
    )
  })

  test('a negative amount has its sign in front, and zero has none', () => {
    expect(fixedDecimal(-5n, P2)).toBe('-0.05')
    expect(plainDecimal(-150, P2)).toBe('-1.5')
    expect(fixedDecimal(-0, P2)).toBe('0.00')
  })
})
