import { expect, test } from 'bun:test'
import type { ApiKey } from '../../../core/registry/records.ts'
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { keyFault } from './authenticate.ts'
import { knownKey, unknownYet } from './known-keys.ts'
import { KEPT_ADDRESSES } from './own-keys.ts'
import { SessionKeys } from './session-keys.ts'

const record: ApiKey = {
  apiKey: 'a'.repeat(64),
  accountId: 7 as AccountId,
  sealedSecret: new Uint8Array(1),
  permissions: ['READ'],
  addresses: [KEPT_ADDRESSES],
  label: '',
  createdAt: 0 as TimeMs,
  enabled: true,
}
const journaled = { apiKey: (name: string) => (name === record.apiKey ? record : undefined) }

function reasonFrom(clientAddress: string, keys: SessionKeys | undefined): string | undefined {
  const apiKey = knownKey(journaled, record.apiKey, keys)
  return keyFault({ apiKey, account: undefined, now: 0 as TimeMs, clientAddress, claim: undefined }, 'READ')
    ?.reason
}

test('a key whose addresses the customers process keeps opens from them alone, and from nowhere without its list', () => {
  const keys = new SessionKeys(() => 0)
  expect(knownKey(journaled, record.apiKey, keys)).toBeUndefined()
  expect(unknownYet(journaled, record.apiKey, keys)?.reason).toBe('SESSION_KEYS_UNKNOWN')
  keys.ownKeys.beginPage('WHOLE')
  keys.ownKeys.keep(record.apiKey, ['192.0.2.0/24'])
  keys.ownKeys.endPage('WHOLE')
  expect(unknownYet(journaled, record.apiKey, keys)).toBeUndefined()
  expect([reasonFrom('192.0.2.7', keys), reasonFrom('198.51.100.7', keys)]).toEqual([
    undefined,
    'ADDRESS_NOT_ALLOWED',
  ])
  expect(knownKey(journaled, record.apiKey, keys)).toBe(knownKey(journaled, record.apiKey, keys) as ApiKey)
  keys.ownKeys.beginPage('WHOLE')
  keys.ownKeys.endPage('WHOLE')
  expect(reasonFrom('192.0.2.7', keys)).toBe('ADDRESS_NOT_ALLOWED')
  expect(reasonFrom('192.0.2.7', undefined)).toBe('ADDRESS_NOT_ALLOWED')
})

test('pages name address lists together, and only the last one drops the others', () => {
  const { ownKeys } = new SessionKeys(() => 0)
  ownKeys.keep('old', ['192.0.2.1'])
  ownKeys.beginPage('FIRST')
  ownKeys.keep('one', ['192.0.2.1'])
  ownKeys.endPage('FIRST')
  expect([ownKeys.size, ownKeys.isTold]).toEqual([2, false])
  ownKeys.beginPage('LAST')
  ownKeys.keep('two', ['192.0.2.1'])
  ownKeys.endPage('LAST')
  expect([ownKeys.size, ownKeys.isTold]).toEqual([2, true])
})
