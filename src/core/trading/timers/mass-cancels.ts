/**
 * Mass cancels in progress: each goes through its account's orders from the newest to the oldest, a bounded
 * number at a time (docs/reference/timers.md#mass-cancel). Until it is complete, it determines which orders
 * have ended.
 */
import type { AccountId, OrderNumber, SymbolId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { Order } from '../open-orders.ts'

/** The reason of a mass cancel: a request of the account, or the end of its countdown. */
export const MASS_CANCEL_CAUSES = ['USER', 'DEAD_MAN'] as const
export type MassCancelCause = (typeof MASS_CANCEL_CAUSES)[number]

export type MassCancel = {
  readonly accountId: AccountId
  /** Undefined for all symbols. */
  readonly symbolId: SymbolId | undefined
  readonly cause: MassCancelCause
  /** Whether orders are kept that waited for their trigger when the mass cancel began. */
  readonly keepsStops: boolean
  /** The time at which the mass cancel began. */
  readonly time: TimeMs
  /** The mass cancel ends the orders placed before this one. */
  readonly before: OrderNumber
  /** The newest order that is still to be examined. */
  next: OrderNumber
  /**
   * Whether the engine does not continue it, because that is a known bug. Its orders do not trade, and can be
   * canceled.
   */
  isAside: boolean
}

export class MassCancels {
  /** By account, oldest first. */
  readonly #running = new Map<AccountId, MassCancel[]>()

  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** The mass cancels of an account, oldest first. */
  of(accountId: AccountId): readonly MassCancel[] {
    return this.#running.get(accountId) ?? []
  }

  /** The number of mass cancels that an account has requested. */
  askedOf(accountId: AccountId): number {
    return this.of(accountId).filter(({ cause }) => cause === 'USER').length
  }

  /** Ordered by each account's first mass cancel in progress; those of one account, oldest first. */
  *all(): Generator<MassCancel, void> {
    for (const running of this.#running.values()) yield* running
  }

  /** Accounts with a mass cancel that the engine must continue, at most `max`. */
  accountsDue(max: number): AccountId[] {
    const accounts: AccountId[] = []
    for (const [accountId, running] of this.#running) {
      if (accounts.length === max) break
      if (running.some(({ isAside }) => !isAside)) accounts.push(accountId)
    }
    return accounts
  }

  /**
   * Adds a mass cancel, which replaces one in progress of the same kind: it ends the same orders, and later
   * ones.
   */
  add(massCancel: MassCancel): void {
    const others = this.of(massCancel.accountId).filter((running) => !isSame(running, massCancel))
    this.#running.set(massCancel.accountId, [...others, massCancel])
  }

  /** Whether a mass cancel of this kind is in progress. */
  has(massCancel: Pick<MassCancel, 'accountId' | 'symbolId' | 'cause' | 'keepsStops'>): boolean {
    return this.of(massCancel.accountId).some((running) => isSame(running, massCancel))
  }

  remove(massCancel: MassCancel): void {
    const others = this.of(massCancel.accountId).filter((running) => running !== massCancel)
    if (others.length === 0) this.#running.delete(massCancel.accountId)
    else this.#running.set(massCancel.accountId, others)
  }

  /** Must be called when an order is no longer open; `older` is the next older open order of its account. */
  passOver({ accountId, number }: Order, older: OrderNumber | undefined): void {
    for (const massCancel of this.of(accountId)) {
      if (massCancel.next !== number) continue
      if (older === undefined) this.remove(massCancel)
      else massCancel.next = older
    }
  }
}

function isSame(
  one: Pick<MassCancel, 'symbolId' | 'cause' | 'keepsStops'>,
  other: Pick<MassCancel, 'symbolId' | 'cause' | 'keepsStops'>,
): boolean {
  return one.symbolId === other.symbolId && one.cause === other.cause && one.keepsStops === other.keepsStops
}
