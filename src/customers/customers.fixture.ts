/**
 * The customers process inside the test's own process: real files, a clock that a test sets, a fake exchange.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { AccountEndpoint } from '../contract/customers/endpoints.ts'
import { ACCOUNT_PATH } from '../contract/customers/row.ts'
import type { CustomersContext } from './customers-context.ts'
import { DayLimits } from './day-limits.ts'
import { Expiring } from './expiring.ts'
import { Failures } from './factors/failures.ts'
import { Passwords } from './factors/passwords.ts'
import { StepUps } from './factors/step-ups.ts'
import type { TotpOffer } from './factors/totp.ts'
import { FreezeTurns } from './freezes/turns.ts'
import { answer } from './http/answer.ts'
import { AskedMails } from './mail/asked-mails.ts'
import { newId, newToken } from './names.ts'
import { NobodysKeys } from './nobodys-keys.ts'
import { Challenges } from './people/challenges.ts'
import { Openings } from './people/openings.ts'
import {
  type AddressList,
  type CustomerMarks,
  type ExchangeAccess,
  ExchangeFault,
  type ExchangeKey,
  type KeyTerms,
  KeyTermsRefusal,
  type NewKey,
  type RestrictionChange,
  type SessionKey,
  type TrailHead,
} from './ports.ts'
import { KeyAnnouncer } from './sessions/key-announcer.ts'
import { SoftPasskey } from './soft-passkey.fixture.ts'
import { Store, type StoreOptions } from './store/store.ts'
import { type CustomersConfig, LASTING } from './terms.ts'

export const ORIGIN = 'http://localhost:8080'
export const CONFIG: CustomersConfig = {
  ...LASTING,
  ...{ name: 'Bourse sandbox', isSandbox: true, signUp: 'OPEN', termsVersion: 1 },
  ...{ rpId: 'localhost', origin: ORIGIN, origins: [ORIGIN] },
}
/** A public key of RFC 8032, section 7.1. */
export const SESSION_KEY = Buffer.from(
  'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  'hex',
).toString('base64url')

/** The cheapest parameters that argon2id allows. */
const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
/** The number of password comparisons. */
export const compared = { count: 0 }
const PASSWORD_HASH = {
  hash: (password: string) => Bun.password.hash(password, CHEAP),
  verify: (password: string, hash: string) => {
    compared.count++
    return Bun.password.verify(password, hash)
  },
}

/** A fake exchange that stores what it accepts; while `isAway` is true, it does not answer. */
export class KnowingExchange implements ExchangeAccess {
  readonly accounts: string[] = []
  readonly keys = new Map<string, SessionKey>()
  /** Restrictions that customers have set, by account. */
  readonly restrictions = new Map<string, Set<string>>()
  /** The journal's marks, by account. */
  readonly markByAccount = new Map<string, { epoch: number; isForgotten: boolean }>()
  /** Keys of all accounts, in the order in which they were created. */
  readonly ownKeys: (NewKey & { readonly account: string; isRevoked: boolean })[] = []
  /** Heads of the trail in the journal. */
  readonly heads: { readonly number: number; readonly hash: string }[] = []
  readonly addressLists = new Map<string, readonly string[]>()
  refusesKeys: KeyTermsRefusal['why'] | undefined
  refusesSessionKeys = false
  readonly endedNames = new Set<string>()
  /** By process: the names received since its announcement began. */
  readonly announcedBy = new Map<string, string[]>()
  /** Accounts whose changes are all refused. */
  readonly refused = new Set<string>()
  isAway = false

  /** An exchange that starts with the same facts; from then on the two change separately. */
  copy(): KnowingExchange {
    return Object.assign(new KnowingExchange(), structuredClone({ ...this }))
  }

  async openAccount(name: string): Promise<void> {
    this.#answer(name)
    if (this.accounts.includes(name)) return
    this.accounts.push(name)
    this.markByAccount.set(name, { epoch: 0, isForgotten: false })
  }

  async raiseEpoch(account: string, epoch: number): Promise<number> {
    this.#answer()
    const mark = this.markByAccount.get(account)
    if (mark === undefined || mark.isForgotten) throw refusedFault('UNKNOWN_ACCOUNT')
    if (mark.epoch < epoch) mark.epoch++
    return mark.epoch
  }

  async forget(account: string): Promise<void> {
    this.#answer()
    const mark = this.markByAccount.get(account)
    if (mark === undefined) throw new ExchangeFault('UNKNOWN_ACCOUNT')
    mark.isForgotten = true
  }

  async noteHead(number: number, hash: Uint8Array): Promise<void> {
    this.#answer()
    this.heads.push({ number, hash: Buffer.from(hash).toString('hex') })
  }

  async newestHead(): Promise<TrailHead | undefined> {
    this.#answer()
    const head = this.heads.at(-1)
    return head === undefined ? undefined : { number: head.number, hash: Buffer.from(head.hash, 'hex') }
  }

  async marks(): Promise<CustomerMarks> {
    this.#answer()
    const isFrozen = (account: string) => this.restrictions.get(account)?.has('LOGIN') === true
    const marks = [...this.markByAccount].map(([account, mark]) => ({
      ...{ account, ...mark, isFrozen: isFrozen(account) },
    }))
    return { marks }
  }

  async openSession(key: SessionKey): Promise<'OPENED' | 'RESTRICTED' | 'NO_KEY'> {
    this.#answer()
    if (this.refusesSessionKeys) return 'NO_KEY'
    if (this.restrictions.get(key.account)?.has('LOGIN') === true) return 'RESTRICTED'
    this.#keep(key)
    return 'OPENED'
  }

  async restrict(account: string, { added, removed }: RestrictionChange): Promise<void> {
    this.#answer(account)
    const all = this.restrictions.get(account) ?? new Set()
    for (const word of added) all.add(word)
    for (const word of removed) all.delete(word)
    this.restrictions.set(account, all)
  }

  async announceSessions(
    keys: readonly SessionKey[],
    { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
    by = '',
  ): Promise<void> {
    this.#answer()
    if (isFirst) this.announcedBy.set(by, [])
    for (const key of keys) this.#keep(key)
    const named = this.announcedBy.get(by)
    if (named === undefined) throw refusedFault('INVALID_REQUEST')
    if (!isLast) return
    this.announcedBy.delete(by)
    for (const name of this.keys.keys()) if (!named.includes(name)) this.keys.delete(name)
  }

  /** Accepts a session key as gateways do: an ended key stays ended, an opened key counts as announced. */
  #keep(key: SessionKey): void {
    if (this.endedNames.has(key.name)) return
    this.keys.set(key.name, key)
    for (const named of this.announcedBy.values()) named.push(key.name)
  }

  async keysOf(account: string): Promise<readonly ExchangeKey[]> {
    this.#answer()
    const own = this.ownKeys.filter((each) => each.account === account)
    return own.map(({ key, isRevoked }) => ({ ...key, isRevoked }))
  }

  async addKey(account: string, terms: KeyTerms): Promise<NewKey | KeyTermsRefusal> {
    this.#answer()
    if (this.refusesKeys !== undefined) return new KeyTermsRefusal(this.refusesKeys)
    const { permissions, endsMs, publicKey, wire, addresses } = terms
    const apiKey = String(this.ownKeys.length).padStart(64, '0')
    const kind = publicKey === undefined ? 'HMAC' : 'ED25519'
    const state = { isEnabled: true, isRevoked: false, lastUsedMs: undefined }
    const key = { apiKey, kind, wire, permissions, createdMs: this.ownKeys.length, endsMs, ...state } as const
    const made = { key, secret: publicKey === undefined ? 'f'.repeat(64) : undefined }
    this.ownKeys.push({ ...made, account, isRevoked: false })
    if (addresses.length > 0) this.addressLists.set(apiKey, addresses)
    return made
  }

  async endKey(account: string, apiKey: string): Promise<boolean> {
    this.#answer()
    const found = this.ownKeys.find((each) => each.account === account && each.key.apiKey === apiKey)
    if (found !== undefined) found.isRevoked = true
    this.addressLists.delete(apiKey)
    return found !== undefined
  }

  async announceAddresses(lists: readonly AddressList[], at?: { readonly isFirst: boolean }): Promise<void> {
    this.#answer()
    if (at?.isFirst) this.addressLists.clear()
    for (const { apiKey, addresses } of lists) this.addressLists.set(apiKey, addresses)
  }

  async endSessions(names: readonly string[]): Promise<void> {
    this.#answer()
    for (const name of names) {
      this.keys.delete(name)
      this.endedNames.add(name)
    }
  }

  #answer(account = ''): void {
    if (this.isAway) throw new ExchangeFault('the exchange is away')
    if (this.refused.has(account)) throw refusedFault('LIMIT_REACHED')
  }
}

const refusedFault = (refusal: string) => new ExchangeFault(refusal, { refusal })

/** The parts that several processes of one test share. */
type Shared = {
  readonly directory: string
  readonly exchange: KnowingExchange
  readonly clock: { nowMs: number }
}

export class Rig {
  readonly directory: string
  readonly exchange: KnowingExchange
  readonly #clock: { nowMs: number }
  /** Warnings of all processes, oldest first. */
  readonly warnings: { readonly fields: object; readonly message: string }[] = []
  /** Fields of the logged faults. */
  readonly errors: object[] = []
  /** The process's access to the exchange. */
  outside: ExchangeAccess
  readonly config: CustomersConfig
  context: CustomersContext

  readonly #openStore: (options: StoreOptions) => Store

  /** By default the store is two files. */
  constructor(
    config: CustomersConfig = CONFIG,
    openStore?: (options: StoreOptions) => Store,
    shared: Partial<Shared> = {},
  ) {
    this.config = config
    this.directory = shared.directory ?? mkdtempSync(join(tmpdir(), 'bourse-customers-'))
    this.exchange = shared.exchange ?? new KnowingExchange()
    this.#clock = shared.clock ?? { nowMs: 1_790_000_000_000 }
    this.outside = this.exchange
    this.#openStore = openStore ?? ((options) => Store.open({ directory: this.directory, ...options }))
    this.context = this.#open()
  }

  get nowMs(): number {
    return this.#clock.nowMs
  }

  set nowMs(nowMs: number) {
    this.#clock.nowMs = nowMs
  }

  /** Starts another process on the same store, to be closed with `leave`. */
  beside(config = this.config): Rig {
    const { directory, exchange } = this
    return new Rig(config, undefined, { directory, exchange, clock: this.#clock })
  }

  /** Ends this process; the files stay. */
  leave(): void {
    this.context.store.close()
  }

  /** Acts as if the process was killed and replaced. */
  restart(): void {
    this.context.store.close()
    this.context = this.#open()
  }

  /** Opens the store again after it was closed and its files were replaced. */
  reopen(): void {
    this.context = this.#open()
  }

  /** Uses `outside` as the exchange from now on. */
  takeOutside(): void {
    this.restart()
  }

  browser(): Browser {
    return new Browser(this)
  }

  /** Newest first. */
  mails() {
    this.context.askedMails.write()
    return this.context.store.records.mails(100)
  }

  close(): void {
    this.context.store.close()
    rmSync(this.directory, { recursive: true })
  }

  #open(): CustomersContext {
    const world = {
      now: () => this.nowMs,
      monotonicMs: () => this.nowMs,
      randomBytes: (size: number) => new Uint8Array(randomBytes(size)),
      log: {
        warn: (fields: object, message: string) => this.warnings.push({ fields, message }),
        error: (fields: object, message: string) => {
          this.errors.push(fields)
          console.error(fields, message)
        },
        info: () => {},
      },
    }
    const { config } = this
    const pause = async (ms: number): Promise<void> => {
      this.nowMs += ms
    }
    const exchange = delegate(() => this.outside, newId(world.randomBytes))
    const store = this.#openStore({ randomBytes: world.randomBytes, rpId: config.rpId })
    const found = { missing: 0, old: 0, trailDiffers: 0 }
    return {
      ...{ config, world, store, exchange },
      ...{ challenges: new Challenges(world), stepUps: new StepUps(world) },
      passwords: new Passwords(PASSWORD_HASH, () => newToken(world.randomBytes)),
      failures: new Failures(world, store),
      totpOffers: new Expiring<TotpOffer>(world),
      ...{ openings: new Openings(store, exchange), announcer: new KeyAnnouncer(store, exchange, world) },
      turns: new FreezeTurns({ store, world, pause, process: config.processName }),
      ...{ dayLimits: new DayLimits(world), found },
      askedMails: new AskedMails({ store, world }),
      nobodysKeys: new NobodysKeys({ store, world, found }),
    }
  }
}

/** Forwards each call to the current exchange. `by`: the name of the process. */
function delegate(current: () => ExchangeAccess, by: string): ExchangeAccess {
  return new Proxy({} as ExchangeAccess, {
    get: (_, name) => {
      const exchange = current()
      const method = Reflect.get(exchange, name) as (...args: unknown[]) => unknown
      const more = name === 'announceSessions' ? [by] : []
      return (...args: unknown[]) => method.apply(exchange, [...args, ...more])
    },
  })
}

export type Answered = {
  readonly status: number
  readonly reason: string | undefined
  readonly data: Record<string, unknown>
  readonly text: string
}

/** A browser: it keeps its cookie, and the token that belongs to the cookie. */
export class Browser {
  readonly #rig: Rig
  cookie: string | undefined
  /** The cookie of a browser that has signed in before. */
  device: string | undefined
  /** The address of the browser. */
  address = '192.0.2.77'
  csrf = ''
  passkey: SoftPasskey | undefined
  totpSecret = ''

  constructor(rig: Rig) {
    this.#rig = rig
  }

  /** The same browser, whose requests another process answers. */
  at(rig: Rig): Browser {
    return Object.assign(new Browser(rig), this)
  }

  async ask(
    method: 'GET' | 'HEAD' | 'POST',
    path: AccountEndpoint,
    body?: object,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    // Advances the clock between requests.
    this.#rig.nowMs++
    const headers = new Headers({ host: new URL(ORIGIN).host, ...more })
    const cookies = [this.device, this.cookie].filter((each) => each !== undefined)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    if (method === 'POST' && more.origin === undefined) headers.set('origin', ORIGIN)
    if (more['x-csrf-token'] === undefined) headers.set('x-csrf-token', this.csrf)
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
    const asked = { method, path: `${ACCOUNT_PATH}${path}`, headers, body: bytes, address: this.address }
    const response = await answer(this.#rig.context, asked)
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      if (pair.startsWith('__Host-device')) this.device = pair
      else this.cookie = pair
    }
    const text = await response.text()
    const parsed = JSON.parse(text) as { data?: Record<string, unknown>; reason?: string }
    const data = parsed.data ?? {}
    const signedIn = data.signedIn as { readonly csrfToken?: string } | undefined
    const csrf = signedIn?.csrfToken ?? data.csrfToken
    if (typeof csrf === 'string') this.csrf = csrf
    return { status: response.status, reason: parsed.reason, data, text }
  }

  get(path: AccountEndpoint): Promise<Answered> {
    return this.ask('GET', path)
  }

  post(path: AccountEndpoint, body: object = {}): Promise<Answered> {
    return this.ask('POST', path, body)
  }

  async begin(mail: string): Promise<Answered> {
    await this.get('config')
    return this.post('signup/begin', { mail, language: 'en', termsVersion: 1 })
  }

  /** Confirms the address with the link in the newest email to it. */
  confirm(mail: string): Promise<Answered> {
    const token = this.#rig.mails().find(({ to }) => to === mail)?.token ?? ''
    return this.post('signup/confirm', { token })
  }

  async register(sessionKey?: string): Promise<Answered> {
    const begun = await this.post('passkey/register/begin')
    if (begun.status !== 200) return begun
    this.passkey = new SoftPasskey(ORIGIN, this.#rig.config.rpId)
    const attestation = this.passkey.create(String(begun.data.options))
    return this.post('passkey/register/finish', {
      attestation,
      ...(sessionKey === undefined ? {} : { sessionKey }),
    })
  }

  /** An account with a password and an authenticator app, after the confirmation of the email address. */
  async registerPassword(password: string): Promise<Answered> {
    await this.post('password/set', { password })
    const { data } = await this.post('totp/begin')
    this.totpSecret = String(data.secret)
    return this.post('totp/finish', { code: this.code(), sessionKey: SESSION_KEY })
  }

  /** The authenticator app's code for the current time, or for this number of steps later. */
  code(steps = 0): string {
    const secret = Secret.fromBase32(this.totpSecret)
    return new TOTP({ secret }).generate({ timestamp: this.#rig.nowMs + steps * 30_000 })
  }

  async signInWithPassword(mail: string, password: string, code = this.code()): Promise<Answered> {
    await this.get('config')
    return this.post('login/password', { mail, password, code, sessionKey: SESSION_KEY })
  }

  /** Begins a step-up and finishes it; returns the token for the header X-Step-Up. */
  async stepUp(operation: AccountEndpoint, values: object = {}, passkey = this.passkey): Promise<Answered> {
    const begun = await this.post('step-up/begin', { operation, values })
    if (begun.status !== 200 || passkey === undefined) return begun
    return this.post('step-up/finish', { assertion: passkey.get(String(begun.data.options)) })
  }

  /** Sends the request with a step-up of its own. */
  async postWithStepUp(path: AccountEndpoint, body: object = {}): Promise<Answered> {
    const { data } = await this.stepUp(path, body)
    return this.ask('POST', path, body, { 'x-step-up': String(data.stepUp) })
  }

  /** Adds a passkey, which the browser uses from now on. */
  async addPasskey(label?: string): Promise<Answered> {
    const begun = await this.postWithStepUp('passkey/register/begin')
    if (begun.status !== 200) return begun
    this.passkey = new SoftPasskey(ORIGIN, this.#rig.config.rpId)
    const attestation = this.passkey.create(String(begun.data.options))
    return this.post('passkey/register/finish', { attestation, ...(label === undefined ? {} : { label }) })
  }

  /** Runs the whole sign-up, from the email to a session. */
  async signUp(mail: string): Promise<Answered> {
    await this.begin(mail)
    await this.confirm(mail)
    return this.register(SESSION_KEY)
  }

  async signIn(passkey: SoftPasskey): Promise<Answered> {
    await this.get('config')
    const { data } = await this.post('login/passkey/begin')
    const assertion = passkey.get(String(data.options))
    return this.post('login/passkey/finish', { assertion, sessionKey: SESSION_KEY })
  }
}
