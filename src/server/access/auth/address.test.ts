import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  contains,
  keysOf,
  limitKey,
  parseAddress,
  parseAddressRange,
  widerKeyOf,
  widerKeys,
} from './address.ts'

const inRange = (range: string, address: string) => {
  const parsed = parseAddressRange(range)
  const candidate = parseAddress(address)
  if (parsed === undefined || candidate === undefined) throw new Error(`malformed: ${range} or ${address}`)
  return contains(parsed, candidate)
}

test.each([
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.1.2.3/8', '10.9.9.9', true],
  ['192.168.1.7', '192.168.1.7', true],
  ['192.168.1.7', '192.168.1.8', false],
  ['0.0.0.0/0', '255.255.255.255', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '2001:db8::1', true],
  ['::/0', '10.0.0.1', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::', false],
  ['::ffff:10.0.0.0/104', '10.1.1.1', true],
  ['10.0.0.0/8', '::ffff:10.1.1.1', true],
  ['10.0.0.0/8', '::ffff:a01:101', true],
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['2001:DB8::A', '2001:db8::a', true],
] as const)('range %p, address %p: %p', (range, address, expected) => {
  expect(inRange(range, address)).toBe(expected)
})

test.each([
  '',
  'localhost',
  '10.0.0.1/33',
  '10.0.0.1/-1',
  '10.0.0.1/',
  '10.0.0.1/08',
  '10.0.0.1/8/8',
  '10.0.0',
  '010.0.0.1',
  '256.0.0.1',
  '1.2.3.4 ',
  '::1/129',
  '::ffff:10.0.0.0/95',
  ':::1',
  '1::2::3',
  '0x7f.0.0.1',
])('%p is not a range', (text) => {
  expect(parseAddressRange(text)).toBeUndefined()
})

describe('any address', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  const groups = fc.array(group, { minLength: 8, maxLength: 8 })

  test('of version 6 means the number it spells, in any of its spellings', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        fc.pre(parts.slice(0, 5).some((part) => part !== 0))
        const bits = parts.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n)
        const full = parts.map((part) => part.toString(16)).join(':')
        const short = new URL(`http://[${full}]/`).hostname.slice(1, -1)
        expect(parseAddress(full)).toEqual({ family: 6, bits })
        expect(parseAddress(short)).toEqual({ family: 6, bits })
        expect(parseAddress(full.toUpperCase())).toEqual({ family: 6, bits })
      }),
    )
  })

  const anyRange = fc.oneof(
    fc.record({ address: fc.ipV4(), width: fc.constant(32), prefix: fc.integer({ min: 0, max: 32 }) }),
    fc.record({ address: fc.ipV6(), width: fc.constant(128), prefix: fc.integer({ min: 0, max: 128 }) }),
  )

  test('is inside every range made from it; outside once the last covered bit changes, inside for the next', () => {
    fc.assert(
      fc.property(anyRange, ({ address, width, prefix }) => {
        const range = parseAddressRange(`${address}/${prefix}`)
        const parsed = parseAddress(address)
        // An IPv4 address written as IPv6 parses as IPv4, with a shorter prefix.
        fc.pre(parsed?.family === (width === 32 ? 4 : 6))
        if (range === undefined || parsed === undefined) throw new Error('malformed')
        const withBitChanged = (bit: number) => ({
          ...parsed,
          bits: parsed.bits ^ (1n << BigInt(width - bit)),
        })
        expect(contains(range, parsed)).toBe(true)
        if (prefix > 0) expect(contains(range, withBitChanged(prefix))).toBe(false)
        if (prefix < width) expect(contains(range, withBitChanged(prefix + 1))).toBe(true)
      }),
    )
  })

  test('any text is an address or is not, without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => [4, 6, undefined].includes(parseAddress(text)?.family)))
  })
})

test('limits count the /64 of an IPv6 address and each IPv4 address alone', () => {
  expect(limitKey('2001:db8:1:2::1')).toBe(limitKey('2001:db8:1:2:ffff::9'))
  expect(limitKey('2001:db8:1:2::1')).not.toBe(limitKey('2001:db8:1:3::1'))
  expect(limitKey('10.0.0.1')).toBe('10.0.0.1')
})

test('limits count an IPv4 address inside IPv6 as that IPv4 address, in any of its spellings', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const hostname = new URL(`http://[::ffff:${address}]/`).hostname.slice(1, -1)
      const spellings = [
        address,
        `::ffff:${address}`,
        `::FFFF:${address}`,
        `0:0:0:0:0:ffff:${address}`,
        hostname,
      ]
      expect(spellings.map(limitKey)).toEqual(spellings.map(() => address))
    }),
  )
  expect(limitKey('::ffff:cb00:7109')).toBe('203.0.113.9')
})

test('the /56 and the /48 of an IPv6 address follow from its key, and an IPv4 address has none', () => {
  expect(widerKeys(limitKey('2001:db8:1:2ff::1'))).toEqual(['2001:db8:1:200::/56', '2001:db8:1::/48'])
  expect(widerKeys(limitKey('2001:db8:1:2ff::1'))).toEqual(widerKeys(limitKey('2001:db8:1:200::')))
  expect(widerKeys(limitKey('2001:db8:1:300::'))[0]).not.toBe(widerKeys(limitKey('2001:db8:1:2ff::'))[0])
  for (const other of ['192.0.2.1', '::ffff:192.0.2.1', 'unknown', '2001:db8:1::/48'])
    expect(widerKeys(limitKey(other))).toEqual([])
})

test('a /56 or a /48 has the key that each of its addresses has for it', () => {
  for (const [text, address] of [
    ['2001:db8:1::/48', '2001:db8:1:ffff::9'],
    ['2001:db8:1:300::/56', '2001:db8:1:3ab::9'],
    ['2001:0DB8:0001:03ff::7/56', '2001:db8:1:300::9'],
  ] as const) {
    const key = widerKeyOf(text)
    expect(keysOf(limitKey(address))).toContain(key ?? 'none')
    expect(widerKeyOf(key ?? '')).toBe(key)
  }
  for (const none of [
    '2001:db8::7',
    '2001:db8::/64',
    '192.0.2.0/48',
    '::ffff:192.0.2.1/48',
    'fe80::1%eth0/48',
    'home/48',
    '2001:db8::/480',
  ])
    expect(widerKeyOf(none)).toBeUndefined()
  expect(keysOf('192.0.2.1')).toEqual(['192.0.2.1'])
})
