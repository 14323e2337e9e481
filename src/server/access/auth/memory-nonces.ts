/**
 * The nonces of one node, in memory. What was used before the node started is not known; but every request that was
 * acceptable then has a timestamp less than the start and the tolerance for clocks that are ahead, so such timestamps are refused
 * and nothing needs to be kept on disk.
 *
 * Nonces are kept by the second in which their requests stop being acceptable, and each second's are dropped as a whole. The keys
 * of an account may have a share of what is free: so nobody fills the store for the others, and many who try leave room for the
 * next.
 */
import type { AccountId } from '../../../units/ids.ts'
import type { NonceStore, NonceUse, NonceVerdict } from './nonces.ts'
import { AHEAD_MS } from './time-window.ts'

const SECOND_MS = 1_000
/** Most nonces of all accounts together: about 80 MB, at 300 bytes each. */
const NONCES_MAX = 250_000
/** An account may have nonces up to the free room divided by this: alone one part of nine. */
const SHARES = 8

type AccountNonces = { readonly accountId: AccountId; count: number }
/** A key's nonces by the second in which they are dropped. */
type KeyNonces = { readonly account: AccountNonces; readonly noncesBySecond: Map<number, Set<string>> }

export class MemoryNonces implements NonceStore {
  readonly #after: number
  readonly #noncesMax: number
  readonly #noncesByKey = new Map<string, KeyNonces>()
  readonly #accountById = new Map<AccountId, AccountNonces>()
  /** Which keys have nonces to be dropped with a second; seconds in the order in which they came. */
  readonly #keysBySecond = new Map<number, Set<string>>()
  /** Of all accounts. */
  #count = 0
  /** Every second before it is dropped. Time never goes back here: what is dropped cannot be distinguished from what never was. */
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

  take({ apiKey, accountId, nonce, timestamp, acceptableUntil, now }: NonceUse): NonceVerdict {
    this.#latest = Math.max(this.#latest, now)
    if (timestamp <= this.#after) return { kind: 'UNKNOWABLE', after: this.#after }
    if (acceptableUntil < this.#latest) return { kind: 'EXPIRED', serverTime: this.#latest }
    this.#dropOld()
    const known = this.#noncesByKey.get(apiKey)
    if (known !== undefined && has(known, nonce)) return { kind: 'REPEATED' }
    const share = Math.ceil((this.#noncesMax - this.#count) / SHARES)
    if ((this.#accountById.get(accountId)?.count ?? 0) >= share) return { kind: 'FULL' }
    const { account, noncesBySecond } = known ?? this.#begin(apiKey, accountId)
    const second = Math.floor(acceptableUntil / SECOND_MS)
    setOf(noncesBySecond, second).add(nonce)
    setOf(this.#keysBySecond, second).add(apiKey)
    account.count++
    this.#count++
    return { kind: 'FRESH' }
  }

  #begin(apiKey: string, accountId: AccountId): KeyNonces {
    const account = this.#accountById.get(accountId) ?? { accountId, count: 0 }
    const begun: KeyNonces = { account, noncesBySecond: new Map() }
    this.#accountById.set(accountId, account)
    this.#noncesByKey.set(apiKey, begun)
    return begun
  }

  /** Drops the seconds in which nothing is acceptable any more. There are as many as a window is long, and one. */
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
    const dropped = kept?.noncesBySecond.get(second)
    if (kept === undefined || dropped === undefined) return
    const { account, noncesBySecond } = kept
    noncesBySecond.delete(second)
    if (noncesBySecond.size === 0) this.#noncesByKey.delete(apiKey)
    account.count -= dropped.size
    if (account.count === 0) this.#accountById.delete(account.accountId)
    this.#count -= dropped.size
  }
}

function has({ noncesBySecond }: KeyNonces, nonce: string): boolean {
  for (const nonces of noncesBySecond.values()) if (nonces.has(nonce)) return true
  return false
}

function setOf(setBySecond: Map<number, Set<string>>, second: number): Set<string> {
  const known = setBySecond.get(second)
  if (known !== undefined) return known
  const made = new Set<string>()
  setBySecond.set(second, made)
  return made
}
