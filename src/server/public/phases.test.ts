/** The phase of the whole exchange as traders see it (docs/reference/admin.md#phases-of-the-exchange). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { ExchangePhase } from '../../units/order-enums.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'
import { OPERATOR } from './reasons/provoke.fixture.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.025', price: '100' }
let f: Fixture
/** Alice's order, placed while the exchange traded. */
let id: string
let exchangeInfo: string

beforeAll(async () => {
  f = await openFixture()
  exchangeInfo = (await f.send('GET', '/api/v3/exchangeInfo', {})).text
  id = (await f.place(f.alice, ORDER)).body.data.id
})
afterAll(() => f.stop())
beforeEach(() => enter('CANCEL_ONLY').then(() => enter('TRADING')))

const enter = (phase: ExchangePhase) => f.submit({ kind: 'SetPhase', operator: OPERATOR, phase })
const plan = (...steps: (readonly [phase: ExchangePhase, inMs: number])[]) =>
  f.submit({
    kind: 'PlanPhases',
    operator: OPERATOR,
    steps: steps.map(([phase, inMs]) => ({ phase, at: timeMs(f.clock.time + inMs) })),
  })
const rules = async () =>
  (await f.send('GET', '/api/v3/exchangeInfo/rules', { symbol: 'BTC/USDT' })).body.data
const reasonOf = async (method: string, path: string, fields: Fields) => {
  const { status, body } = await f.send(method, path, fields, f.alice)
  expect([status, body.code]).toEqual([503, '0014'])
  return body.reason
}

test('phase and plan are in the rules of symbols, and in no answer of the common interface', async () => {
  expect((await rules()).exchange).toMatchObject({ phase: 'TRADING', planned: [] })
  await plan(['CANCEL_ONLY', 60_000], ['CLOSED', 120_000])
  const { exchange, symbols } = await rules()
  expect(exchange.planned).toEqual([
    { phase: 'CANCEL_ONLY', at: f.clock.time + 60_000 },
    { phase: 'CLOSED', at: f.clock.time + 120_000 },
  ])
  expect(symbols[0].isSpotTradingAllowed).toBe(true)
  await enter('CLOSED')
  const closed = await rules()
  expect(closed.exchange).toEqual({ phase: 'CLOSED', since: f.clock.time, planned: [] })
  expect(closed.symbols[0]).toMatchObject({ status: 'TRADING', isSpotTradingAllowed: false })
  const all = (await f.send('GET', '/api/v3/exchangeInfo/rules', {})).body.data
  expect(all.exchange).toEqual(closed.exchange)
  expect((await f.send('GET', '/api/v3/exchangeInfo', {})).text).toBe(exchangeInfo)
})

test('while only canceling is possible, every placement is refused, and cancels are carried out', async () => {
  await enter('CANCEL_ONLY')
  const refused = 'EXCHANGE_CANCEL_ONLY'
  expect(await reasonOf('POST', '/api/v3/order', ORDER)).toBe(refused)
  expect(await reasonOf('POST', '/api/v3/order/test', { ...ORDER, test: 'true' })).toBe(refused)
  const replace = { ...ORDER, cancelReplaceMode: 'ALLOW_FAILURE', cancelId: id }
  expect(await reasonOf('POST', '/api/v3/order/cancelReplace', replace)).toBe(refused)
  const list = { symbol: 'BTC/USDT', workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '100' }
  const pending = { pendingType: 'LIMIT', pendingSide: 'SELL', pendingPrice: '200' }
  expect(
    await reasonOf('POST', '/api/v3/orderList/oto', { ...list, workingQuantity: '0.025', ...pending }),
  ).toBe(refused)
  const operations = JSON.stringify([
    { method: 'POST', ...ORDER },
    { method: 'DELETE', id },
  ])
  const batch = await f.send('POST', '/api/v3/order/batch', { operations }, f.alice)
  expect(batch.body.data.map(({ status }: { status: number }) => status)).toEqual([503, 200])
  await enter('TRADING')
  id = (await f.place(f.alice, ORDER)).body.data.id
})

test('while the exchange is closed, nothing is placed, amended or canceled by traders, and everything can be read', async () => {
  await enter('CLOSED')
  const refused = 'EXCHANGE_CLOSED'
  expect(await reasonOf('POST', '/api/v3/order', ORDER)).toBe(refused)
  expect(await reasonOf('DELETE', '/api/v3/order', { id })).toBe(refused)
  expect(await reasonOf('PUT', '/api/v3/order/amend/keepPriority', { orderId: id, newQty: '0.01' })).toBe(
    refused,
  )
  expect(await reasonOf('DELETE', '/api/v3/openOrders', { scope: 'ACCOUNT' })).toBe(refused)
  expect((await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body.data).toMatchObject({
    status: 'NEW',
  })
  const countdown = { countdownTime: 60_000, symbol: 'BTC/USDT' }
  expect((await f.send('POST', '/api/v3/countdownCancelAll', countdown, f.alice)).status).toBe(200)
  await f.send('POST', '/api/v3/countdownCancelAll', { ...countdown, countdownTime: 0 }, f.alice)
})

test('a refused request has the time at which the plan allows it, and none without a plan', async () => {
  const waits = async () => {
    const seen = await Promise.all([
      f.send('POST', '/api/v3/order', ORDER, f.alice),
      f.send('DELETE', '/api/v3/order', { id }, f.alice),
    ])
    return seen.map(({ headers }) => headers.get('retry-after'))
  }
  await enter('CLOSED')
  expect(await waits()).toEqual([null, null])
  await plan(['CANCEL_ONLY', 1_500], ['TRADING', 61_000])
  expect(await waits()).toEqual(['61', '2'])
})

test('a planned phase is in force from its moment on', async () => {
  await plan(['CANCEL_ONLY', 100])
  expect((await f.place(f.alice, ORDER)).status).toBe(200)
  f.clock.time = (f.clock.time + 100) as TimeMs
  expect((await f.place(f.alice, ORDER)).body.reason).toBe('EXCHANGE_CANCEL_ONLY')
  expect((await rules()).exchange).toMatchObject({ phase: 'CANCEL_ONLY', since: f.clock.time, planned: [] })
})
