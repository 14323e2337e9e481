/**
 * Limits how often a password may be tried (docs/security.md#customers). Failures are counted for the address
 * of the account, for the network and for the password, so that neither one account nor one password can be
 * tried without end. A browser that has signed in before has a budget of its own, so that a stranger's
 * failures do not lock out the owner. Addresses without an account are counted in the same way.
 */
import { createHmac } from 'node:crypto'
import type { World } from '../ports.ts'

/** The number of failures at once, and the time after which one more is allowed. */
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
  /** The blind index of the mail, whether there is an account or not. */
  readonly account: string
  /** /24 or /56. */
  readonly network: string
  readonly password: string
  /** The digest of the cookie of a browser that has signed in to this account before. */
  readonly device: string | undefined
}

type Left = { left: number; atMs: number }

export class Failures {
  readonly #world: Pick<World, 'monotonicMs' | 'randomBytes'>
  readonly #byKind: Readonly<Record<Kind, Map<string, Left>>> = {
    account: new Map(),
    network: new Map(),
    password: new Map(),
    device: new Map(),
  }
  #day: { readonly key: Uint8Array; readonly untilMs: number } | undefined

  constructor(world: Pick<World, 'monotonicMs' | 'randomBytes'>) {
    this.#world = world
  }

  /**
   * Counts a failure beforehand, so that concurrent ones are counted too. Undefined after too many failures.
   * Otherwise the caller calls the result when the attempt was no failure.
   */
  begin(attempt: Attempt): (() => void) | undefined {
    const taken = this.#keysOf(attempt).map(([kind, key]) => [kind, this.#left(kind, key)] as const)
    if (taken.some(([, { left }]) => left < 1)) return undefined
    for (const [, budget] of taken) budget.left--
    return () => {
      for (const [kind, budget] of taken) budget.left = Math.min(budget.left + 1, BUDGETS[kind].most)
    }
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

  /** Digests of passwords are dropped after a day. */
  #dailyKey(): Uint8Array {
    const nowMs = this.#world.monotonicMs()
    if (this.#day === undefined || nowMs >= this.#day.untilMs)
      this.#day = { key: this.#world.randomBytes(KEY_BYTES), untilMs: nowMs + DAY_MS }
    return this.#day.key
  }
}
