/** A client of Binance's wire over HTTP for tests of complete programs. Shares no code with the exchange. */
import { createHmac } from 'node:crypto'
import type { BinanceSection } from '../../../src/app/sandbox/credentials.ts'
import { readSandbox } from '../../support/bourse-process.ts'
import { ALONE } from '../../support/gateway-processes.ts'

export type WireKey = { readonly apiKey: string; readonly secret: string }
export type WireFields = Readonly<Record<string, string | number>>

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at as it is
export type WireAnswer = { readonly status: number; readonly body: any }

/** A sandbox's port for clients of Binance, and the keys for it. */
export function wireOf(data: string): BinanceSection & { readonly url: string; readonly streamUrl: string } {
  const { binance } = readSandbox(data) as never as { readonly binance: BinanceSection }
  return { ...binance, url: String(binance.url), streamUrl: String(binance.streamUrl) }
}

let lastMs = 0

/** Never the same twice: a text is valid for only one endpoint. */
function timestampMs(): number {
  lastMs = Math.max(lastMs + 1, Date.now())
  return lastMs
}

/** The text of a signed request, which can be sent unchanged any number of times. */
export function signedText({ secret }: WireKey, fields: WireFields): string {
  const all = Object.entries({ recvWindow: 60_000, timestamp: timestampMs(), ...fields })
  const text = new URLSearchParams(all.map(([name, value]) => [name, String(value)])).toString()
  return `${text}&signature=${createHmac('sha256', secret).update(text).digest('hex')}`
}

export class WireClient {
  readonly #url: string
  readonly #key: WireKey

  constructor(url: string, key: WireKey) {
    this.#url = url
    this.#key = key
  }

  /** Sends a text of `signedText` on a connection of its own. Rejects when no answer comes. */
  async send(method: string, path: string, text: string): Promise<WireAnswer> {
    const headers = { ...ALONE.headers, 'X-MBX-APIKEY': this.#key.apiKey }
    const answer = await fetch(`${this.#url}${path}?${text}`, { ...ALONE, method, headers })
    return { status: answer.status, body: await answer.json() }
  }

  /** Right after a start the exchange refuses signatures that may be older than those remembered. */
  async ready(): Promise<this> {
    while ((await this.ask('GET', '/api/v3/account')).body.reason === 'NONCES_UNKNOWN') await Bun.sleep(50)
    return this
  }

  ask(method: string, path: string, fields: WireFields = {}): Promise<WireAnswer> {
    return this.send(method, path, signedText(this.#key, fields))
  }

  /** Reads without a signature. */
  async read(path: string): Promise<WireAnswer> {
    const answer = await fetch(this.#url + path, ALONE)
    return { status: answer.status, body: await answer.json() }
  }

  text(fields: WireFields): string {
    return signedText(this.#key, fields)
  }
}
