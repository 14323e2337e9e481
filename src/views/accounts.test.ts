import { expect, test } from 'bun:test'
import type { Account } from '../core/registry/records.ts'
import type { AccountId } from '../units/ids.ts'
import { timeMs } from '../units/quantities.ts'
import { Accounts } from './accounts.ts'

const account = (id: number): Account => ({
  id: id as AccountId,
  name: `account ${id}`,
  role: 'trader',
  createdAt: timeMs(1),
})

test('pages of accounts, each from the last of the one before, show every account once', () => {
  const view = new Accounts({ accounts: [0, 1, 2].map(account), apiKeys: [] })
  for (const id of [3, 4, 5, 6]) view.apply({ kind: 'AccountCreated', account: account(id) })
  view.apply({ kind: 'AccountChanged', account: { ...account(2), isClosed: true } })
  const shown: number[] = []
  let after: AccountId | undefined
  for (let pages = 0; pages < 5; pages++) {
    const page = view.accounts(3, after)
    expect(page.length).toBeLessThanOrEqual(3)
    if (page.length === 0) break
    shown.push(...page.map(({ id }) => id))
    after = page.at(-1)?.id
  }
  expect(shown).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(view.accountCount).toBe(7)
})
