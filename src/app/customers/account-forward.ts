/**
 * Forwards requests under `/account` to the customers' process: a limited number at once, each for a limited
 * time.
 */
import { errorBody } from '../../contract/error-body.ts'
import { pickLanguage } from '../../contract/language.ts'
import { SPOKEN_REASONS } from '../../contract/reasons/catalogue.ts'
import type { AccountRequest, AccountService } from '../../server/public/account-requests.ts'
import { AddressPlaces } from './address-places.ts'
import { ADDRESS_HEADER, type CustomersPlace, SECRET_HEADER } from './order.ts'

/** Maximum number of concurrent requests; further ones are refused. */
export const UNDER_WAY_MAX = 64
const TIMEOUT_MS = 15_000
/** Time that a process which was just started or replaced has to open its socket. */
const START_MS = 15_000
const CHECK_EVERY_MS = 50
/** The runtime's error codes for a socket without a listener. */
const NOT_THERE = ['FailedToOpenSocket', 'ECONNREFUSED', 'ENOENT', 'ConnectionRefused']
/** The headers of a client that the process reads. */
const PASSED = [
  'accept-language',
  'cookie',
  'host',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'x-csrf-token',
  'x-step-up',
]

/** A request as a customers' process gets it. */
export type Sent = { readonly method: string; readonly headers: Headers; readonly body?: Uint8Array }

export class AccountForward implements AccountService {
  readonly #socketPath: string
  readonly #secret: string
  /** Called before each request is forwarded, because the process may not have been started yet. */
  onFirst: () => void = () => {}
  #underWay = 0
  readonly #places = new AddressPlaces()

  constructor({ socketPath, secret }: CustomersPlace) {
    this.#socketPath = socketPath
    this.#secret = secret
  }

  async answer(asked: AccountRequest): Promise<Response> {
    const { address, path } = asked
    const answer = await this.#places.within(address, () => this.#send(path, forwarded(asked)))
    return answer ?? away(asked.request.headers.get('accept-language'))
  }

  /**
   * The text of an answer to the main process itself; undefined if there is none. `asked` is sent as JSON.
   */
  async ask(path: string, asked?: object): Promise<string | undefined> {
    const body = asked === undefined ? undefined : new TextEncoder().encode(JSON.stringify(asked))
    return (await this.askBytes(path, body))?.text()
  }

  /** Like `ask`, with the bytes of request and answer. */
  async askBytes(path: string, body?: Uint8Array): Promise<Response | undefined> {
    const sent = body === undefined ? {} : { body }
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await this.#send(path, { method, headers: new Headers(), ...sent })
    return answer?.ok ? answer : undefined
  }

  /** Undefined if the process is unavailable or overloaded. */
  async #send(path: string, init: Sent): Promise<Response | undefined> {
    if (this.#underWay >= UNDER_WAY_MAX) return undefined
    this.#underWay++
    init.headers.set(SECRET_HEADER, this.#secret)
    try {
      this.onFirst()
      for (const untilMs = performance.now() + START_MS; ; ) {
        const answer = await this.#once(path, init)
        if (answer !== 'NOT_THERE') return answer
        if (performance.now() >= untilMs) return undefined
        await Bun.sleep(CHECK_EVERY_MS)
      }
    } finally {
      this.#underWay--
    }
  }

  /** NOT_THERE: the process does not listen, and nothing was sent. */
  async #once(path: string, init: BunFetchRequestInit): Promise<Response | 'NOT_THERE' | undefined> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const url = `http://customers${path}`
      const answer = await fetch(url, { ...init, unix: this.#socketPath, redirect: 'manual', signal })
      // Reads the whole body: answers are small, and a request keeps its place until it is answered.
      return new Response(await answer.bytes(), { status: answer.status, headers: answer.headers })
    } catch (cause) {
      return isNotThere(cause) ? 'NOT_THERE' : undefined
    }
  }
}

/** Whether nothing listens there, so that nothing was sent. */
export function isNotThere(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && NOT_THERE.includes(String(cause.code))
}

/** Only the headers that the process reads, and the client's address. */
export function forwarded({ request, body, address }: AccountRequest): Sent {
  const headers = new Headers({ [ADDRESS_HEADER]: address })
  for (const name of PASSED) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const { method } = request
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return { method, headers, ...(hasBody ? { body } : {}) }
}

/** The answer while no process can answer. */
export function away(acceptLanguage: string | null): Response {
  const language = pickLanguage(acceptLanguage)
  const { status } = SPOKEN_REASONS.CUSTOMERS_AWAY
  return new Response(errorBody('CUSTOMERS_AWAY', {}, language), {
    status,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json;charset=utf-8',
      'Content-Language': language,
      'Retry-After': '1',
    },
  })
}
