/** Many simultaneous requests for the same money, order or quantity: exactly one may get it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Answer, Client, Fields } from './support/client.ts'
import { sum, units } from './support/decimal.ts'
import type { Exact } from './support/exact-json.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const TIMES = 40
const ORDER = '/api/v3/order'
const BID: Fields = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '60000' }

let node: NodeProcess
let alice: Client
let bob: Client

beforeAll(async () => {
  node = await startSandbox()
  alice = node.alice
  bob = node.bob
})
afterAll(() => node.stop())

/** Sends the same request `times` times at once; resolves with the answers, successes first. */
async function atOnce(send: (turn: number) => Promise<Answer>, times = TIMES): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: times }, (_, turn) => send(turn)))
  return answers.sort((a, b) => a.status - b.status)
}

const reasonsOf = (answers: readonly Answer[]) => new Set(answers.map(({ body }) => body.reason))
const freeOf = async (client: Client, asset: string) => units((await client.balances())[asset].free, 8)

describe('money for one order', () => {
  test('is held by one of many orders, in one symbol or in several', async () => {
    const sell = (turn: number): Fields =>
      turn % 2 === 0
        ? { symbol: 'ETH/USDT', side: 'SELL', type: 'LIMIT', quantity: '501', price: '9000' }
        : { symbol: 'ETH/BTC', side: 'SELL', type: 'LIMIT', quantity: '501', price: '0.9' }
    const [placed, ...others] = await atOnce((turn) => alice.request('POST', ORDER, sell(turn)))
    expect(placed?.status).toBe(200)
    expect(reasonsOf(others)).toEqual(new Set(['INSUFFICIENT_FUNDS']))
    expect(await alice.balances()).toMatchObject({ ETH: { free: '499', locked: '501' } })
    await alice.cancel(placed?.body.data.id)
    expect(await alice.balances()).toMatchObject({ ETH: { free: '1000', locked: '0' } })
  })

  test('is spent by one of many MARKET orders', async () => {
    const ask = await bob.place({ ...BID, side: 'SELL', quantity: '100', price: '60000' })
    const buy: Fields = { symbol: 'BTC/USDT', side: 'BUY', type: 'MARKET', total: '3000000' }
    const [spent, ...others] = await atOnce(() => alice.request('POST', ORDER, buy))
    expect(spent?.body.data).toMatchObject({ qty: '#50', total: '#3000000' })
    expect(reasonsOf(others)).toEqual(new Set(['INSUFFICIENT_FUNDS']))
    expect(await freeOf(alice, 'USDT')).toBe(units('2000000', 8))
    await bob.cancel(ask.id)
  })
})

describe('an order', () => {
  test('is canceled by one of many cancels, and its money comes back once', async () => {
    const before = await freeOf(bob, 'USDT')
    const { id } = await bob.place(BID)
    expect(await freeOf(bob, 'USDT')).toBe(before - units('60000', 8))
    const [canceled, ...others] = await atOnce(() => bob.request('DELETE', ORDER, { id }))
    expect(canceled?.status).toBe(200)
    expect(reasonsOf(others)).toEqual(new Set(['UNKNOWN_ORDER']))
    expect(await freeOf(bob, 'USDT')).toBe(before)
  })

  test('is sold once however many want it, and canceled only as far as it is left', async () => {
    const { id } = await alice.place({ ...BID, side: 'SELL', quantity: '0.1', price: '50000' })
    const want: Fields = { ...BID, quantity: '0.01', price: '50000', timeInForce: 'IOC' }
    await atOnce((turn) =>
      turn === 20 ? alice.request('DELETE', ORDER, { id }) : bob.request('POST', ORDER, want),
    )
    const { items } = await alice.history({ symbol: 'BTC/USDT', size: 1000 })
    const sold = sum(
      items.filter(({ orderId }: Exact) => orderId === id).map(({ quantity }: Exact) => units(quantity, 8)),
    )
    expect(sold <= units('0.1', 8)).toBeTrue()
    expect(await alice.active()).toEqual([])
    expect(await alice.balances()).toMatchObject({ BTC: { locked: '0' } })
    expect(await bob.balances()).toMatchObject({ USDT: { locked: '0' } })
    expect(await alice.depth('BTC/USDT')).toEqual({ sell: {}, buy: {} })
  })
})

test('orders that meet at the same moment never leave a crossed book', async () => {
  for (let round = 0; round < 10; round++) {
    const quantity = '0.01'
    await atOnce((turn) => {
      const trader = turn % 2 === 0 ? alice : bob
      const side = (turn >> 1) % 2 === 0 ? 'BUY' : 'SELL'
      const price = (40_000 + ((turn * 7) % 11)).toFixed(2)
      return trader.request('POST', ORDER, { ...BID, side, quantity, price })
    })
    const { buy, sell } = await alice.depth('BTC/USDT')
    const bid = Number(Object.keys(buy)[0] ?? 0)
    const ask = Number(Object.keys(sell)[0] ?? Number.POSITIVE_INFINITY)
    expect(bid).toBeLessThan(ask)
  }
})
