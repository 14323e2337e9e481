/** Keys that have ended make room for others (docs/reference/authentication.md#keys-that-have-ended). */
import { expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { API_KEY_RECORDS_PER_ACCOUNT_MAX, API_KEYS_PER_ACCOUNT_MAX } from '../../units/limits.ts'
import { timeMs } from '../../units/quantities.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { ENDED_KEY_RULES } from '../exchange/rules.ts'
import { REGISTRY_LIMITS } from '../registry/registry.ts'
import { SessionHarness } from '../trading/timers/sessions.fixture.ts'

const LIMIT_REACHED = { kind: 'Refused', reason: 'LIMIT_REACHED' } as const
const FEW = { ...REGISTRY_LIMITS, apiKeyRecordsPerAccount: 3 }
const TERMS = { permissions: [], addresses: [], label: '' }

/** Adds and revokes keys of accounts, one per millisecond. */
class KeyHarness extends ExchangeHarness {
  add(accountId: AccountId, apiKey: string, expiresAt = 0) {
    const terms = { ...TERMS, expiresAt: timeMs(expiresAt), strictSignature: false }
    const of = { keyKind: 'HMAC', material: new Uint8Array(1), wire: 'BOURSE' } as const
    return this.give({ kind: 'AddApiKey', operator: OPERATOR, accountId, apiKey, ...of, ...terms })
  }

  revoke(apiKey: string) {
    return this.give({ kind: 'RevokeApiKey', operator: OPERATOR, apiKey })
  }

  rules(version: number) {
    return this.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  }

  get keys() {
    return this.exchange.bootstrap().apiKeys
  }
}

test('no number of created and revoked keys locks an account out, and a snapshot has them with their numbers', () => {
  const it = new KeyHarness({})
  it.rules(ENDED_KEY_RULES)
  const ann = it.trader('ann', {})
  const most = API_KEY_RECORDS_PER_ACCOUNT_MAX
  for (let at = 1; at <= most; at++) {
    it.add(ann, `${at}`)
    if (at % 2 === 0 || at > 2 * (API_KEYS_PER_ACCOUNT_MAX - 1)) it.revoke(`${at}`)
  }
  for (const [index, gone] of ['2', '4', '6'].entries()) {
    const apiKey = `more ${index}`
    expect(it.add(ann, apiKey)).toEqual({ kind: 'Done', repeated: false })
    expect(it.events).toMatchObject([
      { kind: 'ApiKeyRemoved', accountId: ann, apiKey: gone },
      { kind: 'ApiKeyChanged', apiKey: { apiKey } },
    ])
    it.revoke(apiKey)
  }
  expect(
    it.keys.map(({ apiKey, number }) => [apiKey, Number(number)]).filter(([, number]) => number),
  ).toEqual([
    ['3', 3],
    ['5', 5],
    ['7', 7],
  ])
  expect(it.keys).toHaveLength(most)
  const bytes = it.exchange.encodeSnapshot()
  const again = Exchange.decodeSnapshot(bytes)
  expect(again.bootstrap().apiKeys).toEqual(it.keys)
  expect(Buffer.compare(again.encodeSnapshot(), bytes)).toBe(0)
  it.add(ann, 'the last live one')
  expect(it.add(ann, 'one too many')).toEqual(LIMIT_REACHED)
})

test('before these rules ended keys stay, lock the account out, and have no date', () => {
  const it = new KeyHarness({ registryLimits: FEW })
  it.rules(ENDED_KEY_RULES - 1)
  const ann = it.trader('ann', {})
  for (const apiKey of ['1', '2']) {
    it.add(ann, apiKey)
    it.revoke(apiKey)
  }
  it.add(ann, '3')
  const before = it.exchange.encodeSnapshot()
  expect([it.add(ann, '4'), it.events]).toEqual([LIMIT_REACHED, []])
  expect(it.keys.map(({ endedAt }) => endedAt)).toEqual([undefined, undefined, undefined])
  expect(Exchange.decodeSnapshot(before, { registryLimits: FEW }).encodeSnapshot()).toEqual(before)
  it.rules(ENDED_KEY_RULES)
  it.revoke('3')
  const revokedAt = it.exchange.time
  it.revoke('3')
  it.revoke('2')
  expect(it.keys.map(({ endedAt }) => endedAt)).toEqual([undefined, undefined, revokedAt])
  expect(it.add(ann, '4').kind).toBe('Done')
  expect(it.keys.map(({ apiKey }) => apiKey)).toEqual(['2', '3', '4'])
})

test('an expired key leaves too, and one that would be valid again is refused while there is no room', () => {
  const registryLimits = { ...FEW, apiKeysPerAccount: 2 }
  const it = new KeyHarness({ registryLimits })
  it.rules(ENDED_KEY_RULES)
  const ann = it.trader('ann', {})
  it.add(ann, 'short', it.exchange.time + 4)
  it.add(ann, '2')
  expect(it.add(ann, '3')).toEqual(LIMIT_REACHED)
  const goOn = (apiKey: string) =>
    it.give({ kind: 'SetApiKeyTerms', operator: OPERATOR, apiKey, ...TERMS, expiresAt: timeMs(0) })
  expect(goOn('2').kind).toBe('Done')
  expect(it.add(ann, '3').kind).toBe('Done')
  const before = it.exchange.encodeSnapshot()
  expect(goOn('short')).toEqual(LIMIT_REACHED)
  const { seq: _, ...kept } = Exchange.decodeSnapshot(before, { registryLimits }).bootstrap()
  expect(it.exchange.bootstrap()).toMatchObject({ apiKeys: kept.apiKeys })
  it.revoke('2')
  expect(it.add(ann, '4').kind).toBe('Done')
  expect(it.events).toMatchObject([{ kind: 'ApiKeyRemoved', apiKey: 'short' }, { kind: 'ApiKeyChanged' }])
})

test('a session outlives the key that opened it, in a snapshot too, and a later key with the same text does not resume it', () => {
  const registryLimits = { ...REGISTRY_LIMITS, apiKeyRecordsPerAccount: 2 }
  const options = { registryLimits }
  const s = new SessionHarness(options)
  const session = s.opened(60_000)
  const order = s.placed(session)
  s.disconnect(session)
  const add = (accountId: AccountId, apiKey: string) => {
    const rest = { sealedSecret: new Uint8Array(1), permissions: [], addresses: [], label: '' }
    return s.it.give({ kind: 'CreateApiKey', operator: OPERATOR, accountId, apiKey, ...rest })
  }
  s.it.give({ kind: 'RevokeApiKey', operator: OPERATOR, apiKey: 'ann-1' })
  expect(add(s.ann, 'ann-3').kind).toBe('Done')
  const again = () => {
    const bytes = s.exchange.encodeSnapshot()
    const read = Exchange.decodeSnapshot(bytes, options)
    expect(read.encodeSnapshot()).toEqual(bytes)
    return read
  }
  expect(again().hasSessions).toBe(true)
  const resumes = { sessionNumber: session.sessionNumber, sessionTime: session.time }
  expect(s.open(0, resumes)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_API_KEY' })
  expect(add(s.ben, 'ann-1').kind).toBe('Done')
  expect(again().hasSessions).toBe(true)
  const unknown = { kind: 'Refused', reason: 'UNKNOWN_SESSION' } as const
  expect(s.open(0, resumes, 'ann-1', s.ben)).toEqual(unknown)
  s.pass(60_000)
  s.carryOut()
  expect([s.openOf().includes(order), s.exchange.hasSessions]).toEqual([false, false])
})
