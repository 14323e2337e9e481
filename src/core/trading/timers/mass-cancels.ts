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
  /** Orders that waited for their trigger when it began are kept. */
  readonly keepsStops: boolean
  /** The time at which it began. */
  readonly time: TimeMs
  /** It ends the orders placed before this one. */
  readonly before: OrderNumber
  /** The newest order that it still has to examine. */
  next: OrderNumber
  /**
   * The engine does not continue it, because that is a known bug. Its orders do not trade, and can be
   * canceled.
   */
  isAside: boolean
}

export class MassCancels {
  /** By account; the oldest first. */
  readonly #running = new Map<AccountId, MassCancel[]>()

  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** Those of an account, the oldest first. */
  of(accountId: AccountId): readonly MassCancel[] {
    return this.#running.get(accountId) ?? []
  }

  /** The number of mass cancels that an account has requested. */
  askedOf(accountId: AccountId): number {
    return this.of(accountId).filter(({ cause }) => cause === 'USER').length
  }

  /** In the order in which their accounts came, each account's oldest first. */
  *all(): Generator<MassCancel, void> {
    for (const running of this.#running.values()) yield* running
  }

  /** Accounts with one that the engine must continue, at most `max`. */
  accountsDue(max: number): AccountId[] {
    const accounts: AccountId[] = []
    for (const [accountId, running] of this.#running) {
      if (accounts.length === max) break
      if (running.some(({ isAside }) => !isAside)) accounts.push(accountId)
    }
    return accounts
  }

  /** A mass cancel that ends the same orders as one in progress, and later ones, replaces it. */
  add(massCancel: MassCancel): void {
    const others = this.of(massCancel.accountId).filter((running) => !isSame(running, massCancel))
    this.#running.set(massCancel.accountId, [...others, massCancel])
  }

  /** Whether one of this kind is in progress. */
  has(massCancel: Pick<MassCancel, 'accountId' | 'symbolId' | 'cause' | 'keepsStops'>): boolean {
    return this.of(massCancel.accountId).some((running) => isSame(running, massCancel))
  }

  remove(massCancel: MassCancel): void {
    const others = this.of(massCancel.accountId).filter((running) => running !== massCancel)
    if (others.length === 0) this.#running.delete(massCancel.accountId)
    else this.#running.set(massCancel.accountId, others)
  }

  /** An order is no longer open; `older`: the one of its account that was placed before it. */
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
