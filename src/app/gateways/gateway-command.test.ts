/**
 * `bourse gateway` as people start it, in front of engines in other processes that are killed and started
 * again.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/support/free-port.ts'
import { plainClient, type StreamClient, socketIoClient } from '../../../test/support/stream-clients.ts'
import { until, WAIT_MS_MAX } from '../../../test/support/until.ts'
import { SECRET } from '../../transport/link/linked-engine.fixture.ts'
import type { EngineProcessOptions } from './linked-engine-process.fixture.ts'
import { ask, KEY_SECRET, KEYS, place } from './linked-exchange.fixture.ts'

/** Processes take their time to start on a busy machine. */
setDefaultTimeout(300_000)

const MAIN = join(import.meta.dir, '../main.ts')
const ENGINE = join(import.meta.dir, 'linked-engine-process.fixture.ts')
const MASTER_KEY = randomBytes(32).toString('hex')
const SELL = { side: 'SELL', quantity: '0.5', price: '100' }
const BUY = { side: 'BUY', quantity: '0.2', price: '100' }

const ends: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Started = {
  readonly child: Bun.Subprocess
  /** Resolves with the first line that contains the words. */
  said(words: string): Promise<string>
}

function start(words: readonly string[]): Started {
  const child = Bun.spawn([process.execPath, ...words], { stdout: 'pipe', stderr: 'ignore' })
  let text = ''
  let isOver = false
  void (async () => {
    for await (const chunk of child.stdout) text += new TextDecoder().decode(chunk)
    isOver = true
  })()
  ends.push(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  return {
    child,
    said: async (wanted) => {
      await until(`a process has said ${wanted}`, () => isOver || text.includes(wanted))
      const line = text.split('\n').find((each) => each.includes(wanted))
      if (line === undefined) throw new Error(`a process has ended after ${text}`)
      return line
    },
  }
}

type Cluster = {
  readonly directory: string
  /**
   * `number`: the engine's position in the file; `places`: prices of the orders placed before the engine
   * serves.
   */
  engine(number: 1 | 2, epoch: number, places?: readonly number[], journal?: string): Promise<Started>
  gateway(name: string): Promise<Started & { readonly url: string; readonly monitoringUrl: string }>
}

function cluster(leadership: object = {}): Cluster {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-gateway-'))
  ends.push(() => rmSync(directory, { recursive: true, force: true }))
  const ports = [freePort(), freePort()]
  const write = (name: string, text: string): string => {
    const file = join(directory, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  const file = write(
    'cluster.json',
    JSON.stringify({
      database: { host: '127.0.0.1', name: 'bourse', tls: 'off' },
      durability: { kind: 'single' },
      link: { secretFile: write('link.secret', `${SECRET}\n`), tls: 'off' },
      engines: ports.map((port, i) => ({ name: `engine-${i + 1}`, link: `127.0.0.1:${port}` })),
      leadership,
      masterKeyFile: write('master.key', `${MASTER_KEY}\n`),
    }),
  )
  return {
    directory,
    engine: async (number, epoch, places = [], journal = 'journal-of-a-test') => {
      const options: EngineProcessOptions = {
        ...{ dataDirectory: join(directory, 'data'), name: `engine-${number}`, epoch, places, journal },
        ...{ port: ports[number - 1] ?? 0, secret: SECRET, masterKey: MASTER_KEY },
        ...{ keys: KEYS, keySecret: KEY_SECRET },
      }
      const engine = start([ENGINE, JSON.stringify(options)])
      await engine.said('listening')
      return engine
    },
    gateway: async (name) => {
      const gateway = start([MAIN, 'gateway', '--config', file, '--name', name, '--port', '0'])
      const url = (await gateway.said('The gateway is ready at')).split(' ').at(-1) ?? ''
      const monitoringUrl = (await gateway.said('Health and metrics at')).split(' ').at(-1) ?? ''
      return { ...gateway, url, monitoringUrl }
    },
  }
}

/** Like `until`, for a fact that must be requested. */
async function untilAsked(what: string, fact: () => Promise<boolean>, limitMs = WAIT_MS_MAX): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await Bun.sleep(20)
  }
}

const kill = async ({ child }: Started): Promise<void> => {
  child.kill('SIGKILL')
  await child.exited
}

/** Text of public data, and of data that alice may read. */
async function answers(url: string): Promise<string[]> {
  const texts: string[] = []
  const ofSymbol = { symbol: 'BTC/USDT' }
  texts.push((await ask(url, '/exchangeInfo')).text)
  for (const path of ['/depth', '/trades', '/myTrades']) texts.push((await ask(url, path, ofSymbol)).text)
  for (const path of ['/openOrders', '/wallet/balance']) texts.push((await ask(url, path)).text)
  return texts
}

type Depth = { readonly status: number; readonly stale: string | null; readonly text: string }

async function depthOf(url: string): Promise<Depth> {
  const { status, headers, text } = await ask(url, '/depth', { symbol: 'BTC/USDT' })
  return { status, stale: headers.get('x-bourse-stale-ms'), text }
}

async function clientsOf(url: string): Promise<StreamClient[]> {
  const clients = [await plainClient(`${url.replace('http', 'ws')}/ws`), await socketIoClient(url)]
  for (const client of clients) {
    ends.push(() => client.close())
    client.send('join', 'BTC/USDT')
  }
  const [plain] = clients
  plain?.send('subscribe', { channel: 'book', symbol: 'BTC/USDT' })
  await until('each client has its book', () => clients.every(({ book }) => book.snapshots >= 1))
  await until('the channel has its book', () => plain?.heard.some(([event]) => event === 'book') === true)
  return clients
}

test('a gateway survives the kill of its engine, and continues with the next leader: same books, same clients', async () => {
  const { engine, gateway } = cluster()
  const first = await engine(1, 1)
  const { url, monitoringUrl } = await gateway('gateway-1')
  expect((await place(url, 3, SELL)).status).toBe(200)
  const clients = await clientsOf(url)
  expect((await place(url, 4, BUY)).status).toBe(200)
  const seen = await depthOf(url)
  expect([seen.status, seen.stale]).toEqual([200, null])

  await kill(first)
  await untilAsked('what is shown says how old it is', async () => (await depthOf(url)).stale !== null)
  const stale = await depthOf(url)
  expect([stale.status, stale.text]).toEqual([200, seen.text])
  expect(Number(stale.stale)).toBeGreaterThanOrEqual(0)
  const refused = await ask(url, '/openOrders')
  expect([refused.status, refused.body.reason, refused.headers.get('Retry-After')]).toEqual([
    503,
    'NO_LEADER',
    '1',
  ])
  expect((await place(url, 3, SELL)).body.reason).toBe('NO_LEADER')
  const [plain] = clients as [StreamClient]
  await until('the stream says that it stands still', () => plain.heard.some(([event]) => event === 'stale'))
  expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  expect(await (await fetch(`${monitoringUrl}/metrics`)).text()).toContain('bourse_link_open 0')

  // Two more orders rest before clients can see them.
  const second = await engine(2, 2, [20_000, 30_000])
  await untilAsked('it is served again', async () => (await depthOf(url)).stale === null)
  // Positions acknowledged earlier are remembered and presented to the leader.
  expect(await second.said('gateway-1 remembers')).toBe('gateway-1 remembers 14')
  await until('each client has the whole book again', () => clients.every(({ book }) => book.snapshots >= 2))
  await until(
    'the channel too',
    () =>
      plain.heard.filter(([event, payload]) => event === 'book' && !('prevSeq' in (payload as object)))
        .length >= 2,
  )
  expect(plain.heard.map(([event]) => event)).toContain('live')
  const fresh = await gateway('gateway-2')
  expect(await answers(url)).toEqual(await answers(fresh.url))
  const depth = await depthOf(url)
  for (const price of ['200.00', '300.00']) expect(depth.text).toContain(price)

  // Later events reach the same clients.
  expect((await place(url, 4, { ...BUY, quantity: '0.1' })).status).toBe(200)
  await until('both have the trade', () =>
    clients.every(({ trades }) => JSON.stringify(trades.at(-1)).includes('0.1')),
  )
  const metrics = await (await fetch(`${monitoringUrl}/metrics`)).text()
  expect(metrics).toContain('bourse_epoch 2')
  const reference = readFileSync(join(import.meta.dir, '../../../docs/reference/monitoring.md'), 'utf8')
  for (const [, metric] of metrics.matchAll(/^# TYPE (\S+)/gm)) expect(reference).toContain(`\`${metric}\``)
})

test('a gateway without a leader for longer than allowed is no longer ready, and is ready again with a leader', async () => {
  const { engine, gateway } = cluster({ gatewayReadyMs: 0 })
  const first = await engine(1, 1)
  const { url } = await gateway('gateway-1')
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/health/ready`)).status === 200
  expect(await isReady()).toBe(true)
  await kill(first)
  await untilAsked('it is not ready', async () => !(await isReady()))
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  await engine(1, 2)
  await untilAsked('it is ready again', isReady)
})

test('a gateway does not return to an engine of an epoch that was superseded', async () => {
  const { engine, gateway } = cluster()
  const first = await engine(1, 5)
  const { url } = await gateway('gateway-1')
  await kill(first)
  await untilAsked('it is stale', async () => (await depthOf(url)).stale !== null)
  const former = await engine(2, 4)
  await former.said('gateway-1 remembers')
  expect((await depthOf(url)).stale).not.toBeNull()
  await kill(former)
  await engine(1, 6)
  await untilAsked('it is served again', async () => (await depthOf(url)).stale === null)
})

test('a gateway whose engines have another journal ends and asks to be restarted, since nothing that it shows belongs to that journal', async () => {
  const { engine, gateway } = cluster()
  const first = await engine(1, 1)
  const { child } = await gateway('gateway-1')
  await kill(first)
  await engine(1, 2, [], 'another journal')
  expect(await child.exited).toBe(75)
})

test('a stop answers what is in flight and exits with 0', async () => {
  const { engine, gateway } = cluster()
  await engine(1, 1)
  const { child, url } = await gateway('gateway-1')
  expect((await place(url, 3, SELL)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
