/**
 * The maximum number of keys of an account, and the key that is removed to make room for another
 * (docs/reference/admin.md#limits).
 */
import { expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { timeMs } from '../../units/quantities.ts'
import { type KeyCounting, REGISTRY_LIMITS, Registry } from './registry.ts'

const LIMITS = { ...REGISTRY_LIMITS, apiKeysPerAccount: 3, apiKeyRecordsPerAccount: 8 }
const TERMS = { permissions: [], addresses: [], label: '' }

type Added = { readonly at?: number; readonly expiresAt?: number; readonly counting?: KeyCounting }

function opened(limits = LIMITS) {
  const registry = new Registry(limits)
  const [account, other] = [registry.addAccount('alice', timeMs(1)), registry.addAccount('bob', timeMs(1))]
  if (typeof account === 'string' || typeof other === 'string') throw new Error('no account')
  const left: string[] = []
  const add = (apiKey: string, { at = 1, expiresAt = 0, counting }: Added = {}) =>
    registry.addApiKey(
      {
        ...{ ...TERMS, apiKey, accountId: account.id, sealedSecret: new Uint8Array(40) },
        ...{ createdAt: timeMs(at), expiresAt: timeMs(expiresAt) },
      },
      counting,
      (key) => left.push(key.apiKey),
    )
  const revoke = (apiKey: string, at: number) => registry.revokeApiKey(apiKey, timeMs(at))
  const names = () => registry.apiKeysOf(account.id).map(({ apiKey }) => apiKey)
  return { registry, add, revoke, names, left, account, other }
}

function partBytes(registry: Registry): Uint8Array {
  const writer = new ByteWriter()
  for (const part of registry.parts) if (part.name === 'apiKeys') part.write(writer)
  return writer.take()
}

function readAgain(registry: Registry): Registry {
  const again = new Registry(LIMITS)
  for (const part of registry.parts) {
    if (part.isEmpty()) continue
    const writer = new ByteWriter()
    part.write(writer)
    again.parts.find(({ name }) => name === part.name)?.read(new ByteReader(writer.take()))
  }
  return again
}

test('a revoked key leaves the limit of keys in use, once, and its name is not used again', () => {
  const { registry, add } = opened()
  for (const key of ['1', '2', '3']) expect(add(key)).toMatchObject({ apiKey: key })
  expect(add('4')).toBe('LIMIT_REACHED')
  for (const _ of [1, 2]) registry.revokeApiKey('1')
  expect(add('1')).toBe('API_KEY_EXISTS')
  expect(add('4')).toMatchObject({ apiKey: '4' })
  expect(add('5')).toBe('LIMIT_REACHED')
  registry.setApiKeyEnabled('2', false)
  expect(add('5')).toBe('LIMIT_REACHED')
})

test('before ended keys left their account, revoked keys locked it out permanently', () => {
  const { registry, add, left } = opened()
  for (let at = 0; at < 8; at++) {
    expect(add(`${at}`)).toMatchObject({ apiKey: `${at}` })
    registry.revokeApiKey(`${at}`)
  }
  expect([add('8', { counting: 'NOT_REVOKED' }), left]).toEqual(['LIMIT_REACHED', []])
  expect(add('8')).toMatchObject({ apiKey: '8' })
  expect(left).toEqual(['0'])
})

test('before keys had a kind, a revoked key counted as one in use, and an expired one until it was revoked', () => {
  const { registry, add } = opened()
  add('1')
  add('2', { expiresAt: 5 })
  add('3')
  registry.revokeApiKey('1')
  expect(add('4', { counting: 'ALL' })).toBe('LIMIT_REACHED')
  expect(add('4', { counting: 'NOT_REVOKED' })).toMatchObject({ apiKey: '4' })
  expect(add('5', { counting: 'NOT_REVOKED', at: 9 })).toBe('LIMIT_REACHED')
  expect(add('5', { at: 9 })).toMatchObject({ apiKey: '5' })
})

test('an expired key leaves the limit of keys in use, and is valid again only where there is room for it', () => {
  const { registry, add, revoke } = opened()
  for (const key of ['1', '2', '3']) add(key, { expiresAt: 10 })
  expect(add('4', { at: 9 })).toBe('LIMIT_REACHED')
  for (const key of ['4', '5', '6']) expect(add(key, { at: 10 })).toMatchObject({ apiKey: key })
  const goOn = (time: number, expiresAt: number) =>
    registry.amendApiKey('1', { ...TERMS, expiresAt: timeMs(expiresAt) }, timeMs(time))
  const before = partBytes(registry)
  for (const end of [11, 0]) expect(goOn(10, end)).toBe('LIMIT_REACHED')
  expect(partBytes(registry)).toEqual(before)
  expect(goOn(10, 9)).toMatchObject({ apiKey: '1', expiresAt: 9 })
  const earlier = registry.amendApiKey('2', { ...TERMS, expiresAt: timeMs(20) }, timeMs(10), 'NOT_REVOKED')
  expect(earlier).toMatchObject({ expiresAt: 20 })
  revoke('4', 10)
  expect(goOn(10, 11)).toBe('LIMIT_REACHED')
  revoke('5', 10)
  expect(goOn(10, 11)).toMatchObject({ apiKey: '1', expiresAt: 11 })
})

test('the key that ended first leaves an account with as many keys as it may have, by number of several', () => {
  const { registry, add, revoke, names, left } = opened()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
    add(key, key === 'b' ? { expiresAt: 20 } : {})
    if (!'be'.includes(key)) revoke(key, key === 'f' ? 30 : 40)
  }
  add('g', { at: 21 })
  registry.revokeApiKey('g')
  add('h', { at: 21, expiresAt: 55 })
  expect([names().join(''), left.join('')]).toEqual(['abcdefgh', ''])
  // In this order: revoked before the rules recorded the time; expired at 20; revoked at 30; the first of
  // three revoked at 40.
  const leave = ['g', 'b', 'f', 'a', 'c', 'd']
  for (const [index, key] of leave.entries()) {
    const next = `${index}`
    expect(add(next, { at: 50, expiresAt: 100 + index })).toMatchObject({ apiKey: next })
    expect(left.at(-1)).toBe(key)
    revoke(next, 60)
  }
  expect(names().join('')).toBe('eh012345')
  // This key expired before it was revoked, so it ended when it expired.
  revoke('h', 65)
  expect([add('x', { at: 70 }), left.at(-1)]).toMatchObject([{ apiKey: 'x' }, 'h'])
})

test('neither a live key leaves its account nor the newest, which determines the number of the next', () => {
  const { add, revoke, names } = opened({ ...LIMITS, apiKeyRecordsPerAccount: 2 })
  add('a')
  add('b')
  revoke('b', 5)
  expect([add('c', { at: 9 }), names()]).toEqual(['LIMIT_REACHED', ['a', 'b']])
})

test('a key that has left is unknown, its number is not given again, and its text may be that of another key', () => {
  const { registry, add, revoke, account, other } = opened()
  for (let at = 0; at < 10; at++) {
    add(`${at}`, { at: 10 + at })
    revoke(`${at}`, 10 + at)
  }
  expect([registry.apiKey('0'), registry.revokeApiKey('1')]).toEqual([undefined, 'UNKNOWN_API_KEY'])
  expect(registry.apiKeys().map(({ apiKey, number }) => [apiKey, number])).toEqual([
    ['2', 3 as never],
    ...['3', '4', '5', '6', '7', '8', '9'].map((text) => [text, undefined] as never),
  ])
  expect([account, other].map(({ id }) => registry.hasLostApiKeys(id))).toEqual([true, false])
  expect([registry.apiKeyCount(account.id), registry.revokedKeyCount(account.id)]).toEqual([8, 8])
  const terms = { ...TERMS, accountId: other.id, sealedSecret: new Uint8Array(1), createdAt: timeMs(30) }
  expect(registry.addApiKey({ ...terms, apiKey: '0' })).toMatchObject({ apiKey: '0', accountId: other.id })
})

test('a registry that is read back counts the same keys, gives the same numbers, and has the same bytes', () => {
  const { registry, add, revoke, account } = opened()
  for (let at = 0; at < 12; at++) {
    add(`${at}`, { at: 10 + at })
    if (at !== 3) revoke(`${at}`, 10 + at)
  }
  const again = readAgain(registry)
  expect(partBytes(again)).toEqual(partBytes(registry))
  const numbered = registry.apiKeys().filter(({ number }) => number !== undefined)
  expect(numbered.map(({ apiKey, number }) => [apiKey, Number(number)])).toEqual([
    ['3', 4],
    ['5', 6],
  ])
  expect([again.revokedKeyCount(account.id), again.apiKeyCount(account.id)]).toEqual([7, 8])
  const more = { ...TERMS, accountId: account.id, sealedSecret: new Uint8Array(1), createdAt: timeMs(99) }
  for (const one of [registry, again]) one.addApiKey({ ...more, apiKey: 'more' })
  expect(partBytes(again)).toEqual(partBytes(registry))
})

test('a list of keys with impossible numbers is refused', () => {
  const { registry, add, revoke } = opened({ ...LIMITS, apiKeyRecordsPerAccount: 2 })
  for (let at = 0; at < 3; at++) {
    add(`${at}`, { at: 10 + at })
    revoke(`${at}`, 10 + at)
  }
  const [from] = registry.parts.filter(({ name }) => name === 'apiKeys')
  const writer = new ByteWriter()
  from?.write(writer)
  const hex = Buffer.from(writer.take()).toString('hex')
  // The end of key `1`: revoked at 11, number 2. Then of key `2`: revoked at 12, without a number.
  const numbered = '00c2010b02'
  expect([hex.split(numbered).length, hex.endsWith('00420c')]).toEqual([2, true])
  const read = (text: string) => {
    const again = new Registry(LIMITS)
    again.addAccount('alice', timeMs(1))
    const bytes = new Uint8Array(Buffer.from(text, 'hex'))
    again.parts.find(({ name }) => name === 'apiKeys')?.read(new ByteReader(bytes))
    return again.apiKeys().map(({ number }) => number)
  }
  expect(read(hex)).toEqual([2 as never, undefined])
  expect(read(hex.replace(numbered, '00c2010b07'))).toEqual([7 as never, undefined])
  expect(() => read(hex.replace(numbered, '00c2010b01'))).toThrow(BytesFault)
  // The number of the second key is the next one, so it is not written; nor can it be lower.
  for (const number of ['03', '02'])
    expect(() => read(hex.replace(/00420c$/, `00c2010c${number}`))).toThrow(
      'a number above 3, the next of its account',
    )
})
