/**
 * Orders over a stream with losses, cuts and delays, with HTTP as the alternative, which has them too:
 * nothing is placed twice, and the outcome that the client reports is correct.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type BourseClient, createBourseClient } from '../client.ts'
import { BourseError } from '../errors.ts'
import { type Fault, fault, MadeUpExchange } from '../made-up-exchange.fixture.ts'
import { type Asked, VirtualPlatform } from '../virtual-platform.fixture.ts'
import { ScriptedSocket } from './virtual-ports.fixture.ts'

/** The equivalent of each request over HTTP. */
const OVER_HTTP: Readonly<Record<string, readonly [method: string, path: string]>> = {
  'order.place': ['POST', '/order'],
  'order.cancel': ['DELETE', '/order'],
  'order.batch': ['POST', '/order/batch'],
}

/** One exchange over both transports. */
class World {
  readonly net = new VirtualPlatform()
  readonly exchange: MadeUpExchange
  readonly client: BourseClient
  /** Number of requests over the stream. */
  streamed = 0

  constructor(faults: readonly Fault[]) {
    this.exchange = new MadeUpExchange(this.net, faults)
    const platform = { ...this.net, openSocket: () => this.#open() }
    this.client = createBourseClient({
      ...{ url: 'http://exchange.test', apiKey: 'key', secret: 'secret', platform },
      ...{ timeoutMs: 2_000, patienceMs: 60_000 },
    })
  }

  #open(): ScriptedSocket {
    const socket = new ScriptedSocket()
    socket.onSent = (message) => this.#hear(socket, message)
    this.net.schedule(10, () => {
      if (!socket.isClosed) socket.open()
    })
    return socket
  }

  #hear(socket: ScriptedSocket, [event, id, fields]: readonly unknown[]): void {
    const [method, path] = OVER_HTTP[String(event)] ?? []
    this.net.schedule(10, () => {
      if (socket.isClosed) return
      if (event === 'login') socket.say('answer', 'login', 200, { status: true, data: {} })
      else if (method === undefined || path === undefined) socket.say('error', { reason: 'UNKNOWN_SYMBOL' })
      else
        void this.#carry(socket, Number(id), {
          method,
          path,
          headers: {},
          text: '',
          fields: fields as Asked['fields'],
        })
    })
  }

  async #carry(socket: ScriptedSocket, id: number, asked: Asked): Promise<void> {
    this.streamed++
    try {
      const { status = 200, headers = {}, body } = await this.exchange.carry(asked)
      // A proxy's error page, or half of an answer: on a stream this is a broken connection.
      if (typeof body === 'string') throw new Error('cut')
      const retryAfter =
        headers['Retry-After'] === undefined ? {} : { retryAfter: Number(headers['Retry-After']) }
      const repeated = headers['X-Repeated'] === undefined ? {} : { repeated: true }
      if (!socket.isClosed) socket.say('answer', id, status, body, { ...retryAfter, ...repeated })
    } catch {
      // If the part that simulates the exchange throws, the connection breaks.
      if (!socket.isClosed) socket.cut()
    }
  }

  /** Logs the stream in. */
  async logIn(isOnlyWay: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancelOnDisconnect = isOnlyWay ? { graceMs: 60_000 } : undefined
    const stream = this.client.stream({
      cancelOnDisconnect,
      onLogin: ({ kind }) => {
        if (kind === 'in') resolve()
      },
    })
    stream.connect()
    await this.net.run(promise)
  }

  async outcomeOf(work: Promise<unknown>): Promise<string> {
    try {
      await this.net.run(work)
      return 'DONE'
    } catch (error) {
      if (error instanceof BourseError) return error.outcome
      throw error
    }
  }

  /** Resolves once all delayed requests have arrived too. */
  async afterAll(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.net.schedule(100_000, resolve)
    await this.net.run(promise)
  }
}

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '60000' } as const
const faults = fc.array(fault, { maxLength: 12 })

test('an order over the stream has the reported outcome, and is placed at most once, whatever is lost in either direction', async () => {
  let streamed = 0
  await fc.assert(
    fc.asyncProperty(faults, fc.boolean(), fc.boolean(), async (list, isPoor, isOnlyWay) => {
      const world = new World(list)
      const { exchange, client } = world
      await world.logIn(isOnlyWay)
      exchange.isPoor = isPoor
      const outcome = await world.outcomeOf(client.newOrder(ORDER))
      await world.afterAll()
      streamed += world.streamed
      if (isOnlyWay) expect(world.net.to('POST', '/order')).toEqual([])
      expect(exchange.placed.length).toBeLessThanOrEqual(1)
      if (outcome === 'DONE') expect(exchange.placed.length).toBe(1)
      if (outcome === 'NOT_DONE') expect(exchange.placed.length).toBe(0)
      // The outcome stays open only after enough faults for more than a minute.
      if (outcome === 'UNKNOWN') expect(list.length).toBeGreaterThan(3)
    }),
    { numRuns: 200 },
  )
  expect(streamed).toBeGreaterThanOrEqual(200)
})

test('cancels and batches over the stream have the reported outcome, whatever is lost in either direction', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 6 }),
      fc.constantFrom('NEW', 'FILLED'),
      async (list, status) => {
        const world = new World(list)
        const { exchange, client } = world
        await world.logIn(false)
        exchange.placed.push({ id: 'order-0', clientOrderId: 'x', createdAt: 0, updatedAt: 0, status })
        const canceled = await world.outcomeOf(client.cancelOrder({ id: 'order-0' }))
        if (canceled === 'DONE') expect(exchange.placed[0]?.status).toBe('CANCELED')
        if (canceled === 'NOT_DONE') expect(exchange.placed[0]?.status).toBe(status)
        const operations = [
          { method: 'POST', ...ORDER },
          { method: 'POST', ...ORDER },
        ] as const
        const batch = await world.outcomeOf(client.orderBatch({ operations }))
        await world.afterAll()
        expect(exchange.placed.length).toBeLessThanOrEqual(3)
        if (batch === 'DONE') expect(exchange.placed.length).toBe(3)
      },
    ),
    { numRuns: 150 },
  )
})
