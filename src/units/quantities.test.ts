import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { InvariantError } from './invariant.ts'
import { AMOUNT_MAX } from './limits.ts'
import {
  amount,
  DECIMALS_MAX,
  decimals,
  isAmount,
  lots,
  notional,
  price,
  RATE_ONE,
  rate,
  seq,
  timeMs,
  UNITS_MAX,
} from './quantities.ts'

/** Each constructor of a number, with its largest argument. */
const MAKERS = [
  [price, UNITS_MAX],
  [lots, UNITS_MAX],
  [timeMs, UNITS_MAX],
  [seq, UNITS_MAX],
  [rate, RATE_ONE - 1],
  [decimals, DECIMALS_MAX],
] as const

test('every number keeps to its bounds; anything outside is a bug', () => {
  for (const [make, max] of MAKERS) {
    for (const value of [0, 1, max]) expect(make(value) as number).toBe(value)
    for (const value of [-1, max + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => make(value), `${make.name}(${value})`).toThrow(InvariantError)
    }
  }
})

/** Integers of either sign: small, around 2^53 and far beyond it. */
const integers = fc.oneof(
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
  fc.bigInt({ min: -(2n ** 53n) - 5n, max: -(2n ** 53n) + 5n }),
  fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }),
)

test('money is one value in one form, whichever form it was made from', () => {
  fc.assert(
    fc.property(integers, (units) => {
      const isSmall = units <= BigInt(UNITS_MAX) && units >= -BigInt(UNITS_MAX)
      const forms = isSmall ? [units, Number(units)] : [units]
      for (const make of [amount, notional]) {
        for (const form of forms) {
          const made = make(form)
          expect(typeof made).toBe(isSmall ? 'number' : 'bigint')
          expect(BigInt(made)).toBe(units)
          expect(Object.is(made, make(units))).toBe(true)
        }
      }
      expect(isAmount(amount(units))).toBe(units >= 0n && units <= AMOUNT_MAX)
      expect(isAmount(amount(units), 1)).toBe(units >= 1n && units <= AMOUNT_MAX)
    }),
  )
})

test('money in a form that does not match its size is a bug of the caller, and there is one zero', () => {
  for (const wrong of [0.5, Number.NaN, UNITS_MAX + 1]) expect(() => amount(wrong)).toThrow(InvariantError)
  expect(Object.is(amount(-0), 0)).toBe(true)
  for (const wrong of [0n, 5n, -5n, BigInt(UNITS_MAX)]) {
    expect(() => isAmount(wrong as never)).toThrow(InvariantError)
  }
})
