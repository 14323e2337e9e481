/** Orders over the stream: their effects, answers and order, and the effect of the connection's end. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Fixture, Trader } from '../../src/server/public/gateway.fixture.ts'
import { exactValues } from '../../src/server/stream/exact-values.ts'
import { until } from '../support/until.ts'
import {
  type EntryClient,
  loginFields,
  plainEntry,
  socketIoEntry,
  TRANSPORTS,
} from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '100' }

let f: Fixture
beforeAll(async () => {
  f = await openExchange()
})
afterAll(() => f.stop())

async function openIds(trader: Trader): Promise<string[]> {
  const { body } = await f.send('GET', '/api/v3/order/active', { symbol: 'BTC/USDT' }, trader)
  return (body as { id: string }[]).map(({ id }) => id)
}

for (const [name, connect] of TRANSPORTS) {
  describe(`over ${name}`, () => {
    let client: EntryClient
    beforeAll(async () => {
      client = await connect(f.url)
      expect((await client.login(f.alice, f.clock.time)).status).toBe(200)
    })
    afterAll(() => client.close())

    test('an order is placed and canceled, and each answer is that of HTTP', async () => {
      const placed = await client.ask('order.place', ORDER)
      const byHttp = await f.place(f.alice, ORDER)
      expect(placed.status).toBe(200)
      const { id, created_at, ...rest } = byHttp.body.data
      expect(placed.body).toEqual({ ...byHttp.body, data: { ...rest, id: expect.any(String), created_at } })
      expect(await openIds(f.alice)).toContain(placed.body.data.id)
      const canceled = await client.ask('order.cancel', { id: placed.body.data.id })
      expect(canceled.status).toBe(200)
      const byHttpToo = await f.send('DELETE', '/api/v3/order', { id }, f.alice)
      expect(canceled.body).toEqual(byHttpToo.body)
      expect(await openIds(f.alice)).toEqual([])
    })

    test('an order is answered with its fills where it asks for them, as over HTTP', async () => {
      const order = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '0.5', price: '100' }
      await f.place(f.bob, { ...order, side: 'SELL' })
      const full = { ...order, side: 'BUY', timeInForce: 'IOC', newOrderRespType: 'FULL' }
      const { status, body } = await client.ask('order.place', full)
      const fill = { price: '100', quantity: '0.5', commissionAsset: 'BTC', isMaker: false }
      expect([status, body.data]).toMatchObject([200, { status: 'FILLED', fills: [fill] }])
    })

    test('an answer names its request, a number or a text', async () => {
      for (const id of [7, 'a "b"', -1]) {
        expect(await client.ask('order.cancel', { id: crypto.randomUUID() }, id)).toMatchObject({
          id,
          status: 400,
          body: { reason: 'UNKNOWN_ORDER' },
        })
      }
    })

    test('an order that is placed again under its client order id has the same answer, marked by one more element', async () => {
      const order = { ...ORDER, newClientOrderId: crypto.randomUUID() }
      const first = await client.ask('order.place', order)
      const again = await client.ask('order.place', order)
      expect([first.status, first.mark]).toEqual([200, undefined])
      expect([again.status, again.body, again.mark]).toEqual([200, first.body, { repeated: true }])
      await client.ask('order.cancel', { cancelOrigClientOrderId: order.newClientOrderId })
      expect(await openIds(f.alice)).toEqual([])
    })

    test('requests are processed in the order in which they were sent, without waiting for answers', async () => {
      const before = client.answers.length
      for (let price = 1; price <= 50; price++) client.send('order.place', price, { ...ORDER, price })
      await until('fifty answers', () => client.answers.length === before + 50)
      const answers = client.answers.slice(before)
      expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
      const ids = answers.map(({ body }) => body.data.id)
      expect([...ids].sort()).toEqual(ids)
      for (const id of ids) await client.ask('order.cancel', { id })
    })

    test('a request that is refused changes nothing and is answered with the body of HTTP', async () => {
      for (const fields of [
        { ...ORDER, quantity: '0' },
        { ...ORDER, symbol: 'BTC/EUR' },
        { ...ORDER, price: '1.001' },
        { ...ORDER, icebergQty: '5' },
        { ...ORDER, Side: 'BUY' },
        { symbol: 'BTC/USDT' },
      ]) {
        const { status, body } = await f.place(f.alice, fields)
        expect(await client.ask('order.place', fields)).toMatchObject({ status, body })
      }
      expect(await openIds(f.alice)).toEqual([])
    })
  })
}

describe('an acknowledgement of Socket.IO', () => {
  test.each([['websocket'], ['polling']])('over %s has the content of the answer', async (transport) => {
    const client = await socketIoEntry(f.url, [transport])
    const fields = loginFields(f.alice, f.clock.time)
    expect(await client.acknowledged('login', fields)).toMatchObject(['login', 200, { status: true }])
    for (const [mine, order] of [ORDER, { ...ORDER, quantity: '0' }].entries()) {
      const [id, status, body] = await client.acknowledged('order.place', mine, order)
      const answer = () => client.answers.find((each) => each.id === mine)
      await until('the answer is there too', () => answer() !== undefined)
      expect({ id, status, body }).toEqual({ ...answer() } as never)
      if (status === 200) {
        await client.ask('order.cancel', { id: (body as { data: { id: string } }).data.id })
      }
    }
    client.close()
  })

  test('has the exact numbers of the answer, which double precision would change', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 40n })), fc.jsonValue(), (numbers, value) => {
        const texts = numbers.map((number) => `${number}.${String(number).slice(0, 9)}1`)
        const json = `["a",{"total":[${texts.join(',')}],"x":${JSON.stringify(value)}}]`
        expect(JSON.stringify(exactValues(json))).toBe(json)
      }),
    )
  })
})

test('without a login nothing is done, and the answer says that it was not', async () => {
  const client = await plainEntry(f.url)
  expect(await client.ask('order.place', ORDER)).toMatchObject({
    status: 401,
    body: { reason: 'LOGIN_REQUIRED' },
  })
  expect(await openIds(f.alice)).toEqual([])
  client.close()
})

test('an unknown parameter is refused by its name', async () => {
  const client = await plainEntry(f.url)
  await client.login(f.alice, f.clock.time)
  for (const [name, params, foreign] of [
    ['order.place', { ...ORDER, colour: 'red' }, 'colour'],
    ['order.cancel', { id: crypto.randomUUID(), price: '1' }, 'price'],
    ['order.place', { ...ORDER, quantity: null }, 'quantity'],
    ['order.place', { ...ORDER, quantity: { a: 1 } }, 'quantity'],
    ['order.place', { ...ORDER, isHidden: true }, 'isHidden'],
    ['order.place', JSON.parse('{"__proto__":"x"}'), '__proto__'],
  ] as const) {
    const { status, body } = await client.ask(name, params)
    expect([status, body.reason]).toEqual([400, 'INVALID_PARAMETER'])
    expect(body.msg[0]).toContain(`parameter ${foreign} must be`)
  }
  client.close()
})

test('a time window holds for a request that gives one, and only for that', async () => {
  const client = await plainEntry(f.url)
  await client.login(f.alice, f.clock.time)
  const late = await client.ask('order.place', { ...ORDER, timestamp: f.clock.time - 6_000 })
  expect(late).toMatchObject({ status: 401, body: { reason: 'TIMESTAMP_EXPIRED' } })
  const alone = await client.ask('order.place', { ...ORDER, recvWindow: 10 })
  expect(alone).toMatchObject({ status: 400, body: { reason: 'MISSING_PARAMETER' } })
  const inTime = await client.ask('order.place', { ...ORDER, timestamp: f.clock.time, recvWindow: '10' })
  expect(inTime.status).toBe(200)
  await client.ask('order.cancel', { id: inTime.body.data.id })
  client.close()
})

test('a deadline holds for every request that may come too late: when it arrives, and an hour ahead at most', async () => {
  const client = await plainEntry(f.url)
  await client.login(f.alice, f.clock.time)
  const { time } = f.clock
  const operations = JSON.stringify([{ method: 'POST', ...ORDER }])
  for (const [name, params] of [
    ['order.place', ORDER],
    ['order.amend', { origClientOrderId: 'a', newQty: '1' }],
    ['order.cancelReplace', { ...ORDER, cancelReplaceMode: 'ALLOW_FAILURE', cancelOrigClientOrderId: 'a' }],
    ['order.batch', { operations }],
  ] as const) {
    const over = await client.ask(name, { ...params, deadline: time - 1 })
    expect([name, over.status, over.body.reason]).toEqual([name, 400, 'DEADLINE_OVER'])
    const far = await client.ask(name, { ...params, deadline: time + 3_600_001 })
    expect([name, far.body.reason]).toEqual([name, 'INVALID_PARAMETER'])
  }
  const now = await client.ask('order.place', { ...ORDER, deadline: time, timestamp: time })
  const ahead = await client.ask('order.place', { ...ORDER, deadline: `${time + 3_600_000}` })
  expect([now.status, ahead.status]).toEqual([200, 200])
  for (const { body } of [now, ahead]) await client.ask('order.cancel', { id: body.data.id })
  const batch = await client.ask('order.batch', { operations, deadline: time })
  expect(batch.body.data).toMatchObject([{ status: 200 }])
  const [placed] = batch.body.data as unknown as [
    { readonly body: { readonly data: { readonly id: string } } },
  ]
  const { id } = placed.body.data
  const order = { origClientOrderId: 'timed', newQty: ORDER.quantity }
  const replaced = await client.ask('order.cancelReplace', {
    ...{ ...ORDER, cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: id, newClientOrderId: 'timed' },
    deadline: time,
  })
  expect(replaced.status).toBe(200)
  expect((await client.ask('order.amend', { ...order, deadline: time })).status).toBe(200)
  await client.ask('order.cancel', { cancelOrigClientOrderId: 'timed' })
  const cancel = await client.ask('order.cancel', { id: now.body.data.id, deadline: time })
  expect(cancel.body.reason).toBe('INVALID_PARAMETER')
  client.close()
})

test('a request that waits for the engine until its deadline is over is refused, and never done', async () => {
  let isSlow = false
  const late = await openExchange({
    wrap: (services) => {
      const wait = () => {
        if (isSlow) late.clock.time += 10
      }
      const { engine } = services
      return {
        ...services,
        engine: {
          ...engine,
          ask: (...question) => engine.ask(...question),
          follow: (...listeners) => engine.follow(...listeners),
          hand: (...command) => {
            wait()
            engine.hand(...command)
          },
          submit: (...command) => {
            wait()
            return engine.submit(...command)
          },
        },
      }
    },
  })
  const client = await plainEntry(late.url)
  try {
    await client.login(late.alice, late.clock.time)
    const { id } = (await client.ask('order.place', ORDER)).body.data
    isSlow = true
    const replacing = { ...ORDER, cancelReplaceMode: 'ALLOW_FAILURE', cancelId: id }
    for (const [name, params] of [
      ['order.place', ORDER],
      ['order.amend', { orderId: id, newQty: '0.4' }],
      ['order.cancelReplace', replacing],
      ['order.countdownCancelAll', { countdownTime: 60_000 }],
    ] as const) {
      const deadline = late.clock.time + 5
      const { status, body } = await client.ask(name, { ...params, deadline })
      expect([name, status, body.reason]).toEqual([name, 400, 'DEADLINE_OVER'])
      expect(body.msg[0]).toContain(`${deadline}`)
    }
    const { body } = await late.send('GET', '/api/v3/openOrders', {}, late.alice)
    expect(body.data).toEqual([expect.objectContaining({ id, quantity: '0.5', price: '100' })])
  } finally {
    client.close()
    await late.stop()
  }
})

test('an unknown name is answered under the id of its request', async () => {
  const client = await plainEntry(f.url)
  await client.login(f.alice, f.clock.time)
  expect(await client.ask('order.juggle', {})).toMatchObject({
    status: 400,
    body: { reason: 'UNKNOWN_MESSAGE' },
  })
  client.close()
})

describe('several messages in a frame', () => {
  test('a frame of messages has the effect of its messages one after another', async () => {
    const client = await plainEntry(f.url)
    client.send(
      ['login', loginFields(f.alice, f.clock.time)],
      ['order.place', 1, ORDER],
      ['order.place', 2, { ...ORDER, quantity: '0' }],
      ['order.place', 3, ORDER],
      ['nothing'],
    )
    await until('four answers', () => client.answers.length === 4)
    expect(client.answers.map(({ id, status }) => [id, status])).toEqual([
      ['login', 200],
      [2, 400],
      [1, 200],
      [3, 200],
    ])
    expect(client.events).toMatchObject([['error', { reason: 'UNKNOWN_MESSAGE' }]])
    expect(client.frames).toHaveLength(5)
    for (const { body } of client.answers.slice(2)) await client.ask('order.cancel', { id: body.data.id })
    client.close()
  })

  test('answers of one moment share a frame when the login asks for that', async () => {
    const client = await plainEntry(f.url)
    expect((await client.login(f.alice, f.clock.time, { frames: 'many' })).status).toBe(200)
    const before = client.frames.length
    client.send(...Array.from({ length: 20 }, (_, i) => ['order.place', i, ORDER]))
    await until('twenty answers', () => client.answers.length === 21)
    expect(client.frames.length - before).toBeLessThan(20)
    for (const { body } of client.answers.slice(1)) await client.ask('order.cancel', { id: body.data.id })
    client.close()
  })

  test('Socket.IO has no frames, and a login there names none', async () => {
    const client = await socketIoEntry(f.url)
    const { status, body } = await client.login(f.alice, f.clock.time, { frames: 'many' })
    expect([status, body.reason]).toEqual([400, 'INVALID_PARAMETER'])
    client.close()
  })
})
