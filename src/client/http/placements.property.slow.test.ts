/**
 * Orders, lists, replacements, cancels and batches against a simulated exchange that loses, delays and
 * refuses at random: in every case nothing is placed twice, and the outcome reported by the client is
 * correct.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createBourseClient } from '../client.ts'
import { BourseError } from '../errors.ts'
import { type Fault, fault, MadeUpExchange } from '../made-up-exchange.fixture.ts'
import { refusal, VirtualPlatform } from '../virtual-platform.fixture.ts'

function setUp(faults: readonly Fault[]) {
  const net = new VirtualPlatform()
  const exchange = new MadeUpExchange(net, faults)
  const client = createBourseClient({
    ...{ url: 'http://exchange.test', apiKey: 'key', secret: 'secret', platform: net },
    ...{ timeoutMs: 2_000, patienceMs: 60_000 },
  })
  return { net, exchange, client }
}

/** Resolves once all delayed requests have arrived too. */
async function afterAll(net: VirtualPlatform): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  net.schedule(100_000, resolve)
  await net.run(promise)
}

async function outcomeOf(net: VirtualPlatform, work: Promise<unknown>): Promise<string> {
  try {
    await net.run(work)
    return 'DONE'
  } catch (error) {
    if (error instanceof BourseError) return error.outcome
    throw error
  }
}

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '60000' } as const
const OCO = {
  symbol: 'BTC/USDT',
  side: 'SELL',
  quantity: '0.5',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '900000',
  belowType: 'STOP_LOSS',
  belowStopPrice: '1100',
} as const
const REPLACEMENT = { ...ORDER, cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: 'order-0' } as const

/** The requests of the property, each as a method of the client. */
const PLACING = {
  order: (client: ReturnType<typeof setUp>['client'], sendAgain: boolean) =>
    client.newOrder(ORDER, { sendAgain }),
  list: (client: ReturnType<typeof setUp>['client'], sendAgain: boolean) => client.newOco(OCO, { sendAgain }),
}

for (const [name, place] of Object.entries(PLACING)) {
  test(`the placement of one ${name} has the reported outcome, and happens at most once, whatever is lost`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 12 }),
        fc.boolean(),
        fc.boolean(),
        async (faults, isPoor, sendAgain) => {
          const { net, exchange, client } = setUp(faults)
          exchange.isPoor = isPoor
          const outcome = await outcomeOf(net, place(client, sendAgain))
          await afterAll(net)
          expect(exchange.placed.length).toBeLessThanOrEqual(1)
          if (outcome === 'DONE') expect(exchange.placed.length).toBe(1)
          if (outcome === 'NOT_DONE') expect(exchange.placed.length).toBe(0)
          // The outcome stays open only after enough faults for more than a minute.
          if (outcome === 'UNKNOWN') expect(faults.length).toBeGreaterThan(3)
        },
      ),
      { numRuns: 300 },
    )
  })
}

test('a replacement has the reported outcome, for both orders, whatever is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom('NEW', 'FILLED', 'CANCELED'),
      async (faults, isPoor, sendAgain, status) => {
        const { net, exchange, client } = setUp(faults)
        exchange.isPoor = isPoor
        exchange.placed.push({ id: 'order-0', clientOrderId: 'x', createdAt: 0, updatedAt: 0, status })
        const outcome = await outcomeOf(net, client.replaceOrder(REPLACEMENT, { sendAgain }))
        await afterAll(net)
        const [old, ...replacements] = exchange.placed
        const isCanceled = old?.status === 'CANCELED' && status === 'NEW'
        expect(replacements.length).toBeLessThanOrEqual(1)
        if (outcome === 'DONE') expect([isCanceled, replacements.length]).toEqual([true, 1])
        if (outcome === 'PARTLY_DONE') expect([isCanceled, replacements.length]).toEqual([true, 0])
        if (outcome === 'NOT_DONE') expect([old?.status, replacements.length]).toEqual([status, 0])
        if (outcome === 'UNKNOWN') expect(faults.length).toBeGreaterThan(3)
      },
    ),
    { numRuns: 400 },
  )
})

test('a cancel has the reported outcome, whatever is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 8 }),
      fc.constantFrom('NEW', 'FILLED'),
      async (faults, status) => {
        const { net, exchange, client } = setUp(faults)
        exchange.placed.push({ id: 'order-0', clientOrderId: 'x', createdAt: 0, updatedAt: 0, status })
        const outcome = await outcomeOf(net, client.cancelOrder({ id: 'order-0' }))
        if (outcome === 'DONE') expect(exchange.placed[0]?.status).toBe('CANCELED')
        if (outcome === 'NOT_DONE') expect(exchange.placed[0]?.status).toBe(status)
      },
    ),
    { numRuns: 300 },
  )
})

test('a batch places each of its orders once, and reports what became of each, whatever is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 6 }), async (faults) => {
      const { net, exchange, client } = setUp(faults)
      exchange.placed.push({ id: 'order-0', clientOrderId: 'x', createdAt: 0, updatedAt: 0, status: 'NEW' })
      const operations = [
        { method: 'POST', ...ORDER },
        { method: 'DELETE', id: 'order-0' },
        { method: 'POST', ...ORDER },
      ] as const
      const work = client.orderBatch({ operations })
      const outcome = await outcomeOf(net, work)
      await afterAll(net)
      expect(exchange.placed.length).toBeLessThanOrEqual(3)
      if (outcome !== 'DONE') return
      expect((await work).map(({ status }) => status)).toEqual([200, 200, 200])
      expect(exchange.placed.map(({ status }) => status)).toEqual(['CANCELED', 'NEW', 'NEW'])
    }),
    { numRuns: 200 },
  )
})

test('a lost order is looked up before it is sent again, which it never is while it may still be placed', async () => {
  const { net, client } = setUp([{ kind: 'late', byMs: 20_000 }])
  await net.run(client.newOrder(ORDER))
  const steps = net.asked
    .map(({ method, path }) => `${method} ${path}`)
    .filter((step) => step !== 'GET /time')
  expect([steps[0], steps.at(-1)]).toEqual(['POST /order', 'POST /order'])
  expect(new Set(steps.slice(1, -1))).toEqual(new Set(['GET /order']))
  const [first, second] = net.to('POST', '/order')
  expect(second?.fields.newClientOrderId).toBe(first?.fields.newClientOrderId)
  expect(Number(second?.fields.timestamp)).toBeGreaterThan(Number(first?.fields.timestamp) + 5_000)
})

test('an order that is not to be sent again ends as not done once that is final, after one attempt', async () => {
  const { net, client } = setUp([{ kind: 'late', byMs: 20_000 }])
  const error = await net.run(client.newOrder(ORDER, { sendAgain: false }).catch((cause: unknown) => cause))
  expect(error).toMatchObject({ kind: 'NO_ANSWER', outcome: 'NOT_DONE' })
  expect(net.to('POST', '/order')).toHaveLength(1)
})

test('an order whose nonce is refused as used is looked up: a runtime may have sent it twice', async () => {
  const { net, exchange, client } = setUp([])
  const handled = net.answer
  net.answer = async (asked) => {
    const reply = await handled(asked)
    return asked.method === 'POST' && exchange.placed.length === 1 && net.to('GET', '/order').length === 0
      ? refusal(401, 'NONCE_REPEATED')
      : reply
  }
  const { isRepeated } = await net.run(client.newOrder(ORDER))
  expect([isRepeated, exchange.placed.length]).toEqual([true, 1])
})

test('a cancel or a replacement of an order that had already ended is refused, and nothing is looked up', async () => {
  const { net, exchange, client } = setUp([])
  const ended = { id: 'order-0', clientOrderId: 'x', createdAt: 0, updatedAt: 0, status: 'CANCELED' }
  exchange.placed.push(ended)
  for (const work of [client.cancelOrder({ id: 'order-0' }), client.replaceOrder(REPLACEMENT)]) {
    const error = await net.run(work.catch((cause: unknown) => cause))
    expect(error).toMatchObject({ reason: 'UNKNOWN_ORDER', outcome: 'NOT_DONE' })
  }
  expect(net.to('GET', '/order')).toEqual([])
})

test('a lost replacement has canceled nothing where its old order had already been canceled', async () => {
  const { net, exchange, client } = setUp([{ kind: 'lost' }])
  const before = net.serverTime - 1
  exchange.placed.push({
    ...{ id: 'order-0', clientOrderId: 'x', createdAt: before, updatedAt: before, status: 'CANCELED' },
  })
  const error = await net.run(client.replaceOrder(REPLACEMENT).catch((cause: unknown) => cause))
  expect(error).toMatchObject({ reason: 'UNKNOWN_ORDER', outcome: 'NOT_DONE' })
  expect([net.to('GET', '/order').length > 0, exchange.placed.length]).toEqual([true, 1])
})

test('an order that existed before is not mistaken for the lost one', async () => {
  const { net, exchange, client } = setUp([])
  exchange.placed.push({ id: 'other', clientOrderId: 'mine', createdAt: 5, updatedAt: 5, status: 'NEW' })
  const handled = net.answer
  let posts = 0
  net.answer = (asked) => {
    if (asked.method !== 'POST') return handled(asked)
    return posts++ === 0 ? new Promise(() => {}) : refusal(401, 'KEY_DISABLED')
  }
  const error = await net.run(
    client.newOrder({ ...ORDER, newClientOrderId: 'mine' }).catch((cause: unknown) => cause as BourseError),
  )
  expect(error).toMatchObject({ reason: 'KEY_DISABLED', outcome: 'NOT_DONE', order: undefined })
})

test('an order that was placed, and whose answer is no longer available, is reported as done with what was found', async () => {
  const { net, exchange, client } = setUp([{ kind: 'lost' }])
  const handled = net.answer
  net.answer = (asked) =>
    net.to('POST', '/order').length > 1 && asked.method === 'POST'
      ? refusal(401, 'KEY_DISABLED')
      : handled(asked)
  const error = await net.run(client.newOrder(ORDER).catch((cause: unknown) => cause as BourseError))
  expect(error).toMatchObject({ reason: 'KEY_DISABLED', outcome: 'DONE', order: { id: 'order-0' } })
  expect(exchange.placed.length).toBe(1)
})

test('an order whose answer is lost is answered as it was placed, and marked as repeated', async () => {
  const { net, client } = setUp([{ kind: 'lost' }])
  const { order, isRepeated } = await net.run(client.newOrder(ORDER))
  expect(order.id).toBe('order-0')
  expect(isRepeated).toBe(true)
})

test('an id that already belongs to another order is reported as such, also when the answer that said so was lost', async () => {
  const { net, exchange, client } = setUp([])
  exchange.placed.push({ id: 'other', clientOrderId: 'mine', createdAt: 5, updatedAt: 5, status: 'NEW' })
  let posts = 0
  const handled = net.answer
  net.answer = (asked) => {
    if (asked.method !== 'POST') return handled(asked)
    return posts++ === 0 ? new Promise(() => {}) : refusal(400, 'DUPLICATE_CLIENT_ORDER_ID')
  }
  const error = await net.run(
    client.newOrder({ ...ORDER, newClientOrderId: 'mine' }).catch((cause: unknown) => cause as BourseError),
  )
  expect(error).toMatchObject({
    reason: 'DUPLICATE_CLIENT_ORDER_ID',
    outcome: 'NOT_DONE',
    clientOrderId: 'mine',
  })
})
