/**
 * What orders did with the command that placed them, for whoever is to be answered with it: from that command's own events, which come
 * before its answer, so nothing has to be asked for. It keeps nothing while nobody watches.
 */
import type { CancelCause, ExchangeEvent, OrderPlaced, OrdersMatched } from '../core/exchange/event.ts'
import { amountSum } from '../core/ledger/money.ts'
import type { AccountId, OrderNumber } from '../units/ids.ts'
import { type Amount, type Lots, lots, NO_AMOUNT, NO_LOTS } from '../units/quantities.ts'

/** Most fills that are kept of one order: its first. */
export const PLACED_FILLS_MAX = 100

/** Most orders that are kept: more than one batch places. */
const PLACEMENTS_MAX = 8_192

/** One order, right after the command that placed it. */
export type Placement = {
  readonly placed: OrderPlaced
  /** Its first fills, oldest first, at most `PLACED_FILLS_MAX`. It was the taker of each. */
  readonly fills: readonly OrdersMatched[]
  readonly fillCount: number
  /** Ledger units of what it received. */
  readonly commission: Amount
  /** What self-trade prevention took off, or gave up in the end. */
  readonly preventedQuantity: Lots
  /** Why its rest was given up; undefined: it was not. */
  readonly cause: CancelCause | undefined
}

type Kept = Omit<{ -readonly [Field in keyof Placement]: Placement[Field] }, 'fills'> & {
  readonly fills: OrdersMatched[]
}

/** Somebody waits for what an order of an account does at once. */
export interface PlacementWatch {
  /** Undefined: it was placed before the watch began, or more orders than are kept were placed since. */
  of(orderNumber: OrderNumber): Placement | undefined
  /** To be called once. */
  end(): void
}

export class WatchedPlacements {
  readonly #watchesByAccount = new Map<AccountId, number>()
  /** Of the accounts that are watched, the first placed first. */
  readonly #keptByNumber = new Map<OrderNumber, Kept>()
  /** The order whose command the next events may belong to. */
  #current: Kept | undefined

  /** Whether events have to be given at all. */
  get isWatched(): boolean {
    return this.#watchesByAccount.size > 0
  }

  /** Begins before the order is handed over. */
  watch(accountId: AccountId): PlacementWatch {
    this.#watchesByAccount.set(accountId, (this.#watchesByAccount.get(accountId) ?? 0) + 1)
    return { of: (orderNumber) => this.#keptByNumber.get(orderNumber), end: () => this.#end(accountId) }
  }

  /** The next event, of any command: each order's begin with its placement, and their levels come last. */
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
        // It has ended: a later cancel of the same would be a bug of the core.
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
