/**
 * Sessions: the open orders that were placed over connections that cancel on disconnect, and the time at
 * which the orders of a session without a connection end
 * (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import type { AccountId, OrderNumber, SessionNumber } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { SESSIONS_MAX, SESSIONS_PER_ACCOUNT_MAX } from '../../../units/limits.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { DeadlineQueue } from '../../market/deadline-queue.ts'

export type TradingSession = {
  readonly number: SessionNumber
  /** The time at which the session was opened. */
  readonly time: TimeMs
  readonly accountId: AccountId
  /** The key that opened the session, the only one that may resume it. */
  readonly apiKey: string
  /** Grace period of its orders after the end of its connection, in milliseconds. */
  readonly graceMs: number
  /** Number of connections of the session so far. */
  readonly attachment: number
  /** The time at which its orders end; undefined while it has a connection. */
  readonly endsAt: TimeMs | undefined
  /**
   * Whether the engine does not end its orders, because that is a known bug. From `endsAt` on they do not
   * trade, and can be canceled.
   */
  readonly isAside: boolean
}

export type SessionLimits = { readonly perAccount: number; readonly inAll: number }

export const SESSION_LIMITS: SessionLimits = { perAccount: SESSIONS_PER_ACCOUNT_MAX, inAll: SESSIONS_MAX }

export class TradingSessions {
  readonly #limits: SessionLimits
  readonly #byNumber = new Map<SessionNumber, TradingSession>()
  readonly #countByAccount = new Map<AccountId, number>()
  /** Sessions that the engine ends. */
  readonly #ending = new DeadlineQueue<SessionNumber>()
  #asideCount = 0
  /** The open orders of each session, oldest first. */
  readonly #orders = new Map<SessionNumber, Set<OrderNumber>>()
  readonly #sessionByOrder = new Map<OrderNumber, SessionNumber>()

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#byNumber.size
  }

  /** Whether an account may have one more session. */
  hasRoom(accountId: AccountId): boolean {
    return this.count < this.#limits.inAll && this.#countOf(accountId) < this.#limits.perAccount
  }

  /** Number of open orders that belong to sessions. */
  get orderCount(): number {
    return this.#sessionByOrder.size
  }

  get(number: SessionNumber): TradingSession | undefined {
    return this.#byNumber.get(number)
  }

  /** The session of an open order; undefined if there is none. */
  of(number: OrderNumber): TradingSession | undefined {
    const session = this.#sessionByOrder.get(number)
    return session === undefined ? undefined : this.#byNumber.get(session)
  }

  /** The time at which the engine must end the first session; undefined if all have a connection. */
  get firstTime(): TimeMs | undefined {
    return this.#ending.firstTime
  }

  /** Whether any session has ended. */
  hasAnyAt(time: TimeMs): boolean {
    const { firstTime } = this.#ending
    return (firstTime !== undefined && firstTime <= time) || this.#asideCount > 0
  }

  /** Whether an open order has ended with its session. */
  isOver(number: OrderNumber, time: TimeMs): boolean {
    const session = this.of(number)
    return session !== undefined && isOverAt(session, time)
  }

  /** Sessions that have ended, earliest first, then oldest, at most `max`. */
  due(time: TimeMs, max: number): SessionNumber[] {
    return this.#ending.until(time, max)
  }

  /** By number. */
  all(): TradingSession[] {
    return [...this.#byNumber.values()].sort((a, b) => a.number - b.number)
  }

  /** Adds a session, or replaces the record of a known one. */
  put(session: TradingSession): void {
    const { number, accountId, endsAt, isAside } = session
    const known = this.#byNumber.get(number)
    if (known === undefined) this.#countByAccount.set(accountId, this.#countOf(accountId) + 1)
    else this.#stopsEnding(known)
    this.#byNumber.set(number, session)
    if (endsAt === undefined) return
    if (isAside) this.#asideCount++
    else this.#ending.add(number, endsAt)
  }

  /** Forgets a session without orders. */
  remove(number: SessionNumber): void {
    const session = this.#byNumber.get(number)
    if (session === undefined) return
    invariant(
      !this.#orders.has(number),
      () => `session ${number} must not be forgotten while it has open orders`,
    )
    const { accountId } = session
    this.#stopsEnding(session)
    this.#byNumber.delete(number)
    const others = this.#countOf(accountId) - 1
    if (others === 0) this.#countByAccount.delete(accountId)
    else this.#countByAccount.set(accountId, others)
  }

  /** Adds an order to a session. It has just been opened and is newer than all others. */
  join(number: SessionNumber, order: OrderNumber): void {
    const orders = this.#orders.get(number)
    if (orders === undefined) this.#orders.set(number, new Set([order]))
    else orders.add(order)
    this.#sessionByOrder.set(order, number)
  }

  /**
   * Must be called when an order is no longer open, whether it belongs to a session or not. A session that is
   * set aside is forgotten with its last order.
   */
  leave(order: OrderNumber): void {
    const number = this.#sessionByOrder.get(order)
    if (number === undefined) return
    this.#sessionByOrder.delete(order)
    const orders = this.#orders.get(number)
    orders?.delete(order)
    if (orders?.size !== 0) return
    this.#orders.delete(number)
    const session = this.#byNumber.get(number)
    if (session?.isAside) this.remove(number)
  }

  /** Open orders of a session, oldest first. An order that ends during an iteration is left out. */
  ordersOf(number: SessionNumber): ReadonlySet<OrderNumber> {
    return this.#orders.get(number) ?? NO_ORDERS
  }

  #countOf(accountId: AccountId): number {
    return this.#countByAccount.get(accountId) ?? 0
  }

  #stopsEnding({ number, endsAt, isAside }: TradingSession): void {
    if (endsAt === undefined) return
    if (isAside) this.#asideCount--
    else this.#ending.remove(number)
  }
}

const NO_ORDERS: ReadonlySet<OrderNumber> = new Set()

/** Whether a session has ended: from then on its orders do not trade, and it cannot be resumed. */
export function isOverAt({ endsAt }: TradingSession, time: TimeMs): boolean {
  return endsAt !== undefined && endsAt <= time
}
