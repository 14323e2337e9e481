/**
 * A request's cookie: who it is of, and what becomes of it. A cookie is drawn before anybody signs in, and
 * anew at each raise, so that one known beforehand opens nothing.
 */
import { createHash } from 'node:crypto'
import type { Language } from '../../contract/language.ts'
import type { CustomersContext } from '../customers-context.ts'
import { digestOf, newId, newToken } from '../names.ts'
import type { Person } from '../store/people.ts'
import type { CustomerSession, Origin, SessionLevel } from '../store/sessions.ts'

/** Browsers take a cookie of this prefix over a trusted way alone, for this host and no other. */
export const COOKIE = '__Host-session'
/** By it a browser is known that has signed in before. */
export const DEVICE_COOKIE = '__Host-device'
const DEVICE_SECONDS = 180 * 24 * 3_600
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const TOKEN = /^[A-Za-z0-9_-]{43}$/
/** How exactly it is kept when a session was last used. */
const USED_EVERY_MS = 60_000

export type SessionTerms = {
  readonly owner: string
  readonly level: SessionLevel
  readonly lastsMs: number
  readonly key?: { readonly name: string; readonly publicKey: Uint8Array }
}

/** Of the request. */
export type Circumstances = {
  readonly origin: Origin
  /** /24 or /56. */
  readonly network: string
  readonly language: Language
}

export class Visit {
  readonly #context: CustomersContext
  readonly origin: Origin
  /** As failures are counted for it: /24 or /56. */
  readonly network: string
  /** Of texts for the person. */
  readonly language: Language
  #token: string
  #device: string | undefined
  #isNewDevice = false
  #isNew: boolean
  #session: CustomerSession | undefined
  #person: Person | undefined

  constructor(
    context: CustomersContext,
    cookies: string | null,
    { origin, language, network }: Circumstances,
  ) {
    this.#context = context
    this.origin = origin
    this.network = network
    this.language = language
    const shown = cookieOf(cookies, COOKIE)
    this.#device = cookieOf(cookies, DEVICE_COOKIE)
    this.#isNew = shown === undefined
    this.#token = shown ?? newToken(context.world.randomBytes)
    if (shown !== undefined) this.#find()
  }

  /** The running session of the cookie. */
  get session(): CustomerSession | undefined {
    return this.#session
  }

  get person(): Person | undefined {
    return this.#person
  }

  /** Names the cookie in memory and opens nothing. */
  get cookieDigest(): string {
    return Buffer.from(digestOf(this.#token)).toString('base64url')
  }

  /** A page of another origin can send the cookie, and cannot know this. */
  get csrfToken(): string {
    return createHash('sha256').update(`csrf ${this.#token}`).digest('base64url')
  }

  /** Headers that set cookies; of one that the browser has, there is none. */
  get setCookies(): readonly string[] {
    return [
      ...(this.#isNew ? [`${COOKIE}=${this.#token}; ${ATTRIBUTES}`] : []),
      ...(this.#isNewDevice
        ? [`${DEVICE_COOKIE}=${this.#device}; Max-Age=${DEVICE_SECONDS}; ${ATTRIBUTES}`]
        : []),
    ]
  }

  /** Of the cookie by which a browser is known that has signed in before. It opens nothing. */
  get deviceDigest(): Uint8Array {
    return digestOf(this.#device ?? '')
  }

  /** This browser has signed in. */
  knowDevice(owner: string): void {
    const { store, world } = this.#context
    if (this.#device === undefined) {
      this.#device = newToken(world.randomBytes)
      this.#isNewDevice = true
    }
    store.factors.addDevice(owner, this.deviceDigest, world.now())
  }

  /** Begins a session in this browser, under a new cookie. `key` seals where it comes from. */
  begin({ owner, level, lastsMs, key }: SessionTerms, sealingKey: Uint8Array): CustomerSession {
    const { store, world } = this.#context
    this.end()
    const nowMs = world.now()
    const session = {
      token_digest: digestOf(this.#token),
      id: newId(world.randomBytes),
      owner,
      level,
      key_name: key?.name ?? null,
      public_key: key?.publicKey ?? null,
      created_ms: nowMs,
      ends_ms: nowMs + lastsMs,
    }
    store.sessions.add({ ...session, origin: this.origin }, sealingKey)
    this.#find()
    if (this.#session === undefined) throw new Error('a session that was stored is not found')
    return this.#session
  }

  /** The browser gets another cookie, which is of no person. */
  end(): void {
    if (this.#session !== undefined) this.#context.store.sessions.end(this.#session)
    this.#session = undefined
    this.#person = undefined
    this.#token = newToken(this.#context.world.randomBytes)
    this.#isNew = true
  }

  #find(): void {
    const { store, world, config } = this.#context
    const digest = digestOf(this.#token)
    const session = store.sessions.byToken(digest)
    const nowMs = world.now()
    if (session === undefined || nowMs >= session.ends_ms) return
    if (nowMs - session.last_ms >= config.sessionIdleMs) return
    const person = store.people.byOwner(session.owner)
    if (person === undefined) return
    this.#session = session
    this.#person = person
    if (nowMs - session.last_ms >= USED_EVERY_MS) store.sessions.used(digest, nowMs)
  }
}

function cookieOf(cookies: string | null, name: string): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return value !== undefined && TOKEN.test(value) ? value : undefined
}
