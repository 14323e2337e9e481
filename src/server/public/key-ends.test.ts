/**
 * The time until which a key is accepted over HTTP: its own expiry, and the end of its account's permission.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { timeMs } from '../../units/quantities.ts'
import { type Fixture, openFixture, type Trader } from './gateway.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

async function ask(trader: Trader): Promise<string> {
  const { status, body } = await f.send('GET', '/api/v3/wallet/balance', {}, trader)
  return status === 200 ? 'in' : `${status} ${body.reason}`
}

test('a key works up to the millisecond before its end, and not at its end', async () => {
  const trader = await f.createKey(f.alice.accountId)
  const expiresAt = timeMs(f.clock.time + 5)
  const terms = { permissions: ['WALLET'], addresses: [], label: '', expiresAt } as const
  await f.submit({ kind: 'SetApiKeyTerms', operator: OPERATOR, apiKey: trader.apiKey, ...terms })
  f.clock.time = expiresAt - 1
  expect(await ask(trader)).toBe('in')
  f.clock.time = expiresAt
  expect(await ask(trader)).toBe('401 KEY_EXPIRED')
})

test('a key of a closed account opens nothing', async () => {
  const reply = await f.submit({ kind: 'CreateAccount', operator: OPERATOR, name: 'leaver' })
  const { accountId } = reply as { accountId: AccountId }
  const leaver = await f.createKey(accountId)
  expect(await ask(leaver)).toBe('in')
  await f.submit({ kind: 'CloseAccount', operator: OPERATOR, accountId })
  expect(await ask(leaver)).toStartWith('401 ')
})
