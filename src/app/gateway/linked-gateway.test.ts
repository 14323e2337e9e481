/** Gateways in processes of their own, as clients see them: real HTTP, a real stream, one engine. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { plainClient } from '../../../test/support/stream-clients.ts'
import { until } from '../../../test/support/until.ts'
import { type LinkedEngine, SECRET, startLinkedEngine } from '../../drivers/link/linked-engine.fixture.ts'
import { account, asset, credit, symbol } from '../../engine/commands.fixture.ts'
import { createSecretBox } from '../../gateway/access/auth/secret-box.ts'
import { formOf, type Seen, see, sign } from '../../gateway/public/gateway.fixture.ts'
import type { AccountId } from '../../units/ids.ts'
import { LINK_LOST_EXIT_CODE } from './linked-gateway.ts'
import type { GatewayProcessOptions } from './linked-gateway-process.fixture.ts'

/** Processes take their time to start on a busy machine. */
setDefaultTimeout(60_000)

const MASTER_KEY = randomBytes(32)
const FIXTURE = join(import.meta.dir, 'linked-gateway-process.fixture.ts')
const KEYS = { 3: 'key-of-alice', 4: 'key-of-bob' } as const
const KEY_SECRET = 'a secret of both'

type GatewayProcess = { readonly url: string; readonly child: Bun.Subprocess; untilOpen(): Promise<void> }

let linked: LinkedEngine
const processes: GatewayProcess[] = []
afterEach(async () => {
  for (const { child } of processes.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
  await linked.stop()
})

async function startEngine(): Promise<void> {
  linked = await startLinkedEngine({ clock: () => undefined })
  const box = createSecretBox(MASTER_KEY, (size) => randomBytes(size))
  const operator = { actor: 'test', note: '' }
  const commands = [asset('BTC'), asset('USDT'), symbol('BTC', 'USDT'), account('alice'), account('bob')]
  for (const command of commands) await linked.engine.submit(command)
  for (const [id, apiKey] of Object.entries(KEYS)) {
    const accountId = Number(id) as AccountId
    await linked.engine.submit(credit(accountId, 'BTC', 10n ** 12n, `btc-${id}`))
    await linked.engine.submit(credit(accountId, 'USDT', 10n ** 15n, `usdt-${id}`))
    const sealedSecret = box.seal(KEY_SECRET, apiKey)
    const terms = { permissions: ['TRADE', 'USER_DATA'], addresses: [], label: '' } as const
    await linked.engine.submit({ kind: 'CreateApiKey', operator, accountId, apiKey, sealedSecret, ...terms })
  }
}

async function startGateway(name: string): Promise<GatewayProcess> {
  const { socketPath } = linked
  const options: GatewayProcessOptions = {
    ...{ socketPath, secret: SECRET, name },
    masterKey: MASTER_KEY.toString('hex'),
  }
  const child = Bun.spawn([process.execPath, FIXTURE, JSON.stringify(options)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const reader = child.stdout.getReader()
  let said = ''
  const line = async (number: number): Promise<string> => {
    for (;;) {
      const lines = said.split('\n')
      if (lines.length > number + 1) return lines[number] as string
      const { value, done } = await reader.read()
      if (done) throw new Error(`gateway ${name} has ended before it said line ${number}`)
      said += new TextDecoder().decode(value)
    }
  }
  const gateway = {
    url: await line(0),
    child,
    untilOpen: async () => {
      expect(await line(1)).toBe('open')
    },
  }
  processes.push(gateway)
  return gateway
}

async function openGateway(name: string): Promise<GatewayProcess> {
  const gateway = await startGateway(name)
  await gateway.untilOpen()
  return gateway
}

async function place({ url }: GatewayProcess, id: 3 | 4, fields: Record<string, string>): Promise<Seen> {
  const form = formOf({ symbol: 'BTC/USDT', type: 'LIMIT', ...fields, timestamp: Date.now() })
  return signed(`${url}/api/v3/order`, id, form, { method: 'POST', body: form })
}

async function ask(
  { url }: GatewayProcess,
  path: string,
  fields: Record<string, string> = {},
): Promise<Seen> {
  const form = formOf({ ...fields, timestamp: Date.now() })
  return signed(`${url}/api/v3${path}?${form}`, 3, form, {})
}

async function signed(url: string, id: 3 | 4, form: string, init: RequestInit): Promise<Seen> {
  const headers = {
    'X-Apikey': KEYS[id],
    'X-Signature': sign(KEY_SECRET, form),
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  return see(await fetch(url, { ...init, headers }))
}

const SELL = { side: 'SELL', quantity: '0.5', price: '100' }
const BUY = { side: 'BUY', quantity: '0.2', price: '100' }

test('an order placed with one gateway is there for who asks another, and its trade is on the stream of both', async () => {
  await startEngine()
  const [first, second] = await Promise.all([openGateway('first'), openGateway('second')])
  const streams = await Promise.all(
    [first, second].map(({ url }) => plainClient(`${url.replace('http', 'ws')}/ws`)),
  )
  for (const stream of streams) stream.send('join', 'BTC/USDT')
  await until('both streams have a book', () => streams.every(({ book }) => book.snapshots === 1))
  expect((await place(first, 3, SELL)).status).toBe(200)
  const { body } = await ask(second, '/openOrders')
  expect(JSON.stringify(body)).toContain('SELL')
  expect((await place(second, 4, BUY)).status).toBe(200)
  await until('both streams have the trade', () =>
    streams.every(({ trades }) => JSON.stringify(trades).includes('100')),
  )
  expect(JSON.stringify((await ask(first, '/openOrders')).body)).toContain('0.2')
  for (const stream of streams) stream.close()
})

test('a gateway that is killed takes nobody with it, and another one that comes in its place has all that happened', async () => {
  await startEngine()
  const [first, second] = await Promise.all([openGateway('first'), openGateway('second')])
  expect((await place(first, 3, SELL)).status).toBe(200)
  first.child.kill('SIGKILL')
  await linked.noted('LinkClosed')
  expect((await place(second, 4, BUY)).status).toBe(200)
  const third = await openGateway('third')
  const depth = await ask(third, '/depth', { symbol: 'BTC/USDT' })
  expect(JSON.parse(depth.text)).toMatchObject({ buy: {}, sell: { '100.00': 0.3 } })
  expect((await place(third, 4, BUY)).status).toBe(200)
  expect(linked.server.gateways).toEqual(['second', 'third'])
})

test('before it has a link a gateway answers STARTING, and once it has lost one its process ends and is to be replaced', async () => {
  await startEngine()
  await linked.server.stop()
  const early = await startGateway('early')
  const refused = await fetch(`${early.url}/api/v3/exchangeInfo`)
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringContaining('"reason":"STARTING"'),
  ])
  const server = linked.serve()
  await early.untilOpen()
  expect((await place(early, 3, SELL)).status).toBe(200)
  await server.stop()
  expect(await early.child.exited).toBe(LINK_LOST_EXIT_CODE)
})
