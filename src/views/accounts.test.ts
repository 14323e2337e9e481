import { expect, test } from 'bun:test'
import type { Account, ApiKey } from '../core/registry/records.ts'
import type { AccountId } from '../units/ids.ts'
import { timeMs } from '../units/quantities.ts'
import { Accounts } from './accounts.ts'

const account = (id: number): Account => ({
  id: id as AccountId,
  name: `account ${id}`,
  role: 'trader',
  createdAt: timeMs(1),
})

const ofHouse = (id: number): Account => ({ ...account(id), role: id === 0 ? 'outside' : 'rounding' })

/** Ids in pages of `size`; `between` runs after each page. */
function pages(view: Accounts, size: number, between: () => void = () => {}): number[][] {
  const shown: number[][] = []
  let after: AccountId | undefined
  while (shown.length < 20) {
    const page = view.accounts(size, after)
    expect(page.length).toBeLessThanOrEqual(size)
    if (page.length === 0) break
    shown.push(page.map(({ id }) => id))
    after = page.at(-1)?.id
    between()
  }
  return shown
}

test('pages of accounts have customers before accounts of the house, however many, and each account once', () => {
  const start = [ofHouse(0), ofHouse(1), account(2), ofHouse(3), account(4), ofHouse(5), account(6)]
  const view = new Accounts({ accounts: start, apiKeys: [] })
  for (const size of [1, 2, 3, 4, 100]) {
    expect(pages(view, size).flat()).toEqual([2, 4, 6, 0, 1, 3, 5])
  }
})

test('a page continues after the account that it is given, while customers and symbols are added meanwhile', () => {
  const view = new Accounts({ accounts: [ofHouse(0), account(1), account(2)], apiKeys: [] })
  const comes = [account(3), ofHouse(4), account(5)]
  const shown = pages(view, 1, () => {
    const next = comes.shift()
    if (next !== undefined) view.apply({ kind: 'AccountCreated', account: next })
  })
  expect(shown.flat()).toEqual([1, 2, 3, 5, 0, 4])
  // An account created while customers are listed is not listed twice, and does not move the others.
  view.apply({ kind: 'AccountCreated', account: account(6) })
  expect(view.accounts(9, 0 as AccountId)).toEqual([ofHouse(4)])
})

test('pages of accounts, each from the last of the one before, show every account once', () => {
  const view = new Accounts({ accounts: [0, 1, 2].map(account), apiKeys: [] })
  for (const id of [3, 4, 5, 6]) view.apply({ kind: 'AccountCreated', account: account(id) })
  view.apply({ kind: 'AccountChanged', account: { ...account(2), isClosed: true } })
  expect(pages(view, 3).flat()).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(view.accountCount).toBe(7)
})

test('a key that has left its account is not shown, also when that event was missed', () => {
  const key = (apiKey: string, id: number): ApiKey => ({
    ...{ apiKey, accountId: id as AccountId, sealedSecret: new Uint8Array(1), permissions: [] },
    ...{ addresses: [], label: '', createdAt: timeMs(1), enabled: true },
  })
  const keys = [key('a', 1), key('b', 1), key('c', 2)]
  const view = new Accounts({ accounts: [0, 1, 2].map(account), apiKeys: keys })
  const shown = () => [1, 2].map((id) => view.apiKeys(id as AccountId).map(({ apiKey }) => apiKey))
  for (const _ of [1, 2]) view.apply({ kind: 'ApiKeyRemoved', accountId: 1 as AccountId, apiKey: 'a' })
  expect([shown(), view.apiKeyCount]).toEqual([[['b'], ['c']], 2])
  view.restart({ accounts: [], apiKeys: [key('d', 2)] })
  expect([shown(), view.apiKeyCount, [...view.everyApiKey()].length]).toEqual([[[], ['d']], 1, 1])
})
