/** Order lists over HTTP (docs/reference/order-lists.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const SYMBOL = { symbol: 'ETH/USDT' }
const OCO = {
  ...SYMBOL,
  side: 'SELL',
  quantity: '1',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '9000',
  belowType: 'STOP_LOSS_LIMIT',
  belowStopPrice: '1100',
  belowPrice: '1000',
}
const WORKING = {
  ...SYMBOL,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '1200',
  workingQuantity: '1',
}
const OTO = { ...WORKING, pendingType: 'LIMIT_MAKER', pendingSide: 'SELL', pendingPrice: '8000' }
const OTOCO = {
  ...WORKING,
  pendingSide: 'SELL',
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '8000',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '1100',
}
const BY_KIND = { oco: OCO, oto: OTO, otoco: OTOCO } as const
type Kind = keyof typeof BY_KIND

const place = (kind: Kind, fields: Fields = BY_KIND[kind]) =>
  f.send('POST', `/api/v3/orderList/${kind}`, fields, f.alice)
const read = (fields: Fields) => f.send('GET', '/api/v3/orderList', fields, f.alice)
const cancel = (fields: Fields) => f.send('DELETE', '/api/v3/orderList', fields, f.alice)
const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

async function placed(kind: Kind, fields: Fields = BY_KIND[kind]) {
  const { body } = await place(kind, fields)
  expect(body).toMatchObject({ status: true })
  return body.data
}

/** The refusal of a list; an accepted list is canceled. */
async function outcome(kind: Kind, fields: Fields): Promise<string> {
  const { body } = await place(kind, fields)
  if (body.status !== true) return `${body.reason}: ${body.msg[0]}`
  await cancel({ cancelListId: body.data.listId })
  return 'placed'
}

describe('an order list', () => {
  test('is answered with its orders, read by its id, and canceled as a whole by it', async () => {
    const kinds = [
      ['oco', 'OCO', 2],
      ['oto', 'OTO', 2],
      ['otoco', 'OTO', 3],
    ] as const
    for (const [kind, contingencyType, count] of kinds) {
      const list = await placed(kind)
      const { listId } = list
      expect(list).toMatchObject({
        contingencyType,
        listStatusType: 'EXEC_STARTED',
        listOrderStatus: 'EXECUTING',
      })
      expect(list.orders.map((order: Fields) => [order.status, order.listId])).toEqual(
        Array.from({ length: count }, () => ['NEW', listId]),
      )
      expect((await read({ listId })).body.data).toEqual(list)
      const canceled = (await cancel({ cancelListId: listId })).body.data
      expect(canceled).toMatchObject({ listId, listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' })
      const reasons = canceled.orders.map((order: Fields) => order.endReason)
      expect(reasons).toEqual(['USER', ...Array.from({ length: count - 1 }, () => 'LIST')])
      expect((await read({ listId })).body.data).toEqual(canceled)
      expect((await cancel({ cancelListId: listId })).body).toMatchObject({ reason: 'UNKNOWN_ORDER_LIST' })
    }
  })

  test('shows its orders with their places among the open orders, pending ones without a quantity', async () => {
    const { listId } = await placed('otoco')
    const { body } = await f.send('GET', '/api/v3/openOrders', SYMBOL, f.alice)
    expect(body.data.map((order: Fields) => [order.listId, order.quantity, order.isWorking])).toEqual([
      [listId, undefined, false],
      [listId, undefined, false],
      [listId, '1', true],
    ])
    await cancel({ cancelListId: listId })
  })

  test('ends as a whole when one of its orders is canceled', async () => {
    for (const kind of ['oco', 'oto', 'otoco'] as const) {
      const { listId, orders } = await placed(kind)
      const { status } = await f.send('DELETE', '/api/v3/order', { id: orders.at(-1).id }, f.alice)
      expect([status, (await read({ listId })).body.data.listOrderStatus]).toEqual([200, 'ALL_DONE'])
    }
  })

  test('places its pending orders when its working order is filled, for the received amount', async () => {
    const { listId } = await placed('otoco')
    await f.place(f.bob, { ...SYMBOL, side: 'SELL', type: 'LIMIT', quantity: '1', price: '1200' })
    const { orders } = (await read({ listId })).body.data
    expect(orders[0]).toMatchObject({ status: 'FILLED' })
    const { commission } = orders[0]
    const received = (1 - Number(commission)).toString()
    expect(orders.slice(1).map((order: Fields) => order.quantity)).toEqual([received, received])
    expect(orders.slice(1).map((order: Fields) => order.isWorking)).toEqual([true, false])
    const ended = (await cancel({ cancelListId: listId })).body.data
    expect(ended.orders.map((order: Fields) => order.quantity)).toEqual(['1', received, received])
  })

  test('shows for a pending order that spends the proceeds the total that it got, while it is open and after its end', async () => {
    const working = { ...WORKING, workingSide: 'SELL', workingPrice: '5000', workingQuantity: '0.01' }
    const stops = { pendingType: 'STOP_LOSS', pendingSide: 'BUY', pendingStopPrice: '7000' }
    const lists = []
    for (const pending of [{ pendingType: 'MARKET', pendingSide: 'BUY' }, stops])
      lists.push(await placed('oto', { ...working, ...pending }))
    for (const { orders } of lists) expect(orders[1].total).toBeUndefined()
    const offer = { ...SYMBOL, side: 'SELL', type: 'LIMIT', quantity: '0.001', price: '5001' }
    await f.place(f.bob, offer)
    await f.place(f.bob, { ...SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '0.02', price: '5000' })
    for (const [place, { listId }] of lists.entries()) {
      const totals = async () => {
        const { orders } = (await read({ listId })).body.data
        const { id } = orders[1]
        const all = (await f.send('GET', '/api/v3/allOrders', SYMBOL, f.alice)).body.data
        const one = (await f.send('GET', '/api/v3/order', { orderId: id }, f.alice)).body.data
        const same = all.orders.find((order: Fields) => order.id === id)
        return [orders[1], one, same].map(({ total, status }) => [total, status])
      }
      const { orders } = (await read({ listId })).body.data
      const proceeds = (Number(orders[0].executedTotal) - Number(orders[0].commission)).toString()
      const status = place === 0 ? 'CANCELED' : 'NEW'
      expect(await totals()).toEqual(Array.from({ length: 3 }, () => [proceeds, status]))
      await cancel({ cancelListId: listId })
      expect(await totals()).toEqual(Array.from({ length: 3 }, () => [proceeds, 'CANCELED']))
    }
    await f.send('DELETE', '/api/v3/openOrders', { ...SYMBOL, scope: 'SYMBOL' }, f.bob)
  })
})

describe('a list with an id', () => {
  test('that is sent again is placed once, and found and canceled by its id', async () => {
    const listClientOrderId = crypto.randomUUID()
    const fields = { ...OCO, listClientOrderId, aboveClientOrderId: crypto.randomUUID() }
    const first = await place('oco', fields)
    const again = await place('oco', { ...fields, quantity: '1.00' })
    expect(again.headers.get('X-Repeated')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect((await place('oco', { ...fields, quantity: '2' })).body.reason).toBe('DUPLICATE_CLIENT_ORDER_ID')
    expect((await read({ listClientOrderId })).body.data).toEqual(first.body.data)
    const origClientOrderId = fields.aboveClientOrderId
    const leg = (await f.send('GET', '/api/v3/order', { origClientOrderId }, f.alice)).body.data
    expect(leg).toEqual(first.body.data.orders[0])
    expect((await cancel({ cancelListClientOrderId: listClientOrderId })).status).toBe(200)
    expect((await place('oco', fields)).body.data.listOrderStatus).toBe('ALL_DONE')
  })

  test('belongs to its account alone, and an unknown or malformed id is an error that says so', async () => {
    const listClientOrderId = crypto.randomUUID()
    const { listId } = await placed('oco', { ...OCO, listClientOrderId })
    for (const fields of [{ listId }, { listClientOrderId }]) {
      const { body } = await f.send('GET', '/api/v3/orderList', fields, f.bob)
      expect(body.reason).toBe('UNKNOWN_ORDER_LIST')
    }
    expect((await read({ listId: 'x' })).body.reason).toBe('INVALID_PARAMETER')
    expect((await read({ listId: crypto.randomUUID() })).body.reason).toBe('UNKNOWN_ORDER_LIST')
    expect((await read({})).body.msg[0]).toContain('listId')
    expect((await read({ listId, listClientOrderId })).body.reason).toBe('INVALID_PARAMETER')
    await cancel({ cancelListId: listId })
  })

  test('that is unknown is final once something later than its deadline is durable, and a known one is shown', async () => {
    const listClientOrderId = crypto.randomUUID()
    f.clock.time += 2_000
    const now = f.clock.time
    const finality = async (fields: Fields) => (await read({ listClientOrderId, ...fields })).body.isFinal
    expect(await finality({})).toBeUndefined()
    expect(await finality({ deadline: now })).toBe(false)
    expect(await finality({ deadline: now - 1 })).toBe(true)
    expect(await finality({ deadline: now - 1, firstAttempt: now - 25 * 3_600_000 })).toBe(false)
    const { listId } = await placed('oco', { ...OCO, listClientOrderId })
    expect((await read({ listClientOrderId, deadline: now - 1 })).body.data.listId).toBe(listId)
    expect((await read({ listId, deadline: now })).body.msg[0]).toContain('listClientOrderId')
    await cancel({ cancelListId: listId })
  })

  test('gives each of its orders a different one', async () => {
    const ids = { listClientOrderId: 'same', belowClientOrderId: 'same' }
    expect(await outcome('oco', { ...OCO, ...ids })).toContain('belowClientOrderId')
  })
})

describe('the parameters of a list', () => {
  test('are exactly what its kind takes', async () => {
    for (const [kind, fields] of Object.entries(BY_KIND) as [Kind, Fields][]) {
      for (const name of Object.keys(fields)) {
        const found = await outcome(kind, without(fields, name))
        expect([name, found]).toEqual([
          name,
          expect.stringContaining(`MISSING_PARAMETER: The parameter ${name}`),
        ])
      }
      for (const name of ['price', 'icebergQty', 'aboveIcebergQty', 'trailingDelta', 'workingIcebergQty'])
        expect(await outcome(kind, { ...fields, [name]: '1' })).toStartWith('INVALID_PARAMETER')
    }
  })

  test('refuse a value that no list takes', async () => {
    const cases: readonly (readonly [Kind, Fields, string])[] = [
      ['oco', { ...OCO, aboveType: 'LIMIT' }, 'aboveType'],
      ['oco', { ...OCO, side: 'BUY' }, 'aboveType'],
      ['oco', { ...OCO, belowType: 'LIMIT_MAKER' }, 'belowType'],
      ['oco', { ...OCO, aboveStopPrice: '1' }, 'aboveStopPrice'],
      ['oco', { ...OCO, aboveTimeInForce: 'GTC' }, 'aboveTimeInForce'],
      ['oco', { ...OCO, aboveTotal: '1' }, 'aboveTotal'],
      ['oco', { ...OCO, belowPrice: '1.001' }, 'belowPrice'],
      ['oco', { ...OCO, belowTimeInForce: 'GTD' }, 'belowTimeInForce'],
      ['oto', { ...OTO, workingType: 'MARKET' }, 'workingType'],
      ['oto', { ...OTO, newOrderRespType: 'FULL' }, 'newOrderRespType'],
      ['oto', { ...OTO, pendingSide: 'BUY' }, 'pendingSide'],
      ['oto', { ...OTO, pendingTotal: '1' }, 'pendingTotal'],
      ['otoco', { ...OTOCO, pendingBelowType: 'LIMIT_MAKER' }, 'pendingBelowType'],
    ]
    for (const [kind, fields, name] of cases) expect(await outcome(kind, fields)).toContain(name)
  })

  test('may name a quantity for the pending order, on either side', async () => {
    expect(await outcome('oto', { ...OTO, pendingQuantity: '0.5' })).toBe('placed')
    const buy = { ...OTO, pendingSide: 'BUY', pendingPrice: '1100', pendingQuantity: '0.5' }
    expect(await outcome('oto', buy)).toBe('placed')
  })

  test('may name a total for an order that buys at any price', async () => {
    const buy = {
      ...SYMBOL,
      side: 'BUY',
      quantity: '1',
      aboveType: 'STOP_LOSS',
      aboveStopPrice: '9000',
      belowType: 'LIMIT_MAKER',
      belowPrice: '1100',
    }
    expect(await outcome('oco', buy)).toContain('aboveTotal')
    expect(await outcome('oco', { ...buy, aboveTotal: '5000' })).toBe('placed')
  })
})
