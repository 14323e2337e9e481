/**
 * The nonces of one node, in memory. Nonces used before the node started are unknown; but every request
 * acceptable then has a timestamp below the start time plus the tolerance for fast clocks, so such timestamps
 * are refused and nothing needs to be stored on disk.
 *
 * Nonces are grouped by the second in which their requests stop being acceptable, and each group is dropped
 * as a whole. The keys of an account may use only a share of the free room, so that no account fills the
 * store for others. Even if many accounts try, room is left for the next one.
 */
import type { AccountId } from '../../../units/ids.ts'
import type { NonceStore, NonceUse, NonceVerdict } from './nonces.ts'
import { AHEAD_MS } from './time-window.ts'

const SECOND_MS = 1_000
/** Maximum number of nonces of all accounts together: about 80 MB, at 300 bytes each. */
const NONCES_MAX = 250_000
/**
 * The nonces of an account may take up to the free room divided by this, so those of a single account take up
 * to one ninth of all.
 */
const SHARES = 8

type AccountNonces = { readonly accountId: AccountId; count: number }
/** The endpoint that a signature has opened; undefined for a nonce. */
type Opened = string | undefined
/** A key's nonces by the second in which they are dropped. */
type KeyNonces = {
  readonly account: AccountNonces
  readonly openedBySecond: Map<number, Map<string, Opened>>
}

export class MemoryNonces implements NonceStore {
  readonly #after: number
  readonly #noncesMax: number
  readonly #noncesByKey = new Map<string, KeyNonces>()
  readonly #accountById = new Map<AccountId, AccountNonces>()
  /**
   * The keys that have nonces to be dropped with each second; seconds in the order in which they were added.
   */
  readonly #keysBySecond = new Map<number, Set<string>>()
  /** Number of nonces of all accounts. */
  #count = 0
  /**
   * All seconds before this one are dropped. Time never goes back here, because a dropped nonce cannot be
   * distinguished from one that was never used.
   */
  #firstSecond = 0
  #latest = 0

  /** `startedAt`: the server's time when the node began to serve requests. */
  constructor(startedAt: number, noncesMax = NONCES_MAX) {
    this.#after = startedAt + AHEAD_MS
    this.#noncesMax = noncesMax
  }

  get count(): number {
    return this.#count
  }

  take({ apiKey, accountId, nonce, opens, timestamp, acceptableUntil, now }: NonceUse): NonceVerdict {
    this.#latest = Math.max(this.#latest, now)
    if (timestamp <= this.#after) return { kind: 'UNKNOWABLE', after: this.#after }
    if (acceptableUntil < this.#latest) return { kind: 'EXPIRED', serverTime: this.#latest }
    this.#dropOld()
    const known = this.#noncesByKey.get(apiKey)
    const taken = known === undefined ? undefined : holderOf(known, nonce)
    if (taken !== undefined) {
      const isSame = opens !== undefined && taken.get(nonce) === opens
      return { kind: isSame ? 'FRESH' : 'REPEATED' }
    }
    const share = Math.ceil((this.#noncesMax - this.#count) / SHARES)
    if ((this.#accountById.get(accountId)?.count ?? 0) >= share) return { kind: 'FULL' }
    const { account, openedBySecond } = known ?? this.#begin(apiKey, accountId)
    const second = Math.floor(acceptableUntil / SECOND_MS)
    placeOf(openedBySecond, second, () => new Map<string, Opened>()).set(nonce, opens)
    placeOf(this.#keysBySecond, second, () => new Set<string>()).add(apiKey)
    account.count++
    this.#count++
    return { kind: 'FRESH' }
  }

  #begin(apiKey: string, accountId: AccountId): KeyNonces {
    const account = this.#accountById.get(accountId) ?? { accountId, count: 0 }
    const begun: KeyNonces = { account, openedBySecond: new Map() }
    this.#accountById.set(accountId, account)
    this.#noncesByKey.set(apiKey, begun)
    return begun
  }

  /**
   * Drops the seconds whose requests are no longer acceptable. Keeps at most one second more than the length
   * of a window.
   */
  #dropOld(): void {
    const first = Math.floor(this.#latest / SECOND_MS)
    if (first === this.#firstSecond) return
    this.#firstSecond = first
    for (const [second, keys] of this.#keysBySecond) {
      if (second >= first) continue
      for (const apiKey of keys) this.#dropOf(apiKey, second)
      this.#keysBySecond.delete(second)
    }
  }

  #dropOf(apiKey: string, second: number): void {
    const kept = this.#noncesByKey.get(apiKey)
    const dropped = kept?.openedBySecond.get(second)
    if (kept === undefined || dropped === undefined) return
    const { account, openedBySecond } = kept
    openedBySecond.delete(second)
    if (openedBySecond.size === 0) this.#noncesByKey.delete(apiKey)
    account.count -= dropped.size
    if (account.count === 0) this.#accountById.delete(account.accountId)
    this.#count -= dropped.size
  }
}

/** The group that contains this nonce; undefined if the nonce was not used. */
function holderOf({ openedBySecond }: KeyNonces, nonce: string): ReadonlyMap<string, Opened> | undefined {
  for (const opened of openedBySecond.values()) if (opened.has(nonce)) return opened
  return undefined
}

function placeOf<Place>(placeBySecond: Map<number, Place>, second: number, make: () => Place): Place {
  const known = placeBySecond.get(second)
  if (known !== undefined) return known
  const made = make()
  placeBySecond.set(second, made)
  return made
}
