/**
 * The orders that rest in books, with what the ledger needs to know of each: how much was executed and
 * charged so far. Prices, queues and remaining quantities are the books' own.
 */
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Side } from '../../units/order-words.ts'
import type { Lots, Notional, Price, TimeMs } from '../../units/quantities.ts'
import type { ExactCommission } from '../ledger/money.ts'
import type { Slot } from '../market/order-book.ts'

/** One order's own record, from its placement until it leaves the book. */
export type Order = {
  readonly number: OrderNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly side: Side
  /** The limit; 0 for a MARKET order, which never rests. */
  readonly price: Price
  /** What was asked for; 0 for a MARKET order limited by its total alone. */
  readonly quantity: Lots
  /** Where it rests; `NO_SLOT` until it does. */
  slot: Slot
  executedQuantity: Lots
  executedNotional: Notional
  commission: ExactCommission
}

/** Finds orders by number, and by account and symbol. */
export class OpenOrders {
  readonly #byNumber = new Map<OrderNumber, Order>()
  readonly #byAccount = new Map<AccountId, Map<SymbolId, Set<Order>>>()

  get size(): number {
    return this.#byNumber.size
  }

  add(order: Order): void {
    this.#byNumber.set(order.number, order)
    let bySymbol = this.#byAccount.get(order.accountId)
    if (bySymbol === undefined) {
      bySymbol = new Map()
      this.#byAccount.set(order.accountId, bySymbol)
    }
    const orders = bySymbol.get(order.symbolId)
    if (orders === undefined) bySymbol.set(order.symbolId, new Set([order]))
    else orders.add(order)
  }

  remove(order: Order): void {
    invariant(this.#byNumber.delete(order.number), () => `order ${order.number} must be open to be removed`)
    const bySymbol = this.#byAccount.get(order.accountId)
    const orders = bySymbol?.get(order.symbolId)
    invariant(
      bySymbol !== undefined && orders?.delete(order) === true,
      () => `order ${order.number} must be listed under account ${order.accountId}`,
    )
    if (orders.size > 0) return
    bySymbol.delete(order.symbolId)
    if (bySymbol.size === 0) this.#byAccount.delete(order.accountId)
  }

  get(number: OrderNumber): Order | undefined {
    return this.#byNumber.get(number)
  }

  /** How many orders of `accountId` rest in `symbolId`. */
  count(accountId: AccountId, symbolId: SymbolId): number {
    return this.#byAccount.get(accountId)?.get(symbolId)?.size ?? 0
  }

  /** Open orders of an account, in one symbol or in all, newest first. */
  ofAccount(accountId: AccountId, symbolId: SymbolId | undefined): Order[] {
    const bySymbol = this.#byAccount.get(accountId)
    if (bySymbol === undefined) return []
    const sets = symbolId === undefined ? [...bySymbol.values()] : [bySymbol.get(symbolId) ?? []]
    const orders = sets.flatMap((set) => [...set])
    return orders.sort((a, b) => b.number - a.number)
  }
}
