import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  isUuidText,
  type OrderNumber,
  parseOrderUuid,
  parseTradeUuid,
  type TradeNumber,
  uuidOf,
} from './ids.ts'
import { InvariantError } from './invariant.ts'
import { type TimeMs, timeMs, UNITS_MAX } from './quantities.ts'

const TIME_MAX = 2 ** 48 - 1
const numbers = fc
  .oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: UNITS_MAX }), fc.constant(UNITS_MAX))
  .map((n) => n as OrderNumber)
const times = fc
  .oneof(fc.integer({ min: 0, max: TIME_MAX }), fc.constantFrom(0, TIME_MAX))
  .map((t) => timeMs(t))

test('an order or trade is found again by its UUID, in any letter case, and never as the other kind', () => {
  fc.assert(
    fc.property(numbers, times, (number, time) => {
      const order = uuidOf('order', number, time)
      const trade = uuidOf('trade', number, time)
      for (const text of [order, order.toUpperCase()]) {
        expect(parseOrderUuid(text)).toEqual({ number, time })
        expect(parseTradeUuid(text)).toBeUndefined()
      }
      expect(parseTradeUuid(trade)).toEqual({ number: number as number as TradeNumber, time })
      expect(parseOrderUuid(trade)).toBeUndefined()
    }),
  )
})

test('every UUID has the form of version 7 (RFC 9562): milliseconds first, version 7, variant 10', () => {
  fc.assert(
    fc.property(numbers, times, (number, time) => {
      const uuid = uuidOf('order', number, time)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(time)
      expect(isUuidText(uuid)).toBe(true)
    }),
  )
})

test('UUIDs sort by time, then by number', () => {
  fc.assert(
    fc.property(numbers, times, numbers, times, (n1, t1, n2, t2) => {
      fc.pre(t1 !== t2 || n1 !== n2)
      const isEarlier = t1 < t2 || (t1 === t2 && n1 < n2)
      expect(uuidOf('order', n1, t1) < uuidOf('order', n2, t2)).toBe(isEarlier)
    }),
  )
})

test('a UUID that is not ours, or not a UUID at all, names nothing', () => {
  const ours = uuidOf('order', 5 as OrderNumber, timeMs(1_700_000_000_000))
  for (const text of [
    '',
    'null',
    '__proto__',
    ours.slice(1),
    `${ours}0`,
    ` ${ours}`,
    `${ours}\n`,
    ours.replaceAll('-', ''),
    `{${ours}}`,
    '550e8400-e29b-41d4-a716-446655440000', // version 4
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', // version 7, RFC 9562's own example
    '00000000-0000-0000-0000-000000000000',
    ours.replace('-71', '-73'),
    ours.replace('-80', '-90'),
    ours.replace('-8000-', '-8020-'), // above 2^53-1
    ours.replace('5', 'g'),
  ]) {
    expect(parseOrderUuid(text), JSON.stringify(text)).toBeUndefined()
    expect(parseTradeUuid(text), JSON.stringify(text)).toBeUndefined()
  }
})

test('no text is read as an order that would be written differently', () => {
  const nibbles = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 15, maxLength: 15 })
  fc.assert(
    fc.property(
      nibbles,
      fc.string({ unit: fc.constantFrom(...'012ef'), minLength: 2, maxLength: 2 }),
      (t, high) => {
        const text = `${t.slice(0, 8)}-${t.slice(8, 12)}-7100-80${high}-000000000${t.slice(12)}`
        const parts = parseOrderUuid(text)
        if (parts !== undefined) expect(uuidOf('order', parts.number, parts.time)).toBe(text as never)
        else expect(high >= '20').toBe(true)
      },
    ),
  )
})

test('a time beyond 48 bits has no UUID: that is a bug', () => {
  expect(() => uuidOf('order', 1 as OrderNumber, (TIME_MAX + 1) as TimeMs)).toThrow(InvariantError)
})

test('the form of a UUID is distinguished from any other text', () => {
  expect(isUuidText('550E8400-e29b-41d4-a716-446655440000')).toBe(true)
  for (const text of ['', '550e8400e29b41d4a716446655440000', '550e8400-e29b-41d4-a716-44665544000g']) {
    expect(isUuidText(text)).toBe(false)
  }
})
