/** Withdrawals over HTTP (docs/reference/withdrawals.md): who may request them, the answers, and the list. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { amount } from '../../units/quantities.ts'
import { type Fields, type Fixture, openFixture, type Trader } from './gateway.fixture.ts'
import { OPERATOR } from './reasons/provoke.fixture.ts'
import { sendStrictly } from './strict.fixture.ts'

const APPLY = '/api/v3/capital/withdraw/apply'
const ADDRESSES = '/api/v3/capital/withdraw/address'
const ASK = { coin: 'BTC', amount: '0.50', address: 'bc1qalice', addressTag: '7' }
const DAY_MS = 86_400_000

let f: Fixture
/** A key of Alice's account with the permissions to withdraw and read. */
let alice: Trader

beforeAll(async () => {
  f = await openFixture()
  // After the time for which a newly started node has no nonces.
  f.clock.time += 5_000
  alice = await f.createKey(f.alice.accountId, { permissions: ['WITHDRAW', 'WALLET'] })
  const place = { asset: 'BTC', address: 'bc1qalice', tag: '7', isAllowed: true, label: '', isAtOnce: true }
  await f.submit({ kind: 'SetAccountAddress', operator: OPERATOR, accountId: alice.accountId, ...place })
})
afterAll(() => f.stop())

const post = (path: string, fields: Fields, trader = alice) => sendStrictly(f, 'POST', path, fields, trader)
const remove = (path: string, fields: Fields, trader = alice) =>
  sendStrictly(f, 'DELETE', path, fields, trader)
const listed = async (fields: Fields = {}, trader = alice) =>
  (await f.send('GET', '/api/v3/capital/withdraw/history', fields, trader)).body.data.withdrawals
const balance = async () => {
  const { body } = await f.send('GET', '/api/v3/wallet/balance', {}, alice)
  return body.data.acc.Spot.assetAccs.find(({ asset }: { asset: string }) => asset === 'BTC')
}

test('no key may withdraw by default, and one that may needs the strict signature in any case', async () => {
  expect((await post(APPLY, ASK, f.alice)).body.reason).toBe('PERMISSION_DENIED')
  const plain = await f.send('POST', APPLY, ASK, alice)
  expect([plain.status, plain.body.reason]).toEqual([401, 'STRICT_SIGNATURE_REQUIRED'])
  const wrong = await f.send('POST', APPLY, ASK, { ...alice, secret: 'wrong' })
  expect(wrong.body.reason).toBe('INVALID_SIGNATURE')
  const reader = await f.createKey(alice.accountId, { permissions: ['WITHDRAW'] })
  expect((await f.send('GET', '/api/v3/capital/withdraw/history', {}, reader)).body.reason).toBe(
    'PERMISSION_DENIED',
  )
})

test('a requested one is held, listed with everything known about it, and canceled while it waits', async () => {
  const before = await balance()
  const asked = await post(APPLY, { ...ASK, withdrawOrderId: 'w-1' })
  expect([asked.status, asked.body.msg]).toEqual([200, ['The withdrawal has been requested.']])
  const { id, createdAt } = asked.body.data
  expect(createdAt).toBe(f.clock.time)
  expect(await listed()).toEqual([
    {
      ...{ id, withdrawOrderId: 'w-1', coin: 'BTC', amount: '0.5', address: 'bc1qalice', addressTag: '7' },
      ...{ status: 'WAITING', createdAt },
    },
  ])
  expect(Number((await balance()).freeze) - Number(before.freeze)).toBeCloseTo(0.5)
  const again = await post(APPLY, { ...ASK, amount: '0.5', withdrawOrderId: 'w-1' })
  expect([again.body.data.id, again.headers.get('x-repeated')]).toEqual([id, 'true'])
  expect(asked.headers.get('x-repeated')).toBeNull()
  const canceled = await remove(APPLY, { cancelWithdrawOrderId: 'w-1' })
  expect(canceled.body.msg).toEqual(['The withdrawal has been canceled.'])
  expect((await remove(APPLY, { cancelWithdrawId: id.toUpperCase() })).headers.get('x-repeated')).toBe('true')
  expect(await listed({ coin: 'BTC' })).toMatchObject([
    { id, status: 'CANCELED', canceledBy: 'TRADER', endedAt: f.clock.time },
  ])
  expect(await listed({ coin: 'ETH' })).toEqual([])
  expect(await balance()).toEqual(before)
})

test('a claimed one is shown as such, and a refused one with its reason; no other account sees or cancels it', async () => {
  const { id } = (await post(APPLY, ASK)).body.data
  const handle = (step: 'CLAIM' | 'REFUSE', reason: string) =>
    f.submit({ kind: 'HandleWithdrawal', operator: OPERATOR, reference: id, step, reason })
  await handle('CLAIM', '')
  expect((await listed())[0]).toMatchObject({ id, status: 'CLAIMED', claimedAt: f.clock.time })
  const bob = await f.createKey(f.bob.accountId, { permissions: ['WITHDRAW', 'WALLET'] })
  expect((await remove(APPLY, { cancelWithdrawId: id }, bob)).body.reason).toBe('UNKNOWN_WITHDRAWAL')
  expect(await listed({}, bob)).toEqual([])
  await handle('REFUSE', 'the address is not valid')
  expect((await listed())[0]).toMatchObject({
    ...{ id, status: 'CANCELED', canceledBy: 'OPERATOR', reason: 'the address is not valid' },
  })
})

test('an operator’s hold is listed while it waits, by its reference, and to its account alone', async () => {
  const reference = 'bank-1'
  const hold = { accountId: alice.accountId, asset: 'BTC', amount: amount(10_000_000n), reference }
  await f.submit({ kind: 'HoldWithdrawal', operator: OPERATOR, ...hold })
  const createdAt = f.clock.time
  f.clock.time += 1
  const { id } = (await post(APPLY, ASK)).body.data
  const waiting = async (trader = alice) =>
    (await listed({ coin: 'BTC' }, trader)).filter(
      ({ endedAt }: { endedAt?: number }) => endedAt === undefined,
    )
  expect(await waiting()).toMatchObject([
    { id, status: 'WAITING' },
    { id: reference, status: 'CLAIMED' },
  ])
  expect((await waiting())[1]).toEqual({
    id: reference,
    coin: 'BTC',
    amount: '0.1',
    status: 'CLAIMED',
    createdAt,
  })
  expect(await listed({}, await f.createKey(f.bob.accountId, { permissions: ['WALLET'] }))).toEqual([])
  expect((await remove(APPLY, { cancelWithdrawId: reference })).body.msg[0]).toContain('cancelWithdrawId ')
  await f.submit({ kind: 'CancelWithdrawal', operator: OPERATOR, reference })
  expect(await waiting()).toMatchObject([{ id }])
  expect(await listed()).toContainEqual(expect.objectContaining({ id: reference, status: 'CANCELED' }))
  await remove(APPLY, { cancelWithdrawId: id })
})

test('addresses are added with a delay, listed, labelled and removed', async () => {
  const place = { coin: 'ETH', newAddress: '0xabc' }
  const added = await post(ADDRESSES, { ...place, label: 'cold' })
  const usableAt = f.clock.time + DAY_MS
  expect(added.body.data).toEqual({ usableAt })
  expect((await post(ADDRESSES, { ...place, label: 'cold' })).headers.get('x-repeated')).toBe('true')
  const list = async (fields: Fields) =>
    (await f.send('GET', `${ADDRESSES}/list`, fields, alice)).body.data.addresses
  expect(await list({ coin: 'ETH' })).toEqual([
    { coin: 'ETH', address: '0xabc', label: 'cold', addedAt: f.clock.time, usableAt },
  ])
  expect(await list({})).toHaveLength(2)
  expect((await remove(ADDRESSES, { coin: 'ETH', removeAddress: '0xabc' })).status).toBe(200)
  expect(await list({ coin: 'ETH' })).toEqual([])
})

test('a wrong parameter is refused by its name', async () => {
  const faults = async (fields: Fields) => (await post(APPLY, { ...ASK, ...fields })).body.msg[0] as string
  expect(await faults({ amount: '0' })).toContain('parameter amount ')
  expect(await faults({ amount: '0.000000001' })).toContain('parameter amount')
  expect(await faults({ address: 'a b' })).toContain('parameter address must be 1 to 128 visible ASCII')
  expect(await faults({ addressTag: 'ş' })).toContain('parameter addressTag must be 0 to 64 visible ASCII')
  expect(await faults({ withdrawOrderId: 'x y' })).toContain('parameter withdrawOrderId ')
  const { coin: _, ...withoutCoin } = ASK
  expect((await post(APPLY, withoutCoin)).body.msg).toEqual(['The parameter coin is required.'])
  expect(
    (await post(ADDRESSES, { coin: 'BTC', newAddress: 'a', label: 'x'.repeat(201) })).body.msg[0],
  ).toContain('parameter label ')
  const both = { cancelWithdrawId: crypto.randomUUID(), cancelWithdrawOrderId: 'a' }
  expect((await remove(APPLY, both)).body.msg[0]).toContain('parameter cancelWithdrawOrderId ')
  expect((await remove(APPLY, {})).body.msg).toEqual([
    'The parameter cancelWithdrawId or cancelWithdrawOrderId is required.',
  ])
  expect((await remove(APPLY, { cancelWithdrawId: 'x' })).body.msg[0]).toContain(
    'parameter cancelWithdrawId ',
  )
})

test('the limits of the asset are in the refusal, with the nearest amount that would pass', async () => {
  const terms = { code: 'BTC', withdrawMin: amount(1_000_000n), withdrawMax: amount(200_000_000n) }
  await f.submit({ kind: 'SetWithdrawalTerms', operator: OPERATOR, ...terms, addressDelayMs: DAY_MS })
  const small = (await post(APPLY, { ...ASK, amount: '0.001' })).body
  expect([small.msg[0], small.nearest, small.parameter]).toEqual([
    'The amount is below the smallest withdrawal of this asset: found 0.001 BTC, expected at least 0.01 BTC (parameter amount).',
    '0.01',
    'amount',
  ])
  expect((await post(APPLY, { ...ASK, amount: '2.1' })).body.nearest).toBe('2')
})
