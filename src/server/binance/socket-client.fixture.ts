/** A client of the WebSocket API, for tests. */
import { createHmac } from 'node:crypto'
import type { BinanceFixture } from './binance.fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: a message is looked at as it is
export type Message = any
export type Fields = Readonly<Record<string, string | number | boolean | readonly string[]>>
type Signer = { readonly apiKey: string; readonly sign: (text: string) => string }

export class SocketClient {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  readonly #f: BinanceFixture
  #woken = Promise.withResolvers<void>()
  #lastId = 0

  private constructor(f: BinanceFixture, path: string) {
    this.#f = f
    this.socket = new WebSocket(f.wireUrl.replace('http', 'ws') + path)
    const ended = Promise.withResolvers<{ readonly code: number; readonly reason: string }>()
    this.closed = ended.promise
    this.socket.onclose = ({ code, reason }) => ended.resolve({ code, reason })
    this.socket.onmessage = ({ data }) => {
      this.messages.push(JSON.parse(String(data)))
      this.#woken.resolve()
      this.#woken = Promise.withResolvers()
    }
  }

  static async open(f: BinanceFixture, path = '/ws-api/v3'): Promise<SocketClient> {
    const client = new SocketClient(f, path)
    const open = Promise.withResolvers<void>()
    client.socket.onopen = () => open.resolve()
    client.socket.onerror = () => open.reject(new Error(`no WebSocket at ${path}`))
    await open.promise
    return client
  }

  /** The first message that matches; waits for it. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(fits)
      if (found !== undefined) return found
      await this.#woken.promise
    }
  }

  /** Events of subscriptions, in the order in which they came. */
  get events(): Message[] {
    return this.messages.filter(({ event }) => event !== undefined).map(({ event }) => event)
  }

  /** The answer to a request. */
  ask(
    method: string,
    params: Fields | undefined = undefined,
    id: unknown = ++this.#lastId,
  ): Promise<Message> {
    this.socket.send(JSON.stringify({ id, method, params }))
    return this.until((message) => message.id === id && message.status !== undefined)
  }

  /** Like `ask`, but signed as clients do; adds `timestamp` if it is absent. */
  signed(method: string, fields: Fields = {}, signer: Signer = hmac(this.#f.alice)): Promise<Message> {
    return this.ask(method, signedParams({ timestamp: this.#f.clock.time, ...fields }, signer))
  }
}

export function hmac({ apiKey, secret }: { readonly apiKey: string; readonly secret: string }): Signer {
  return { apiKey, sign: (text) => createHmac('sha256', secret).update(text).digest('hex') }
}

export function signedParams(fields: Fields, { apiKey, sign }: Signer): Fields {
  const params: Fields = { ...fields, apiKey }
  const text = Object.keys(params)
    .toSorted()
    .map((name) => `${name}=${params[name]}`)
    .join('&')
  return { ...params, signature: sign(text) }
}
