import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import type { DescriptorUse } from '../../server/monitoring/descriptor-metrics.ts'
import { ConnectionWatch } from './connection-watch.ts'

/** Processes are slow on a busy machine. */
setDefaultTimeout(300_000)

/** Few, so that few connections fill them. */
const DESCRIPTORS = 400
/** Maximum number of attempts of a client whose connection was closed. */
const ATTEMPTS_MAX = 20
const FIXTURE = path.join(import.meta.dir, 'connection-watch-process.fixture.ts')

type Served = {
  readonly clients: number
  readonly operators: number
  readonly use: () => Promise<DescriptorUse>
  readonly child: Bun.Subprocess<'pipe', 'pipe', 'inherit'>
}

let served: Served
let sockets: Socket[] = []
let isFlooding = true

beforeEach(async () => {
  const command = `ulimit -n ${DESCRIPTORS}; exec "${process.execPath}" "${FIXTURE}"`
  const child = Bun.spawn(['sh', '-c', command], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const lines = linesOf(child.stdout)
  const ports = JSON.parse(await lines()) as { clients: number; operators: number }
  const use = async (): Promise<DescriptorUse> => {
    child.stdin.write('\n')
    await child.stdin.flush()
    return JSON.parse(await lines()) as DescriptorUse
  }
  served = { ...ports, use, child }
  isFlooding = true
})

afterEach(async () => {
  isFlooding = false
  for (const socket of sockets) socket.destroy()
  sockets = []
  served.child.kill()
  await served.child.exited
})

function linesOf(stream: ReadableStream<Uint8Array>): () => Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as never).getReader()
  let rest = ''
  return async () => {
    while (!rest.includes('\n')) {
      const { done, value } = await reader.read()
      if (done) throw new Error('the process has ended')
      rest += value
    }
    const [line = ''] = rest.split('\n', 1)
    rest = rest.slice(line.length + 1)
    return line
  }
}

/** Connects a client that sends this and nothing else; resolves when its connection is closed. */
function connectionFrom(localAddress: string, port: number, text = ''): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  sockets.push(socket)
  if (text !== '') socket.write(text)
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('error', () => {})
  socket.on('close', () => resolve())
  return promise
}

/**
 * Any number of connections from one address. Each sends only the beginning of a request: a connection that
 * sends nothing is closed after three seconds, which on a slow machine is too short to open all of them. A
 * closed one is opened again.
 */
function floodFrom(localAddress: string, port: number, count: number): void {
  const again = (): void => {
    void connectionFrom(localAddress, port, 'G').then(() => {
      if (isFlooding) again()
    })
  }
  for (let at = 0; at < count; at++) again()
}

/**
 * A client that is slower than the flood may be cut off as silent: it tries again, as clients do, and is
 * answered within a few attempts.
 */
async function answerOf(port: number): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
      return await response.text()
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error
    }
  }
}

async function until(holds: (use: DescriptorUse) => boolean): Promise<DescriptorUse> {
  for (;;) {
    const use = await served.use()
    if (holds(use)) return use
  }
}

test('a connection that sends nothing is closed, and one that asks is served', async () => {
  const closed = connectionFrom('127.0.0.2', served.clients)
  expect(await answerOf(served.clients)).toBe('client')
  await closed
  expect((await until(({ cutByCause }) => (cutByCause.SILENT ?? 0) > 0)).max).toBe(DESCRIPTORS)
})

test('waiting connections of one address leave room for every other', async () => {
  floodFrom('127.0.0.2', served.clients, 300)
  const { used } = await until(({ cutByCause }) => (cutByCause.ADDRESS ?? 0) > 0)
  expect(used).toBeLessThan(DESCRIPTORS)
  expect(await answerOf(served.clients)).toBe('client')
})

test('under a flood from many addresses clients and operators are answered, and descriptors never run out', async () => {
  const ADDRESSES = 40
  for (let at = 1; at <= ADDRESSES; at++)
    floodFrom(`127.0.1.${at}`, served.clients, (3 * DESCRIPTORS) / ADDRESSES)
  const use = await until(({ cutByCause }) => (cutByCause.ROOM ?? 0) > 0)
  expect(use.used).toBeLessThanOrEqual(DESCRIPTORS)
  expect(await answerOf(served.operators)).toBe('operator')
  expect(await answerOf(served.clients)).toBe('client')
})

test('a client is told to go on past the runtime, among others that wait for nothing', async () => {
  for (let at = 0; at < 50; at++) void connectionFrom('127.0.0.4', served.clients)
  const socket = connect({ host: '127.0.0.1', port: served.clients })
  sockets.push(socket)
  const answered = Promise.withResolvers<string>()
  let seen = ''
  let isTold = false
  socket.on('data', (bytes) => {
    seen += bytes.toString()
    if (!isTold && seen === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('body')
    isTold = true
    if (seen.endsWith('client: body')) answered.resolve(seen)
  })
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nX-Waits: 1\r\nContent-Length: 4\r\n\r\n')
  expect(await answered.promise).toStartWith('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n')
})

test('a flood on the operators’ port takes no descriptor that clients need', async () => {
  floodFrom('127.0.0.3', served.operators, 2 * DESCRIPTORS)
  await until(({ cutByCause }) => (cutByCause.ROOM ?? 0) > 0)
  expect(await answerOf(served.clients)).toBe('client')
  expect(await answerOf(served.operators)).toBe('operator')
})

test('where the system does not show its connections the log says so once, and no number is shown', () => {
  const said: string[] = []
  const log = {
    error: () => {},
    warn: (_: object, words: string) => said.push(words),
    info: () => {},
    debug: () => {},
  }
  const watch = new ConnectionWatch({
    ...{ log, clientPort: () => undefined, perAddressMax: 10, isByAddress: true, trustedProxies: [] },
    sockets: undefined,
  })
  watch.tick(0)
  watch.tick(1_000)
  expect([watch.use, watch.goOn({ address: '127.0.0.1', port: 1 })]).toEqual([undefined, false])
  expect(said).toEqual([expect.stringContaining('cannot be inspected on this system')])
  watch.stop()
})
