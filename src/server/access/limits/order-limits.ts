/** Maximum number of orders of an account, per fixed window of the clock. */

import type { RateLimitUse } from '../../../contract/api/account-limits.ts'
import type { Account, SpecialOrderRate } from '../../../core/registry/records.ts'
import { orderRateInForce } from '../../../core/registry/special-terms.ts'
import type { AccountId } from '../../../units/ids.ts'
import type { OrderCharge } from '../../../units/order-charge.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import { putBounded, secondsUntil } from './address-limits.ts'
import type { LimitsConfig, OrderWindow } from './limits-config.ts'

/**
 * Prefix of the header with the number of orders that the account has placed in a window so far; Binance's
 * name.
 */
const ORDER_COUNT_HEADER = 'X-MBX-ORDER-COUNT-'

/** Orders placed in a window so far, and the name of the header with this number. */
export type OrderCount = { readonly header: string; readonly count: number }

/** The terms of an account that are in force at `now`; undefined if it may place as many orders as others. */
export type OrderTerms = (accountId: AccountId, now: TimeMs) => SpecialOrderRate | undefined

/** The special terms of a registry that follows the exchange (docs/reference/admin.md#special-terms). */
export function orderTermsIn(registry: {
  readonly account: (id: AccountId) => Account | undefined
}): OrderTerms {
  return (accountId, now) => orderRateInForce(registry.account(accountId)?.special, now)
}

/**
 * The place where the orders of accounts are counted: this process, or the process that receives the commands
 * of several gateways.
 */
export interface OrderCounter {
  /** Whether this number of further orders is allowed, by the counts of this process. */
  hasLeft(accountId: AccountId, now: TimeMs, orders?: number): boolean
  /** Counts the orders in every window, or refuses them and counts none in any. */
  take(accountId: AccountId, now: TimeMs, orders: number): Refusal | undefined
  /** Number of orders of an account in each window, in the order of the settings. */
  counts(accountId: AccountId, now: TimeMs): readonly OrderCount[]
  /**
   * Counts that the commands of the orders just accepted contain, if orders are counted elsewhere; undefined
   * if they are counted here.
   */
  chargeOf(accountId: AccountId, now: TimeMs, orders: number): OrderCharge | undefined
  /** The refusal of orders that were counted elsewhere and exceed a limit. */
  refusalOf(accountId: AccountId, now: TimeMs, orders: number): Refusal
  /** Stops counting an order that was counted at `now`: it was not a new order after all. */
  giveBack(accountId: AccountId, now: TimeMs): readonly OrderCount[]
  /** Usage of an account in every window. */
  uses(accountId: AccountId, now: TimeMs): RateLimitUse[]
  /**
   * Makes the limits of accounts follow their terms from now on; until then all accounts have the same
   * limits.
   */
  heed(terms: OrderTerms): void
}

export class OrderLimits implements OrderCounter {
  readonly #isEnabled: boolean
  readonly #counters: readonly WindowCounter[]
  #terms: OrderTerms = () => undefined

  constructor(config: LimitsConfig) {
    this.#isEnabled = config.isEnabled
    this.#counters = config.orderWindows.map((window) => new WindowCounter(window, config.entriesMax))
  }

  heed(terms: OrderTerms): void {
    this.#terms = terms
  }

  hasLeft(accountId: AccountId, now: TimeMs, orders = 1): boolean {
    return this.#check(accountId, now, orders) === undefined
  }

  take(accountId: AccountId, now: TimeMs, orders: number): Refusal | undefined {
    const refusal = this.#check(accountId, now, orders)
    if (refusal !== undefined) return refusal
    for (const counter of this.#counters) counter.add(accountId, now, orders)
    return undefined
  }

  chargeOf(): undefined {
    return undefined
  }

  refusalOf(accountId: AccountId, now: TimeMs, orders: number): Refusal {
    // The window that they exceeded may have ended in the meantime.
    return this.#check(accountId, now, orders) ?? refuse('ORDER_RATE_LIMITED', { seconds: 1 })
  }

  giveBack(accountId: AccountId, now: TimeMs): readonly OrderCount[] {
    return this.#counters.map((counter) => counter.subtract(accountId, now))
  }

  counts(accountId: AccountId, now: TimeMs): readonly OrderCount[] {
    return this.#counters.map((counter) => counter.count(accountId, now))
  }

  /**
   * Sets the counts of an account in the windows at time `at`; windows that have ended are not begun again.
   */
  set(accountId: AccountId, at: TimeMs, counts: readonly number[]): void {
    for (const [index, counter] of this.#counters.entries()) counter.set(accountId, at, counts[index] ?? 0)
  }

  /**
   * Counts of the previous counting process for an account, per window at time `at`; they are added to the
   * counts made here. If several processes report overlapping times, the largest count is used.
   */
  carry(accountId: AccountId, at: TimeMs, counts: readonly number[]): void {
    for (const [index, counter] of this.#counters.entries()) counter.carry(accountId, at, counts[index] ?? 0)
  }

  /** Accounts that have a count in a current window, with their count in each window. */
  counted(now: TimeMs): readonly (readonly [AccountId, readonly number[]])[] {
    const accounts = new Set(this.#counters.flatMap((counter) => counter.accounts(now)))
    return [...accounts].map((accountId) => [
      accountId,
      this.#counters.map((counter) => counter.count(accountId, now).count),
    ])
  }

  uses(accountId: AccountId, now: TimeMs): RateLimitUse[] {
    const terms = this.#terms(accountId, now)
    return this.#counters.map((counter) => {
      const use = counter.use(accountId, now, terms)
      return this.#isEnabled ? use : { ...use, max: undefined, limitUntil: undefined }
    })
  }

  #check(accountId: AccountId, now: TimeMs, orders: number): Refusal | undefined {
    if (!this.#isEnabled) return undefined
    const times = this.#terms(accountId, now)?.times ?? 1
    for (const counter of this.#counters) {
      const refusal = counter.check(accountId, now, orders, times)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
}

class WindowCounter {
  readonly #window: OrderWindow
  readonly #header: string
  readonly #entriesMax: number
  #countByAccount = new Map<AccountId, number>()
  /** The part that the previous process had counted. */
  #carriedByAccount = new Map<AccountId, number>()
  #index = -1

  constructor(window: OrderWindow, entriesMax: number) {
    this.#window = window
    this.#header = ORDER_COUNT_HEADER + window.name
    this.#entriesMax = entriesMax
  }

  check(accountId: AccountId, now: TimeMs, orders: number, times: number): Refusal | undefined {
    this.#turn(now)
    const max = this.#window.ordersMax * times
    if ((this.#countByAccount.get(accountId) ?? 0) + orders <= max) return undefined
    return refuse('ORDER_RATE_LIMITED', { seconds: secondsUntil(this.#end, now) })
  }

  use(accountId: AccountId, now: TimeMs, terms: SpecialOrderRate | undefined): RateLimitUse {
    this.#turn(now)
    const { windowMs, ordersMax } = this.#window
    const used = this.#countByAccount.get(accountId) ?? 0
    const max = ordersMax * (terms?.times ?? 1)
    return { type: 'ORDERS', windowMs, used, max, resetAt: this.#end, limitUntil: terms?.until || undefined }
  }

  add(accountId: AccountId, now: TimeMs, orders: number): void {
    this.#turn(now)
    const before = this.#countByAccount.get(accountId)
    this.#put(accountId, before, (before ?? 0) + orders)
  }

  count(accountId: AccountId, now: TimeMs): OrderCount {
    this.#turn(now)
    return { header: this.#header, count: this.#countByAccount.get(accountId) ?? 0 }
  }

  set(accountId: AccountId, at: TimeMs, count: number): void {
    this.#turn(at)
    if (Math.floor(at / this.#window.windowMs) !== this.#index) return
    this.#put(accountId, this.#countByAccount.get(accountId), count)
  }

  accounts(now: TimeMs): AccountId[] {
    this.#turn(now)
    return [...this.#countByAccount.keys()]
  }

  carry(accountId: AccountId, at: TimeMs, count: number): void {
    this.#turn(at)
    const more = count - (this.#carriedByAccount.get(accountId) ?? 0)
    if (more <= 0 || Math.floor(at / this.#window.windowMs) !== this.#index) return
    if (this.#carriedByAccount.has(accountId)) this.#carriedByAccount.set(accountId, count)
    else putBounded(this.#carriedByAccount, accountId, count, this.#entriesMax)
    const before = this.#countByAccount.get(accountId)
    this.#put(accountId, before, (before ?? 0) + more)
  }

  #put(accountId: AccountId, before: number | undefined, count: number): void {
    if (before === undefined) putBounded(this.#countByAccount, accountId, count, this.#entriesMax)
    else this.#countByAccount.set(accountId, count)
  }

  /** Subtracts one if the window in which it was counted has not ended. */
  subtract(accountId: AccountId, now: TimeMs): OrderCount {
    this.#turn(now)
    const before = this.#countByAccount.get(accountId) ?? 0
    const isOfWindow = Math.floor(now / this.#window.windowMs) === this.#index
    const count = isOfWindow && before > 0 ? before - 1 : before
    if (count !== before) this.#countByAccount.set(accountId, count)
    return { header: this.#header, count }
  }

  get #end(): TimeMs {
    return ((this.#index + 1) * this.#window.windowMs) as TimeMs
  }

  /**
   * Starts over when the clock is in a later window. `now` is the start of a request, which may be in an
   * earlier window if the body took long to arrive.
   */
  #turn(now: TimeMs): void {
    const index = Math.floor(now / this.#window.windowMs)
    if (index <= this.#index) return
    this.#index = index
    this.#countByAccount = new Map()
    this.#carriedByAccount = new Map()
  }
}
