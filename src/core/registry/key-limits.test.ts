/** How many keys an account may have (docs/reference/admin.md#limits). */
import { expect, test } from 'bun:test'
import { ByteReader, ByteWriter } from '../../units/bytes.ts'
import { timeMs } from '../../units/quantities.ts'
import { REGISTRY_LIMITS, Registry } from './registry.ts'

const LIMITS = { ...REGISTRY_LIMITS, apiKeysPerAccount: 3, apiKeyRecordsPerAccount: 8 }

function opened() {
  const registry = new Registry(LIMITS)
  const account = registry.addAccount('alice', timeMs(1))
  if (typeof account === 'string') throw new Error(account)
  const add = (apiKey: string, countsRevoked = false) => {
    const terms = {
      apiKey,
      accountId: account.id,
      permissions: [],
      addresses: [],
      label: '',
      createdAt: timeMs(1),
    }
    return registry.addApiKey({ ...terms, sealedSecret: new Uint8Array(40) }, countsRevoked)
  }
  return { registry, add }
}

test('a revoked key leaves the limit of keys in use, once, and its name is never used again', () => {
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

test('revoked keys stay known, up to a limit of their own', () => {
  const { registry, add } = opened()
  for (let at = 0; at < 8; at++) {
    expect(add(`${at}`)).toMatchObject({ apiKey: `${at}` })
    registry.revokeApiKey(`${at}`)
  }
  expect(add('8')).toBe('LIMIT_REACHED')
})

test('before these rules a revoked key counted as one in use', () => {
  const { registry, add } = opened()
  for (const key of ['1', '2', '3']) add(key)
  registry.revokeApiKey('1')
  expect(add('4', true)).toBe('LIMIT_REACHED')
  expect(add('4')).toMatchObject({ apiKey: '4' })
})

test('a registry that was read again counts the same keys as revoked', () => {
  const { registry, add } = opened()
  for (const key of ['1', '2', '3']) add(key)
  registry.revokeApiKey('2')
  const again = new Registry(LIMITS)
  for (const part of registry.parts) {
    if (part.isEmpty()) continue
    const writer = new ByteWriter()
    part.write(writer)
    again.parts.find(({ name }) => name === part.name)?.read(new ByteReader(writer.take()))
  }
  const account = again.accountByName('alice')
  expect(account === undefined ? undefined : again.revokedKeyCount(account.id)).toBe(1)
})
