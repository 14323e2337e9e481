/**
 * A signing client written from docs/reference/authentication.md#signature alone, as an outside developer
 * would write it.
 */
import { createHmac } from 'node:crypto'
import { type Exact, exactJson } from './exact-json.ts'

export type Fields = Readonly<Record<string, string | number>>

/** An answer; `body` has numbers as `#<as written>`. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Exact
}

export type RawRequest = {
  readonly method: string
  readonly path: string
  /** Without the `?`, as sent. */
  readonly query?: string
  /** The body as sent. */
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** If false, there is no `X-Signature`. The default is true if there is a secret. */
  readonly isSigned?: boolean
  /** If true, a new connection is used for this request alone. */
  readonly isFresh?: boolean
}

const FORM = 'application/x-www-form-urlencoded'
/** The longest window possible: a machine may pause between the signature and its check. */
const RECV_WINDOW_MS = 60_000

/** `name=value&...` with percent-encoding. */
export function form(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

export class Client {
  readonly url: string
  readonly #credentials: { readonly apiKey: string; readonly secret: string } | undefined

  constructor(url: string, credentials?: { readonly apiKey: string; readonly secret: string }) {
    this.url = url
    this.#credentials = credentials
  }

  get apiKey(): string {
    return this.#credentials?.apiKey ?? ''
  }

  /** HMAC-SHA256 of query and body, in hexadecimal. */
  signature(query: string, body: string | Uint8Array = ''): string {
    const hmac = createHmac('sha256', this.#credentials?.secret ?? '')
    return hmac.update(query).update(body).digest('hex')
  }

  /** Sends exactly this, with key and signature if there are credentials. */
  async raw({
    method,
    path,
    query = '',
    body,
    headers = {},
    isSigned = true,
    isFresh,
  }: RawRequest): Promise<Answer> {
    const all: Record<string, string> = {}
    if (this.#credentials !== undefined) {
      all['X-Apikey'] = this.apiKey
      if (isSigned) all['X-Signature'] = this.signature(query, method === 'GET' ? '' : body)
    }
    if (body !== undefined) all['Content-Type'] = FORM
    const response = await fetch(`${this.url}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: { ...all, ...headers },
      ...(body === undefined ? {} : { body: body as BodyInit }),
      ...(isFresh === true ? { keepalive: false } : {}),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: tryJson(text) }
  }

  /**
   * Sends a well-formed request: a time and a window are added if the fields have no time, and parameters are
   * where the method expects them.
   */
  request(
    method: string,
    path: string,
    fields: Fields = {},
    more: Partial<RawRequest> = {},
  ): Promise<Answer> {
    const isTimed = Object.hasOwn(fields, 'timestamp')
    const text = form(isTimed ? fields : { timestamp: Date.now(), recvWindow: RECV_WINDOW_MS, ...fields })
    return method === 'GET'
      ? this.raw({ method, path, query: text, ...more })
      : this.raw({ method, path, body: text, ...more })
  }

  /** Like `request`, but the answer must be a success. */
  async ask(
    method: string,
    path: string,
    fields: Fields = {},
    more: Partial<RawRequest> = {},
  ): Promise<Exact> {
    const answer = await this.request(method, path, fields, more)
    if (answer.status !== 200)
      throw new Error(`${method} ${path} ${form(fields)}: ${answer.status} ${answer.text}`)
    return answer.body
  }

  /** Places an order that must be accepted; resolves with the answer's `data`. */
  async place(fields: Fields): Promise<Exact> {
    return (await this.ask('POST', '/api/v3/order', fields)).data
  }

  cancel(id: string): Promise<Exact> {
    return this.ask('DELETE', '/api/v3/order', { id })
  }

  depth(symbol: string, more?: Partial<RawRequest>): Promise<Exact> {
    return this.ask('GET', '/api/v3/depth', { symbol, limit: 5000 }, more)
  }

  trades(symbol: string, more?: Partial<RawRequest>): Promise<Exact> {
    return this.ask('GET', '/api/v3/trades', { symbol, limit: 1000 }, more)
  }

  active(fields: Fields = {}, more?: Partial<RawRequest>): Promise<Exact> {
    return this.ask('GET', '/api/v3/order/active', fields, more)
  }

  history(fields: Fields = {}, more?: Partial<RawRequest>): Promise<Exact> {
    return this.ask('GET', '/api/v3/order/trade/history', fields, more)
  }

  /** The complete history, newest first, by pages of a fixed list. */
  async wholeHistory(fields: Fields = {}): Promise<Exact[]> {
    // Two, because a trade of an account with itself has two items.
    const newest = await this.history({ ...fields, size: 2 })
    const before = newest.items[0]?.id
    const items: Exact[] = newest.items.filter(({ id }: Exact) => id === before)
    if (before === undefined) return items
    for (let page = 0; ; page++) {
      const more = await this.history({ ...fields, size: 1000, page, before })
      items.push(...more.items)
      if (more.items.length < 1000) return items
    }
  }

  /** Asset accounts by asset code. */
  async balances(more?: Partial<RawRequest>): Promise<Record<string, Exact>> {
    const { data } = await this.ask('GET', '/api/v3/wallet/balance', {}, more)
    return Object.fromEntries(data.acc.Spot.assetAccs.map((each: Exact) => [each.asset, each]))
  }
}

function tryJson(text: string): Exact {
  try {
    return exactJson(text)
  } catch {
    return undefined
  }
}
