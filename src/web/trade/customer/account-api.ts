/**
 * Requests of the page to the customers' interface (docs/reference/account.md), with the token that belongs
 * to the cookie.
 */

import type { AccountEndpoint } from '../../../contract/customers/endpoints.ts'
import type { SignUpMode } from '../../../contract/customers/sign-up.ts'

const PATH = '/account/v1/'
const TIMEOUT_MS = 20_000
const CONFIG_TRIES_MAX = 3
const AGAIN_MS = 1_000
/** Each of these ends the session. */
const ENDINGS: readonly AccountEndpoint[] = ['logout', 'freeze', 'erase']

export type AccountConfig = {
  readonly origin: string
  readonly state: 'NOBODY' | 'SIGNUP' | 'SESSION'
  readonly signUp: SignUpMode
  readonly termsVersion: number
  readonly isSandbox: boolean
}

export type SignedIn = { readonly account: string; readonly sessionKeyName: string }

/** A refusal, with the exchange's own message for people. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

export class AccountApi {
  readonly #language: () => string
  #csrf = ''
  /** Reads in progress. They are canceled at the end of the session, after which they would be refused. */
  #reads = new AbortController()

  constructor(language: () => string) {
    this.#language = language
  }

  /**
   * Must be requested first, because the form depends on it; repeated while the customers process is
   * starting. Rejects with `AccountError`.
   */
  async config(): Promise<AccountConfig> {
    for (let tries = 1; ; tries++) {
      try {
        return (await this.#ask('config')) as AccountConfig
      } catch (error) {
        const isAway = error instanceof AccountError && error.reason === 'CUSTOMERS_AWAY'
        if (!isAway || tries === CONFIG_TRIES_MAX) throw error
      }
      await new Promise((done) => setTimeout(done, AGAIN_MS))
    }
  }

  /** The data of the answer. Rejects with `AccountError`. */
  get(path: string): Promise<unknown> {
    return this.#ask(path, { signal: this.#reads.signal })
  }

  /** The data of the answer; `stepUp`: the token of a step-up for it. Rejects with `AccountError`. */
  post(path: string, body: object = {}, stepUp?: string): Promise<unknown> {
    if (ENDINGS.some((ending) => ending === path)) this.#cancelReads()
    const proof = stepUp === undefined ? {} : { 'X-Step-Up': stepUp }
    return this.#ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': this.#csrf, ...proof },
      body: JSON.stringify(body),
    })
  }

  async #ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(`${PATH}${path}`, {
      ...init,
      headers: { ...init.headers, 'Accept-Language': this.#language() },
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]),
    })
    const answer = (await response.json()) as {
      readonly data?: Readonly<Record<string, unknown>>
      readonly reason?: string
      readonly msg?: readonly string[]
    }
    if (!response.ok) throw new AccountError(answer.reason ?? '', answer.msg?.[0] ?? '')
    const signedIn = answer.data?.signedIn as { readonly csrfToken?: unknown } | undefined
    const word = signedIn?.csrfToken ?? answer.data?.csrfToken
    if (typeof word === 'string') this.#csrf = word
    return answer.data
  }

  #cancelReads(): void {
    this.#reads.abort(new Error('the session ends'))
    this.#reads = new AbortController()
  }
}
