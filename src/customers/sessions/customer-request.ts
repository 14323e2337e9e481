/**
 * The context of a customer's request: its session, found by its cookie, and the cookie that the browser gets
 * next. A cookie is generated before a person signs in, and again whenever its rights increase, so that a
 * cookie known beforehand gives no access.
 */
import { createHash } from 'node:crypto'
import type { Language } from '../../contract/language.ts'
import type { CustomersContext } from '../customers-context.ts'
import { digestOf, newId, newToken } from '../names.ts'
import type { Person } from '../store/people.ts'
import type { CustomerSession, Origin, SessionLevel } from '../store/sessions.ts'

/** Browsers accept a cookie with this prefix only over a trusted connection, and for this host only. */
export const COOKIE = '__Host-session'
/** Identifies a browser that has signed in before. */
export const DEVICE_COOKIE = '__Host-device'
const DEVICE_SECONDS = 180 * 24 * 3_600
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const TOKEN = /^[A-Za-z0-9_-]{43}$/
/** If there are several processes, the cookie begins with the name of the one that answered. */
const NAMED_TOKEN = /^([a-z0-9][a-z0-9-]{0,62})\.([A-Za-z0-9_-]{43})$/
/** The precision with which the time of a session's last use is stored. */
const USED_EVERY_MS = 60_000

export type SessionTerms = {
  readonly owner: string
  readonly level: SessionLevel
  readonly lastsMs: number
  readonly key?: { readonly name: string; readonly publicKey: Uint8Array }
}

/** A session that is to begin. */
export type NextSession = {
  /** Writes the new session in place of the present one; called in a transaction. */
  readonly store: () => void
  /** Assigns the stored session to the browser. Undefined if the session has already ended. */
  readonly take: () => CustomerSession | undefined
}

/** The origin, network and language of the request. */
export type Circumstances = {
  readonly origin: Origin
  /** /24 or /56. */
  readonly network: string
  readonly language: Language
}

export class CustomerRequest {
  readonly #context: CustomersContext
  readonly origin: Origin
  /** The network for which failures are counted: /24 or /56. */
  readonly network: string
  /** The language of texts for the person. */
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
    const { processName } = context.config
    const shown = sessionCookieOf(cookieValue(cookies, COOKIE), processName)
    this.#device = cookieOf(cookies, DEVICE_COOKIE)
    // The memory of another process is not available here: from now on the browser uses this process.
    this.#isNew = shown === undefined || shown.process !== processName
    this.#token = shown?.token ?? newToken(context.world.randomBytes)
    if (shown !== undefined) this.#find()
  }

  /** The running session of the cookie. */
  get session(): CustomerSession | undefined {
    return this.#session
  }

  get person(): Person | undefined {
    return this.#person
  }

  /** Identifies the cookie in memory and gives no access. */
  get cookieDigest(): string {
    return Buffer.from(digestOf(this.#token)).toString('base64url')
  }

  /** A page of another origin can send the cookie, but cannot know this value. */
  get csrfToken(): string {
    return createHash('sha256').update(`csrf ${this.#token}`).digest('base64url')
  }

  get #value(): string {
    const { processName } = this.#context.config
    return processName === undefined ? this.#token : `${processName}.${this.#token}`
  }

  /** Headers that set cookies; none for a cookie that the browser already has. */
  get setCookies(): readonly string[] {
    return [
      ...(this.#isNew ? [`${COOKIE}=${this.#value}; ${ATTRIBUTES}`] : []),
      ...(this.#isNewDevice
        ? [`${DEVICE_COOKIE}=${this.#device}; Max-Age=${DEVICE_SECONDS}; ${ATTRIBUTES}`]
        : []),
    ]
  }

  /**
   * The digest of the cookie that identifies a browser that has signed in before. The cookie gives no access.
   */
  get deviceDigest(): Uint8Array {
    return digestOf(this.#device ?? '')
  }

  /** Records that this person has signed in with this browser. */
  rememberDevice(owner: string): void {
    const { store, world } = this.#context
    if (this.#device === undefined) {
      this.#device = newToken(world.randomBytes)
      this.#isNewDevice = true
    }
    store.atOnce(() => {
      if (store.people.byOwner(owner) === undefined) return
      store.factors.addDevice(owner, this.deviceDigest, world.now())
    })
  }

  /** A session for this browser, under a new cookie. `sealingKey` seals the origin of the session. */
  next({ owner, level, lastsMs, key }: SessionTerms, sealingKey: Uint8Array): NextSession {
    const { store, world } = this.#context
    const nowMs = world.now()
    const token = newToken(world.randomBytes)
    const before = this.#session
    const session = {
      token_digest: digestOf(token),
      id: newId(world.randomBytes),
      owner,
      level,
      key_name: key?.name ?? null,
      public_key: key?.publicKey ?? null,
      created_ms: nowMs,
      ends_ms: nowMs + lastsMs,
    }
    return {
      store: () => {
        if (before !== undefined) store.sessions.end(before)
        store.sessions.add({ ...session, origin: this.origin }, sealingKey)
        // This applies even if the store does not confirm the session: the browser can then continue if it
        // was stored.
        this.#token = token
        this.#isNew = true
      },
      take: () => {
        this.#session = undefined
        this.#person = undefined
        this.#find()
        return this.#session
      },
    }
  }

  /**
   * Called within a transaction: whether the session is still running, since another request or process may
   * have ended it.
   */
  get isSessionRunning(): boolean {
    const session = this.#session
    return session !== undefined && this.#context.store.sessions.byToken(session.token_digest) !== undefined
  }

  /** Gives the browser another cookie, which belongs to no person. */
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
  const value = cookieValue(cookies, name)
  return value !== undefined && TOKEN.test(value) ? value : undefined
}

type SessionCookie = { readonly token: string; readonly process: string | undefined }

/** `processName` is the name of this process; undefined if it is the only one, whose cookies have no name. */
function sessionCookieOf(
  value: string | undefined,
  processName: string | undefined,
): SessionCookie | undefined {
  if (value === undefined) return undefined
  if (processName === undefined) return TOKEN.test(value) ? { token: value, process: undefined } : undefined
  const [, process, token] = NAMED_TOKEN.exec(value) ?? []
  return token === undefined ? undefined : { token, process }
}

function cookieValue(cookies: string | null, name: string): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
