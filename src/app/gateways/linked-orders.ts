/**
 * The order counts of accounts in a gateway when they are counted elsewhere: each command contains its own
 * count, and the sums of all gateways arrive before its answer. Orders counted here in the meantime are an
 * estimate, which never refuses an order that those sums would allow.
 */

import type { RateLimitUse } from '../../contract/api/account-limits.ts'
import type { LimitsConfig } from '../../server/access/limits/limits-config.ts'
import {
  type OrderCount,
  type OrderCounter,
  OrderLimits,
  type OrderTerms,
} from '../../server/access/limits/order-limits.ts'
import type { Refusal } from '../../server/common/refusal.ts'
import type { AccountId } from '../../units/ids.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { TimeMs } from '../../units/quantities.ts'

export class LinkedOrders implements OrderCounter {
  readonly #known: OrderLimits
  readonly #giveBack: (accountId: AccountId, at: TimeMs) => void
  #lastTicket = 0

  /** `giveBack`: takes back the count of an order that was not placed. */
  constructor(limits: LimitsConfig, giveBack: (accountId: AccountId, at: TimeMs) => void) {
    this.#known = new OrderLimits(limits)
    this.#giveBack = giveBack
  }

  heed(terms: OrderTerms): void {
    this.#known.heed(terms)
  }

  hasLeft(accountId: AccountId, now: TimeMs, orders = 1): boolean {
    return this.#known.hasLeft(accountId, now, orders)
  }

  /** Refuses nothing: only the counting process refuses. */
  take(): undefined {
    return undefined
  }

  /** Read when the answer is created: the sums for it have arrived by then. */
  counts(accountId: AccountId, now: TimeMs): readonly OrderCount[] {
    const known = this.#known
    return known.counts(accountId, now).map(({ header }, index) => ({
      header,
      get count() {
        return known.counts(accountId, now)[index]?.count ?? 0
      },
    }))
  }

  chargeOf(accountId: AccountId, now: TimeMs, orders: number): OrderCharge {
    return { ticket: ++this.#lastTicket, accountId, orders, at: now }
  }

  refusalOf(accountId: AccountId, now: TimeMs, orders: number): Refusal {
    return this.#known.refusalOf(accountId, now, orders)
  }

  giveBack(accountId: AccountId, now: TimeMs): readonly OrderCount[] {
    this.#giveBack(accountId, now)
    this.#known.giveBack(accountId, now)
    return this.counts(accountId, now)
  }

  uses(accountId: AccountId, now: TimeMs): RateLimitUse[] {
    return this.#known.uses(accountId, now)
  }

  /** Sets the number of orders of an account in each window of that time, whichever gateway accepted them. */
  takeCounts(accountId: AccountId, at: TimeMs, counts: readonly number[]): void {
    this.#known.set(accountId, at, counts)
  }

  /** Known order counts of accounts in the current windows: for the next counting process. */
  counted(now: TimeMs): ReturnType<OrderLimits['counted']> {
    return this.#known.counted(now)
  }
}
