/** Replacing and amending orders, and order lists, with answers as Binance's documentation shows them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

let f: BinanceFixture
const SYMBOL = { symbol: 'BTCUSDT' }
const SELL = { ...SYMBOL, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', quantity: '1', price: '60000' }
const ORDER = '/api/v3/order'
const REPLACE = '/api/v3/order/cancelReplace'

beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
})
beforeEach(async () => {
  // At another time, so that no two requests have the same signed text.
  f.clock.time += 1_000
  for (const trader of [f.alice, f.bob]) await f.signed('DELETE', '/api/v3/openOrders', SYMBOL, trader)
  f.clock.time += 1_000
})
afterAll(() => f.stop())

const placed = async (fields = SELL) => (await f.signed('POST', ORDER, fields)).body.orderId as number

const figures = (price: string, status: string) => ({
  ...{ price, origQty: '1.00000000', executedQty: '0.00000000', origQuoteOrderQty: '0.00000000' },
  ...{ cummulativeQuoteQty: '0.00000000', status, timeInForce: 'GTC', type: 'LIMIT', side: 'SELL' },
  selfTradePreventionMode: 'NONE',
})

describe('cancelReplace', () => {
  test('answers with the canceled order and the new one', async () => {
    const orderId = await placed()
    f.clock.time++
    const fields = { ...SELL, price: '61000', cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: orderId }
    const { status, body } = await f.signed('POST', REPLACE, { ...fields, newClientOrderId: 'next-1' })
    const now = { orderListId: -1, transactTime: f.clock.time }
    const { orderId: next } = body.newOrderResponse
    expect([status, body]).toEqual([
      200,
      {
        cancelResult: 'SUCCESS',
        newOrderResult: 'SUCCESS',
        cancelResponse: {
          ...{ symbol: 'BTCUSDT', origClientOrderId: `bourse-${orderId}`, orderId, ...now },
          ...{ clientOrderId: `bourse-${orderId}`, ...figures('60000.00000000', 'CANCELED') },
        },
        newOrderResponse: {
          ...{ symbol: 'BTCUSDT', orderId: next, ...now, clientOrderId: 'next-1' },
          ...{ ...figures('61000.00000000', 'NEW'), workingTime: f.clock.time, fills: [] },
        },
      },
    ])
    expect(next).toBeGreaterThan(orderId)
  })

  test('does nothing where the order does not exist, and says that it attempted nothing', async () => {
    const fields = { ...SELL, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: '999999' }
    const { status, body } = await f.signed('POST', REPLACE, fields)
    expect([status, body]).toEqual([
      400,
      {
        ...{ code: -2022, msg: 'Order cancel-replace failed.', reason: 'UNKNOWN_ORDER' },
        data: {
          ...{ cancelResult: 'FAILURE', newOrderResult: 'NOT_ATTEMPTED' },
          ...{ cancelResponse: { code: -2011, msg: 'Unknown order sent.' }, newOrderResponse: null },
        },
      },
    ])
    f.clock.time++
    expect((await f.signed('GET', '/api/v3/openOrders', SYMBOL)).body).toEqual([])
  })

  test('says which of the two was done, where only one was', async () => {
    const fields = { ...SELL, cancelReplaceMode: 'ALLOW_FAILURE', cancelOrderId: '999999' }
    const placedAlone = await f.signed('POST', REPLACE, fields)
    expect([placedAlone.status, placedAlone.body]).toMatchObject([
      409,
      {
        ...{ code: -2021, msg: 'Order cancel-replace partially failed.' },
        data: {
          ...{ cancelResult: 'FAILURE', newOrderResult: 'SUCCESS' },
          cancelResponse: { code: -2011, msg: 'Unknown order sent.' },
          newOrderResponse: { status: 'NEW', fills: [] },
        },
      },
    ])
    const { orderId } = placedAlone.body.data.newOrderResponse
    f.clock.time++
    const dear = { ...SELL, side: 'BUY', quantity: '90000000', cancelReplaceMode: 'STOP_ON_FAILURE' }
    const canceledAlone = await f.signed('POST', REPLACE, { ...dear, cancelOrderId: orderId })
    expect([canceledAlone.status, canceledAlone.body.data]).toMatchObject([
      409,
      {
        ...{ cancelResult: 'SUCCESS', newOrderResult: 'FAILURE' },
        cancelResponse: { orderId, status: 'CANCELED' },
        newOrderResponse: { code: -2010, msg: 'Account has insufficient balance for requested action.' },
      },
    ])
  })

  test('needs the name of an order, and cancels none of another symbol', async () => {
    const fields = { ...SELL, cancelReplaceMode: 'STOP_ON_FAILURE' }
    const nobody = await f.signed('POST', REPLACE, fields)
    expect([nobody.body.code, nobody.body.parameter]).toEqual([-1102, 'cancelOrderId'])
    const orderId = await placed()
    f.clock.time++
    const other = { ...fields, symbol: 'ETHUSDT', cancelOrderId: orderId }
    expect((await f.signed('POST', REPLACE, other)).body.code).toBe(-2022)
    f.clock.time++
    expect((await f.signed('GET', ORDER, { ...SYMBOL, orderId })).body.status).toBe('NEW')
  })
})

describe('amend/keepPriority', () => {
  const AMEND = '/api/v3/order/amend/keepPriority'

  test('answers with the order and its lower quantity', async () => {
    const orderId = await placed()
    const workingTime = f.clock.time
    f.clock.time++
    const { status, body } = await f.signed('PUT', AMEND, { ...SYMBOL, orderId, newQty: '0.4' })
    const id = `bourse-${orderId}`
    expect([status, body]).toEqual([
      200,
      {
        transactTime: f.clock.time,
        executionId: body.executionId,
        amendedOrder: {
          ...{ symbol: 'BTCUSDT', orderId, orderListId: -1, origClientOrderId: id, clientOrderId: id },
          ...{ price: '60000.00000000', qty: '0.40000000', executedQty: '0.00000000' },
          ...{ preventedQty: '0.00000000', quoteOrderQty: '0.00000000', cumulativeQuoteQty: '0.00000000' },
          ...{ status: 'NEW', timeInForce: 'GTC', type: 'LIMIT', side: 'SELL', workingTime },
          selfTradePreventionMode: 'NONE',
        },
      },
    ])
    expect(Number.isSafeInteger(body.executionId)).toBe(true)
  })

  test('finds no order of another symbol, and needs a quantity', async () => {
    const orderId = await placed()
    f.clock.time++
    const other = await f.signed('PUT', AMEND, { symbol: 'ETHUSDT', orderId, newQty: '0.4' })
    expect([other.body.code, other.body.msg]).toEqual([-2013, 'Order does not exist.'])
    f.clock.time++
    expect((await f.signed('PUT', AMEND, { ...SYMBOL, orderId })).body).toMatchObject({ code: -1102 })
  })
})

describe('an order list', () => {
  const LIST = '/api/v3/orderList'
  const OCO = {
    ...{ ...SYMBOL, side: 'SELL', quantity: '1', aboveType: 'LIMIT_MAKER', abovePrice: '70000' },
    ...{
      belowType: 'STOP_LOSS_LIMIT',
      belowStopPrice: '50000',
      belowPrice: '49000',
      belowTimeInForce: 'GTC',
    },
  }

  test('OCO is placed, read by number and id, listed, and canceled as a whole', async () => {
    const { status, body } = await f.signed('POST', `${LIST}/oco`, { ...OCO, listClientOrderId: 'pair-1' })
    const { orderListId } = body
    const [above, below] = body.orders.map(({ orderId }: { orderId: number }) => orderId)
    const orders = [above, below].map((orderId) => ({
      ...{ symbol: 'BTCUSDT', orderId, clientOrderId: `bourse-${orderId}` },
    }))
    const head = {
      ...{ orderListId, contingencyType: 'OCO', listStatusType: 'EXEC_STARTED' },
      ...{ listOrderStatus: 'EXECUTING', listClientOrderId: 'pair-1', transactionTime: f.clock.time },
      ...{ symbol: 'BTCUSDT', orders },
    }
    const report = (orderId: number) => ({
      ...{ symbol: 'BTCUSDT', orderId, orderListId, clientOrderId: `bourse-${orderId}` },
      transactTime: f.clock.time,
    })
    const profit = { ...figures('70000.00000000', 'NEW'), type: 'LIMIT_MAKER', workingTime: f.clock.time }
    const loss = {
      ...{ ...figures('49000.00000000', 'NEW'), type: 'STOP_LOSS_LIMIT', stopPrice: '50000.00000000' },
      workingTime: -1,
    }
    const orderReports = [
      { ...report(above), ...profit },
      { ...report(below), ...loss },
    ]
    expect([status, body]).toEqual([200, { ...head, orderReports }])
    f.clock.time++
    const byId = await f.signed('GET', LIST, { origClientOrderId: 'pair-1' })
    expect(byId.body).toEqual(head)
    const own = { ...head, listClientOrderId: `bourse-${orderListId}` }
    expect((await f.signed('GET', LIST, { orderListId })).body).toEqual(own)
    expect((await f.signed('GET', '/api/v3/openOrderList')).body).toEqual([own])
    expect((await f.signed('GET', '/api/v3/allOrderList', { fromId: orderListId })).body).toEqual([own])
    f.clock.time++
    const canceled = await f.signed('DELETE', LIST, { ...SYMBOL, orderListId })
    expect(canceled.body).toMatchObject({
      ...{ orderListId, listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE', orders },
      transactionTime: f.clock.time,
    })
    expect(canceled.body.orderReports.map((each: { status: string }) => each.status)).toEqual([
      'CANCELED',
      'CANCELED',
    ])
    f.clock.time++
    expect((await f.signed('GET', '/api/v3/openOrderList')).body).toEqual([])
  })

  test('OTO and OTOCO wait with their pending orders', async () => {
    const working = { workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '40000', workingQuantity: '1' }
    const terms = { ...SYMBOL, ...working, workingTimeInForce: 'GTC', pendingSide: 'SELL' }
    const pending = { pendingType: 'LIMIT', pendingPrice: '80000', pendingQuantity: '0.5' }
    const oto = await f.signed('POST', `${LIST}/oto`, { ...terms, ...pending, pendingTimeInForce: 'GTC' })
    const statuses = ({ body }: typeof oto) =>
      body.orderReports.map((each: { status: string; type: string }) => `${each.type} ${each.status}`)
    expect([oto.body.contingencyType, statuses(oto)]).toEqual(['OTO', ['LIMIT NEW', 'LIMIT PENDING_NEW']])
    f.clock.time++
    const pair = {
      ...{ pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: '80000', pendingQuantity: '0.5' },
      ...{ pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: '30000' },
    }
    const otoco = await f.signed('POST', `${LIST}/otoco`, { ...terms, ...pair, newOrderRespType: 'ACK' })
    expect(otoco.body.orders).toHaveLength(3)
    expect(Object.keys(otoco.body.orderReports[0])).toEqual([
      ...['symbol', 'orderId', 'orderListId', 'clientOrderId', 'transactTime'],
    ])
  })

  test('is a duplicate under a used id, unknown where it does not exist, and needs a name', async () => {
    const first = await f.signed('POST', `${LIST}/oco`, { ...OCO, listClientOrderId: 'pair-2' })
    f.clock.time++
    const again = await f.signed('POST', `${LIST}/oco`, { ...OCO, listClientOrderId: 'pair-2' })
    expect([again.status, again.body]).toMatchObject([
      400,
      { code: -2010, msg: 'Duplicate order sent.', orderListId: first.body.orderListId },
    ])
    const none = await f.signed('GET', LIST, { orderListId: '999999' })
    expect([none.body.code, none.body.msg]).toEqual([-2013, 'Order list does not exist.'])
    expect((await f.signed('GET', LIST)).body).toMatchObject({ code: -1102, parameter: 'orderListId' })
    const gone = await f.signed('DELETE', LIST, { ...SYMBOL, orderListId: '999999' })
    expect(gone.body).toMatchObject({ code: -2011 })
    const foreign = await f.signed('GET', LIST, { orderListId: first.body.orderListId }, f.bob)
    expect(foreign.body.code).toBe(-2013)
  })
})
