/** Commands on orders: those of traders, most of every journal, and the operator's that cancels many. */
import type { AccountId, OrderNumber, SymbolId } from '../../../units/ids.ts'
import type { OrderType, SelfTradeMode, Side, TimeInForce } from '../../../units/order-words.ts'
import type { Amount, Lots, Price, TimeMs } from '../../../units/quantities.ts'
import type { Operator } from './operator.ts'

/**
 * A new order. Which of price, quantity and total are given depends on type and side (interface 4.3); absent
 * ones are undefined. The border has checked their form; the core checks everything again that can cost money.
 */
export type PlaceOrder = {
  readonly kind: 'PlaceOrder'
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly price: Price | undefined
  readonly quantity: Lots | undefined
  /** In ledger units of the quote asset. */
  readonly total: Amount | undefined
  /** Undefined: what the symbol says. */
  readonly selfTradeMode: SelfTradeMode | undefined
  /** Reserved for idempotent placement; carried, journaled, not yet given a meaning. */
  readonly clientReference: string | undefined
}

/** Takes an open order from the book. `orderTime` comes from the order's UUID and must be the order's own. */
export type CancelOrder = {
  readonly kind: 'CancelOrder'
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly orderTime: TimeMs
}

/**
 * Cancels open orders of an account, of a symbol, or of an account in a symbol: at most `CANCEL_ORDERS_MAX`, the
 * answer says how many are left. Of an account the newest first; of a symbol those first that would trade first.
 */
export type CancelOrders = {
  readonly kind: 'CancelOrders'
  readonly operator: Operator
  /** Undefined: of every account; then `symbol` is given. */
  readonly accountId: AccountId | undefined
  /** Undefined: in every symbol. */
  readonly symbol: string | undefined
}
