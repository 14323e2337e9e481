/** The nearest value that would pass, in refusals of numbers (docs/reference/errors.md#beside-the-reason). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { marked, reference } from '../../../test/support/reference.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const LIMIT = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '100' }
const tested = async (fields: Fields) =>
  (await f.send('POST', '/api/v3/order/test', { ...fields, test: 'true' }, f.alice)).body

describe('a refusal of a number', () => {
  test('names the nearest value that would pass and its parameter, as the example of errors.md', async () => {
    const { body } = await f.place(f.alice, { ...LIMIT, price: '59990.125', newClientOrderId: 'a' })
    const example = JSON.parse(marked(reference('errors'), 'error').get('nearest') ?? '')
    expect(body).toEqual({ ...example, msg: body.msg })
  })

  test('keeps its four members where the request is the common interface’s alone', async () => {
    const members = ['status', 'code', 'msg', 'reason']
    for (const fields of [
      { price: '59990.125' },
      { quantity: '0' },
      { total: '7' },
      { recvWindow: '60001' },
    ] as Fields[]) {
      const { body } = await f.place(f.alice, { ...LIMIT, ...fields })
      expect(Object.keys(body)).toEqual(members)
      const ours = await f.place(f.alice, { ...LIMIT, ...fields, newOrderRespType: 'RESULT' })
      const isRead = fields.recvWindow === undefined
      expect(Object.keys(ours.body)).toEqual(isRead ? [...members, 'nearest', 'parameter'] : members)
    }
    const { body } = await f.send('GET', '/api/v3/trades', { symbol: 'BTC/USDT', limit: '0' }, f.alice)
    expect(Object.keys(body)).toEqual(members)
  })

  test('is over for the rule that has refused when the nearest value is sent instead', async () => {
    const digits = fc.tuple(fc.nat(10 ** 6), fc.nat(10 ** 6), fc.constantFrom(0, 0, 3, 9, 12))
    const text = digits.map(([whole, fraction, places]) =>
      places === 0 ? String(whole) : `${whole}.${String(fraction).padStart(places, '0')}`,
    )
    const hostile = fc.constantFrom('0', '-1', '-0.5', '0.000000000001', '99999999999999999999')
    const name = fc.constantFrom('price', 'quantity', 'total', 'icebergQty', 'recvWindow')
    let count = 0
    await fc.assert(
      fc.asyncProperty(name, fc.oneof(text, hostile), async (parameter, value) => {
        const body = await tested({ ...LIMIT, [parameter]: value })
        if (body.nearest === undefined || body.parameter !== parameter) return
        count++
        const again = await tested({ ...LIMIT, [parameter]: body.nearest })
        expect([body.reason, again.reason]).not.toEqual([again.reason, body.reason])
      }),
      { numRuns: 150 },
    )
    expect(count).toBeGreaterThan(30)
  })

  test('of a list is answered with the end of its range', async () => {
    for (const [limit, nearest] of [
      ['0', '1'],
      ['5000', '1000'],
      ['-3', '1'],
      ['2.4', '2'],
    ] as const) {
      const { body } = await f.send('GET', '/api/v3/allOrders', { limit }, f.alice)
      expect(body).toMatchObject({ reason: 'INVALID_PARAMETER', nearest, parameter: 'limit' })
    }
    const { body } = await f.send('GET', '/api/v3/allOrders', { limit: 'many' }, f.alice)
    expect(body).not.toHaveProperty('nearest')
  })

  test('is the same in a batch', async () => {
    const order = { ...LIMIT, quantity: '0.1234567891', newClientOrderId: 'b' }
    const operations = JSON.stringify([{ method: 'POST', ...order }])
    const { body } = await f.send('POST', '/api/v3/order/batch', { operations }, f.alice)
    expect(body.data[0].body).toMatchObject({
      reason: 'TOO_MANY_DECIMALS',
      nearest: '0.12345679',
      parameter: 'quantity',
    })
  })

  test('of what an order shows says what it may show', async () => {
    const iceberg = { ...LIMIT, quantity: '1', price: '100' }
    const large = await tested({ ...iceberg, icebergQty: '2' })
    expect(large).toMatchObject({ nearest: '1', parameter: 'icebergQty' })
    expect(large.msg[0]).toContain(': found 2 BTC, the limit is 1 BTC')
    const small = await tested({ ...iceberg, icebergQty: '0.001' })
    expect(small).toMatchObject({ nearest: '0.01', parameter: 'icebergQty' })
    expect(small.msg[0]).toContain(': found 0.001 BTC, expected at least 0.01 BTC')
  })
})
