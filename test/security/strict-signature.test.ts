/**
 * An attacker who reads the traffic cannot reuse strictly signed requests, not even after a restart of the
 * node.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac, randomUUID } from 'node:crypto'
import { type Client, form } from '../acceptance/support/client.ts'
import { type NodeProcess, startSandbox } from '../acceptance/support/node-process.ts'

setDefaultTimeout(300_000)

const ORDER = '/api/v3/order'
const ACTIVE = '/api/v3/order/active'
const LIMIT_ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100' }

let node: NodeProcess
let key: { readonly apiKey: string; readonly secret: string }

beforeAll(async () => {
  node = await startSandbox({ limits: { isEnabled: false } })
  key = (await node.admin('key', 'add', 'alice', '--strict', 'on')) as typeof key
})
afterAll(() => node.stop())

type Overheard = Parameters<Client['raw']>[0]

/** A strictly signed request, as an eavesdropper receives it. */
function overheard(method: 'GET' | 'POST', path: string, fields: Record<string, string>): Overheard {
  const timestamp = String(Date.now())
  const nonce = randomUUID()
  const text = form({ ...fields, timestamp, recvWindow: 60_000 })
  const [query, body] = method === 'GET' ? [text, ''] : ['', text]
  const lines = [method, path, query, timestamp, nonce, body].join('\n')
  const hex = createHmac('sha256', key.secret).update(lines).digest('hex')
  const headers = {
    'X-Apikey': key.apiKey,
    'X-Signature': `v2=${hex}`,
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
  }
  return { method, path, query, headers, ...(body === '' ? {} : { body }) }
}

async function send(request: Overheard): Promise<string> {
  const { status, body } = await node.alice.raw(request)
  return status === 200 ? 'in' : `${status} ${body.reason}`
}

/** Sends fresh requests until the node has a record of every nonce that can still be used. */
async function sendFresh(make: () => Overheard): Promise<Overheard> {
  for (;;) {
    const request = make()
    const answer = await send(request)
    if (answer === 'in') return request
    expect(answer).toBe('503 NONCES_UNKNOWN')
  }
}

test('a strictly signed order that was overheard is placed once, even when the node is killed and starts again', async () => {
  const order = await sendFresh(() => overheard('POST', ORDER, LIMIT_ORDER))
  expect(await send(order)).toBe('401 NONCE_REPEATED')
  node = await node.restart('SIGKILL')
  expect(await send(order)).toBe('503 NONCES_UNKNOWN')
  await sendFresh(() => overheard('GET', ACTIVE, {}))
  expect(await send(order)).toBe('503 NONCES_UNKNOWN')
  expect(await node.alice.active()).toHaveLength(1)
})

test('a key that demands strict signatures still does after a restart', async () => {
  const plain = node.client(key)
  const answer = await plain.request('GET', ACTIVE)
  expect([answer.status, answer.body.reason]).toEqual([401, 'STRICT_SIGNATURE_REQUIRED'])
  expect((await node.admin('key', 'list', 'alice')) as object[]).toContainEqual(
    expect.objectContaining({ apiKey: key.apiKey, strict: true }),
  )
})
