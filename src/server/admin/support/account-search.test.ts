/**
 * The search of the accounts: which accounts match, the order of the matches, and how many accounts one
 * request compares.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AdminAccountSearchPage } from '../../../contract/admin/support.ts'
import { openAdminFixture } from '../admin.fixture.ts'
import type { AdminContext } from '../context.ts'
import { COMPARED_MAX, searchAccounts } from './account-search.ts'

const server = await openAdminFixture()
const { done, error } = server
afterAll(() => server.stop())

const keys: Record<string, string> = {}

beforeAll(async () => {
  for (const name of ['anna', 'Hannah', 'joanna', 'carl', 'dora', 'an']) await done('account/add', { name })
  const noted = { customerId: 'CRM-1042', labels: ['vip'], fields: ['email=carl.smith@example.com'] }
  await done('account/note', { account: 'carl', ...noted, remark: 'calls on Mondays' })
  for (const [account, label] of [
    ['dora', 'Grid bot'],
    ['anna', 'second'],
  ] as const) {
    const { apiKey } = (await done('key/add', { account, label })) as { apiKey: string }
    keys[account] = apiKey
  }
})

const search = async (text: string, more: object = {}) =>
  (await done('account/search', { text, ...more })) as AdminAccountSearchPage

const found = async (text: string, more: object = {}) =>
  (await search(text, more)).accounts.map(({ name, foundIn, foundText }) => [name, foundIn, foundText])

test('accounts are found by a part of their name in any letter case, in the order of creation, an exact match first', async () => {
  expect(await found('ANNA')).toEqual([
    ['anna', 'NAME', 'anna'],
    ['Hannah', 'NAME', 'Hannah'],
    ['joanna', 'NAME', 'joanna'],
  ])
  expect(await found('an')).toEqual([
    ['an', 'NAME', 'an'],
    ['anna', 'NAME', 'anna'],
    ['Hannah', 'NAME', 'Hannah'],
    ['joanna', 'NAME', 'joanna'],
  ])
  expect(await search('nobody')).toEqual({ accounts: [], next: null })
})

test('accounts are found by their notes, and by their keys', async () => {
  expect(await found('crm-10')).toEqual([['carl', 'CUSTOMER_ID', 'CRM-1042']])
  expect(await found('vi')).toEqual([['carl', 'LABEL', 'vip']])
  expect(await found('smith@')).toEqual([['carl', 'FIELD', 'email=carl.smith@example.com']])
  expect(await found('monday')).toEqual([['carl', 'REMARK', 'calls on Mondays']])
  expect(await found('grid')).toEqual([['dora', 'KEY_LABEL', 'Grid bot']])
  const { dora = '' } = keys
  expect(await found(dora)).toEqual([['dora', 'API_KEY', dora]])
  expect(await found(dora.slice(3, 20).toUpperCase())).toEqual([['dora', 'API_KEY', dora]])
})

test('a search comes page by page, each account once, and a page says where the next one begins', async () => {
  const names: string[] = []
  let after: string | undefined
  do {
    const { accounts, next } = await search('ann', { limit: 1, ...(after === undefined ? {} : { after }) })
    names.push(...accounts.map(({ name }) => name))
    after = next ?? undefined
  } while (after !== undefined)
  expect(names).toEqual(['anna', 'Hannah', 'joanna'])
  expect(await error('account/search', { text: 'a', after: 'nobody' })).toMatchObject({ field: 'after' })
  expect(await error('account/search', { text: '' })).toMatchObject({ field: 'text' })
})

test('an account that two words of a search name exactly is found once, on the first page alone', async () => {
  await done('account/add', { name: 'CRM-7' })
  await done('account/note', { account: 'CRM-7', customerId: 'CRM-7' })
  const pages: string[][] = []
  for (let after: string | undefined; pages.length < 10; ) {
    const { accounts, next } = await search('CRM-7', { limit: 1, ...(after === undefined ? {} : { after }) })
    pages.push(accounts.map(({ name }) => name))
    if (next === null) break
    after = next
  }
  expect(pages.flat()).toEqual(['CRM-7'])
})

/** `count` accounts, each created when it is read. */
function manyAccounts(count: number) {
  const pieces: number[] = []
  const account = (id: number) => ({ id, name: `customer ${id}`, role: 'TRADER', createdAt: 0 })
  const accounts = {
    accountByName: (name: string) => {
      const [, id] = /^customer (\d+)$/.exec(name) ?? []
      return id === undefined ? undefined : account(Number(id))
    },
    accountOfCustomer: () => undefined,
    accounts: (limit: number, after = -1) => {
      const first = after + 1
      pieces.push(limit)
      return Array.from({ length: Math.min(limit, count - first) }, (_, i) => account(first + i))
    },
    apiKeys: () => [],
  }
  const caller = { role: 'admin' }
  const context = { accounts, caller, registry: { apiKey: () => undefined }, now: () => 0 }
  return { context: context as unknown as AdminContext, pieces }
}

test('one request compares a limited number of accounts, in pieces, and the next continues where it ended', async () => {
  const { context, pieces } = manyAccounts(COMPARED_MAX * 2 + 10)
  const rare = String(COMPARED_MAX * 2 + 5)
  const first = await searchAccounts(context, { text: `r ${rare}` })
  expect(first).toEqual({ accounts: [], next: `customer ${COMPARED_MAX - 1}` })
  expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(COMPARED_MAX)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(1_000)
  const second = await searchAccounts(context, { text: `r ${rare}`, after: first.next ?? '' })
  const third = await searchAccounts(context, { text: `r ${rare}`, after: second.next ?? '' })
  expect(third.accounts.map(({ name }) => name)).toEqual([`customer ${rare}`])
  expect(third.next).toBeNull()
  // An exact name is looked up, regardless of the account's position in the list.
  const exact = await searchAccounts(context, { text: `customer ${rare}` })
  expect(exact.accounts.map(({ name }) => name)).toEqual([`customer ${rare}`])
})
