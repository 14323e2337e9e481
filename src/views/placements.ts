/**
 * The effects of orders in the command that placed them, for the answer to that command. They are taken from
 * the command's own events, which come before its answer, so nothing has to be queried. Nothing is kept
 * without an observer.
 */
import type { CancelCause, ExchangeEvent, OrderPlaced, OrdersMatched } from '../core/events/event.ts'
import { amountSum } from '../core/ledger/money.ts'
import type { AccountId, OrderNumber } from '../units/ids.ts'
import { type Amount, type Lots, lots, NO_AMOUNT, NO_LOTS } from '../units/quantities.ts'

/** Maximum number of fills kept for one order: its first fills. */
export const PLACED_FILLS_MAX = 100

/** Maximum number of orders kept: more than one batch places. */
const PLACEMENTS_MAX = 8_192

/** An order right after the command that placed it. */
export type Placement = {
  readonly placed: OrderPlaced
  /** Its first fills, oldest first, at most `PLACED_FILLS_MAX`. The order was the taker of each. */
  readonly fills: readonly OrdersMatched[]
  readonly fillCount: number
  /** Ledger units of the asset that it received. */
  readonly commission: Amount
  /** The quantity removed by self-trade prevention, including the rest that it canceled. */
  readonly preventedQuantity: Lots
  /** The reason why the rest was canceled; undefined if it was not. */
  readonly cause: CancelCause | undefined
}

type Kept = Omit<{ -readonly [Field in keyof Placement]: Placement[Field] }, 'fills'> & {
  readonly fills: OrdersMatched[]
}

/** An observer of the immediate effects of an account's orders. */
export interface PlacementWatch {
  /** Undefined if the order was placed before the watch began, or if too many orders were placed since. */
  of(orderNumber: OrderNumber): Placement | undefined
  /** Must be called once. */
  end(): void
}

export class WatchedPlacements {
  readonly #watchesByAccount = new Map<AccountId, number>()
  /** Placements of watched accounts, oldest first. */
  readonly #keptByNumber = new Map<OrderNumber, Kept>()
  /** The order to whose command the next events may belong. */
  #current: Kept | undefined

  /** Whether events need to be applied at all. */
  get isWatched(): boolean {
    return this.#watchesByAccount.size > 0
  }

  /** Must be called before the order is submitted. */
  watch(accountId: AccountId): PlacementWatch {
    this.#watchesByAccount.set(accountId, (this.#watchesByAccount.get(accountId) ?? 0) + 1)
    return { of: (orderNumber) => this.#keptByNumber.get(orderNumber), end: () => this.#end(accountId) }
  }

  /**
   * Applies the next event, of any command: the events of each order begin with its placement, and end with
   * its price levels.
   */
  apply(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'OrderPlaced':
        this.#current = this.#watchesByAccount.has(event.accountId) ? this.#begin(event) : undefined
        break
      case 'OrderTriggered':
      case 'LevelChanged':
        this.#current = undefined
        break
      case 'OrdersMatched':
        this.#match(event)
        break
      case 'OrderDecremented':
        this.#prevent(event.orderNumber, event.quantity)
        break
      case 'OrderCanceled':
        if (this.#current?.placed.orderNumber !== event.orderNumber) break
        this.#current.cause = event.cause
        if (event.cause === 'SELF_TRADE') this.#prevent(event.orderNumber, event.quantity)
        // The order has ended: a later cancel of the same order would be a bug of the core.
        this.#current = undefined
        break
    }
  }

  #begin(placed: OrderPlaced): Kept {
    const kept: Kept = {
      placed,
      fills: [],
      fillCount: 0,
      commission: NO_AMOUNT,
      preventedQuantity: NO_LOTS,
      cause: undefined,
    }
    this.#keptByNumber.set(placed.orderNumber, kept)
    if (this.#keptByNumber.size > PLACEMENTS_MAX) {
      const [oldest] = this.#keptByNumber.keys()
      if (oldest !== undefined) this.#keptByNumber.delete(oldest)
    }
    return kept
  }

  #match(match: OrdersMatched): void {
    const kept = this.#current
    if (kept?.placed.orderNumber !== match.taker.orderNumber) return
    kept.fillCount++
    kept.commission = amountSum(kept.commission, match.taker.commission)
    if (kept.fills.length < PLACED_FILLS_MAX) kept.fills.push(match)
  }

  #prevent(orderNumber: OrderNumber, quantity: Lots): void {
    const kept = this.#current
    if (kept?.placed.orderNumber === orderNumber) {
      kept.preventedQuantity = lots(kept.preventedQuantity + quantity)
    }
  }

  #end(accountId: AccountId): void {
    const watches = (this.#watchesByAccount.get(accountId) ?? 0) - 1
    if (watches > 0) {
      this.#watchesByAccount.set(accountId, watches)
      return
    }
    this.#watchesByAccount.delete(accountId)
    for (const [number, { placed }] of this.#keptByNumber) {
      if (placed.accountId === accountId) this.#keptByNumber.delete(number)
    }
    if (!this.isWatched) this.#current = undefined
  }
}
