/**
 * Limits the operations of the customers' process in a day (UTC), in case it is compromised. In memory: a
 * restart of the node starts over, and the process cannot restart the node.
 */
import type { TimeMs } from '../../../units/quantities.ts'

const DAY_MS = 86_400_000

/** Maximum number of each kind per day. */
export const CUSTOMER_DAY_MAX = {
  /** Accounts that are opened. */
  accounts: 10_000,
  /** Session keys that were not known before; after a start each running session's key counts once. */
  keys: 400_000,
  /** API keys that customers create. */
  ownKeys: 10_000,
  /** Changes of restrictions that customers have set. */
  restrictions: 20_000,
  /** Changes of how customers sign in, and erasures. */
  changes: 20_000,
  /** Heads (newest hashes) of the customers' audit trail. */
  heads: 24,
} as const
export type CustomerDayKind = keyof typeof CUSTOMER_DAY_MAX

const NOTHING: Readonly<Record<CustomerDayKind, number>> = {
  ...{ accounts: 0, keys: 0, ownKeys: 0, restrictions: 0, changes: 0, heads: 0 },
}

export class CustomerBudget {
  #day = 0
  #used: Record<CustomerDayKind, number> = { ...NOTHING }

  /** True if this many more are allowed today; they are then counted. */
  take(kind: CustomerDayKind, count: number, now: TimeMs): boolean {
    const day = Math.floor(now / DAY_MS)
    if (day > this.#day) {
      this.#day = day
      this.#used = { ...NOTHING }
    }
    if (this.#used[kind] + count > CUSTOMER_DAY_MAX[kind]) return false
    this.#used[kind] += count
    return true
  }
}
