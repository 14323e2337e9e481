/**
 * One attempt at a request: it is built, signed and sent, and its answer is read. The caller handles
 * failures.
 */
import type { Signer } from '../access/signer.ts'
import { BourseError, type Outcome, RefusedError, usageError } from '../errors.ts'
import type { Platform } from '../platform/ports.ts'
import type { Endpoint } from '../values.ts'
import { refusalOf, retryAfterMs, textOfNumbers } from './answer-body.ts'

/** Parameters as texts, in the order in which they are sent. */
export type Fields = Readonly<Record<string, string>>

export type AttemptOptions = {
  readonly endpoint: Endpoint
  /** Includes `timestamp` and `recvWindow`, if the endpoint has them. */
  readonly fields: Fields
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export type Answer = {
  /** The answer of the endpoint, without the envelope. */
  readonly data: unknown
  /** Whether the order was placed before under its client order id, so that this is the original answer. */
  readonly isRepeated: boolean
}

export type Access = {
  readonly apiKey: string | undefined
  readonly signer: Signer | undefined
  /** Whether signatures cover method and path, and are valid only once. */
  readonly isStrict: boolean
}

const PREFIX = '/api/v3'

/** The language of messages for people; a function is called for each request. */
export type MessageLanguage = Language | (() => Language)

type Language = 'en' | 'tr'

/** Error codes of a refused connection, over which nothing was sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ConnectionRefused', 'ENOTFOUND', 'EAI_AGAIN']

/** Sends to the exchange: over HTTP only, or over other transports too. */
export type Sender = { readonly send: (attempt: AttemptOptions) => Promise<Answer> }

export class HttpSender implements Sender {
  readonly #platform: Platform
  readonly #base: URL
  readonly #access: Access
  readonly #language: MessageLanguage

  /** `url`: the address of the exchange, as its node prints it. */
  constructor(platform: Platform, url: string, access: Access, language: MessageLanguage) {
    this.#platform = platform
    this.#base = baseAddress(url)
    this.#access = access
    this.#language = language
  }

  /** The address without credentials. */
  get origin(): string {
    return this.#base.origin
  }

  get access(): Access {
    return this.#access
  }

  /** Sends once. Rejects with a BourseError whose outcome shows whether it may have been carried out. */
  async send({ endpoint, fields, timeoutMs, signal }: AttemptOptions): Promise<Answer> {
    const { method, path, isForm } = endpoint
    const request = `${method} ${PREFIX}${path}`
    if (signal?.aborted) throw aborted(request, signal, 'NOT_DONE')
    const text = new URLSearchParams(fields).toString()
    const target = new URL(this.#base)
    target.pathname = `${this.#base.pathname.replace(/\/$/, '')}${PREFIX}${path}`
    if (isForm !== true) target.search = text
    const signed = await this.#signed(endpoint, target, fields, text)
    const headers = {
      Accept: 'application/json',
      'Accept-Language': typeof this.#language === 'function' ? this.#language() : this.#language,
      ...signed.headers,
      ...(isForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
    }
    const body = isForm ? { body: text } : {}
    const received = await this.#received(
      target.href,
      { method, headers, ...body },
      { endpoint, timeoutMs, signal },
    )
    return this.#read(received, endpoint, signed.text)
  }

  async #signed({ security, method, isForm }: Endpoint, target: URL, fields: Fields, text: string) {
    const { apiKey, signer, isStrict } = this.#access
    if (security === 'NONE') return { headers: {}, text: undefined }
    if (apiKey === undefined)
      throw usageError(`${method} ${target.pathname} needs a key: give the client an apiKey.`)
    const keyed = { 'X-Apikey': apiKey }
    if (security === 'USER_DATA') return { headers: keyed, text: undefined }
    if (signer === undefined)
      throw usageError(`${method} ${target.pathname} is signed: give the client the secret.`)
    if (!isStrict && security !== 'WITHDRAW')
      return { headers: { ...keyed, 'X-Signature': await signer.sign(text) }, text }
    const timestamp = fields.timestamp ?? ''
    const nonce = this.#platform.randomHex(16)
    const [query, body] = isForm ? ['', text] : [text, '']
    const lines = [method, target.pathname, query, timestamp, nonce, body].join('\n')
    const strict = {
      'X-Signature': `v2=${await signer.sign(lines)}`,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
    }
    return { headers: { ...keyed, ...strict }, text: lines }
  }

  /** The complete answer; if it is incomplete at the timeout, the request fails. */
  async #received(
    url: string,
    init: {
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly body?: string
    },
    { endpoint, timeoutMs, signal }: Pick<AttemptOptions, 'endpoint' | 'timeoutMs' | 'signal'>,
  ): Promise<Received> {
    const { fetch, schedule } = this.#platform
    const request = `${endpoint.method} ${PREFIX}${endpoint.path}`
    const controller = new AbortController()
    const giveUp = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', giveUp, { once: true })
    let isLate = false
    const cancelTimer = schedule(timeoutMs, () => {
      isLate = true
      controller.abort()
    })
    try {
      const response = await fetch(url, { ...init, signal: controller.signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      if (signal?.aborted) throw aborted(request, signal, unknownOf(endpoint))
      const isNeverSent = NEVER_SENT.some((code) => codesOf(cause).includes(code))
      const said = isLate ? `no answer within ${timeoutMs} ms` : `no answer: ${messageOf(cause)}`
      const outcome = isNeverSent ? 'NOT_DONE' : unknownOf(endpoint)
      throw new BourseError('NO_ANSWER', `${request}: ${said}`, { outcome, request, cause })
    } finally {
      cancelTimer()
      signal?.removeEventListener('abort', giveUp)
    }
  }

  #read({ status, headers, text }: Received, endpoint: Endpoint, signedText: string | undefined): Answer {
    const request = `${endpoint.method} ${PREFIX}${endpoint.path}`
    if (status === 200 && headers.get('Content-Type')?.startsWith('text/csv')) {
      return { data: { csv: text, next: headers.get('X-Next') ?? undefined }, isRepeated: false }
    }
    const body = parsed(textOfNumbers(text, endpoint.numbers ?? []))
    const refusal = refusalOf(body, status, headers)
    if (refusal !== undefined) {
      const isSignature = refusal.reason === 'INVALID_SIGNATURE'
      const hint = isSignature
        ? 'The secret must be the text that came with the key. Compare signedText with signatureCheck.'
        : undefined
      const told = isSignature && signedText !== undefined ? { ...refusal, signedText } : refusal
      const outcome = outcomeOf(refusal.status, refusal.reason, endpoint)
      throw new RefusedError(told, { outcome, request, retryAfterMs: retryAfterMs(headers) }, hint)
    }
    if (status !== 200 || body === undefined) {
      const outcome: Outcome = status >= 400 && status < 500 ? 'NOT_DONE' : unknownOf(endpoint)
      const said = `HTTP ${status} with an answer that is not the exchange's: ${text.slice(0, 120)}`
      const detail = { outcome, request, retryAfterMs: retryAfterMs(headers) }
      throw new BourseError(
        status >= 300 && status < 500 ? 'UNREADABLE' : 'NO_ANSWER',
        `${request}: ${said}`,
        detail,
      )
    }
    const data = endpoint.isEnveloped ? (body as { readonly data?: unknown }).data : body
    return { data, isRepeated: headers.get('X-Repeated') === 'true' }
  }
}

type Received = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

function baseAddress(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    // The message leaves out the value found: it may contain a name and a password.
    throw usageError('url: expected the address of an exchange such as http://127.0.0.1:8080')
  }
  if (base.username !== '' || base.password !== '' || base.search !== '' || base.hash !== '') {
    throw usageError('url: expected an address without a user, a query and a fragment')
  }
  return base
}

/** The outcome of a request without an answer: a request that changes something may have been carried out. */
export function unknownOf({ method }: Pick<Endpoint, 'method'>): Outcome {
  return method === 'GET' ? 'NOT_DONE' : 'UNKNOWN'
}

/**
 * Whether a refused request was carried out (docs/reference/errors.md#codes-and-statuses). A repeated nonce
 * may be this request's own: a proxy or runtime may have sent it twice.
 */
export function outcomeOf(status: number, reason: string, endpoint: Endpoint): Outcome {
  if (reason === 'CANCEL_REPLACE_PARTLY_DONE') return 'PARTLY_DONE'
  const isDoubtful = status === 500 || reason === 'OUTCOME_UNKNOWN' || reason === 'NONCE_REPEATED'
  return isDoubtful ? unknownOf(endpoint) : 'NOT_DONE'
}

export function aborted(request: string, signal: AbortSignal, outcome: Outcome): BourseError {
  return new BourseError('ABORTED', `${request}: aborted by the caller`, {
    outcome,
    request,
    cause: signal.reason,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller reports the actual content.
    return undefined
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** The codes of an error and of its causes. */
function codesOf(error: unknown): readonly unknown[] {
  const codes: unknown[] = []
  for (let each = error, depth = 0; each instanceof Error && depth < 4; each = each.cause, depth++) {
    codes.push((each as { readonly code?: unknown }).code)
  }
  return codes
}
