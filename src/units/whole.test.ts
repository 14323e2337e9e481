import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { UNITS_MAX } from './quantities.ts'
import { add, divideDown, divideUp, multiply, remainder, subtract, type Whole, wholeOf } from './whole.ts'

const MAX = BigInt(UNITS_MAX)

/** At least 0: small, around 2^53 and far beyond it. */
const naturals = fc.oneof(
  fc.bigInt({ min: 0n, max: 1000n }),
  fc.bigInt({ min: 0n, max: MAX }),
  fc.bigInt({ min: MAX - 5n, max: MAX + 5n }),
  fc.bigInt({ min: 0n, max: 2n ** 130n }),
)
const integers = fc.tuple(naturals, fc.boolean()).map(([value, isNegative]) => (isNegative ? -value : value))

/** Checks that the result is exact and in the one form for its size, for operands in either form. */
function mustBe(operation: (a: Whole, b: Whole) => Whole, a: bigint, b: bigint, exact: bigint): void {
  for (const left of [a, wholeOf(a)]) {
    for (const right of [b, wholeOf(b)]) {
      const result = operation(left, right)
      expect(BigInt(result)).toBe(exact)
      expect(typeof result).toBe(exact <= MAX && exact >= -MAX ? 'number' : 'bigint')
    }
  }
}

describe('exact in either form, for every size', () => {
  test('sums and differences', () => {
    const rule = fc.property(integers, integers, (a, b) => {
      mustBe(add, a, b, a + b)
      mustBe(subtract, a, b, a - b)
    })
    fc.assert(rule, { numRuns: 2_000 })
  })

  test('remainders', () => {
    const rule = fc.property(naturals, naturals, (a, b) => mustBe(remainder, a, b + 1n, a % (b + 1n)))
    fc.assert(rule, { numRuns: 2_000 })
  })

  test('products', () => {
    const rule = fc.property(naturals, naturals, (a, b) => mustBe(multiply, a, b, a * b))
    fc.assert(rule, { numRuns: 2_000 })
  })

  test('quotients, rounded down and up, one off a multiple as well', () => {
    const rule = fc.property(naturals, naturals, fc.integer({ min: -1, max: 1 }), (some, divisor, off) => {
      const b = divisor + 1n
      for (const a of [some, some * b + BigInt(off)]) {
        if (a < 0n) continue
        mustBe(divideDown, a, b, a / b)
        mustBe(divideUp, a, b, (a + b - 1n) / b)
      }
    })
    fc.assert(rule, { numRuns: 5_000 })
  })
})
