/** Requests that never end, and requests that are too large: they end at a limit, while others are served. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type NodeProcess, startSandbox } from '../acceptance/support/node-process.ts'
import { request, untilClosed } from './support/attacker.ts'

setDefaultTimeout(300_000)

const INFO_LINE = 'GET /api/v3/exchangeInfo HTTP/1.1'
const BODY_HEADERS = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 60000']
/** Number of connections of each kind. */
const SLOW = 100

let node: NodeProcess
beforeAll(async () => {
  node = await startSandbox({ http: { bodyTimeoutMs: 1_000, idleTimeoutSeconds: 8 } })
})
afterAll(() => node.stop())

test('slow heads, slow bodies and silent connections are closed, and trading continues meanwhile', async () => {
  const drip = { bytes: 'a', everyMs: 250 }
  const signature = ['X-Signature: 00', `X-Apikey: ${node.alice.apiKey}`]
  const attacks = [
    { bytes: request(INFO_LINE, ['X-Slow: ']).trimEnd(), drip },
    { bytes: request(INFO_LINE, ['X-Slow: ']).trimEnd() },
    { bytes: '' },
    { bytes: request('POST /api/v3/order HTTP/1.1', [...signature, ...BODY_HEADERS]), drip },
  ]
  const closing = Promise.all(
    attacks.flatMap((attack) => Array.from({ length: SLOW }, () => untilClosed(node.url, attack))),
  )
  let isOver = false
  void closing.finally(() => {
    isOver = true
  })
  let traded = 0
  while (!isOver) {
    const { id } = await node.alice.place({
      symbol: 'BTC/USDT',
      side: 'BUY',
      type: 'LIMIT',
      quantity: '0.1',
      price: '100',
    })
    await node.alice.cancel(id)
    traded++
  }
  expect(traded).toBeGreaterThan(0)
  for (const { statuses } of await closing) expect(statuses).not.toContain(200)
})

test('a head beyond the limit is refused: one long header, many short ones, a long address', async () => {
  const many = Array.from({ length: 2_000 }, (_, i) => `X-${i}: ${i}`)
  for (const bytes of [
    request(INFO_LINE, [`X-Long: ${'a'.repeat(1 << 20)}`]),
    request(INFO_LINE, many),
    request(`GET /api/v3/exchangeInfo?${'a'.repeat(1 << 20)} HTTP/1.1`, []),
  ]) {
    const { statuses } = await untilClosed(node.url, { bytes })
    expect(statuses).toHaveLength(1)
    expect(statuses[0]).toBeOneOf([400, 414, 431])
  }
})

test('a body beyond the limit is refused, announced or in chunks', async () => {
  const headers = ['Content-Type: application/x-www-form-urlencoded', `X-Apikey: ${node.alice.apiKey}`]
  const close = 'Connection: close'
  const length = 16 * 1024 * 1024
  const announced = request('POST /api/v3/order HTTP/1.1', [...headers, close, `Content-Length: ${length}`])
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
  const chunked = request('POST /api/v3/order HTTP/1.1', [...headers, close, 'Transfer-Encoding: chunked'])
  for (const bytes of [announced + 'a'.repeat(length), chunked + chunk.repeat(200)]) {
    const { statuses } = await untilClosed(node.url, { bytes })
    expect(statuses).toEqual([413])
  }
})
