/**
 * Customer support: orders and fills of any account, finished withdrawals, a transfer by its reference, the
 * overview of an account.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type {
  AdminEndedWithdrawalPage,
  AdminFillPage,
  AdminOrderPage,
  AdminOrderShown,
  AdminStory,
  AdminTransferShown,
} from '../../../contract/admin/support.ts'
import type { PlaceOrder } from '../../../core/commands/orders.ts'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import type { Lots, Price } from '../../../units/quantities.ts'
import { openAdminFixture } from '../admin.fixture.ts'

const server = await openAdminFixture()
const { done, error, engine } = server
afterAll(() => server.stop())

const accountIds: Record<string, AccountId> = {}

beforeAll(async () => {
  for (const code of ['BTC', 'EUR']) {
    await done('asset/add', { code, fraction: 2, isDeposit: true, isWithdraw: true, isTrade: true })
  }
  await done('symbol/add', { symbol: 'BTC/EUR', baseFraction: 2, quoteFraction: 0, minQuantity: '0.01' })
  for (const name of ['alice', 'bob']) {
    await done('account/add', { name })
    const money = { account: name, amount: '100000', note: 'opening' }
    await done('money/credit', { ...money, asset: 'EUR', reference: `${name} EUR` })
    await done('money/credit', { ...money, asset: 'BTC', reference: `${name} BTC` })
  }
  const { accounts } = await engine.port.follow(() => {})
  for (const { name, id } of accounts) accountIds[name] = id
})

async function place(account: string, side: 'BUY' | 'SELL', price: number, id?: string): Promise<void> {
  const order: PlaceOrder = {
    kind: 'PlaceOrder',
    accountId: accountIds[account] as AccountId,
    symbolId: 0 as SymbolId,
    selfTradeMode: undefined,
    clientOrderId: id,
    type: 'LIMIT',
    side,
    timeInForce: 'GTC',
    price: price as Price,
    quantity: 100 as Lots,
    total: undefined,
  }
  expect(await engine.port.submit(order)).toMatchObject({ kind: 'OrderAccepted' })
}

async function tokenOf(name: string): Promise<string> {
  return ((await done('token/add', { name, role: 'OPERATOR' })) as { token: string }).token
}

const orders = async (request: object) => (await done('order/list', request)) as AdminOrderPage

test('open orders of an account come page by page, and those that ended with them where that is asked for', async () => {
  for (const price of [100, 101, 102]) await place('alice', 'BUY', price, `o${price}`)
  await place('bob', 'SELL', 102)
  const open = await orders({ account: 'alice' })
  expect(open.orders.map(({ price, status }) => [price, status])).toEqual([
    ['101', 'NEW'],
    ['100', 'NEW'],
  ])
  expect(open.next).toBeNull()
  const first = await orders({ account: 'alice', limit: 1 })
  const second = await orders({ account: 'alice', limit: 1, before: first.next ?? undefined })
  expect([...first.orders, ...second.orders]).toEqual([...open.orders])
  expect((await orders({ account: 'alice', limit: open.orders.length })).next).toBeNull()
  const all = await orders({ account: 'alice', symbol: 'BTC/EUR', all: true, limit: 2 })
  expect(all.orders.map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([
    ['o102', 'FILLED'],
    ['o101', 'NEW'],
  ])
  const rest = await orders({ account: 'alice', all: true, before: all.next ?? undefined })
  expect(rest.orders.map(({ clientOrderId }) => clientOrderId)).toEqual(['o100'])
  expect((await orders({ account: 'fees' })).orders).toEqual([])
})

test('an order is shown by its id and by the name that its account gave it, with what it traded', async () => {
  const byName = (await done('order/show', { order: 'alice:o102' })) as AdminOrderShown
  expect(byName).toMatchObject({ account: 'alice', status: 'FILLED', executedTotal: '102', next: null })
  const fill = { number: 1, price: '102', quantity: '1', isMaker: true, orderId: byName.id }
  expect(byName.fills).toMatchObject([fill])
  expect(await done('order/show', { order: byName.id })).toEqual(byName)
  const { fills } = (await done('order/fills', { order: 'alice:o102', limit: 1 })) as AdminFillPage
  expect(fills).toEqual(byName.fills)
  expect(await done('order/fills', { order: 'alice:o100' })).toEqual({ fills: [], next: null })
})

test('an order that cannot be found is named, and so is a text that is not an order', async () => {
  const unknown = { status: 404, reason: 'UNKNOWN_ORDER', field: 'order' }
  expect(await error('order/show', { order: 'alice:none' })).toMatchObject(unknown)
  expect(await error('order/show', { order: 'nobody:o1' })).toMatchObject({ reason: 'UNKNOWN_ACCOUNT' })
  const notOne = { status: 400, reason: 'INVALID_FIELD', field: 'order' }
  expect(await error('order/fills', { order: '17' })).toMatchObject(notOne)
  const list = { account: 'alice', before: 'x' }
  expect(await error('order/list', list)).toMatchObject({ field: 'before' })
  expect(await error('order/list', { ...list, all: true })).toMatchObject({ field: 'before' })
  expect(await error('order/list', { account: 'alice', limit: 251 })).toMatchObject({ field: 'limit' })
})

test('ended withdrawals come newest first with actor and reason, page by page', async () => {
  const hold = { account: 'bob', asset: 'EUR', amount: '5' }
  for (const reference of ['w1', 'w2', 'w3', 'w4']) await done('withdrawal/hold', { ...hold, reference })
  await done('withdrawal/complete', { reference: 'w2', actor: 'eve', note: 'bank 7' })
  await done('withdrawal/cancel', { reference: 'w1', note: 'closed account' })
  await done('withdrawal/complete', { reference: 'w3' })
  const ended = async (request: object) =>
    (await done('withdrawal/ended', request)) as AdminEndedWithdrawalPage
  const { withdrawals, next } = await ended({ account: 'bob' })
  expect(withdrawals).toMatchObject([
    { reference: 'w3', outcome: 'COMPLETED' },
    { reference: 'w1', outcome: 'CANCELED', note: 'closed account', by: 'local:operator' },
    { reference: 'w2', outcome: 'COMPLETED', amount: '5', asset: 'EUR', by: 'local:eve', note: 'bank 7' },
  ])
  expect(next).toBeNull()
  const first = await ended({ limit: 2 })
  const rest = await ended({ limit: 2, before: first.next ?? undefined })
  expect([...first.withdrawals, ...rest.withdrawals]).toEqual([...withdrawals])
  expect((await ended({ account: 'alice' })).withdrawals).toEqual([])
})

test('a transfer is shown by its reference with every command under it and what has become of it', async () => {
  const shown = async (reference: string) =>
    (await done('transfer/show', { reference })) as AdminTransferShown
  const states = async (...references: string[]) =>
    Promise.all(references.map(async (reference) => (await shown(reference)).state))
  expect(await states('alice EUR', 'w1', 'w2', 'w4')).toEqual([
    'DONE',
    'CANCELED',
    'COMPLETED',
    'WITHDRAWAL_WAITS',
  ])
  expect(await shown('w2')).toMatchObject({
    account: 'bob',
    asset: 'EUR',
    amount: '5',
    actions: [
      { kind: 'HoldWithdrawal', outcome: 'done' },
      { kind: 'CompleteWithdrawal', outcome: 'done', actor: 'local:eve', note: 'bank 7' },
    ],
  })
  await error('money/debit', { account: 'bob', asset: 'EUR', amount: '9999999', reference: 'too much' })
  expect(await states('too much')).toEqual(['REFUSED'])
  const none = { status: 404, reason: 'UNKNOWN_REFERENCE', field: 'reference' }
  expect(await error('transfer/show', { reference: 'none' })).toMatchObject(none)
})

test('the decision of a second person is the state of a transfer', async () => {
  await done('asset/set', { code: 'EUR', approvalAbove: '10' })
  const credit = { account: 'bob', asset: 'EUR', amount: '11' }
  const [dora, eva] = await Promise.all(['dora', 'eva'].map(tokenOf))
  for (const reference of ['p1', 'p2', 'p3']) await done('money/credit', { ...credit, reference }, dora)
  await done('approval/approve', { reference: 'p1' }, eva)
  await done('approval/reject', { reference: 'p2' }, eva)
  const state = async (reference: string) =>
    ((await done('transfer/show', { reference })) as AdminTransferShown).state
  expect(await state('p1')).toBe('DONE')
  expect(await state('p2')).toBe('REJECTED')
  expect(await state('p3')).toBe('WAITS_FOR_APPROVAL')
  await done('asset/set', { code: 'EUR', approvalAbove: '0' })
})

test('the story of an account has its state, its balances and its actions, with their actors', async () => {
  await done('account/restrict', {
    account: 'bob',
    restrictions: ['WITHDRAW'],
    actor: 'eve',
    note: 'case 17',
  })
  await done('account/set', { account: 'bob', openOrdersMax: 3 })
  await done('key/add', { account: 'bob', label: 'bot' })
  const story = (await done('account/story', { account: 'bob' })) as AdminStory
  expect(story).toMatchObject({
    account: { name: 'bob', restrictions: ['WITHDRAW'], openOrdersMax: 3 },
    restrictedBy: { kind: 'ChangeRestrictions', actor: 'local:eve', note: 'case 17' },
    keys: [{ label: 'bot' }],
    openOrders: 0,
    orders: [{ account: 'bob', status: 'FILLED', side: 'SELL' }],
    withdrawalsWaiting: [{ reference: 'w4' }],
    approvalsWaiting: [{ reference: 'p3' }],
  })
  expect(story.balances.map(({ asset }) => asset)).toEqual(['BTC', 'EUR'])
  expect(story.money[0]).toMatchObject({ kind: 'APPROVAL_REFUSED', fields: { reference: 'p2' } })
  expect(story.money).toHaveLength(10)
  expect(story.actions.map(({ kind }) => kind).slice(0, 3)).toEqual([
    'AddApiKey',
    'SetAccountTerms',
    'ChangeRestrictions',
  ])
  expect(story.actions.every(({ fields }) => fields.account !== 'alice')).toBe(true)
  const untouched = (await done('account/story', { account: 'alice' })) as AdminStory
  expect(untouched.restrictedBy).toBeNull()
  expect(JSON.stringify(story)).not.toContain('sealed')
})

test('one order of any account is canceled by its id or its name, and ends with OPERATOR', async () => {
  await place('alice', 'BUY', 90, 'wrong')
  const audit = { actor: 'eve', note: 'asked by phone' }
  const canceled = await done('order/cancel', { order: 'alice:wrong', ...audit })
  expect(canceled).toMatchObject({ account: 'alice', status: 'CANCELED', endReason: 'OPERATOR' })
  expect(await error('order/cancel', { order: 'alice:wrong' })).toMatchObject({ reason: 'UNKNOWN_ORDER' })
  const [action] = (await done('audit/list', { kind: 'CancelAnyOrder', limit: 2 })) as AdminStory['actions']
  expect(action).toMatchObject({ outcome: 'UNKNOWN_ORDER', actor: 'local:operator' })
})

test('an account gets notes, is found by its customer id and its labels, and fields that are not named stay', async () => {
  const noted = { customerId: 'CRM-7', labels: ['vip', 'mm'], fields: ['desk=Zürich'], remark: 'Mondays' }
  const shown = { ...noted, labels: ['mm', 'vip'] }
  expect(await done('account/note', { account: 'alice', ...noted })).toMatchObject({
    name: 'alice',
    ...shown,
  })
  expect(await done('account/note', { account: 'alice', remark: '' })).toMatchObject({ ...shown, remark: '' })
  expect(await done('account/find', { customerId: 'CRM-7' })).toMatchObject({ name: 'alice' })
  const names = async (request: object) =>
    ((await done('account/list', request)) as { name: string }[]).map(({ name }) => name)
  await done('account/note', { account: 'bob', labels: ['vip'] })
  expect(await names({ label: 'vip' })).toEqual(['alice', 'bob'])
  expect(await names({ label: 'vip', after: 'alice' })).toEqual(['bob'])
  expect(await names({ label: 'none' })).toEqual([])
  expect(await error('account/note', { account: 'bob', customerId: 'CRM-7' })).toMatchObject({
    status: 409,
    reason: 'CUSTOMER_ID_TAKEN',
  })
  await done('account/note', { account: 'alice', customerId: '', labels: [] })
  expect(await names({ label: 'vip' })).toEqual(['bob'])
  expect(await error('account/find', { customerId: 'CRM-7' })).toMatchObject({ field: 'customerId' })
  for (const [field, wrong] of [
    ['labels', ['vip', 'vip']],
    ['labels.0', ['Vip']],
    ['fields.0', ['desk']],
    ['customerId', 'a b'],
  ] as const) {
    const name = field.split('.')[0] as string
    expect(await error('account/note', { account: 'alice', [name]: wrong })).toMatchObject({ field })
  }
})

test('an account gets terms until a moment, and fields that are not named stay', async () => {
  const until = '2100-01-01T00:00:00.000+00:00'
  const rates = { makerRate: '0', takerRate: '0.0004' }
  const given = await done('account/terms', { account: 'alice', ...rates, until })
  const inForce = { ...rates, ratesUntil: until, ratesInForce: true }
  expect(given).toMatchObject({ terms: { ...inForce, openOrdersMax: null, openOrdersInForce: false } })
  const limited = await done('account/terms', { account: 'alice', openOrdersMax: 7 })
  const limit = { openOrdersMax: 7, openOrdersUntil: null, openOrdersInForce: true }
  expect(limited).toMatchObject({ terms: { ...inForce, ...limit } })
  expect(await done('account/show', { account: 'alice' })).toEqual(limited)
  const without = await done('account/terms', { account: 'alice', makerRate: '', takerRate: '' })
  expect(without).toMatchObject({ terms: { makerRate: null, ...limit } })
  expect(await done('account/terms', { account: 'alice', openOrdersMax: 0 })).toMatchObject({ terms: null })
  const orderRate = { orderRateTimes: 20, orderRateUntil: until, orderRateInForce: true }
  expect(await done('account/terms', { account: 'alice', orderRateTimes: 20, until })).toMatchObject({
    terms: { ...orderRate, openOrdersMax: null },
  })
  expect(await done('account/terms', { account: 'alice', openOrdersMax: 7 })).toMatchObject({
    terms: { ...orderRate, ...limit },
  })
  await done('account/terms', { account: 'alice', openOrdersMax: 0 })
  expect(await done('account/terms', { account: 'alice', orderRateTimes: 0 })).toMatchObject({ terms: null })
  for (const [field, wrong] of [
    ['takerRate', { makerRate: '0' }],
    ['makerRate', {}],
    ['makerRate', { ...rates, makerRate: '-0.1' }],
    ['takerRate', { ...rates, takerRate: '1' }],
    ['orderRateTimes', { orderRateTimes: 10_001 }],
    ['until', { ...rates, until: '2001-01-01' }],
    ['until', { ...rates, until: 'soon' }],
  ] as const) {
    expect(await error('account/terms', { account: 'alice', ...wrong })).toMatchObject({ field })
  }
  expect(await done('account/show', { account: 'alice' })).toMatchObject({ terms: null })
})
