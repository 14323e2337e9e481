/** The required parameters of a MARKET BUY (docs/reference/http.md#new-order). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const BUY = { symbol: 'ETH/USDT', side: 'BUY', type: 'MARKET', quantity: '1' }
const MISSING = 'The parameter total is required.'

async function refusalOf(path: string, fields: Fields): Promise<string> {
  const { status, body } = await f.send('POST', path, fields, f.alice)
  expect(status).toBe(400)
  return body.msg[0]
}

test('a MARKET BUY, including one that waits, names its total wherever this interface takes an order', async () => {
  await f.place(f.bob, { ...BUY, side: 'SELL', type: 'LIMIT', price: '40' })
  const stop = { ...BUY, type: 'STOP_LOSS', stopPrice: '90' }
  for (const order of [BUY, stop]) {
    expect(await refusalOf('/api/v3/order', order)).toBe(MISSING)
    expect(await refusalOf('/api/v3/order/test', { ...order, test: 'true' })).toBe(MISSING)
    const replacing = { cancelReplaceMode: 'ALLOW_FAILURE', cancelOrigClientOrderId: 'none', ...order }
    expect(await refusalOf('/api/v3/order/cancelReplace', replacing)).toBe(MISSING)
  }
  const operations = JSON.stringify([{ method: 'POST', ...BUY }])
  const { body } = await f.send('POST', '/api/v3/order/batch', { operations }, f.alice)
  expect(body.data[0]).toMatchObject({ status: 400, body: { msg: [MISSING] } })
  expect((await f.send('GET', '/api/v3/myTrades', { symbol: BUY.symbol }, f.alice)).body.data.fills).toEqual(
    [],
  )
})
