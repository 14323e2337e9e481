/**
 * Parts that the class implements itself, since ccxt passes them to no factory: hashes and exact decimals.
 */
import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { difference, product, sum, unitOf } from '../../clients/ccxt/src/decimals.js'
import { hmacSha256 } from '../../clients/ccxt/src/sha256.js'

test('a signature equals that of the runtime for every secret and every text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ maxLength: 300 }),
      (secret, text) => {
        expect(hmacSha256(secret, text)).toBe(createHmac('sha256', secret).update(text).digest('hex'))
      },
    ),
  )
})

test('sums, differences and products of decimals are exact', () => {
  const decimal = fc.tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: 0, max: 18 }))
  const text = ([digits, scale]: [bigint, number]) => product(`${digits}`, unitOf(scale))
  fc.assert(
    fc.property(decimal, decimal, (left, right) => {
      const scaled = ([digits, scale]: [bigint, number]) => digits * 10n ** BigInt(18 - scale)
      const [first, second] = [text(left), text(right)]
      expect(sum(first, second)).toBe(product(`${scaled(left) + scaled(right)}`, unitOf(18)))
      expect(difference(first, second)).toBe(product(`${scaled(left) - scaled(right)}`, unitOf(18)))
      expect(product(first, second)).toBe(product(`${left[0] * right[0]}`, unitOf(left[1] + right[1])))
    }),
  )
  expect([unitOf(0), unitOf(2), sum('0.1', '0.2'), difference('1', '1.00'), product('-0.5', '3')]).toEqual([
    '1',
    '0.01',
    '0.3',
    '0',
    '-1.5',
  ])
})
