/**
 * A customer, as a browser acts for one: with a cookie, a passkey in software, and a key pair whose private
 * key never leaves it.
 */
import { Secret, TOTP } from 'otpauth'
import { type BourseClient, createBourseClient } from '../../src/client/client.ts'
import { SoftPasskey } from '../../src/customers/soft-passkey.fixture.ts'
import type { NodeProcess } from '../acceptance/support/node-process.ts'
import { WAIT_MS_MAX } from './until.ts'

export type Answered = {
  readonly status: number
  readonly reason: string | undefined
  readonly data: Record<string, unknown>
}
type Mail = { readonly to: string; readonly text: string }

/**
 * Repeats a request until the customers process, which may be starting, answers. Rejects if there is no
 * answer within the time of a test.
 */
export async function answered(ask: () => Promise<Answered>): Promise<Answered> {
  for (const untilMs = performance.now() + WAIT_MS_MAX; performance.now() < untilMs; await Bun.sleep(20)) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined && answer.reason !== 'CUSTOMERS_AWAY') return answer
  }
  throw new Error('the process of customers does not answer')
}

/** The answer, unless it is a refusal. */
function done(path: string, answer: Answered): Answered {
  if (answer.status === 200 || answer.status === 202) return answer
  throw new Error(`expected ${path} to be done, found ${answer.status} ${answer.reason}`)
}

export class Customer {
  readonly origin: string
  readonly #node: Pick<NodeProcess, 'url' | 'admin'>
  readonly passkey: SoftPasskey
  readonly #cookies = new Map<string, string>()
  #csrf = ''
  keyName = ''
  account = ''
  pair: CryptoKeyPair | undefined
  /** If true, the browser does not support Ed25519. */
  isOld = false
  /** The secret of the authenticator app, in base32. */
  totpSecret = ''

  constructor(node: Pick<NodeProcess, 'url' | 'admin'>, passkey?: SoftPasskey) {
    this.#node = node
    this.origin = node.url.replace('127.0.0.1', 'localhost')
    this.passkey = passkey ?? new SoftPasskey(this.origin, 'localhost')
    // The page of this node, which may have another port than the one where the passkey was made.
    this.passkey.origin = this.origin
  }

  /** In a cluster: the process that set the session's cookie. */
  get process(): string | undefined {
    return /=([a-z0-9-]+)\./.exec(this.#cookies.get('__Host-session') ?? '')?.[1]
  }

  /** Sets an old cookie of this process: gateways send requests to that process first. */
  comeTo(process: string): void {
    this.#cookies.set('__Host-session', `__Host-session=${process}.${'0'.repeat(43)}`)
  }

  async ask(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const response = await fetch(`${this.#node.url}/account/v1/${path}`, {
      method,
      headers: {
        Host: new URL(this.origin).host,
        Origin: this.origin,
        Cookie: [...this.#cookies.values()].join('; '),
        'X-CSRF-Token': this.#csrf,
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      this.#cookies.set(pair.split('=')[0] ?? '', pair)
    }
    const answer = (await response.json()) as { data?: Record<string, unknown>; reason?: string }
    const data = answer.data ?? {}
    const signedIn = (data.signedIn ?? data) as Record<string, string>
    this.#csrf = signedIn.csrfToken ?? this.#csrf
    if (signedIn.sessionKeyName !== undefined) {
      this.keyName = signedIn.sessionKeyName
      this.account = signedIn.account ?? ''
    }
    return { status: response.status, reason: answer.reason, data }
  }

  /** Like the page, which repeats the request while the customers process starts. */
  async #config(): Promise<void> {
    await answered(() => this.ask('GET', 'config'))
  }

  async begin(mail: string): Promise<Answered> {
    await this.#config()
    return this.ask('POST', 'signup/begin', { mail, language: 'en', termsVersion: 1 })
  }

  /** Signs up; resolves once there is a session with a key. */
  async signUp(mail: string): Promise<Answered> {
    await this.#confirm(mail)
    return this.register()
  }

  /** The same with a password and an authenticator app instead of a passkey. */
  async signUpWithPassword(mail: string, password: string): Promise<Answered> {
    await this.#confirm(mail)
    await this.ask('POST', 'password/set', { password })
    const { data } = await this.ask('POST', 'totp/begin')
    this.totpSecret = String(data.secret)
    return this.ask('POST', 'totp/finish', { code: this.code(), sessionKey: await this.#newKey() })
  }

  async #confirm(mail: string): Promise<void> {
    done('signup/begin', await this.begin(mail))
    const mails = (await this.#node.admin('mail', 'list')) as readonly Mail[]
    const token = /#confirm=([\w-]{43})/.exec(mails.find(({ to }) => to === mail)?.text ?? '')?.[1]
    if (token === undefined)
      throw new Error(`expected a link in a mail to ${mail}, found ${JSON.stringify(mails)}`)
    done('signup/confirm', await this.ask('POST', 'signup/confirm', { token }))
  }

  /** Registers the first passkey, once the email address is confirmed. */
  async register(): Promise<Answered> {
    const { data } = done('passkey/register/begin', await this.ask('POST', 'passkey/register/begin', {}))
    const attestation = this.passkey.create(String(data.options))
    return this.ask('POST', 'passkey/register/finish', { attestation, sessionKey: await this.#newKey() })
  }

  async signIn(): Promise<Answered> {
    await this.#config()
    const { data } = await this.ask('POST', 'login/passkey/begin', {})
    const assertion = this.passkey.get(String(data.options))
    return this.ask('POST', 'login/passkey/finish', { assertion, sessionKey: await this.#newKey() })
  }

  /** The current code of the authenticator app; each code is valid once. */
  code(): string {
    return new TOTP({ secret: Secret.fromBase32(this.totpSecret) }).generate()
  }

  async signInWithPassword(mail: string, password: string): Promise<Answered> {
    await this.#config()
    const given = { mail, password, code: this.code(), sessionKey: await this.#newKey() }
    return this.ask('POST', 'login/password', given)
  }

  /** Adds another passkey of this person, with which the person signs in from now on. */
  async addPasskey(): Promise<SoftPasskey> {
    const begun = done('passkey/register/begin', await this.askWithStepUp('passkey/register/begin'))
    const passkey = new SoftPasskey(this.origin, 'localhost')
    const attestation = passkey.create(String(begun.data.options))
    done('passkey/register/finish', await this.ask('POST', 'passkey/register/finish', { attestation }))
    return passkey
  }

  /** The token of a step-up for this operation with these values. */
  async stepUp(operation: string, values: object = {}): Promise<string> {
    const begun = done('step-up/begin', await this.ask('POST', 'step-up/begin', { operation, values }))
    const assertion = this.passkey.get(String(begun.data.options))
    const { data } = await this.ask('POST', 'step-up/finish', { assertion })
    return String(data.stepUp)
  }

  /** Sends the request with a step-up of its own. */
  async askWithStepUp(path: string, body: object = {}): Promise<Answered> {
    return this.ask('POST', path, body, { 'X-Step-Up': await this.stepUp(path, body) })
  }

  /** A client that signs with the session's key. */
  trader(url = this.#node.url, patienceMs?: number): BourseClient {
    return createBourseClient({ url, apiKey: this.keyName, secret: this.pair?.privateKey, patienceMs })
  }

  async #newKey(): Promise<string> {
    const kind = this.isOld ? { name: 'ECDSA', namedCurve: 'P-256' } : 'Ed25519'
    this.pair = (await crypto.subtle.generateKey(kind, false, ['sign', 'verify'])) as CryptoKeyPair
    const raw = await crypto.subtle.exportKey('raw', this.pair.publicKey)
    return Buffer.from(raw).toString('base64url')
  }
}
