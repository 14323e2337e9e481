/**
 * FOK and LIMIT_MAKER over HTTP: all or nothing, and a refusal leaves balances, book and open orders
 * unchanged.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Client, Fields } from './support/client.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const ORDER = '/api/v3/order'
const BUY: Fields = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '2', price: '50000' }

let node: NodeProcess
let alice: Client
let bob: Client

beforeAll(async () => {
  node = await startSandbox()
  alice = node.alice
  bob = node.bob
})
afterAll(() => node.stop())

/** Everything that an order could have changed. */
async function seen(): Promise<unknown[]> {
  const depth = await alice.request('GET', '/api/v3/depth', { symbol: 'BTC/USDT' })
  const active = await alice.request('GET', '/api/v3/order/active', { symbol: 'BTC/USDT' })
  return [await alice.balances(), await bob.balances(), depth.body, active.body]
}

async function refusalOf(fields: Fields): Promise<unknown> {
  const before = await seen()
  const { status, body } = await alice.request('POST', ORDER, fields)
  expect(await seen()).toEqual(before)
  return [status, body.code, body.reason]
}

describe('a FOK order', () => {
  test('is refused while the book cannot fill it, and filled in full as soon as it can', async () => {
    const fok = { ...BUY, timeInForce: 'FOK' }
    expect(await refusalOf(fok)).toEqual([400, '4001', 'FOK_NOT_FILLABLE'])
    await bob.place({ ...BUY, side: 'SELL', quantity: '1', price: '49000' })
    expect(await refusalOf(fok)).toEqual([400, '4001', 'FOK_NOT_FILLABLE'])
    await bob.place({ ...BUY, side: 'SELL', quantity: '1.5' })
    const { status, body } = await alice.request('POST', ORDER, fok)
    expect([status, body.data]).toMatchObject([200, { qty: '#2', price: '#50000', total: '#100000' }])
    const { body: depth } = await alice.request('GET', '/api/v3/depth', { symbol: 'BTC/USDT' })
    expect(depth).toEqual({ sell: { '50000.00': '#0.5' }, buy: {} })
  })
})

describe('a LIMIT_MAKER order', () => {
  test('is refused where it would take, and rests where it would not', async () => {
    const maker = { ...BUY, type: 'LIMIT_MAKER' }
    expect(await refusalOf(maker)).toEqual([400, '4001', 'LIMIT_MAKER_WOULD_TAKE'])
    const { status, body } = await alice.request('POST', ORDER, { ...maker, price: '49999.99' })
    expect([status, body.data]).toMatchObject([200, { qty: '#2', price: '#49999.99' }])
    const { body: active } = await alice.request('GET', '/api/v3/order/active', { symbol: 'BTC/USDT' })
    expect(active).toMatchObject([{ id: body.data.id, execQty: '0', price: '49999.99' }])
  })
})
