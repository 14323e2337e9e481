/** The cost that connections without a proof may cause to authenticated connections. */
import { afterEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { faultKindOf } from '../../engine/port/engine-port.contract.ts'
import { account } from '../../engine/writer/commands.fixture.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { type LinkedChanges, type LinkedEngine, startLinkedEngine } from './linked-engine.fixture.ts'
import { PART_BYTES_MAX } from './protocol/frame-parts.ts'

/** A machine may pause for almost this long. */
const GREETING_MS = 2_500

let linked: LinkedEngine
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await linked.stop()
})

async function listen(changes: LinkedChanges = {}): Promise<number> {
  linked = await startLinkedEngine({ listen: { hostname: '127.0.0.1', port: 0, tls: undefined }, ...changes })
  return linked.server.port ?? 0
}

/** Code and reason with which a WebSocket that sends `message` is closed. */
function closedAfter(port: number, message: Uint8Array<ArrayBuffer>): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`)
    socket.onopen = () => socket.send(message)
    socket.onclose = ({ code }) => resolve(code)
  })
}

/** The status of an upgrade from a local address of this machine; the connection stays open. */
function upgradeFrom(localAddress: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    sockets.push(socket)
    for (const end of ['error', 'close'])
      socket.once(end, () => reject(new Error('the connection has ended')))
    socket.once('data', (data) => resolve(Number(data.toString('latin1').slice(9, 12))))
    const head = [
      'GET / HTTP/1.1',
      'Host: engine',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
  })
}

test('a first message above the size of a part is not accepted, and closes the connection', async () => {
  const port = await listen()
  expect(await closedAfter(port, new Uint8Array(PART_BYTES_MAX + 1))).not.toBe(4400)
  expect(await closedAfter(port, new Uint8Array(PART_BYTES_MAX))).toBe(4400)
})

test('parts of a frame before the greeting are no greeting', async () => {
  const port = await listen()
  expect(await closedAfter(port, new Uint8Array(PART_BYTES_MAX).fill(7))).toBe(4400)
})

test('one address that never greets leaves room for another, and has room again when it is disconnected', async () => {
  const limits = { greetingsPerAddressMax: 4, greetingsMax: 6, greetingTimeoutMs: GREETING_MS }
  /** Each cuts off a connection that has not greeted in time, when the test calls it. */
  const cuts: (() => void)[] = []
  const later: Scheduler['later'] = (task, ms) => {
    if (ms !== GREETING_MS) return runtimeScheduler.later(task, ms)
    cuts.push(task)
    return () => {}
  }
  const port = await listen({ limits, scheduler: { ...runtimeScheduler, later } })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push(await upgradeFrom('127.0.0.2', port))
  expect(statuses).toEqual([101, 101, 101, 101, 429, 429])
  expect(await upgradeFrom('127.0.0.3', port)).toBe(101)
  expect(await upgradeFrom('127.0.0.4', port)).toBe(101)
  expect(await upgradeFrom('127.0.0.5', port)).toBe(429)
  for (const cut of cuts.splice(0)) cut()
  await linked.noted('LinkClosed', 6)
  expect(await upgradeFrom('127.0.0.2', port)).toBe(101)
})

test('a gateway is answered as before while others come without a secret and stay silent, send invalid greetings or guess', async () => {
  const port = await listen({ limits: { greetingTimeoutMs: GREETING_MS } })
  const address = { host: '127.0.0.1', port, tls: 'off' } as const
  const gateway = await linked.link({ address })
  let isOver = false
  const flood = async (): Promise<void> => {
    while (!isOver) {
      await Promise.allSettled([
        upgradeFrom('127.0.0.2', port),
        closedAfter(port, new Uint8Array(PART_BYTES_MAX)),
        linked.link({ address, secret: 'a guess of at least 32 characters, wrong' }),
      ])
    }
  }
  const floods = Array.from({ length: 8 }, flood)
  for (let i = 0; i < 100; i++) {
    // A timeout would be a fault: the client gives up waiting for an answer after 5 seconds.
    expect(await faultKindOf(gateway.engine.submit(account(`${i}`)))).toBeUndefined()
  }
  isOver = true
  for (const socket of sockets) socket.destroy()
  await Promise.all(floods)
  expect(linked.server.gateways).toEqual(['gateway'])
})
