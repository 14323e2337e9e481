/** The nearest accepted value, in refusals of numbers (docs/reference/refusals.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { marked, reference } from '../../../test/support/reference.ts'
import { amount, lots, price } from '../../units/quantities.ts'
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
  test('names the nearest value that would pass and its parameter, as the example of refusals.md', async () => {
    const { body } = await f.place(f.alice, { ...LIMIT, price: '59990.125', newClientOrderId: 'a' })
    const example = JSON.parse(marked(reference('refusals'), 'error').get('nearest') ?? '')
    expect(body).toEqual({ ...example, msg: body.msg })
  })

  test('keeps its four members where the request belongs to the common interface alone', async () => {
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

  test('no longer applies when the nearest value is sent instead', async () => {
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

  test('of the shown part of an order states what it may show', async () => {
    const iceberg = { ...LIMIT, quantity: '1', price: '100' }
    const large = await tested({ ...iceberg, icebergQty: '2' })
    expect(large).toMatchObject({ nearest: '1', parameter: 'icebergQty' })
    expect(large.msg[0]).toContain(': found 2 BTC, the limit is 1 BTC')
    const small = await tested({ ...iceberg, icebergQty: '0.001' })
    expect(small).toMatchObject({ nearest: '0.01', parameter: 'icebergQty' })
    expect(small.msg[0]).toContain(': found 0.001 BTC, expected at least 0.01 BTC')
  })

  test('of a moment that has passed, or is too far ahead, names an accepted one', async () => {
    const dated = { ...LIMIT, timeInForce: 'GTD' }
    for (const expireTime of [f.clock.time, 1_000, f.clock.time + 3_651 * 86_400_000]) {
      const { body } = await f.place(f.alice, { ...dated, expireTime })
      expect(body.parameter).toBe('expireTime')
      f.clock.time += 4_000
      const { status } = await f.place(f.alice, { ...dated, expireTime: body.nearest })
      expect(status).toBe(200)
    }
  })
})

describe('a refusal of a number in an order list', () => {
  const PAIR = { aboveType: 'TAKE_PROFIT_LIMIT', abovePrice: '9000', aboveStopPrice: '8900' }
  const STOP = { belowType: 'STOP_LOSS_LIMIT', belowStopPrice: '1100', belowPrice: '1000' }
  const OCO = { symbol: 'USDT/TRY', side: 'SELL', quantity: '5', ...PAIR, ...STOP }
  const WORKING = { workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '1200', workingQuantity: '5' }
  const OTO = {
    symbol: 'USDT/TRY',
    ...WORKING,
    pendingType: 'LIMIT',
    pendingSide: 'SELL',
    pendingPrice: '1300',
  }
  const OTOCO = {
    ...{ symbol: 'USDT/TRY', ...WORKING, pendingSide: 'SELL', pendingBelowType: 'STOP_LOSS' },
    ...{ pendingBelowStopPrice: '1100', pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: '1300' },
  }
  const BUYS = { ...OCO, side: 'BUY', aboveType: 'STOP_LOSS', aboveTotal: '6000', belowType: 'LIMIT_MAKER' }
  const { abovePrice: _above, belowStopPrice: _stop, ...BUY } = BUYS

  beforeAll(async () => {
    await f.submit({
      ...{ kind: 'SetSymbolTerms', operator: { actor: 'test', note: '' }, symbol: 'USDT/TRY' },
      ...{ minTotal: amount(200_000n), minQuantity: lots(200), selfTradeMode: 'NONE' },
      ...{ openOrdersMax: 1_000, levelsMax: 1_000, minPrice: price(100_000), maxPrice: price(900_000) },
    })
  })

  test('names the first order of it that is refused, by the parameter that would pass', async () => {
    const cases: [string, Fields, string, string, string][] = [
      ['oco', { ...OCO, quantity: '1' }, 'QUANTITY_TOO_SMALL', 'quantity', '2'],
      ['oco', { ...OCO, abovePrice: '9000.01' }, 'PRICE_OUT_OF_BAND', 'abovePrice', '9000'],
      ['oco', { ...OCO, belowStopPrice: '1' }, 'PRICE_OUT_OF_BAND', 'belowStopPrice', '1000'],
      ['oco', { ...BUY, aboveTotal: '1000' }, 'TOTAL_TOO_SMALL', 'aboveTotal', '2000'],
      ['oto', { ...OTO, workingQuantity: '1' }, 'QUANTITY_TOO_SMALL', 'workingQuantity', '2'],
      ['oto', { ...OTO, pendingQuantity: '1' }, 'QUANTITY_TOO_SMALL', 'pendingQuantity', '2'],
      ['oto', { ...OTO, pendingPrice: '0.01' }, 'PRICE_OUT_OF_BAND', 'pendingPrice', '1000'],
      ['otoco', { ...OTOCO, pendingAbovePrice: '9999' }, 'PRICE_OUT_OF_BAND', 'pendingAbovePrice', '9000'],
    ]
    for (const [list, fields, reason, parameter, nearest] of cases) {
      const send = async (more: Fields) =>
        (await f.send('POST', `/api/v3/orderList/${list}`, { ...fields, ...more }, f.alice)).body
      expect(await send({})).toMatchObject({
        reason,
        parameter,
        nearest,
        msg: [expect.stringContaining(': found')],
      })
      expect(await send({ [parameter]: nearest })).toMatchObject({ status: true })
    }
  })
})
