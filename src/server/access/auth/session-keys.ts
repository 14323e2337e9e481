/**
 * Keys of customers' sessions, kept only in memory: the customers' process announces all of them after a
 * start, and then each one that begins or ends. Until all are announced, an unknown key is not a wrong key
 * (docs/reference/account.md#session-keys). Times are monotonic.
 */
import { type ApiKey, NO_SECRET } from '../../../core/registry/records.ts'
import type { AccountId } from '../../../units/ids.ts'
import { DEFAULT_PERMISSIONS } from '../../../units/order-enums.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { Announcements } from './announcements.ts'
import { type AnnouncementPlace, OwnKeys } from './own-keys.ts'

/** Maximum number of keys; further ones are refused. */
export const SESSION_KEYS_MAX = 200_000
/** Maximum number of session keys of an account; the oldest one is removed. */
export const SESSION_KEYS_PER_ACCOUNT_MAX = 20
/** A key that is unused for this long ends: half a day. */
export const SESSION_KEY_IDLE_MS = 12 * 3_600_000

/**
 * Maximum number of orders of a session key in a second, at each gateway: checking its signature costs as
 * much as 13 checks with a secret.
 */
export const SESSION_ORDERS_PER_SECOND_MAX = 20

/** No request depends on the time at which a session's key was created. */
const NEVER_MIND = 0 as TimeMs

const NAME = /^s-[a-z2-7]{26}$/

/** Whether a name has the form of a session key's name. */
export function isSessionKeyName(name: string): boolean {
  return NAME.test(name)
}

export type SessionKey = {
  readonly name: string
  readonly accountId: AccountId
  /** Ed25519, 32 bytes; or a point of P-256, 65 bytes. */
  readonly publicKey: Uint8Array
}

type Kept = {
  /** The record that authorizes a request: the same object as long as the key exists. */
  readonly record: ApiKey
  endsAt: number
  usedAt: number
  telling: number
  /** Number of orders in the second `second`. */
  orders: number
  second: number
}

/** Counts orders of one session key. */
export type KeyOrders = {
  /** False if there would be too many in this second; then none of them is counted. */
  take(count: number): boolean
}

/** Other processes that accept the same keys: they receive each change, in order. */
export type SessionKeyCopies = {
  opened(key: SessionKey, lastsMs: number): void
  ended(name: string): void
  /** Called when every existing key has been announced. */
  told(): void
  /** Resolves when each of these processes has all changes so far, or no longer accepts requests. */
  settled(): Promise<void>
}

export type SessionKeyUse = {
  readonly name: string
  readonly accountId: AccountId
  readonly endsInMs: number
  readonly unusedMs: number
}

export class SessionKeys {
  /** Keys in the journal that customers have created: the lists of their addresses. */
  readonly ownKeys: OwnKeys
  readonly #nowMs: () => number
  readonly #idleMs: number
  readonly #keyByName = new Map<string, Kept>()
  /** In the order in which they began. */
  readonly #namesByAccount = new Map<AccountId, Set<string>>()
  /** Called with each key that has ended: logins made with it end too. */
  onEnded: (name: string) => void = () => {}
  /** Undefined if no other process accepts the keys. */
  copies: SessionKeyCopies | undefined
  readonly #announcements: Announcements
  #isTold = false

  /** `nowMs`: monotonic milliseconds. `idleMs`: a key that is unused for this long ends. */
  constructor(nowMs: () => number, idleMs = SESSION_KEY_IDLE_MS) {
    this.#nowMs = nowMs
    this.#idleMs = idleMs
    this.#announcements = new Announcements(nowMs)
    this.ownKeys = new OwnKeys(nowMs)
  }

  /** Whether every existing key has been announced. */
  get isTold(): boolean {
    return this.#isTold
  }

  get size(): number {
    return this.#keyByName.size
  }

  /** Whether there is a key of this name, used or not. */
  has(name: string): boolean {
    return this.#keyByName.has(name)
  }

  /** Returns a key and notes that it is used now; undefined if there is none, or it has ended. */
  find(name: string): ApiKey | undefined {
    const key = this.#keyByName.get(name)
    if (key === undefined) return undefined
    const nowMs = this.#nowMs()
    if (this.#isOver(key, nowMs)) {
      this.end(name)
      return undefined
    }
    key.usedAt = nowMs
    return key.record
  }

  /** Undefined if it is not a session key; orders of other keys are counted only for the account. */
  ordersOf(name: string): KeyOrders | undefined {
    const key = this.#keyByName.get(name)
    return key === undefined ? undefined : { take: (count) => this.#takeOrders(key, count) }
  }

  #takeOrders(key: Kept, count: number): boolean {
    const second = Math.floor(this.#nowMs() / 1_000)
    const before = key.second === second ? key.orders : 0
    if (before + count > SESSION_ORDERS_PER_SECOND_MAX) return false
    key.second = second
    key.orders = before + count
    return true
  }

  /**
   * True unless there are too many. A repeat changes nothing but the end. A key that was announced as ended
   * stays ended: the request to open it was still in transit.
   */
  open(key: SessionKey, lastsMs: number): boolean {
    const nowMs = this.#nowMs()
    if (this.#announcements.isEnded(key.name)) return true
    const known = this.#keyByName.get(key.name)
    if (known === undefined && this.#keyByName.size >= SESSION_KEYS_MAX && !this.sweep()) return false
    this.copies?.opened(key, lastsMs)
    if (known !== undefined) {
      known.endsAt = nowMs + lastsMs
      known.telling = this.#announcements.now
      return true
    }
    const kept = {
      record: recordOf(key),
      endsAt: nowMs + lastsMs,
      usedAt: nowMs,
      telling: this.#announcements.now,
      orders: 0,
      second: 0,
    }
    this.#keyByName.set(key.name, kept)
    const names = this.#namesByAccount.get(key.accountId) ?? new Set()
    this.#namesByAccount.set(key.accountId, names.add(key.name))
    if (names.size > SESSION_KEYS_PER_ACCOUNT_MAX) {
      const [oldest] = names
      if (oldest !== undefined) this.end(oldest)
    }
    return true
  }

  /**
   * Called before the keys of a page are opened. False if its announcement has not begun here, or is
   * forgotten, and must begin again. `by` differs between announcements at the same time.
   */
  beginPage(place: AnnouncementPlace, by = ''): boolean {
    if (place !== 'FIRST' && place !== 'WHOLE') return this.#announcements.goOn(by)
    this.#announcements.begin(by)
    return true
  }

  /** Called after the keys of a page were opened. */
  endPage(place: AnnouncementPlace, by = ''): void {
    if (place !== 'LAST' && place !== 'WHOLE') return
    const began = this.#announcements.finish(by) ?? 0
    for (const [name, { telling }] of this.#keyByName) if (telling < began) this.end(name)
    this.#isTold = true
    this.copies?.told()
  }

  /**
   * For a copy that has lost its original: until it has all keys again, an unknown key is not a wrong key.
   */
  suspend(): void {
    this.#isTold = false
    this.ownKeys.suspend()
    this.#announcements.clear()
    this.#keyByName.clear()
    this.#namesByAccount.clear()
  }

  /** Each key, with its remaining lifetime in milliseconds. */
  *all(): Generator<{ readonly key: SessionKey; readonly lastsMs: number }> {
    const nowMs = this.#nowMs()
    for (const [name, { record, endsAt }] of this.#keyByName) {
      const { accountId, publicKey } = record
      if (publicKey !== undefined)
        yield { key: { name, accountId, publicKey }, lastsMs: Math.max(0, endsAt - nowMs) }
    }
  }

  /** Notes that another process has accepted a request made with this key. */
  used(name: string): void {
    const key = this.#keyByName.get(name)
    if (key !== undefined) key.usedAt = this.#nowMs()
  }

  /** Like `end`, but the key cannot be opened again. */
  endForGood(name: string): boolean {
    this.#announcements.ended(name)
    return this.end(name)
  }

  /** Ends a key. Returns true if there was such a key. */
  end(name: string): boolean {
    const key = this.#keyByName.get(name)
    if (key === undefined) return false
    this.#keyByName.delete(name)
    const { accountId } = key.record
    const names = this.#namesByAccount.get(accountId)
    names?.delete(name)
    if (names?.size === 0) this.#namesByAccount.delete(accountId)
    this.onEnded(name)
    this.copies?.ended(name)
    return true
  }

  /** The keys after `after`, in the order of their names. */
  list(after: string, limit: number): readonly SessionKeyUse[] {
    const nowMs = this.#nowMs()
    const names = [...this.#keyByName.keys()].filter((name) => name > after).sort()
    return names.slice(0, limit).flatMap((name) => {
      const key = this.#keyByName.get(name)
      if (key === undefined) return []
      const { record, endsAt, usedAt } = key
      return [
        {
          name,
          accountId: record.accountId,
          endsInMs: Math.max(0, endsAt - nowMs),
          unusedMs: nowMs - usedAt,
        },
      ]
    })
  }

  /** Ends the expired keys. Returns true if there is room for another key. */
  sweep(): boolean {
    const nowMs = this.#nowMs()
    for (const [name, key] of this.#keyByName) if (this.#isOver(key, nowMs)) this.end(name)
    return this.#keyByName.size < SESSION_KEYS_MAX
  }

  #isOver({ endsAt, usedAt }: Kept, nowMs: number): boolean {
    return nowMs >= endsAt || nowMs - usedAt >= this.#idleMs
  }
}

/** Allows only strict signatures and logins with a nonce; never a withdrawal. */
function recordOf({ name, accountId, publicKey }: SessionKey): ApiKey {
  return {
    apiKey: name,
    accountId,
    sealedSecret: NO_SECRET,
    publicKey,
    permissions: DEFAULT_PERMISSIONS,
    addresses: [],
    label: '',
    createdAt: NEVER_MIND,
    enabled: true,
    strictSignature: true,
  }
}
