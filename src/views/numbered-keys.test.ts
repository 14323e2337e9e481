import { expect, test } from 'bun:test'
import { KEY_NUMBER_RULES } from '../core/exchange/rules.ts'
import type { ApiKey } from '../core/registry/records.ts'
import type { AccountId, KeyNumber } from '../units/ids.ts'
import { timeMs } from '../units/quantities.ts'
import { LiveRegistry } from './registry.ts'

const [ANN, BEN] = [2 as AccountId, 3 as AccountId]
const number = (key: number) => key as KeyNumber

const key = (apiKey: string, accountId: AccountId, label = ''): ApiKey => ({
  apiKey,
  accountId,
  sealedSecret: new Uint8Array(44),
  permissions: ['TRADE'],
  addresses: [],
  label,
  createdAt: timeMs(1),
  enabled: true,
})

function registryOf(...apiKeys: readonly ApiKey[]): LiveRegistry {
  const start = { assets: [], symbols: [], accounts: [], apiKeys }
  return new LiveRegistry({ ...start, rulesVersion: KEY_NUMBER_RULES - 1 })
}

test('a key has its place among the keys of its account, whatever other accounts get, and keeps it when it changes', () => {
  const registry = registryOf(key('a', ANN), key('b', BEN), key('c', ANN, 'grid'))
  registry.apply({ kind: 'ApiKeyChanged', apiKey: key('d', ANN) })
  registry.apply({ kind: 'ApiKeyChanged', apiKey: { ...key('a', ANN, 'old'), enabled: false } })
  expect(['a', 'b', 'c', 'd', 'e'].map((text) => registry.keyNumber(text))).toEqual([
    ...[number(1), number(1), number(2), number(3), undefined],
  ])
  const names = [1, 2, 3, 4].map((each) => registry.keyName(ANN, number(each)))
  expect(names).toEqual(['old', 'grid', '#3', '#4'])
  expect(registry.keyName(BEN, undefined)).toBeUndefined()
})

test('orders name no key before the rules have it, and no session key', () => {
  const registry = registryOf(key('a', ANN))
  expect(registry.placingKey('a')).toBeUndefined()
  registry.apply({ kind: 'RulesVersionChanged', version: KEY_NUMBER_RULES })
  expect([registry.placingKey('a'), registry.placingKey('of a session')]).toEqual([number(1), undefined])
})

test('a key that has left is unknown, and an order of it shows its number, which no other key gets', () => {
  const registry = registryOf(key('a', ANN, 'old'), key('b', ANN, 'grid'), key('c', BEN), key('d', ANN))
  registry.apply({ kind: 'ApiKeyRemoved', accountId: ANN, apiKey: 'a' })
  registry.apply({ kind: 'ApiKeyChanged', apiKey: key('e', ANN, 'new') })
  registry.apply({ kind: 'ApiKeyRemoved', accountId: ANN, apiKey: 'd' })
  const numbers = () =>
    ['a', 'b', 'c', 'd', 'e'].map((text) => registry.keyNumber(text) as number | undefined)
  const names = () => [1, 2, 3, 4, 5].map((each) => registry.keyName(ANN, number(each)))
  expect([registry.apiKey('a'), registry.apiKey('d')]).toEqual([undefined, undefined])
  expect(numbers()).toEqual([undefined, 2, 1, undefined, 4])
  expect(names()).toEqual(['#1', 'grid', '#3', 'new', '#5'])
  // The same, from a list of keys: at a start and after missed events.
  const apiKeys = [{ ...key('b', ANN, 'grid'), number: number(2) }, key('c', BEN)]
  const later = { ...key('e', ANN, 'new'), number: number(4) }
  registry.restart({ assets: [], symbols: [], accounts: [], apiKeys: [...apiKeys, later] })
  expect([numbers(), names()]).toEqual([
    [undefined, 2, 1, undefined, 4],
    ['#1', 'grid', '#3', 'new', '#5'],
  ])
  registry.apply({ kind: 'ApiKeyChanged', apiKey: key('f', ANN) })
  expect([registry.keyNumber('f') as number | undefined, registry.keyName(ANN, number(5))]).toEqual([5, '#5'])
})

test('a key that left while events were missed is unknown after a start from a later list', () => {
  const registry = registryOf(key('a', ANN), key('b', ANN), key('c', ANN))
  const apiKeys = [key('a', ANN), { ...key('c', ANN), number: number(3) }]
  registry.restart({ assets: [], symbols: [], accounts: [], apiKeys })
  expect([registry.apiKey('b'), registry.keyNumber('c') as number | undefined]).toEqual([undefined, 3])
})
