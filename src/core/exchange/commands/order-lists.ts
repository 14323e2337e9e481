/** Commands on order lists: orders that belong together (docs/reference/order-lists.md). */
import type { AccountId, ListNumber, SessionNumber, SymbolId } from '../../../units/ids.ts'
import type { ListKind, OrderType, SelfTradeMode, Side, TimeInForce } from '../../../units/order-words.ts'
import type { Amount, Lots, Price, TimeMs } from '../../../units/quantities.ts'

/**
 * One order of a list. Which figures it has, its type says as for an order of its own, but that a pending order may leave out its
 * quantity, and has no total.
 */
export type ListLeg = {
  readonly type: OrderType
  readonly side: Side
  /** Undefined where the type takes none. */
  readonly timeInForce: TimeInForce | undefined
  readonly price: Price | undefined
  readonly stopPrice: Price | undefined
  /** Undefined, of a pending order: what the working order has received. */
  readonly quantity: Lots | undefined
  /** Ledger units of the quote asset that an order at any price may spend. */
  readonly total: Amount | undefined
  readonly clientOrderId: string | undefined
}

/** Places all orders of a list, or none. */
export type PlaceList = {
  readonly kind: 'PlaceList'
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly list: ListKind
  /** Of all its orders. Undefined: what the symbol says. */
  readonly selfTradeMode: SelfTradeMode | undefined
  /** The trader's own name for the list: no order or list of the account has another's. */
  readonly listClientOrderId: string | undefined
  /** Its orders end with this session. */
  readonly sessionNumber?: SessionNumber | undefined
  /** As `ROLES_BY_KIND` has them. */
  readonly legs: readonly ListLeg[]
}

/** Cancels every open order of a list. `listTime` comes from the list's UUID and must be the list's own. */
export type CancelList = {
  readonly kind: 'CancelList'
  readonly accountId: AccountId
  readonly listNumber: ListNumber
  readonly listTime: TimeMs
}

/** The same for the list that is known by a client order id. */
export type CancelClientList = {
  readonly kind: 'CancelClientList'
  readonly accountId: AccountId
  readonly listClientOrderId: string
}

/**
 * Places the pending orders of a list whose working order was filled: the engine's own command, given for the list whose turn it is
 * (docs/reference/order-lists.md#pending-orders).
 */
export type PlacePending = { readonly kind: 'PlacePending'; readonly listNumber: ListNumber }

export type ListCommand = PlaceList | CancelList | CancelClientList
