/**
 * Complete HTTP requests, signed as by a client, created before the measurement: the client's cost of signing
 * is not measured here. All of them have the same timestamp, so they use the widest `recvWindow`, a minute.
 */
import { createHmac } from 'node:crypto'
import type { LoadPlan } from './load.ts'

const PRICES = 10

export class SignedOrders {
  readonly #bytes: Buffer
  readonly #ends: Uint32Array

  constructor({ port, apiKey, secret, orders, batch }: LoadPlan) {
    const requests = batch === undefined ? orders : orders / batch
    const path = batch === undefined ? '/api/v3/order' : '/api/v3/order/batch'
    const head =
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Apikey: ${apiKey}\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\n'
    const timestamp = Date.now()
    const texts: string[] = []
    this.#ends = new Uint32Array(requests)
    let end = 0
    for (let n = 0; n < requests; n++) {
      const body = batch === undefined ? orderBody(n, timestamp) : batchBody(n * batch, batch, timestamp)
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const text = `${head}X-Signature: ${signature}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      end += text.length
      this.#ends[n] = end
      texts.push(text)
    }
    this.#bytes = Buffer.from(texts.join(''), 'latin1')
  }

  /** The bytes of request `n`. */
  at(n: number): Uint8Array {
    return this.#bytes.subarray(this.#ends[n - 1] ?? 0, this.#ends[n])
  }
}

/**
 * An order that rests, then one that takes it, alternately: half of all orders trade, and the book stays
 * small. If they arrive in another order, some stay in the book; with one price for all, an even number of
 * orders makes half as many trades for any previous content of the book.
 */
export function orderFields(n: number, prices = PRICES): readonly (readonly [name: string, value: string])[] {
  const side = n % 2 === 0 ? 'SELL' : 'BUY'
  const price = String(50_000 + ((n >> 1) % prices))
  return [
    ['symbol', 'BTC/USDT'],
    ['side', side],
    ['type', 'LIMIT'],
    ['quantity', '0.001'],
    ['price', price],
  ]
}

function orderBody(n: number, timestamp: number): string {
  const order = orderFields(n).map(([name, value]) => `${name}=${value}`)
  return `${order.join('&')}&timestamp=${timestamp}&recvWindow=60000`
}

/** `count` orders from `first` on as one request. */
function batchBody(first: number, count: number, timestamp: number): string {
  const operations = Array.from({ length: count }, (_, i) => ({
    method: 'POST',
    ...Object.fromEntries(orderFields(first + i)),
  }))
  const text = encodeURIComponent(JSON.stringify(operations))
  return `operations=${text}&timestamp=${timestamp}&recvWindow=60000`
}
