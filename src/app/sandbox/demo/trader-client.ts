/**
 * An ordinary client of the exchange: signed requests over HTTP, as anybody's program sends them. It keeps to what a client ought to do: it corrects its clock
 * by the server's, waits as long as `Retry-After` says, and takes an answer that did not come for one that nobody knows.
 */
import { createHmac } from 'node:crypto'
import type { Credentials } from '../credentials.ts'

/** How long an answer is waited for. */
const ANSWER_MS_MAX = 10_000
const DEFAULT_RETRY_SECONDS = 1

/** Nothing usable was answered: whether anything was done is to be looked up. */
export class NoAnswerFault extends Error {
  override readonly name = 'NoAnswerFault'
}

/** The exchange asks for patience. */
export class RetryLaterFault extends Error {
  override readonly name = 'RetryLaterFault'
  readonly afterMs: number

  constructor(afterMs: number) {
    super(`the exchange asks to come back in ${afterMs} ms`)
    this.afterMs = afterMs
  }
}

export type TraderClientOptions = {
  /** `http://host:port` */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** The machine's clock; milliseconds. */
  readonly now: () => number
  /** The runtime's, with what it needs for the exchange's certificate. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

export type TraderAnswer = {
  readonly status: number
  readonly reason: string | undefined
  readonly data: unknown
}

/** Who trades: what the demo market needs of a client. */
export type Trader = Pick<TraderClient, 'name' | 'ask'>

type Envelope = { readonly reason?: string; readonly data?: unknown }

export class TraderClient {
  readonly #options: TraderClientOptions
  /** Server time less the machine's, as last asked for. */
  #offsetMs = 0

  constructor(options: TraderClientOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.credentials.name
  }

  /**
   * A signed request, sent again once where the clock was off. A refusal is an answer. Rejects with `RetryLaterFault` or `NoAnswerFault`.
   */
  async ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<TraderAnswer> {
    const answer = await this.#signed(method, path, fields)
    if (answer.reason !== 'TIMESTAMP_EXPIRED' && answer.reason !== 'TIMESTAMP_AHEAD') return answer
    await this.#askTime()
    return this.#signed(method, path, fields)
  }

  async #askTime(): Promise<void> {
    const { baseUrl, credentials, now } = this.#options
    const headers = { 'X-Apikey': credentials.apiKey }
    const { data } = await this.#sent(`${baseUrl}/api/v3/time`, { method: 'GET', headers })
    const { serverTime } = data as { readonly serverTime: number }
    this.#offsetMs = serverTime - now()
  }

  #signed(method: string, path: string, fields: Readonly<Record<string, string>>): Promise<TraderAnswer> {
    const { baseUrl, credentials, now } = this.#options
    const timestamp = String(now() + this.#offsetMs)
    const text = new URLSearchParams({ ...fields, timestamp }).toString()
    const signature = createHmac('sha256', credentials.secret).update(text).digest('hex')
    const headers: Record<string, string> = { 'X-Apikey': credentials.apiKey, 'X-Signature': signature }
    const url = `${baseUrl}/api/v3/${path}`
    if (method === 'GET') return this.#sent(`${url}?${text}`, { method, headers })
    headers['Content-Type'] = 'application/x-www-form-urlencoded'
    return this.#sent(url, { method, headers, body: text })
  }

  async #sent(url: string, init: RequestInit): Promise<TraderAnswer> {
    let response: Response
    let body: Envelope
    try {
      response = await this.#options.fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS_MAX) })
      body = (await response.json()) as Envelope
    } catch (cause) {
      throw new NoAnswerFault(`${init.method} ${new URL(url).pathname} has no answer`, { cause })
    }
    if (response.status === 429 || response.status === 418 || response.status === 503) {
      const seconds = Number(response.headers.get('retry-after') ?? DEFAULT_RETRY_SECONDS)
      throw new RetryLaterFault(Math.max(1, seconds) * 1_000)
    }
    return { status: response.status, reason: body.reason, data: body.data }
  }
}
