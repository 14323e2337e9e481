/** Commands that change an open order of the trader's: its quantity, or the order for another one. */
import type { AccountId, OrderNumber } from '../../../units/ids.ts'
import type { CancelReplaceMode, CancelRestriction } from '../../../units/order-words.ts'
import type { Amount, TimeMs } from '../../../units/quantities.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import type { PlaceOrder } from './orders.ts'

/** An open order as its owner names it: by number and time, which its UUID has, or by its client order id. */
export type OrderTarget =
  | { readonly orderNumber: OrderNumber; readonly orderTime: TimeMs; readonly clientOrderId?: undefined }
  | { readonly clientOrderId: string; readonly orderNumber?: undefined; readonly orderTime?: undefined }

/**
 * Lowers the whole quantity of an order that rests in its book, where it keeps its place
 * (docs/reference/order-changes.md#lower-the-quantity).
 */
export type AmendOrder = {
  readonly kind: 'AmendOrder'
  readonly accountId: AccountId
  readonly target: OrderTarget
  /**
   * What was executed included, in units of 10^-18 of the base asset: whoever names an order need not know how many decimals quantities of
   * its symbol have. At least 1.
   */
  readonly quantity: Amount
}

/** Cancels an order and places another one in its symbol, in one step (docs/reference/order-changes.md#replace). */
export type ReplaceOrder = {
  readonly kind: 'ReplaceOrder'
  readonly target: OrderTarget
  readonly mode: CancelReplaceMode
  /** Undefined: in whatever state the order is open. */
  readonly restriction: CancelRestriction | undefined
  /** The new order; its account is that of both. */
  readonly order: PlaceOrder
}

/** What a replacement asked for beside its new order, and whether its cancel was refused. */
export type Replacement = Pick<ReplaceOrder, 'target' | 'mode' | 'restriction'> & {
  readonly cancelRefusal: CoreReason | undefined
}
