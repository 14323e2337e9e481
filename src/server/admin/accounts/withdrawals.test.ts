/**
 * Withdrawals that traders request, as operators see and handle them (docs/reference/withdrawals.md#paying).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AdminEventPage } from '../../../contract/admin/events.ts'
import type { AdminWithdrawal } from '../../../contract/admin/records.ts'
import type { AdminTransferShown } from '../../../contract/admin/support.ts'
import type { AccountId } from '../../../units/ids.ts'
import { amount } from '../../../units/quantities.ts'
import { type AdminFixture, openAdminFixture } from '../admin.fixture.ts'

let admin: AdminFixture
/** The first account after the house's two. */
const alice = 2 as AccountId
const ADDRESS = 'bc1qalice'
const PLACE = { account: 'alice', asset: 'BTC', address: ADDRESS }

beforeAll(async () => {
  admin = await openAdminFixture()
  await admin.done('asset/add', { code: 'BTC', fraction: 8 })
  await admin.done('account/add', { name: 'alice' })
  await admin.done('money/credit', { account: 'alice', asset: 'BTC', amount: '10', reference: 'in' })
  await admin.done('address/add', { ...PLACE, tag: '7', label: 'cold', atOnce: true })
})
afterAll(() => admin.stop())

async function asked(withdrawOrderId: string): Promise<string> {
  const reply = await admin.engine.port.submit({
    kind: 'AskWithdrawal',
    accountId: alice,
    ...{ asset: 'BTC', amount: amount(50_000_000n), address: ADDRESS, tag: '7', withdrawOrderId },
  })
  if (reply.kind !== 'WithdrawalAsked')
    throw new Error(`expected WithdrawalAsked, found ${JSON.stringify(reply)}`)
  return reply.reference
}

const list = (request = {}) => admin.done('withdrawal/list', request) as Promise<AdminWithdrawal[]>

test('a list has the requested withdrawals, in pages, and shows who claimed each', async () => {
  const references = [await asked('a'), await asked('b'), await asked('c')]
  await admin.done('withdrawal/hold', { account: 'alice', asset: 'BTC', amount: '1', reference: 'own' })
  expect(await admin.done('withdrawal/claim', { reference: references[1] })).toEqual({
    repeated: false,
    pending: false,
  })
  expect(await admin.done('withdrawal/claim', { reference: references[1] })).toMatchObject({ repeated: true })
  const all = await list()
  expect(all.map(({ reference }) => reference)).toEqual([...references, 'own'])
  expect(all[0]).toMatchObject({
    ...{ account: 'alice', asset: 'BTC', amount: '0.5' },
    asked: { address: ADDRESS, tag: '7', withdrawOrderId: 'a', claimedAt: null },
  })
  expect([typeof all[1]?.asked?.claimedAt, all[3]?.asked]).toEqual(['string', null])
  const first = await list({ limit: 2 })
  const rest = await list({ after: first[1]?.reference, limit: 2 })
  expect([...first, ...rest]).toEqual(all)
  expect(await list({ after: 'own' })).toEqual([])
  expect(await admin.error('withdrawal/list', { after: 'nothing' })).toMatchObject({
    ...{ status: 404, reason: 'UNKNOWN_WITHDRAWAL', field: 'after' },
  })
  expect(await admin.error('withdrawal/list', { limit: 1_001 })).toMatchObject({ field: 'limit' })
})

test('an unclaimed withdrawal is not completed, and a refusal has its reason in the feed', async () => {
  const reference = await asked('d')
  expect(await admin.error('withdrawal/complete', { reference })).toMatchObject({
    ...{ status: 409, reason: 'WITHDRAWAL_NOT_CLAIMED' },
  })
  expect(await admin.error('withdrawal/refuse', { reference })).toMatchObject({ field: 'reason' })
  await admin.done('withdrawal/refuse', { reference, reason: 'the address is not valid' })
  expect(await admin.error('withdrawal/claim', { reference })).toMatchObject({
    reason: 'WITHDRAWAL_FINISHED',
  })
  const kinds = ['WITHDRAWAL_ASKED', 'WITHDRAWAL_CANCELED', 'ADDRESS_ADDED']
  const { events } = (await admin.done('event/list', { kinds })) as AdminEventPage
  const about = events.filter(({ fields }) => 'reference' in fields && fields.reference === reference)
  expect(about).toMatchObject([
    {
      kind: 'WITHDRAWAL_ASKED',
      account: 'alice',
      actor: null,
      note: null,
      fields: { address: ADDRESS, tag: '7' },
    },
    {
      kind: 'WITHDRAWAL_CANCELED',
      actor: 'local:operator',
      fields: { canceledBy: 'OPERATOR', reason: 'the address is not valid', withdrawOrderId: 'd' },
    },
  ])
  expect(events[0]).toMatchObject({ kind: 'ADDRESS_ADDED', fields: { address: ADDRESS, label: 'cold' } })
})

test('a withdrawal is shown by its reference, whoever requested it and whatever has become of it', async () => {
  const shown = async (reference: string) =>
    (await admin.done('transfer/show', { reference })) as AdminTransferShown
  const money = { account: 'alice', asset: 'BTC', amount: '0.5' }
  const [waits, retracted, refused, paid] = [
    await asked('e'),
    await asked('f'),
    await asked('g'),
    await asked('h'),
  ]
  expect(await shown(waits)).toEqual({ reference: waits, state: 'WITHDRAWAL_WAITS', ...money, actions: [] })
  const name = { kind: 'ID', reference: retracted } as const
  await admin.engine.port.submit({ kind: 'RetractWithdrawal', accountId: alice, name })
  expect(await shown(retracted)).toEqual({ reference: retracted, state: 'CANCELED', ...money, actions: [] })
  await admin.done('withdrawal/refuse', { reference: refused, reason: 'no', note: 'case 9' })
  expect(await shown(refused)).toMatchObject({
    ...{ state: 'CANCELED', ...money },
    actions: [{ kind: 'HandleWithdrawal', note: 'case 9', outcome: 'done' }],
  })
  await admin.done('withdrawal/claim', { reference: paid })
  expect((await shown(paid)).state).toBe('WITHDRAWAL_WAITS')
  await admin.done('withdrawal/complete', { reference: paid })
  expect(await shown(paid)).toMatchObject({ state: 'COMPLETED', ...money })
  expect((await shown(paid)).actions.map(({ kind }) => kind)).toEqual([
    'HandleWithdrawal',
    'CompleteWithdrawal',
  ])
  expect(await admin.error('transfer/show', { reference: crypto.randomUUID() })).toMatchObject({
    ...{ status: 404, reason: 'UNKNOWN_REFERENCE' },
  })
})

test('a list shows waiting requests, who claimed and who approved, and rejected ones', async () => {
  const token = async (name: string) => {
    const made = await admin.done('token/add', { name, role: 'OPERATOR' })
    return (made as { readonly token: string }).token
  }
  const [ann, ben] = [await token('ann'), await token('ben')]
  const approvalAbove = async (amount: string) =>
    admin.done('asset/set', { code: 'BTC', approvalAbove: amount })
  await approvalAbove('0.4')
  const reference = await asked('two')
  const row = async () => (await list()).find((one) => one.reference === reference)
  const claim = () => admin.done('withdrawal/claim', { reference, note: 'wallet 3' }, ann)
  expect(await admin.error('withdrawal/claim', { reference })).toMatchObject({ reason: 'NAMED_TOKEN_NEEDED' })
  expect(await claim()).toEqual({ repeated: false, pending: true })
  const waits = { kind: 'ClaimWithdrawal', requestedBy: 'ann', note: 'wallet 3' }
  expect(await row()).toMatchObject({ asked: { claimedAt: null, claimedBy: null }, waits, rejected: null })
  for (const operation of ['withdrawal/refuse', 'withdrawal/cancel'] as const) {
    const request = operation === 'withdrawal/refuse' ? { reference, reason: 'no' } : { reference }
    expect(await admin.error(operation, request, ann)).toMatchObject({
      ...{ status: 409, reason: 'APPROVAL_WAITS' },
    })
  }
  await admin.done('approval/reject', { reference, note: 'not his' }, ben)
  const rejected = { kind: 'ClaimWithdrawal', requestedBy: 'ann', rejectedBy: 'ben', note: 'not his' }
  expect(await row()).toMatchObject({ asked: { claimedAt: null }, waits: null, rejected })
  await claim()
  await admin.done('approval/approve', { reference }, ben)
  const inHand = { claimedBy: 'ann', approvedBy: ['ben'] }
  expect(await row()).toMatchObject({ asked: inHand, waits: null, rejected: null })
  expect(await admin.done('withdrawal/refuse', { reference, reason: 'no' }, ben)).toMatchObject({
    pending: true,
  })
  const refusal = { kind: 'RefuseWithdrawal', requestedBy: 'ben', reason: 'no', amount: '0.5' }
  expect(await admin.done('approval/list')).toMatchObject([refusal])
  expect(await row()).toMatchObject({ asked: inHand, waits: { kind: 'RefuseWithdrawal' } })
  await admin.done('approval/reject', { reference }, ann)
  await admin.done('withdrawal/complete', { reference }, ben)
  expect(await row()).toBeUndefined()
  await approvalAbove('0')
})

test('a role pays within its rights and limits: it claims and completes, and adds no address', async () => {
  await admin.done('role/set', { name: 'payouts', rights: ['withdrawals', 'events'] })
  await admin.done('role/limit', { role: 'payouts', asset: 'BTC', outEach: '0.6', outDay: '0.7' })
  const made = await admin.done('token/add', { name: 'payer', role: 'payouts' })
  const { token } = made as { token: string }
  const first = await asked('i')
  await admin.done('withdrawal/claim', { reference: first }, token)
  await admin.done('withdrawal/complete', { reference: first }, token)
  const second = await asked('j')
  expect(await admin.error('withdrawal/claim', { reference: second }, token)).toMatchObject({
    ...{ status: 400, reason: 'ROLE_LIMIT' },
    message: expect.stringContaining('found 0.5 BTC, role payouts has 0.2 BTC of 0.7 BTC left today'),
  })
  await admin.done('withdrawal/refuse', { reference: second, reason: 'ask again tomorrow' }, token)
  for (const [operation, request, right] of [
    ['address/add', { ...PLACE, address: 'bc1qthief', atOnce: true }, 'addresses'],
    ['asset/withdrawals', { code: 'BTC', addressDelayMinutes: 0 }, 'markets'],
    ['withdrawal/list', {}, 'read.money'],
  ] as const) {
    expect(await admin.error(operation, request, token)).toMatchObject({
      ...{ status: 403, reason: 'ROLE_NOT_ALLOWED', message: expect.stringContaining(`the right ${right}`) },
    })
  }
})

test('addresses of an account are listed, added with the delay or without, and removed', async () => {
  const added = await admin.done('address/add', { ...PLACE, address: 'bc1qnew' })
  expect(added).toMatchObject({ account: 'alice', asset: 'BTC', address: 'bc1qnew', tag: '', label: '' })
  const { addedAt, usableAt } = added as { addedAt: string; usableAt: string }
  expect(Date.parse(usableAt) - Date.parse(addedAt)).toBe(86_400_000)
  expect(await admin.done('address/list', { account: 'alice' })).toHaveLength(2)
  expect(await admin.done('address/remove', { ...PLACE, address: 'bc1qnew' })).toEqual({ removed: true })
  expect(await admin.error('address/remove', { ...PLACE, address: 'bc1qnew' })).toMatchObject({
    ...{ status: 404, reason: 'UNKNOWN_WITHDRAWAL_ADDRESS' },
  })
  expect(await admin.error('address/add', { ...PLACE, address: 'a b' })).toMatchObject({ field: 'address' })
  expect(await admin.error('address/add', { ...PLACE, tag: 'ş' })).toMatchObject({ field: 'tag' })
})

test('limits of an asset are set one by one, and shown with it', async () => {
  expect(await admin.done('asset/withdrawals', { code: 'BTC', withdrawMin: '0.1' })).toMatchObject({
    ...{ withdrawMin: '0.1', withdrawMax: '0', addressDelayMinutes: 1_440 },
  })
  const set = { code: 'BTC', withdrawMax: '5', addressDelayMinutes: 90 }
  expect(await admin.done('asset/withdrawals', set)).toMatchObject({
    ...{ withdrawMin: '0.1', withdrawMax: '5', addressDelayMinutes: 90 },
  })
  expect(await admin.error('asset/withdrawals', { code: 'BTC', withdrawMax: '0.05' })).toMatchObject({
    ...{
      field: 'withdrawMax',
      message: 'withdrawMax: expected at least withdrawMin, 0.1, or 0 for no limit',
    },
  })
  expect(await admin.error('asset/withdrawals', { code: 'BTC', addressDelayMinutes: 43_201 })).toMatchObject({
    field: 'addressDelayMinutes',
  })
})

test('a key may withdraw only where it has the permission', async () => {
  expect(await admin.done('key/add', { account: 'alice' })).toMatchObject({
    permissions: ['TRADE', 'WALLET', 'USER_DATA'],
  })
  expect(await admin.done('key/add', { account: 'alice', permissions: ['WITHDRAW'] })).toMatchObject({
    permissions: ['WITHDRAW'],
  })
})
