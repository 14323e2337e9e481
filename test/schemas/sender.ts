/** Sends the random requests, signed as the reference specifies, except for their deliberate errors. */
import type { Seen } from './checked.ts'
import type { SentRequest, Value } from './requests.ts'

/** A key, and the function that signs with its secret. */
export type Signer = { readonly apiKey: string; signature(text: string): string }

export type SenderOptions = {
  /** `http://host:port` */
  readonly url: string
  readonly alice: Signer
  readonly bob: Signer
  readonly now: () => number
}

/** Maximum number of remembered ids: the newest. */
const KNOWN_MAX = 8

const FORM = 'application/x-www-form-urlencoded'
const ANY_UUID = '01a0c450-6c7b-7100-8000-000000000001'

export class Sender {
  readonly #options: SenderOptions
  /** Newest first. */
  readonly #known: Readonly<Record<'order' | 'list' | 'next', string[]>> = { order: [], list: [], next: [] }

  constructor(options: SenderOptions) {
    this.#options = options
  }

  async send(request: SentRequest): Promise<Seen> {
    const { method, path, isForm, isTurkish } = request
    const text = this.#text(request)
    const headers = this.#headers(request, text)
    const response = await fetch(
      `${this.#options.url}/api/v3${path}${isForm || text === '' ? '' : `?${text}`}`,
      {
        method,
        headers: { ...headers, ...(isTurkish ? { 'Accept-Language': 'tr' } : {}) },
        ...(isForm ? { body: text } : {}),
      },
    )
    const answer = await response.text()
    this.#remember(answer)
    return { method, path, status: response.status, headers: response.headers, text: answer }
  }

  #text(request: SentRequest): string {
    const { flaw, flawAt, junk, path } = request
    const given = request.fields.map(([name, value]) => [name, this.#valueOf(value)] as [string, string])
    const at = given.length === 0 ? 0 : flawAt % given.length
    if (flaw === 'LEFT_OUT') given.splice(at, 1)
    if (flaw === 'WRONG_VALUE' && given[at] !== undefined) given[at][1] = junk
    if (flaw === 'TWICE' && given[at] !== undefined) given.push(given[at])
    if (flaw === 'FOREIGN') given.push([junk === '' ? 'postOnly' : junk, '1'])
    if (flaw !== 'NO_TIME' && !PUBLIC.includes(path)) given.push(['timestamp', `${this.#timeOf(request)}`])
    const text = given.map((pair) => pair.map(encoded).join('=')).join('&')
    if (flaw === 'BROKEN_ENCODING') return `${text}&a=%ZZ`
    return flaw === 'CONTROL' ? `${text}&a=%0A` : text
  }

  #timeOf({ flaw }: SentRequest): number {
    const now = this.#options.now()
    if (flaw === 'OLD') return now - 120_000
    return flaw === 'AHEAD' ? now + 60_000 : now
  }

  #headers({ flaw, isForm, isAlice }: SentRequest, text: string): Record<string, string> {
    const signer = isAlice ? this.#options.alice : this.#options.bob
    const { apiKey } = signer
    const signature = signer.signature(flaw === 'WRONG_SIGNATURE' ? `${text}x` : text)
    return {
      ...(flaw === 'NO_KEY' ? {} : { 'X-Apikey': flaw === 'UNKNOWN_KEY' ? 'a'.repeat(64) : apiKey }),
      ...(flaw === 'NO_SIGNATURE' ? {} : { 'X-Signature': signature }),
      ...(isForm ? { 'Content-Type': flaw === 'WRONG_TYPE' ? 'application/json' : FORM } : {}),
    }
  }

  /** The fields as texts, in the form of order entry. */
  fieldsOf({ fields }: SentRequest): Readonly<Record<string, string>> {
    return Object.fromEntries(fields.map(([name, value]) => [name, this.#valueOf(value)]))
  }

  #valueOf(value: Value): string {
    if (typeof value === 'string') {
      return value.startsWith('+') ? String(this.#options.now() + Number(value)) : value
    }
    const { known, place } = value
    if (known === 'clientId') return `c-${place}`
    const among = this.#known[known]
    return among[place % Math.max(1, among.length)] ?? ANY_UUID
  }

  #remember(answer: string): void {
    for (const [, name, value = ''] of answer.matchAll(/"(id|listId|next)":"([^"]+)"/g)) {
      const kind = name === 'next' ? 'next' : KINDS[value[15] ?? '']
      if (kind === undefined) continue
      const among = this.#known[kind]
      if (!among.includes(value)) among.unshift(value)
      among.splice(KNOWN_MAX)
    }
  }
}

/** The kind of an id, by the digit after its version. */
const KINDS: Readonly<Record<string, 'order' | 'list'>> = { 1: 'order', 3: 'list' }

/** These endpoints need no `timestamp`, but accept one. */
const PUBLIC = ['/ping', '/time', '/exchangeInfo', '/exchangeInfo/rules']

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
