/** Orders that end at a time, over HTTP (docs/reference/timers.md#good-till-date). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const soon = () => Date.now() + 3_600_000
const LIMIT = { symbol: 'ETH/USDT', side: 'SELL', type: 'LIMIT', quantity: '1', price: '1700' }

async function outcome(fields: Fields): Promise<string> {
  const { body } = await f.place(f.alice, fields)
  if (body.status !== true) return `${body.reason}: ${body.msg[0]}`
  await f.send('DELETE', '/api/v3/order', { id: body.data.id }, f.alice)
  return 'placed'
}

describe('GTD and expireTime', () => {
  test('are required together, with the types that have a time in force', async () => {
    const timely = { ...LIMIT, timeInForce: 'GTD', expireTime: soon() }
    const waiting = { ...timely, type: 'STOP_LOSS_LIMIT', stopPrice: '1800' }
    for (const fields of [timely, waiting]) {
      expect(await outcome(fields)).toBe('placed')
      expect(await outcome({ ...fields, timeInForce: 'GTC' })).toStartWith('PARAMETER_NOT_TAKEN')
      const { expireTime: _, ...timeless } = fields
      expect(await outcome(timeless)).toStartWith('MISSING_PARAMETER: The parameter expireTime')
    }
    const { timeInForce: _, ...untold } = timely
    expect(await outcome(untold)).toStartWith('PARAMETER_NOT_TAKEN')
    for (const type of ['LIMIT_MAKER', 'MARKET']) {
      const { price: __, ...market } = untold
      const fields = type === 'MARKET' ? market : untold
      expect(await outcome({ ...fields, type })).toBe(
        `PARAMETER_NOT_TAKEN: The parameter expireTime is not allowed for a ${type} order.`,
      )
    }
  })

  test('are refused with the time that was sent, where it is none, is over or too far ahead', async () => {
    const at = (expireTime: string | number) => outcome({ ...LIMIT, timeInForce: 'GTD', expireTime })
    for (const text of ['', '-1', '1.5', '1e12', 'soon', '99999999999999999999']) {
      expect(await at(text)).toStartWith('INVALID_PARAMETER: The parameter expireTime')
    }
    expect(await at(1_000)).toContain('EXPIRE_TIME_PASSED: The expire time has already passed: found 1000')
    expect(await at(9_000_000_000_000_000)).toStartWith('EXPIRE_TIME_TOO_FAR: ')
  })

  test('are shown by the order, open and in the lists, and by its test', async () => {
    const expireTime = soon()
    const fields = { ...LIMIT, timeInForce: 'GTD', expireTime }
    const { body } = await f.place(f.alice, { ...fields, newOrderRespType: 'RESULT' })
    expect(body.data).toMatchObject({ timeInForce: 'GTD', expireTime, status: 'NEW' })
    for (const path of ['openOrders', 'allOrders']) {
      const { text } = await f.send('GET', `/api/v3/${path}`, { symbol: 'ETH/USDT' }, f.alice)
      const { data } = JSON.parse(text)
      expect((data.orders ?? data)[0]).toMatchObject({ id: body.data.id, expireTime })
    }
    const tested = await f.send('POST', '/api/v3/order/test', { ...fields, test: 'true' }, f.alice)
    expect(tested.body.data).toMatchObject({ timeInForce: 'GTD', expireTime, status: 'NEW' })
    await f.send('DELETE', '/api/v3/order', { id: body.data.id }, f.alice)
  })
})
