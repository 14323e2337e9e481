import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ACCOUNT_ROWS } from '../../../../../contract/customers/endpoints.ts'
import { addressesOf, bodyOf, draftProblem, KEY_ADDRESSES_MAX, KEY_DAYS, PROPOSED } from './key-draft.ts'

const NOW = 1_790_000_000_000
const NAMED = { ...PROPOSED, name: 'bot' }
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

test('a suggested key may read, ends in 90 days, and is requested with explicit values', () => {
  expect(bodyOf(NAMED, NOW)).toEqual({
    name: 'bot',
    permissions: ['READ'],
    addresses: [],
    end: NOW + 90 * 86_400_000,
    kind: 'HMAC',
    wire: 'BOURSE',
  })
})

test('a key that never ends is requested with 0', () => {
  expect(KEY_DAYS).toContain(0)
  expect(bodyOf({ ...NAMED, days: 0 }, NOW).end).toBe(0)
})

test('a public key is sent only for a key pair', () => {
  expect(bodyOf({ ...NAMED, publicKey: PUBLIC }, NOW)).not.toHaveProperty('publicKey')
  expect(bodyOf({ ...NAMED, kind: 'ED25519', publicKey: ` ${PUBLIC}\n` }, NOW).publicKey).toBe(PUBLIC)
})

test('addresses may be separated by spaces, commas and lines, and each counts once', () => {
  expect(addressesOf(' 192.0.2.7,10.0.0.0/8\n\n::1; 192.0.2.7 ')).toEqual(['192.0.2.7', '10.0.0.0/8', '::1'])
  expect(addressesOf(' \n ,')).toEqual([])
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: ' '.repeat(3) }, 'name'],
  [{ name: 'x'.repeat(41) }, 'name'],
  [{ permissions: [] }, 'permissions'],
  [{ addresses: 'my-laptop' }, 'addresses'],
  [{ addresses: '192.0.2.7 10.0.0.0/8/8' }, 'addresses'],
  [
    { addresses: Array.from({ length: KEY_ADDRESSES_MAX + 1 }, (_, last) => `10.0.0.${last}`).join(' ') },
    'tooManyAddresses',
  ],
  [{ kind: 'ED25519', publicKey: '' }, 'publicKey'],
  [{ kind: 'ED25519', publicKey: '-----BEGIN PRIVATE KEY-----' }, 'publicKey'],
] as const)('a draft with %j has a problem with its %s', (change, problem) => {
  expect(draftProblem(NAMED)).toBeUndefined()
  expect(draftProblem({ ...NAMED, ...change })).toBe(problem)
})

test('every draft without a problem gives a body whose texts have the form that the exchange requires', () => {
  const { fields } = ACCOUNT_ROWS['key/create']
  const form = fields.name?.form
  const fits = (name: string) => form?.is === 'text' && form.pattern.test(name)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 45 }), (name) => {
      const draft = { ...PROPOSED, name }
      return draftProblem(draft) !== undefined || fits(bodyOf(draft, NOW).name)
    }),
  )
})
