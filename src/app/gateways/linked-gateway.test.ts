/** Gateways in processes of their own, as clients see them: real HTTP, a real stream, one engine. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { freePort } from '../../../test/support/free-port.ts'
import { plainClient } from '../../../test/support/stream-clients.ts'
import { until } from '../../../test/support/until.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import type { LinkedEngine } from '../../transport/link/linked-engine.fixture.ts'
import { KeptProcesses, type KeptProcessNote } from '../process/kept-processes.ts'
import {
  ask,
  type GatewayChild,
  place,
  sendQuestion,
  spawnGateway,
  startLinkedExchange,
} from './linked-exchange.fixture.ts'
import { reservePort } from './reserve-port.ts'

/** Processes take their time to start on a busy machine. */
setDefaultTimeout(300_000)

let linked: LinkedEngine
const started: GatewayChild[] = []
beforeEach(async () => {
  linked = await startLinkedExchange()
})
afterEach(async () => {
  for (const { child } of started.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
  await linked.stop()
})

function startGateway(name: string, port?: number): GatewayChild {
  const gateway = spawnGateway(linked, name, port)
  started.push(gateway)
  return gateway
}

async function openGateway(name: string): Promise<{ readonly url: string; readonly child: Bun.Subprocess }> {
  const { url, child, opened } = startGateway(name)
  await opened
  return { url: await url, child }
}

const SELL = { side: 'SELL', quantity: '0.5', price: '100' }
const BUY = { side: 'BUY', quantity: '0.2', price: '100' }

test('an order placed through one gateway is visible through another, and its trade is on the stream of both', async () => {
  const [first, second] = await Promise.all([openGateway('first'), openGateway('second')])
  const streams = await Promise.all(
    [first, second].map(({ url }) => plainClient(`${url.replace('http', 'ws')}/ws`)),
  )
  for (const stream of streams) stream.send('join', 'BTC/USDT')
  await until('both streams have a book', () => streams.every(({ book }) => book.snapshots >= 1))
  expect((await place(first.url, 3, SELL)).status).toBe(200)
  expect((await ask(second.url, '/openOrders')).text).toContain('SELL')
  expect((await place(second.url, 4, BUY)).status).toBe(200)
  await until('both streams have the trade', () =>
    streams.every(({ trades }) => JSON.stringify(trades).includes('100')),
  )
  expect((await ask(first.url, '/openOrders')).text).toContain('0.2')
  for (const stream of streams) stream.close()
})

test('a read through one gateway, however busy, shows each order that another gateway has just accepted', async () => {
  const [writer, reader] = await Promise.all([openGateway('writer'), openGateway('reader')])
  for (let i = 1; i <= 12; i++) {
    // When the process continues, it finds the order and the query together, in any sequence.
    reader.child.kill('SIGSTOP')
    expect((await place(writer.url, 3, { ...SELL, price: `${i}` })).status).toBe(200)
    const { answer } = await sendQuestion(reader.url, '/depth', { symbol: 'BTC/USDT' })
    reader.child.kill('SIGCONT')
    expect(await answer).toContain(`"${i}.00"`)
  }
})

test('a killed gateway takes no other down, and its replacement has everything that happened', async () => {
  const [first, second] = await Promise.all([openGateway('first'), openGateway('second')])
  expect((await place(first.url, 3, SELL)).status).toBe(200)
  first.child.kill('SIGKILL')
  await linked.noted('LinkClosed')
  expect((await place(second.url, 4, BUY)).status).toBe(200)
  const third = await openGateway('third')
  const depth = await ask(third.url, '/depth', { symbol: 'BTC/USDT' })
  expect(depth.body).toMatchObject({ buy: {}, sell: { '100.00': 0.3 } })
  expect((await place(third.url, 4, BUY)).status).toBe(200)
  expect(linked.server.gateways).toEqual(['second', 'third'])
})

test('a gateway answers STARTING before it has a link; one that loses its link stays, says how old its data is, and continues with the next link', async () => {
  await linked.server.stop()
  const early = startGateway('early')
  const url = await early.url
  const refused = await fetch(`${url}/api/v3/exchangeInfo`)
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringContaining('"reason":"STARTING"'),
  ])
  const server = linked.serve()
  await early.opened
  const stream = await plainClient(`${url.replace('http', 'ws')}/ws`)
  stream.send('join', 'BTC/USDT')
  await until('it has a book', () => stream.book.snapshots >= 1)
  expect((await place(url, 3, SELL)).status).toBe(200)

  await server.stop()
  const depth = () => ask(url, '/depth', { symbol: 'BTC/USDT' })
  const isStale = async () => (await depth()).headers.has('x-bourse-stale-ms')
  while (!(await isStale())) await Bun.sleep(1)
  expect((await depth()).text).toContain('"100.00"')
  expect(await place(url, 3, SELL)).toMatchObject({ status: 503, body: { reason: 'NO_LEADER' } })

  linked.serve()
  while (await isStale()) await Bun.sleep(1)
  expect((await place(url, 4, { ...BUY, price: '99' })).status).toBe(200)
  await until('its client has the whole book again, with the order', () => {
    const { snapshots } = stream.book
    return snapshots >= 2 && JSON.stringify(stream.book.text()).includes('99')
  })
  expect(early.child.exitCode).toBeNull()
  stream.close()
})

test('gateways share one port, which no other program has, and keep serving while each of them in turn is killed and replaced', async () => {
  const { port } = reservePort('127.0.0.1', freePort())
  const children = new Map<string, GatewayChild>()
  const notes: KeptProcessNote[] = []
  const gateways = new KeptProcesses({
    names: ['gateway-1', 'gateway-2'],
    start: (name) => {
      const gateway = startGateway(name, port)
      const { child } = gateway
      children.set(name, gateway)
      return { exited: child.exited, stop: () => child.kill('SIGTERM'), kill: () => child.kill('SIGKILL') }
    },
    onNote: (note) => notes.push(note),
    scheduler: runtimeScheduler,
    now: () => performance.now(),
  })
  const url = `http://127.0.0.1:${port}`
  // A link that is lost on a busy machine is opened again: only the gateway itself reports that it serves.
  await Promise.all([...children.values()].map(({ opened }) => opened))
  expect(() => reservePort('127.0.0.1', port)).toThrow('in use')
  let placed = 0
  for (const [round, name] of ['gateway-1', 'gateway-2'].entries()) {
    const killed = children.get(name)
    killed?.child.kill('SIGKILL')
    await until('another one has come in its place', () => children.get(name) !== killed)
    await children.get(name)?.opened
    while (placed < 10 * (round + 1)) {
      const answer = await place(url, 3, { ...SELL, price: `${200 + placed}` }).catch(() => undefined)
      if (answer?.status === 200) placed++
    }
  }
  expect(notes.filter(({ kind }) => kind === 'ProcessEnded')).toHaveLength(2)
  await gateways.stop()
  expect(await Promise.all([...children.values()].map(({ child }) => child.exited))).toEqual([0, 0])
})
