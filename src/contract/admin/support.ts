/**
 * The answers of the admin server for customer support: orders and fills of any account, finished
 * withdrawals, a transfer by its reference, and an account's overview. Decimals are text in the units of the
 * asset or the symbol, times are ISO 8601.
 */
import type { ValueOf } from '../../units/shapes/shape.ts'
import type { ORDER } from '../api/order-object.ts'
import type {
  AdminAccount,
  AdminAction,
  AdminActionFields,
  AdminApproval,
  AdminBalance,
  AdminKey,
  AdminWithdrawal,
} from './records.ts'

type Order = ValueOf<typeof ORDER>
type OrderTimes = Pick<Order, 'createdAt' | 'updatedAt' | 'expireTime' | 'triggeredAt' | 'trailingTime'>

/** An order of any account (docs/reference/orders.md#order): fields that do not apply are absent. */
export type AdminOrder = Omit<Order, keyof OrderTimes> & { readonly account: string } & {
  readonly [Time in keyof OrderTimes]: string | Extract<OrderTimes[Time], undefined>
}

/** Newest first. `next`: the `before` of the next page; null if there are no more. */
export type AdminOrderPage = { readonly orders: readonly AdminOrder[]; readonly next: string | null }

/** One side of a trade. */
export type AdminFill = {
  readonly id: string
  /**
   * The number of the trade in its symbol, from 1 without gaps; absent if the trade is older than these
   * numbers.
   */
  readonly number?: number | undefined
  readonly orderId: string
  readonly symbol: string
  readonly side: string
  readonly price: string
  readonly quantity: string
  readonly total: string
  readonly commission: string
  readonly commissionAsset: string
  readonly isMaker: boolean
  readonly time: string
}

/** Newest first; a page may be empty before the end. */
export type AdminFillPage = { readonly fills: readonly AdminFill[]; readonly next: string | null }

export type AdminOrderShown = AdminOrder & AdminFillPage

/** A fact of the numbered feed (docs/reference/events.md#kinds). */
export type AdminFact = {
  readonly number: number
  readonly seq: number
  readonly time: string
  readonly kind: string
  readonly actor: string
  readonly note: string
  readonly fields: AdminActionFields
}

export type AdminEndedWithdrawal = {
  readonly reference: string
  readonly account: string
  readonly asset: string
  readonly amount: string
  readonly outcome: 'COMPLETED' | 'CANCELED'
  readonly endedAt: string
  /** The command that ended it, its actor and its note. */
  readonly seq: number
  readonly by: string
  readonly note: string
}

/** Newest first. */
export type AdminEndedWithdrawalPage = {
  readonly withdrawals: readonly AdminEndedWithdrawal[]
  readonly next: number | null
}

/** The outcome of a transfer. `EXPIRED`: it was not approved in time. */
export type AdminTransferState =
  | 'WAITS_FOR_APPROVAL'
  | 'WITHDRAWAL_WAITS'
  | 'DONE'
  | 'COMPLETED'
  | 'CANCELED'
  | 'REJECTED'
  | 'EXPIRED'
  | 'REFUSED'

/** All commands with one reference. */
export type AdminTransferShown = {
  readonly reference: string
  readonly state: AdminTransferState
  /** Null if it is a transfer of the house. */
  readonly account: string | null
  readonly asset: string | null
  readonly amount: string | null
  /** Oldest first: at most the 100 newest. */
  readonly actions: readonly AdminAction[]
}

/** One account on one screen. Lists contain only the newest entries, newest first. */
export type AdminStory = {
  readonly account: AdminAccount
  /** The command that set its current restrictions; null if there is none. */
  readonly restrictedBy: AdminAction | null
  /** Balances that are not zero. */
  readonly balances: readonly AdminBalance[]
  readonly keys: readonly AdminKey[]
  readonly openOrders: number
  readonly orders: readonly AdminOrder[]
  readonly withdrawalsWaiting: readonly AdminWithdrawal[]
  readonly approvalsWaiting: readonly AdminApproval[]
  readonly money: readonly AdminFact[]
  readonly actions: readonly AdminAction[]
}

export type AdminFoundIn = 'NAME' | 'CUSTOMER_ID' | 'LABEL' | 'FIELD' | 'REMARK' | 'API_KEY' | 'KEY_LABEL'

export type AdminAccountFound = AdminAccount & {
  /** The first field that contains the text, and the content of that field. */
  readonly foundIn: AdminFoundIn
  readonly foundText: string
}

export type AdminAccountSearchPage = {
  /** First those whose name, customer id or key equals the text, then in the order of `account/list`. */
  readonly accounts: readonly AdminAccountFound[]
  /** The `after` of the next request; null if all accounts were searched. */
  readonly next: string | null
}
