/**
 * Orders under client order ids over HTTP: repeats, deadlines, queries of the outcome, canceling
 * (docs/reference/client-order-ids.md).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TimeMs } from '../../units/quantities.ts'
import { SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const BUY = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '10' }

let f: Fixture
let ids = 0
beforeAll(async () => {
  f = await openFixture()
})
afterAll(() => f.stop())

const newId = () => `id-${++ids}`
const place = (fields: Fields, trader = f.alice) => f.place(trader, { ...BUY, ...fields })
const ask = (fields: Fields, trader = f.alice) => f.send('GET', '/api/v3/order', fields, trader)
const cancel = (fields: Fields, trader = f.alice) => f.send('DELETE', '/api/v3/order', fields, trader)
const open = async () => (await f.send('GET', '/api/v3/order/active', {}, f.alice)).body.length

describe('an order with newClientOrderId', () => {
  test('that is sent again is answered exactly as before, marked, and placed once', async () => {
    const newClientOrderId = newId()
    const first = await place({ newClientOrderId })
    expect([first.status, first.headers.get('x-repeated')]).toEqual([200, null])
    const before = await open()
    for (const fields of [{}, { price: '10.00' }, { timeInForce: 'GTC', recvWindow: '9000', total: '10' }]) {
      const again = await place({ newClientOrderId, ...fields })
      expect([again.status, again.text, again.headers.get('x-repeated')]).toEqual([200, first.text, 'true'])
    }
    expect(await open()).toBe(before)
  })

  test('that was MARKET is answered with what was executed then', async () => {
    await place({ side: 'SELL', price: '12', quantity: '3' })
    const order = { symbol: 'ETH/USDT', side: 'BUY', type: 'MARKET', total: '12', newClientOrderId: newId() }
    const first = await f.place(f.bob, order)
    const again = await f.place(f.bob, order)
    expect(first.body.data).toMatchObject({ qty: 1, total: 12 })
    expect(again.text).toBe(first.text)
  })

  test('is refused for an id of another form, by name, and nothing is placed', async () => {
    for (const newClientOrderId of ['', 'a b', 'x'.repeat(37), 'é']) {
      const { status, body } = await place({ newClientOrderId })
      expect([status, body.reason, body.msg[0].includes('newClientOrderId')]).toEqual([
        400,
        'INVALID_PARAMETER',
        true,
      ])
    }
    expect((await place({ NewClientOrderID: 'a' })).body.reason).toBe('MISSPELLED_PARAMETER')
  })

  test('is reported by a test of the order as a repeat, with its first answer', async () => {
    const newClientOrderId = newId()
    const tested = (fields: Fields) =>
      f.send('POST', '/api/v3/order/test', { ...BUY, newClientOrderId, test: 'true', ...fields }, f.alice)
    expect((await tested({})).body.data.status).toBe('NEW')
    const placed = await place({ newClientOrderId })
    expect((await tested({})).body.data).toEqual({
      isRepeat: true,
      id: placed.body.data.id,
      clientOrderId: newClientOrderId,
      symbol: 'ETH/USDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      status: 'NEW',
      executedQuantity: '0',
      executedTotal: '0',
      createdAt: f.clock.time,
    })
    expect((await tested({ price: '11' })).body.reason).toBe('DUPLICATE_CLIENT_ORDER_ID')
  })
})

test('a repeat uses no order limit, and is answered where the limit allows no new order', async () => {
  const limits = {
    ...SANDBOX_LIMITS,
    orderWindows: [{ name: '10S', windowMs: 10_000, ordersMax: 2 }],
  }
  const small = await openFixture({ config: { ...SANDBOX_GATEWAY, limits } })
  try {
    const send = (fields: Fields) => small.place(small.alice, { ...BUY, ...fields })
    const count = 'x-mbx-order-count-10s'
    const first = await send({ newClientOrderId: 'a' })
    expect(first.headers.get(count)).toBe('1')
    for (let i = 0; i < 5; i++) expect((await send({ newClientOrderId: 'a' })).text).toBe(first.text)
    expect((await send({ newClientOrderId: 'b' })).headers.get(count)).toBe('2')
    expect((await send({ newClientOrderId: 'c' })).body.reason).toBe('ORDER_RATE_LIMITED')
    expect((await send({})).body.reason).toBe('ORDER_RATE_LIMITED')
    const again = await send({ newClientOrderId: 'a' })
    expect([again.status, again.text, again.headers.get('x-repeated')]).toEqual([200, first.text, 'true'])
    expect((await send({ newClientOrderId: 'a', price: '11' })).body.reason).toBe('DUPLICATE_CLIENT_ORDER_ID')
  } finally {
    await small.stop()
  }
})

describe('GET order', () => {
  test('finds an order by its client id, open or not, and none of another account', async () => {
    const newClientOrderId = newId()
    const placed = await place({ newClientOrderId })
    const wanted = {
      id: placed.body.data.id,
      clientOrderId: newClientOrderId,
      symbol: 'ETH/USDT',
      createdAt: f.clock.time,
    }
    expect((await ask({ origClientOrderId: newClientOrderId })).body.data).toMatchObject({
      ...wanted,
      status: 'NEW',
      isWorking: true,
    })
    await cancel({ id: placed.body.data.id })
    expect((await ask({ origClientOrderId: newClientOrderId })).body.data).toMatchObject({
      ...wanted,
      status: 'CANCELED',
      endReason: 'USER',
    })
    expect((await ask({ origClientOrderId: newClientOrderId }, f.bob)).body.reason).toBe(
      'UNKNOWN_CLIENT_ORDER_ID',
    )
    expect((await ask({})).body.reason).toBe('MISSING_PARAMETER')
    const both = { origClientOrderId: newClientOrderId, orderId: placed.body.data.id }
    expect((await ask(both)).body.reason).toBe('INVALID_PARAMETER')
  })

  test('shows isFinal only with a deadline, and only once something later is durable', async () => {
    const finality = async (deadline: number | undefined) =>
      (
        await ask({
          origClientOrderId: 'never',
          ...(deadline === undefined ? {} : { deadline: `${deadline}` }),
        })
      ).body.isFinal
    const now = f.clock.time
    expect(await finality(undefined)).toBeUndefined()
    expect(await finality(now + 1)).toBe(false)
    expect(await finality(now)).toBe(false)
    f.clock.time = now + 2_000
    // The query itself causes later commands to be stored.
    expect(await finality(now)).toBe(true)
    expect(await finality(now + 1_999)).toBe(true)
    f.clock.time = now + 2_500
    expect(await finality(now + 2_400)).toBe(false)
    await place({})
    expect(await finality(now + 2_400)).toBe(true)
    expect(await finality(now - 23 * 3_600_000)).toBe(false)
    f.clock.time = now + 10_000
    expect(await finality(Number.NaN)).toBeUndefined()
  })

  test('shows isFinal by the first attempt where it is named, as long as no order since then can be forgotten', async () => {
    const DAY = 24 * 3_600_000
    const finality = async (deadline: number, firstAttempt: number) => {
      const asked = { origClientOrderId: 'never', deadline: `${deadline}`, firstAttempt: `${firstAttempt}` }
      return (await ask(asked)).body.isFinal
    }
    f.clock.time += 2_000
    const now = f.clock.time
    expect(await finality(now - 1_000, now - 5 * 3_600_000)).toBe(true)
    expect(await finality(now - 1_000, now - DAY + 60_001)).toBe(true)
    expect(await finality(now - 1_000, now - DAY + 60_000)).toBe(false)
    expect(await finality(now - 23 * 3_600_000, now - 23 * 3_600_000)).toBe(true)
    const wrong = { origClientOrderId: 'never', deadline: `${now}`, firstAttempt: `${now + 1}` }
    expect((await ask(wrong)).body.reason).toBe('INVALID_PARAMETER')
    const alone = await ask({ origClientOrderId: 'never', firstAttempt: `${now}` })
    expect(alone.body.reason).toBe('MISSING_PARAMETER')
  })

  test('journals the time at most once a second, however often it is called', async () => {
    const before = f.services.market.seq
    f.clock.time += 5_000
    for (let i = 0; i < 20; i++) await ask({ origClientOrderId: 'never', deadline: `${f.clock.time - 1}` })
    expect(f.services.market.seq - before).toBe(1)
  })
})

test('DELETE order cancels by client id the order that is open under it', async () => {
  const newClientOrderId = newId()
  await place({ newClientOrderId })
  const before = await open()
  expect((await cancel({ cancelOrigClientOrderId: newClientOrderId }, f.bob)).body.reason).toBe(
    'UNKNOWN_ORDER',
  )
  expect((await cancel({ cancelOrigClientOrderId: newClientOrderId })).body).toEqual({
    status: true,
    code: '0000',
    msg: ['The order has been canceled.'],
  })
  expect(await open()).toBe(before - 1)
  expect((await cancel({ cancelOrigClientOrderId: newClientOrderId })).body.reason).toBe('UNKNOWN_ORDER')
  const both = await cancel({ cancelOrigClientOrderId: newClientOrderId, id: crypto.randomUUID() })
  expect(both.body.reason).toBe('INVALID_PARAMETER')
  expect((await cancel({ cancelOrigClientOrderId: 'a b' })).body.reason).toBe('INVALID_PARAMETER')
})

test('DELETE order names both ids, of which it accepts one, where neither is given', async () => {
  const { msg } = (await cancel({ origClientOrderId: newId() })).body
  expect(msg).toEqual(['The parameter id or cancelOrigClientOrderId is required.'])
})

test('an order or a list whose window has closed while it waited for the engine is refused with the text of a window, and never placed', async () => {
  const late = await openFixture({
    wrap: (services) => ({
      ...services,
      engine: {
        ...services.engine,
        ask: (...question) => services.engine.ask(...question),
        follow: (...listeners) => services.engine.follow(...listeners),
        hand: (...command) => {
          late.clock.time += 6_000
          services.engine.hand(...command)
        },
        submit: (command, deadline) => {
          late.clock.time += 6_000
          return services.engine.submit(command, deadline)
        },
      },
    }),
  })
  try {
    const list = {
      ...{
        symbol: 'ETH/USDT',
        side: 'SELL',
        quantity: '1',
        listClientOrderId: 'list',
        aboveClientOrderId: 'leg',
      },
      ...{ aboveType: 'LIMIT_MAKER', abovePrice: '9000', belowType: 'STOP_LOSS', belowStopPrice: '10' },
    }
    const refused = await late.send('POST', '/api/v3/orderList/oco', list, late.alice)
    expect([refused.status, refused.body.reason]).toEqual([401, 'TIMESTAMP_EXPIRED'])
    const deadline = late.clock.time - 1_000
    for (const [path, name] of [
      ['order', { origClientOrderId: 'leg' }],
      ['orderList', { listClientOrderId: 'list' }],
    ] as const) {
      const { body } = await late.send('GET', `/api/v3/${path}`, { ...name, deadline }, late.alice)
      expect(body.isFinal).toBe(true)
    }
    const sentAt = late.clock.time
    const { status, body } = await late.place(late.alice, { ...BUY, newClientOrderId: 'late' })
    expect([status, body.reason]).toEqual([401, 'TIMESTAMP_EXPIRED'])
    expect(body.msg[0]).toContain(`${sentAt + 6_000}`)
    const found = await late.engine.ask('clientOrder', {
      accountId: late.alice.accountId,
      clientOrderId: 'late',
    })
    expect(found).toEqual({ order: undefined, time: sentAt as TimeMs })
  } finally {
    await late.stop()
  }
})
