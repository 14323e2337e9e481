/** Commands on order lists: orders that belong together (docs/reference/order-lists.md). */
import type { AccountId, KeyNumber, ListNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import type { ListKind, OrderType, SelfTradeMode, Side, TimeInForce } from '../../units/order-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../units/quantities.ts'
import { text, uint } from '../../units/shapes/shape.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { type CommandIn, commandRows } from './row.ts'

/**
 * One order of a list. Its type determines its figures, as for a single order, except that a pending order
 * may omit its quantity and has no total.
 */
export type ListLeg = {
  readonly type: OrderType
  readonly side: Side
  /** Undefined if the type has none. */
  readonly timeInForce: TimeInForce | undefined
  readonly price: Price | undefined
  readonly stopPrice: Price | undefined
  /** Only for an order that follows the price. */
  readonly trailingDelta?: TrailingDelta | undefined
  /** Undefined if a pending order has the quantity that its working order brings in. */
  readonly quantity: Lots | undefined
  /** The most that an order at any price may spend, in ledger units of the quote asset. */
  readonly total: Amount | undefined
  readonly clientOrderId: string | undefined
}

/** Places all orders of a list, or none. */
export type PlaceList = {
  readonly kind: 'PlaceList'
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly list: ListKind
  /** The same for all orders of the list. Undefined for the symbol's default. */
  readonly selfTradeMode: SelfTradeMode | undefined
  /**
   * The trader's own name for the list, different from those of all other orders and lists of the account.
   */
  readonly listClientOrderId: string | undefined
  /** The orders of the list end with this session. */
  readonly sessionNumber?: SessionNumber | undefined
  /** The key of the account that placed the list; undefined if the key has no number. */
  readonly keyNumber?: KeyNumber | undefined
  /** The orders, in the order of `ROLES_BY_KIND`. */
  readonly legs: readonly ListLeg[]
}

export const LIST_ROWS = commandRows({
  CancelList: {
    code: 55,
    fields: { accountId: uint<AccountId>(), listNumber: uint<ListNumber>(), listTime: uint<TimeMs>() },
  },
  CancelClientList: {
    code: 56,
    fields: { accountId: uint<AccountId>(), listClientOrderId: text() },
  },
})

export const LIST_ENGINE_ROWS = commandRows({
  PlacePending: { code: 57, fields: { listNumber: uint<ListNumber>() } },
})

type In<Kind extends keyof typeof LIST_ROWS> = CommandIn<typeof LIST_ROWS, Kind>

/** Cancels every open order of a list. `listTime` comes from the list's UUID and must be the list's own. */
export interface CancelList extends In<'CancelList'> {}

/** Cancels every open order of a list, which is named by its client order id. */
export interface CancelClientList extends In<'CancelClientList'> {}

/**
 * Places the pending orders of a list whose working order was filled: the engine's own command, issued for
 * each list in turn (docs/reference/order-lists.md#pending-orders).
 */
export interface PlacePending extends CommandIn<typeof LIST_ENGINE_ROWS> {}

export type ListCommand = PlaceList | CancelList | CancelClientList
