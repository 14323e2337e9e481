/** An exchange with two traders whose gateways are processes of their own, for tests. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { account, asset, credit, symbol } from '../../engine/writer/commands.fixture.ts'
import { createSecretBox } from '../../server/access/auth/secret-box.ts'
import { formOf, type Seen, see, sign } from '../../server/public/gateway.fixture.ts'
import { type LinkedEngine, SECRET, startLinkedEngine } from '../../transport/link/linked-engine.fixture.ts'
import type { AccountId } from '../../units/ids.ts'
import type { GatewayProcessOptions } from './linked-gateway-process.fixture.ts'

const MASTER_KEY = randomBytes(32)
const FIXTURE = join(import.meta.dir, 'linked-gateway-process.fixture.ts')
export const KEYS = { 3: 'key-of-alice', 4: 'key-of-bob' } as const
export const KEY_SECRET = 'a secret of both'

export type GatewayChild = {
  readonly child: Bun.Subprocess
  readonly url: Promise<string>
  /** Resolves when it serves clients. */
  readonly opened: Promise<void>
}

/** BTC/USDT, alice (3) and bob (4) with money and a key each; the clock is the machine's. */
export async function startLinkedExchange(): Promise<LinkedEngine> {
  const linked = await startLinkedEngine({ clock: () => undefined })
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
  return linked
}

/** Starts a gateway; on a shared port, if one is given. */
export function spawnGateway({ socketPath }: LinkedEngine, name: string, port?: number): GatewayChild {
  const masterKey = MASTER_KEY.toString('hex')
  const options: GatewayProcessOptions = { socketPath, secret: SECRET, name, masterKey, port }
  const child = Bun.spawn([process.execPath, FIXTURE, JSON.stringify(options)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout, name)
  const url = lines()
  const opened = url.then(lines).then(() => {})
  // Each can be awaited without the other.
  for (const promise of [url, opened]) promise.catch(() => {})
  return { child, url, opened }
}

/** The next line at each call. */
function linesOf(output: ReadableStream<Uint8Array>, name: string): () => Promise<string> {
  const reader = output.getReader()
  let said = ''
  return async () => {
    for (;;) {
      const end = said.indexOf('\n')
      if (end >= 0) {
        const line = said.slice(0, end)
        said = said.slice(end + 1)
        return line
      }
      const { value, done } = await reader.read()
      if (done) throw new Error(`gateway ${name} has ended, after ${said}`)
      said += new TextDecoder().decode(value)
    }
  }
}

/** Places a limit order in BTC/USDT. */
export function place(url: string, id: 3 | 4, fields: Record<string, string>): Promise<Seen> {
  const form = formOf({
    symbol: 'BTC/USDT',
    type: 'LIMIT',
    ...fields,
    timestamp: Date.now(),
    recvWindow: 60_000,
  })
  return signed(`${url}/api/v3/order`, id, form, { method: 'POST', body: form })
}

/** Sends a query as alice. */
export function ask(url: string, path: string, fields: Record<string, string> = {}): Promise<Seen> {
  const form = formOf({ ...fields, timestamp: Date.now(), recvWindow: 60_000 })
  return signed(`${url}/api/v3${path}?${form}`, 3, form, {})
}

/** Sends a query as alice; resolves when it has been sent, even if it has not been read. */
export async function sendQuestion(
  url: string,
  path: string,
  fields: Record<string, string>,
): Promise<{ readonly answer: Promise<string> }> {
  const { hostname, port } = new URL(url)
  const form = formOf({ ...fields, timestamp: Date.now(), recvWindow: 60_000 })
  const socket = connect(Number(port), hostname)
  const answer = text(socket)
  const head = [
    `GET /api/v3${path}?${form} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `X-Apikey: ${KEYS[3]}`,
    `X-Signature: ${sign(KEY_SECRET, form)}`,
    'Connection: close',
  ]
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(`${head.join('\r\n')}\r\n\r\n`, () => resolve())
  })
  return { answer }
}

async function signed(url: string, id: 3 | 4, form: string, init: RequestInit): Promise<Seen> {
  const headers = {
    'X-Apikey': KEYS[id],
    'X-Signature': sign(KEY_SECRET, form),
    'Content-Type': 'application/x-www-form-urlencoded',
    // Each request selects a gateway again.
    Connection: 'close',
  }
  return see(await fetch(url, { ...init, headers, keepalive: false }))
}
