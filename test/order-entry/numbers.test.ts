/** A number in JSON stands for exactly its text, or is refused. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../../src/server/common/refusal.ts'
import { readFields } from '../../src/server/trading/fields.ts'

function read(text: string): string | undefined {
  const parameters = readFields(JSON.parse(`{"price":${text}}`))
  return parameters instanceof Refusal ? undefined : parameters.get('price')
}

describe('a number in the parameters of a request', () => {
  test('with up to 15 significant digits is the decimal that was written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999_999_999 }),
        fc.integer({ min: 0, max: 5 }),
        (units, places) => {
          const digits = String(units).padStart(places + 1, '0')
          const [whole, fraction] = [
            digits.slice(0, digits.length - places),
            digits.slice(digits.length - places),
          ]
          const written = places === 0 ? whole : `${whole}.${fraction}`
          const plain = written.includes('.') ? written.replace(/0+$/, '').replace(/\.$/, '') : written
          expect(read(written)).toBe(plain)
        },
      ),
    )
  })

  test('that double precision may have changed is refused', () => {
    for (const text of [
      '0.1234567890123456',
      '1234567890.1234567',
      '9007199254740993',
      '12345678901234567890',
      '1e21',
      '1e400',
      '0.0000001',
      '1.7976931348623157e308',
      '5e-324',
    ])
      expect([text, read(text)]).toEqual([text, undefined])
  })

  test('that is whole is accepted up to 2^53-1', () => {
    expect(read('9007199254740991')).toBe('9007199254740991')
    expect(read('-0')).toBe('0')
    expect(read('1e3')).toBe('1000')
  })

  test('of another type than text and number is refused', () => {
    for (const text of ['null', 'true', '[]', '{}', '["1"]'])
      expect([text, read(text)]).toEqual([text, undefined])
  })

  test('is limited, so that requests hold them', () => {
    const fields = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`p${n}`, n]))
    expect(readFields(fields)).toMatchObject({ reason: 'TOO_MANY_PARAMETERS' })
  })
})
