/** Changes of open orders over HTTP (docs/reference/order-changes.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture, type Seen, type Trader } from './gateway.fixture.ts'

const ETH = { symbol: 'ETH/USDT', type: 'LIMIT' }
const ASK = { ...ETH, side: 'SELL', quantity: '1', price: '20' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const cancel = (id: string, trader = f.alice) => f.send('DELETE', '/api/v3/order', { id }, trader)

async function free(trader: Trader, code: string): Promise<string> {
  return (await f.send('GET', '/api/v3/wallet/balance', { code }, trader)).body.data.free
}

describe('lowering the quantity of an order', () => {
  const amend = (fields: Fields, trader = f.alice): Promise<Seen> =>
    f.send('PUT', '/api/v3/order/amend/keepPriority', fields, trader)

  test('answers with the order as it is then, frees what it held, and is visible everywhere', async () => {
    const before = Number(await free(f.alice, 'ETH'))
    const { id } = (await f.place(f.alice, { ...ASK, newClientOrderId: 'amended' })).body.data
    await f.place(f.bob, { ...ETH, side: 'BUY', quantity: '0.25', price: '20' })
    f.clock.time += 1_000
    const { status, body } = await amend({ orderId: id, newQty: '0.500' })
    const shown = { id, clientOrderId: 'amended', quantity: '0.5', executedQuantity: '0.25' }
    expect([status, body.data]).toEqual([200, expect.objectContaining({ ...shown, updatedAt: f.clock.time })])
    expect(Number(await free(f.alice, 'ETH'))).toBeCloseTo(before - 0.5, 8)
    expect((await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body.data).toEqual(body.data)
    expect((await f.send('GET', '/api/v3/openOrders', {}, f.alice)).body.data).toEqual([body.data])
    const depth = (await f.send('GET', '/api/v3/depth', { symbol: 'ETH/USDT' }, f.alice)).text
    expect(depth).toContain('0.25')
    await cancel(id)
    const ended = (await f.send('GET', '/api/v3/allOrders', { limit: 1 }, f.alice)).body.data.orders
    expect(ended).toEqual([expect.objectContaining({ ...shown, status: 'CANCELED', endReason: 'USER' })])
    const again = await f.place(f.alice, { ...ASK, newClientOrderId: 'amended' })
    expect([again.headers.get('x-repeated'), again.body.data.id]).toEqual(['true', id])
  })

  test('twice under one id is one amendment, and the order is first in the queue as before', async () => {
    const first = (await f.place(f.alice, { ...ASK, newClientOrderId: 'first' })).body.data.id
    const second = (await f.place(f.alice, ASK)).body.data.id
    for (let time = 0; time < 2; time++) {
      const { body } = await amend({ origClientOrderId: 'first', newQty: '0.1' })
      expect(body.data).toMatchObject({ id: first, quantity: '0.1' })
    }
    await f.place(f.bob, { ...ETH, side: 'BUY', quantity: '0.1', price: '20' })
    const { body } = await f.send('GET', '/api/v3/order', { orderId: first }, f.alice)
    expect(body.data.status).toBe('FILLED')
    await cancel(second)
  })

  test('names the nearest quantity that the order could have, which is then accepted', async () => {
    const iceberg = { ...ASK, icebergQty: '0.25', newClientOrderId: 'near' }
    const { id } = (await f.place(f.alice, iceberg)).body.data
    await f.place(f.bob, { ...ETH, side: 'BUY', quantity: '0.5', price: '20' })
    const wrong: [string, string, string][] = [
      ['1.5', 'AMENDED_QUANTITY_TOO_LARGE', '1'],
      ['0.75000000000000001', 'AMENDED_QUANTITY_TOO_PRECISE', '0.75'],
      ['1000000000000', 'AMENDED_QUANTITY_TOO_PRECISE', '0.75'],
      ['0.5', 'AMENDED_QUANTITY_TOO_SMALL', '0.500001'],
      ['0.1', 'AMENDED_QUANTITY_TOO_SMALL', '0.500001'],
    ]
    for (const [newQty, reason, nearest] of wrong) {
      for (const name of [{ orderId: id }, { origClientOrderId: 'near' }]) {
        const { body } = await amend({ ...name, newQty })
        expect([newQty, body.reason, body.nearest, body.parameter]).toEqual([
          newQty,
          reason,
          nearest,
          'newQty',
        ])
      }
      expect((await amend({ orderId: id, newQty: nearest })).body.data.quantity).toBe(nearest)
    }
    await cancel(id)
  })

  test('is refused by the name of what is wrong, and nothing is changed', async () => {
    const { id } = (await f.place(f.alice, ASK)).body.data
    const wrong: [Fields, string][] = [
      [{ orderId: id }, 'MISSING_PARAMETER'],
      [{ newQty: '0.5' }, 'MISSING_PARAMETER'],
      [{ orderId: id, origClientOrderId: 'a', newQty: '0.5' }, 'INVALID_PARAMETER'],
      [{ orderId: 'x', newQty: '0.5' }, 'INVALID_PARAMETER'],
      [{ orderId: id, newQty: '0' }, 'INVALID_PARAMETER'],
      [{ orderId: id, newQty: '1e3' }, 'INVALID_PARAMETER'],
      [{ orderId: id, newQty: '0.1234567890123456789' }, 'TOO_MANY_DECIMALS'],
      [{ orderId: crypto.randomUUID(), newQty: '0.5' }, 'UNKNOWN_ORDER'],
      [{ origClientOrderId: 'nobody', newQty: '0.5' }, 'UNKNOWN_ORDER'],
    ]
    for (const [fields, reason] of wrong) {
      const { status, body } = await amend(fields)
      expect([fields, status, body.reason]).toEqual([fields, 400, reason])
    }
    const strangers = await amend({ orderId: id, newQty: '0.5' }, f.bob)
    expect(strangers.body.reason).toBe('UNKNOWN_ORDER')
    expect((await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body.data.quantity).toBe('1')
    await cancel(id)
  })
})

describe('replacing an order', () => {
  const replace = (fields: Fields, trader = f.alice): Promise<Seen> =>
    f.send('POST', '/api/v3/order/cancelReplace', fields, trader)
  const STOPPING = { cancelReplaceMode: 'STOP_ON_FAILURE' }
  const GOING_ON = { cancelReplaceMode: 'ALLOW_FAILURE' }
  const NOBODY = '01a0c450-6c7b-7100-8000-00000000ffff'

  test('answers with the answers of a cancel and of a placement, and repeats them by the new id', async () => {
    const { id } = (await f.place(f.alice, ASK)).body.data
    const fields = { ...ASK, ...STOPPING, price: '21', cancelId: id, newClientOrderId: 'replaced' }
    const { status, body, headers } = await replace(fields)
    expect([status, headers.get('x-repeated')]).toEqual([200, null])
    expect(body.data).toEqual({
      cancelResult: 'SUCCESS',
      newOrderResult: 'SUCCESS',
      cancelResponse: { status: true, code: '0000', msg: [expect.any(String)] },
      newOrderResponse: expect.objectContaining({ data: expect.objectContaining({ price: 21, qty: 1 }) }),
    })
    const open = (await f.send('GET', '/api/v3/openOrders', {}, f.alice)).body.data
    expect(open).toEqual([expect.objectContaining({ clientOrderId: 'replaced', price: '21' })])
    const again = await replace(fields)
    expect([again.headers.get('x-repeated'), again.body]).toEqual(['true', body])
    expect((await f.place(f.alice, { ...ASK, newClientOrderId: 'replaced' })).body.reason).toBe(
      'DUPLICATE_CLIENT_ORDER_ID',
    )
    const shown = await replace({
      ...ASK,
      ...STOPPING,
      cancelOrigClientOrderId: 'replaced',
      newOrderRespType: 'RESULT',
    })
    const { newOrderResponse } = shown.body.data
    expect(newOrderResponse.data).toMatchObject({ status: 'NEW', price: '20', isWorking: true })
    await cancel(newOrderResponse.data.id)
  })

  test('says with 409 which of the two was done, and why the other was refused', async () => {
    const dear = { ...ETH, side: 'BUY', quantity: '1000000000', price: '1000000000' }
    const { id } = (await f.place(f.alice, ASK)).body.data
    const canceled = await replace({ ...dear, ...STOPPING, cancelId: id })
    expect([canceled.status, canceled.body]).toEqual([
      409,
      {
        status: false,
        code: '4001',
        msg: [expect.any(String)],
        reason: 'CANCEL_REPLACE_PARTLY_DONE',
        data: {
          cancelResult: 'SUCCESS',
          newOrderResult: 'FAILURE',
          cancelResponse: expect.objectContaining({ status: true }),
          newOrderResponse: expect.objectContaining({ status: false, reason: 'INSUFFICIENT_FUNDS' }),
        },
      },
    ])
    const fields = { ...ASK, ...GOING_ON, cancelId: NOBODY, newClientOrderId: 'alone' }
    const placed = await replace(fields)
    expect([placed.status, placed.body.data]).toEqual([
      409,
      {
        cancelResult: 'FAILURE',
        newOrderResult: 'SUCCESS',
        cancelResponse: expect.objectContaining({ reason: 'UNKNOWN_ORDER' }),
        newOrderResponse: expect.objectContaining({ status: true }),
      },
    ])
    const again = await replace(fields)
    expect([again.status, again.headers.get('x-repeated'), again.body]).toEqual([409, 'true', placed.body])
    const neither = await replace({ ...dear, ...GOING_ON, cancelId: NOBODY })
    expect([neither.status, neither.body.reason]).toEqual([400, 'INSUFFICIENT_FUNDS'])
    await f.send('DELETE', '/api/v3/order', { cancelOrigClientOrderId: 'alone' }, f.alice)
  })

  test('is refused by the name of what is wrong, and nothing is changed', async () => {
    const { id } = (await f.place(f.alice, ASK)).body.data
    const right = { ...ASK, ...STOPPING, cancelId: id }
    const { cancelId: _, ...nameless } = right
    const wrong: [Fields, string][] = [
      [{ ...ASK, cancelId: id }, 'MISSING_PARAMETER'],
      [{ ...right, cancelReplaceMode: 'stop' }, 'INVALID_PARAMETER'],
      [nameless, 'MISSING_PARAMETER'],
      [{ ...right, cancelOrigClientOrderId: 'a' }, 'INVALID_PARAMETER'],
      [{ ...right, cancelRestrictions: 'ONLY_OLD' }, 'INVALID_PARAMETER'],
      [{ ...nameless, cancelOrderId: 5 }, 'MISSPELLED_PARAMETER'],
      [{ ...right, cancelNewClientOrderId: 'b' }, 'UNSUPPORTED_PARAMETER'],
      [{ ...right, price: '0' }, 'INVALID_PARAMETER'],
      [{ ...right, trailingDelta: 50 }, 'PARAMETER_NOT_TAKEN'],
      [{ ...right, strategyId: 5 }, 'UNSUPPORTED_PARAMETER'],
      [{ ...right, cancelId: NOBODY }, 'UNKNOWN_ORDER'],
      [{ ...right, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' }, 'CANCEL_RESTRICTED'],
    ]
    for (const [fields, reason] of wrong) {
      const { status, body } = await replace(fields)
      expect([fields, status, body.reason]).toEqual([fields, 400, reason])
    }
    expect((await f.send('GET', '/api/v3/openOrders', {}, f.alice)).body.data).toHaveLength(1)
    await cancel(id)
  })

  test('needs a signature that is valid for neither a cancel nor a placement', async () => {
    const { id } = (await f.place(f.alice, ASK)).body.data
    const replacing = { ...ASK, ...STOPPING, cancelId: id }
    for (const [method, path, fields] of [
      ['POST', 'order', replacing],
      ['DELETE', 'order', { ...replacing, id }],
      ['DELETE', 'order', { ...ASK, ...STOPPING, cancelOrigClientOrderId: 'any' }],
    ] as const) {
      const { body } = await f.send(method, `/api/v3/${path}`, fields, f.alice)
      expect([method, body.reason]).toEqual([method, 'UNSUPPORTED_PARAMETER'])
    }
    expect((await f.send('GET', '/api/v3/openOrders', {}, f.alice)).body.data).toHaveLength(1)
    await cancel(id)
  })
})
