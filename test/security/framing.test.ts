/**
 * Requests whose end a proxy and the node could find in different places. Each contains, after the place
 * where one of the two would end it, a complete signed order that must never be executed: the node refuses
 * the framing and closes the connection.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { form } from '../acceptance/support/client.ts'
import { type NodeProcess, startSandbox } from '../acceptance/support/node-process.ts'
import { request, untilClosed } from './support/attacker.ts'

setDefaultTimeout(300_000)

const ORDER_LINE = 'POST /api/v3/order HTTP/1.1'
const FORM = 'Content-Type: application/x-www-form-urlencoded'

let node: NodeProcess
beforeAll(async () => {
  node = await startSandbox()
})
afterAll(() => node.stop())

/** A complete request that places an order, including its signature. */
function signedOrder(): string {
  const fields = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100' }
  const body = form({ ...fields, timestamp: Date.now(), recvWindow: 60_000 })
  const { apiKey } = node.alice
  const headers = [`X-Apikey: ${apiKey}`, `X-Signature: ${node.alice.signature('', body)}`, FORM]
  return request(ORDER_LINE, [...headers, `Content-Length: ${body.length}`], body)
}

const ambiguous: readonly (readonly [name: string, headers: readonly string[], before: string])[] = [
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'],
  ['two lengths', ['Content-Length: 5', 'Content-Length: 0'], 'abcde'],
  ['a list of lengths', ['Content-Length: 5, 0'], 'abcde'],
  ['a length with a sign', ['Content-Length: +5'], 'abcde'],
  ['a negative length', ['Content-Length: -5'], 'abcde'],
  ['a length in hexadecimal', ['Content-Length: 0x5'], 'abcde'],
  ['an encoding that only looks like chunked', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
  ['chunked that is not the last encoding', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  ['two encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
  ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 5'], '0\r\n\r\n'],
  ['a header over two lines', ['Transfer-Encoding:\r\n chunked', 'Content-Length: 5'], '0\r\n\r\n'],
  ['a return within a header', ['X-A: a\rContent-Length: 5'], 'abcde'],
  ['a zero byte within a header', ['X-A: a\0b', 'Content-Length: 5'], 'abcde'],
  ['a chunk size with a prefix', ['Transfer-Encoding: chunked', FORM], '0x5\r\nabcde\r\n0\r\n\r\n'],
  ['a chunk size beyond counting', ['Transfer-Encoding: chunked', FORM], 'FFFFFFFFFFFFFFFFF\r\nabcde\r\n'],
  ['a chunk size with a sign', ['Transfer-Encoding: chunked', FORM], '-1\r\nabcde\r\n'],
]

test.each(ambiguous)('%s: refused, and what follows is not executed', async (_name, headers, before) => {
  const { statuses } = await untilClosed(node.url, {
    bytes: request(ORDER_LINE, headers, before) + signedOrder(),
  })
  expect(statuses).not.toContain(200)
  expect(statuses.at(-1)).toBeOneOf([400, 401, 413, 501])
  expect(await node.alice.active()).toEqual([])
})

test.each(['100-continue', '100-Continue', '100-CONTINUE'])(
  'a client that waits with Expect: %s is told to send its body, and is answered',
  async (expectation) => {
    const head = request(ORDER_LINE, [`Expect: ${expectation}`, FORM, 'Content-Length: 3'])
    const { hostname, port } = new URL(node.url)
    const answered = Promise.withResolvers<string>()
    let seen = ''
    let isSent = false
    const socket = await Bun.connect({
      ...{ hostname, port: Number(port) },
      socket: {
        data: (own, bytes) => {
          seen += Buffer.from(bytes).toString('utf8')
          if (!isSent && seen.includes('100 Continue')) own.write('a=b')
          isSent = true
          if (seen.includes('"status":')) answered.resolve(seen)
        },
        close: () => answered.resolve(seen),
      },
    })
    socket.write(head)
    expect(await answered.promise).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /)
    socket.end()
  },
)

test('a request without a Host and one with line feeds alone are refused', async () => {
  for (const bytes of [
    'GET /api/v3/exchangeInfo HTTP/1.1\r\n\r\n',
    'GET /api/v3/exchangeInfo HTTP/1.1\nHost: exchange\n\n',
    'GET /api/v3/exchangeInfo\r\n\r\n',
  ]) {
    const { statuses } = await untilClosed(node.url, { bytes })
    expect(statuses).toHaveLength(1)
    expect(statuses[0]).toBeOneOf([400, 505])
  }
})

test('the order that the others hide is valid by itself: sent alone it is executed', async () => {
  const bytes = signedOrder().replace('Host: exchange', 'Host: exchange\r\nConnection: close')
  const { statuses } = await untilClosed(node.url, { bytes })
  expect(statuses).toEqual([200])
  const active = await node.alice.active()
  expect(active).toHaveLength(1)
})
