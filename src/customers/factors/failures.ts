/**
 * Limits the number of password attempts (docs/security-customers.md#threats). Failures are counted for the
 * address of the account, for the network and for the password, so that neither one account nor one password
 * can be tried without end. A browser that has signed in before has a budget of its own, so that a stranger's
 * failures do not lock out the owner. Addresses without an account are counted in the same way.
 *
 * Failures of addresses and of known browsers are counted in the store too, over all processes; of networks
 * and passwords in the memory of each process, since their digests are not stored.
 */
import { createHmac } from 'node:crypto'
import type { World } from '../ports.ts'
import type { Store } from '../store/store.ts'

/** The number of failures allowed at once, and the time after which one more is allowed. */
type Budget = { readonly most: number; readonly everyMs: number }

export const BUDGETS = {
  account: { most: 10, everyMs: 3 * 60_000 },
  network: { most: 60, everyMs: 10_000 },
  password: { most: 30, everyMs: 60_000 },
  device: { most: 10, everyMs: 60_000 },
} as const satisfies Record<string, Budget>
type Kind = keyof typeof BUDGETS

/** Maximum number of budgets in memory, of each kind; the least recently used one is dropped. */
const BUDGETS_MAX = 50_000
const DAY_MS = 86_400_000
const KEY_BYTES = 32

export type Attempt = {
  /** The blind index of the email address, whether there is an account or not. */
  readonly account: string
  /** A network: an IPv4 /24 or an IPv6 /56. */
  readonly network: string
  readonly password: string
  /** The digest of the cookie of a browser that has signed in to this account before. */
  readonly device: string | undefined
}

type Left = { left: number; atMs: number }

/** Counted over all processes. */
const STORED: readonly Kind[] = ['account', 'device']

/** An attempt that is already counted as a failure. */
export type Begun = {
  /** Records that the attempt was not a failure. */
  readonly succeed: () => void
  /** Records a failure, which counts for the other processes too. */
  readonly fail: () => void
}

export class Failures {
  readonly #world: Pick<World, 'now' | 'monotonicMs' | 'randomBytes'>
  readonly #store: Pick<Store, 'failures'>
  readonly #byKind: Readonly<Record<Kind, Map<string, Left>>> = {
    account: new Map(),
    network: new Map(),
    password: new Map(),
    device: new Map(),
  }
  #day: { readonly key: Uint8Array; readonly untilMs: number } | undefined

  constructor(world: Pick<World, 'now' | 'monotonicMs' | 'randomBytes'>, store: Pick<Store, 'failures'>) {
    this.#world = world
    this.#store = store
  }

  /**
   * Counts a failure before the attempt, so that concurrent attempts are counted too. Undefined after too
   * many failures. Other processes count the failure only once the attempt has failed: until then each
   * process may check as many attempts as the budget allows.
   */
  begin(attempt: Attempt): Begun | undefined {
    const keys = this.#keysOf(attempt)
    const taken = keys.map(([kind, key]) => [kind, this.#left(kind, key)] as const)
    if (taken.some(([, { left }]) => left < 1)) return undefined
    const stored = keys.filter(([kind]) => STORED.includes(kind))
    if (stored.some(([kind, key]) => !this.#mayTry(kind, key))) return undefined
    for (const [, budget] of taken) budget.left--
    return {
      succeed: () => {
        for (const [kind, budget] of taken) budget.left = Math.min(budget.left + 1, BUDGETS[kind].most)
      },
      fail: () => {
        const nowMs = this.#world.now()
        for (const [kind, key] of stored)
          this.#store.failures.add(`${kind} ${key}`, nowMs, BUDGETS[kind].everyMs)
      },
    }
  }

  /** Whether an attempt is allowed, by the failures of all processes. */
  #mayTry(kind: Kind, key: string): boolean {
    const { most, everyMs } = BUDGETS[kind]
    const fullMs = this.#store.failures.fullMs(`${kind} ${key}`)
    return fullMs === undefined || fullMs - this.#world.now() <= (most - 1) * everyMs
  }

  #keysOf({ account, network, password, device }: Attempt): readonly (readonly [Kind, string])[] {
    if (device !== undefined) return [['device', device]]
    const digest = createHmac('sha256', this.#dailyKey()).update(password).digest('base64url')
    return [
      ['account', account],
      ['network', network],
      ['password', digest],
    ]
  }

  #left(kind: Kind, key: string): Left {
    const { most, everyMs } = BUDGETS[kind]
    const budgets = this.#byKind[kind]
    const nowMs = this.#world.monotonicMs()
    const known = budgets.get(key) ?? { left: most, atMs: nowMs }
    const more = Math.floor((nowMs - known.atMs) / everyMs)
    const isFull = known.left + more >= most
    known.atMs = isFull ? nowMs : known.atMs + more * everyMs
    known.left = isFull ? most : known.left + more
    budgets.delete(key)
    budgets.set(key, known)
    if (budgets.size > BUDGETS_MAX) {
      for (const oldest of budgets.keys()) {
        budgets.delete(oldest)
        break
      }
    }
    return known
  }

  /**
   * The key for digests of passwords. A new one replaces it after a day, so that earlier digests match
   * nothing.
   */
  #dailyKey(): Uint8Array {
    const nowMs = this.#world.monotonicMs()
    if (this.#day === undefined || nowMs >= this.#day.untilMs)
      this.#day = { key: this.#world.randomBytes(KEY_BYTES), untilMs: nowMs + DAY_MS }
    return this.#day.key
  }
}
