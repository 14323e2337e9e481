/** An account's story when there are more entries than it shows, and entries of other accounts. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AdminOperation } from '../../../contract/admin/admin.ts'
import type { AdminStory } from '../../../contract/admin/support.ts'
import { openAdminFixture } from '../admin.fixture.ts'

const server = await openAdminFixture()
const { done } = server
afterAll(() => server.stop())

/** More entries than a story shows in any of its lists. */
const MANY = 12
const EUR = { account: 'alice', asset: 'EUR' }

const story = async () => (await done('account/story', { account: 'alice' })) as AdminStory
const numbered = (name: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${name} ${from + i}`)

beforeAll(async () => {
  const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
  await done('asset/add', { code: 'EUR', fraction: 2, ...flags })
  for (const name of ['alice', 'bob']) await done('account/add', { name })
})

test('every way in which operators move money of an account is in its story', async () => {
  const steps: readonly (readonly [AdminOperation, object?])[] = [
    ['money/credit', { amount: '1000' }],
    ['money/debit'],
    ['savings/deposit', { amount: '5' }],
    ['savings/withdraw'],
    ['money/move', { from: 'free', to: 'freeze' }],
    ['money/move', { from: 'freeze', to: 'free' }],
    ['withdrawal/hold'],
  ]
  for (const [at, [operation, more]] of steps.entries()) {
    const reference = `step ${at}`
    await done(operation, { ...EUR, amount: '1', reference, ...more })
    const [newest] = (await story()).money
    expect([operation, newest?.fields.reference]).toEqual([operation, reference])
  }
  const held = `step ${steps.length - 1}`
  await done('withdrawal/cancel', { reference: held })
  expect((await story()).money[0]).toMatchObject({ kind: 'WITHDRAWAL_CANCELED', fields: { reference: held } })
})

test('a story shows the newest of many withdrawals that wait, the newest first', async () => {
  for (const reference of numbered('w', 1, MANY))
    await done('withdrawal/hold', { ...EUR, amount: '1', reference })
  const { withdrawalsWaiting } = await story()
  const shown = withdrawalsWaiting.length
  expect(withdrawalsWaiting.map(({ reference }) => reference)).toEqual(
    numbered('w', MANY - shown + 1, MANY).reverse(),
  )
  expect(shown).toBeLessThan(MANY)
})

test('a story shows the newest of many approvals that wait, the newest first, and none of another account', async () => {
  await done('asset/set', { code: 'EUR', approvalAbove: '10' })
  const { token } = (await done('token/add', { name: 'dora', role: 'OPERATOR' })) as { token: string }
  const ask = (account: string, reference: string) =>
    done('money/credit', { ...EUR, account, amount: '11', reference }, token)
  for (const reference of numbered('a', 1, MANY)) await ask('alice', reference)
  await ask('bob', 'of bob')
  const { approvalsWaiting } = await story()
  const shown = approvalsWaiting.length
  expect(approvalsWaiting.map(({ reference }) => reference)).toEqual(
    numbered('a', MANY - shown + 1, MANY).reverse(),
  )
  expect(shown).toBeLessThan(MANY)
})

test('the operator shown for a restriction is the last one who succeeded, not one who was refused later', async () => {
  await done('account/restrict', { account: 'alice', restrictions: ['WITHDRAW'], actor: 'eve' })
  const before = await story()
  expect(before.restrictedBy).toMatchObject({ actor: 'local:eve' })
  await done('account/restrict', { account: 'alice', restrictions: [], actor: 'dan' })
  expect((await story()).restrictedBy).toMatchObject({ actor: 'local:dan' })
})
