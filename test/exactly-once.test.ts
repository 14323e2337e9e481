/**
 * kill -9 while orders are placed under client order ids: afterwards each id is queried, and sent again,
 * until its order exists exactly once; an answer that is reported as final stays the same.
 * `EXACTLY_ONCE_ROUNDS=100` for a long run.
 */
import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
} from './support/bourse-process.ts'

const ROUNDS = Number(process.env.EXACTLY_ONCE_ROUNDS ?? 4)
const ROUND_TIMEOUT_MS = 300_000
const UNDER_WAY = 24
/** The node is killed after this number of answers in a round, plus `round` times as many. */
const ANSWERS = 40
/**
 * Slightly shorter than a restart takes: many of these orders are queried before their deadline, and many
 * after it.
 */
const WINDOW_MS = 900

type Sent = {
  readonly id: string
  /** The request as it was first signed and sent. */
  readonly body: string
  readonly deadline: number
  /** The order id in an answer; undefined if there was no answer. */
  acknowledged: string | undefined
  /** Whether the exchange reported that the order will never be placed. */
  isFinal: boolean
}

type Answer = {
  readonly status: number
  readonly isRepeated: boolean
  readonly body: {
    readonly reason?: string
    readonly isFinal?: boolean
    readonly data?: { readonly id: string; readonly clientOrderId?: string }
  }
}

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

class Placer {
  readonly sent: Sent[] = []
  readonly #account: Credentials
  baseUrl = ''

  constructor(account: Credentials) {
    this.#account = account
  }

  /** Places a new order that rests; returns false if no answer arrived. */
  async placeNew(): Promise<boolean> {
    const id = `order-${this.sent.length}`
    const timestamp = Date.now()
    const sent: Sent = {
      id,
      body: this.#orderBody(id, timestamp, WINDOW_MS),
      deadline: timestamp + WINDOW_MS,
      acknowledged: undefined,
      isFinal: false,
    }
    this.sent.push(sent)
    const answer = await this.#send('POST', sent.body).catch(() => undefined)
    if (answer === undefined) return false
    sent.acknowledged = answer.body.data?.id
    return true
  }

  /**
   * Queries an order until it is found or reported as never to be placed; then sends it again, both unchanged
   * and newly signed.
   */
  async settle(sent: Sent): Promise<void> {
    const found = await this.#ask(sent)
    if (sent.acknowledged !== undefined) expect([sent.id, found]).toEqual([sent.id, sent.acknowledged])
    const late = await this.#send('POST', sent.body)
    if (found === undefined) {
      sent.isFinal = true
      expect([sent.id, late.status, late.body.reason]).toEqual([sent.id, 401, 'TIMESTAMP_EXPIRED'])
      expect(await this.#ask(sent)).toBeUndefined()
    }
    const again = await this.#send('POST', this.#orderBody(sent.id, Date.now(), 60_000))
    expect([sent.id, again.status, again.isRepeated]).toEqual([sent.id, 200, found !== undefined])
    if (found !== undefined) expect(again.body.data?.id).toBe(found)
    expect(await this.#ask(sent)).toBe(again.body.data?.id)
  }

  /** Open orders of the account, by their ids. */
  async open(): Promise<string[]> {
    const query = this.#timed({}, Date.now(), 60_000)
    const response = await fetch(`${this.baseUrl}/api/v3/order/active?${query}`, {
      headers: this.#headers(query),
    })
    return ((await response.json()) as { readonly id: string }[]).map(({ id }) => id)
  }

  /** The order's id; undefined if the order will never exist. */
  async #ask({ id, deadline }: Sent): Promise<string | undefined> {
    for (;;) {
      const query = this.#timed({ origClientOrderId: id, deadline: `${deadline}` }, Date.now(), 60_000)
      const { body } = await this.#send('GET', query)
      if (body.data !== undefined) return body.data.id
      expect([id, body.reason]).toEqual([id, 'UNKNOWN_CLIENT_ORDER_ID'])
      if (body.isFinal === true) return undefined
    }
  }

  #orderBody(newClientOrderId: string, timestamp: number, recvWindow: number): string {
    const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.0001', price: '100' }
    return this.#timed({ ...order, newClientOrderId }, timestamp, recvWindow)
  }

  #timed(fields: Readonly<Record<string, string>>, timestamp: number, recvWindow: number): string {
    return new URLSearchParams({
      ...fields,
      timestamp: `${timestamp}`,
      recvWindow: `${recvWindow}`,
    }).toString()
  }

  #headers(text: string): Record<string, string> {
    const { apiKey, secret } = this.#account
    return { 'X-Apikey': apiKey, 'X-Signature': createHmac('sha256', secret).update(text).digest('hex') }
  }

  async #send(method: 'GET' | 'POST', text: string): Promise<Answer> {
    const url = `${this.baseUrl}/api/v3/order`
    const headers = this.#headers(text)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const response =
      method === 'GET'
        ? await fetch(`${url}?${text}`, { headers })
        : await fetch(url, { method, headers: { ...headers, ...form }, body: text })
    const isRepeated = response.headers.get('x-repeated') === 'true'
    return { status: response.status, isRepeated, body: (await response.json()) as Answer['body'] }
  }
}

test(
  `over ${ROUNDS} kills every order sent under an id exists exactly once, and no answer was final too early`,
  async () => {
    node = await sandbox(data, '--limits', 'off')
    const placer = new Placer(readSandbox(data).accounts[0] as Credentials)
    let unanswered = 0
    for (let round = 0; round < ROUNDS; round++) {
      placer.baseUrl = readSandbox(data).baseUrl
      const first = placer.sent.length
      let answers = 0
      const enough = Promise.withResolvers<void>()
      const place = async () => {
        while (await placer.placeNew()) if (++answers === ANSWERS * (round + 1)) enough.resolve()
      }
      const loops = Array.from({ length: UNDER_WAY }, place)
      await enough.promise
      await node.end('SIGKILL')
      await Promise.all(loops)
      node = await sandbox(data, '--limits', 'off')
      placer.baseUrl = readSandbox(data).baseUrl
      const sentNow = placer.sent.slice(first)
      unanswered += sentNow.filter(({ acknowledged }) => acknowledged === undefined).length
      await Promise.all(sentNow.map((sent) => placer.settle(sent)))
    }
    // Each order exists once, and no other exists.
    expect(new Set(await placer.open()).size).toBe(placer.sent.length)
    expect(await placer.open()).toHaveLength(placer.sent.length)
    // Orders were in flight at the kills.
    expect(unanswered).toBeGreaterThan(ROUNDS)
    expect(placer.sent.filter(({ isFinal }) => isFinal).length).toBeGreaterThan(0)
    expect(await node.end('SIGTERM')).toBe(0)
  },
  ROUNDS * ROUND_TIMEOUT_MS,
)
