import { expect, test } from 'bun:test'
import { ADMIN_COMMANDS } from '../../../cli/admin/sections.ts'
import type { AdminOperation } from '../../../contract/admin/admin.ts'
import type { FormValues } from './command-form.ts'
import { type Ask, previewOf } from './preview.ts'

const BTC = {
  asset: 'BTC',
  free: '1.50000000',
  locked: '0.00000000',
  freeze: '0.25000000',
  savings: '2.00000000',
}
const ANSWERS: { readonly [Operation in AdminOperation]?: unknown } = {
  'balance/list': [BTC],
  'asset/list': [{ code: 'BTC', approvalAbove: '1', isDeposit: true, name: 'Bitcoin' }],
  'symbol/list': [{ symbol: 'BTC/USDT', state: 'TRADING', minTotal: '5' }],
  'withdrawal/list': [
    { reference: 'w-1', account: 'alice', asset: 'BTC', amount: '0.25', asked: { claimedBy: null } },
  ],
  'approval/list': [
    {
      ...{ reference: 'a-1', kind: 'Credit', account: 'alice', asset: 'BTC', amount: '5' },
      ...{ approvedBy: [], needed: 1 },
    },
    {
      ...{ reference: 'a-2', kind: 'Credit', account: 'alice', asset: 'BTC', amount: '5' },
      ...{ approvedBy: [], needed: 2 },
    },
  ],
}

const answering: Ask = async (operation) => ANSWERS[operation] as never

function preview(
  name: AdminOperation,
  values: FormValues,
  ask: Ask = answering,
  cleared: readonly string[] = [],
) {
  const command = ADMIN_COMMANDS.find(({ operation }) => operation === name)
  if (command === undefined) throw new Error(`there is no command for ${name}`)
  return previewOf({ command, values, cleared: new Set(cleared), record: undefined, who: 'dora' }, ask)
}

const alice = { account: 'alice', asset: 'BTC' }

test('balances after a transfer are exact, bucket by bucket', async () => {
  expect(await preview('money/credit', { ...alice, amount: '0.1' })).toEqual({
    of: 'alice, BTC',
    changes: [{ field: 'free', now: '1.50000000', after: '1.60000000' }],
  })
  expect(await preview('money/move', { ...alice, amount: '0.5', from: 'free', to: 'savings' })).toMatchObject(
    {
      changes: [
        { field: 'free', after: '1.00000000' },
        { field: 'savings', after: '2.50000000' },
      ],
    },
  )
  expect(await preview('withdrawal/hold', { ...alice, amount: '1' })).toMatchObject({
    changes: [
      { field: 'free', after: '0.50000000' },
      { field: 'freeze', after: '1.25000000' },
    ],
  })
  expect(await preview('withdrawal/complete', { reference: 'w-1' })).toMatchObject({
    of: 'alice, BTC',
    changes: [{ field: 'freeze', now: '0.25000000', after: '0.00000000' }],
  })
})

test('a transfer beyond the balance, and one that another person must approve, are marked as such', async () => {
  const debit = await preview('money/debit', { ...alice, amount: '1.50000001' })
  expect(debit).toEqual({
    of: 'alice, BTC',
    changes: [{ field: 'free', now: '1.50000000', after: '-0.00000001', isShort: true }],
    approvalAbove: '1 BTC',
  })
  expect((await preview('money/debit', { ...alice, amount: '1' }))?.approvalAbove).toBeUndefined()
})

test('money moves with the last approval that is needed, and not before', async () => {
  const approval = { field: 'approvedBy', now: [], after: ['dora'] }
  expect(await preview('approval/approve', { reference: 'a-2' })).toEqual({
    of: 'alice, BTC',
    changes: [approval],
  })
  expect((await preview('approval/approve', { reference: 'a-1' }))?.changes).toEqual([
    approval,
    { field: 'free', now: '1.50000000', after: '6.50000000' },
  ])
  expect((await preview('withdrawal/claim', { reference: 'w-1' }))?.changes).toEqual([
    { field: 'claimedBy', now: null, after: 'dora' },
  ])
})

test('settings that are filled in are shown as they are and as they will be', async () => {
  expect(await preview('symbol/halt', { symbol: 'BTC/USDT' })).toEqual({
    of: 'BTC/USDT',
    changes: [{ field: 'state', now: 'TRADING', after: 'HALTED' }],
  })
  expect(await preview('symbol/set', { symbol: 'BTC/USDT', minTotal: '10', levelsMax: '' })).toMatchObject({
    changes: [{ field: 'minTotal', now: '5', after: '10' }],
  })
  expect(await preview('asset/set', { code: 'BTC', isDeposit: 'off' }, answering, ['name'])).toMatchObject({
    changes: [
      { field: 'isDeposit', now: true, after: false },
      { field: 'name', now: 'Bitcoin', after: '' },
    ],
  })
})

test('nothing is shown that is not known, not filled in, or not visible to this role', async () => {
  expect(await preview('money/credit', { ...alice, amount: 'much' })).toBeUndefined()
  expect(await preview('money/credit', { ...alice, amount: '1' }, async () => undefined)).toBeUndefined()
  expect(await preview('symbol/halt', { symbol: 'NO/SUCH' })).toBeUndefined()
  expect(await preview('withdrawal/complete', { reference: 'none' })).toBeUndefined()
  expect(await preview('account/add', { name: 'carol' })).toBeUndefined()
})

test('an account that an operator unfreezes keeps the restrictions that its customer has set', async () => {
  const record = { name: 'alice', restrictions: ['LOGIN', 'WITHDRAW'], customerRestrictions: ['WITHDRAW'] }
  const ask: Ask = async () => record as never
  const seen = await preview('account/unfreeze', { account: 'alice' }, ask)
  expect(seen?.changes).toEqual([{ field: 'restrictions', now: ['LOGIN', 'WITHDRAW'], after: ['WITHDRAW'] }])
})
