/**
 * What the exchange answers to a command. A refusal is a value with a reason and changed nothing but the
 * sequence number.
 */
import type { AccountId, AssetId, ListNumber, OrderNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import type { ListKind, OrderStatus } from '../../units/order-words.ts'
import type { Lots, Notional, TimeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'

export type Refused = { readonly kind: 'Refused'; readonly reason: CoreReason }

/** The order was accepted; `status` is its state after matching (never REJECTED: that is `Refused`). */
export type OrderAccepted = {
  readonly kind: 'OrderAccepted'
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
  readonly status: OrderStatus
  readonly executedQuantity: Lots
  /** Exact sum of price x quantity over this order's fills so far. */
  readonly executedNotional: Notional
}

/** The order had been placed before under its client order id: what was answered then. Nothing was done now. */
export type OrderRepeated = Omit<OrderAccepted, 'kind'> & { readonly kind: 'OrderRepeated' }

/** The order has the quantity that was asked for: from now on, or had it already. Number and time name it. */
export type OrderAmended = {
  readonly kind: 'OrderAmended'
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
}

/**
 * An order was cancelled, another one placed, or both: what did neither is `Refused`. `repeated`: nothing was done now, and all else is
 * the answer that was given before.
 */
export type OrderReplaced = {
  readonly kind: 'OrderReplaced'
  /** Why the order was not cancelled; undefined: it was. */
  readonly cancelRefusal: CoreReason | undefined
  readonly placed: OrderAccepted | Refused
  readonly repeated: boolean
}

/** All orders of a list were placed, or canceled as far as they were open. */
export type ListAccepted = {
  readonly kind: 'ListAccepted'
  readonly listNumber: ListNumber
  readonly time: TimeMs
  readonly list: ListKind
}

/** The list had been placed before under its client order id. Nothing was done now. */
export type ListRepeated = Omit<ListAccepted, 'kind'> & { readonly kind: 'ListRepeated' }

/** The command was done. `repeated` is true when its reference had been used before for the very same thing. */
export type Done = { readonly kind: 'Done'; readonly repeated: boolean }

export type AssetListed = { readonly kind: 'AssetListed'; readonly assetId: AssetId }
export type SymbolListed = { readonly kind: 'SymbolListed'; readonly symbolId: SymbolId }
export type AccountOpened = { readonly kind: 'AccountOpened'; readonly accountId: AccountId }

/** `left`: as many more could be cancelled by the same command again. */
export type OrdersCanceled = {
  readonly kind: 'OrdersCanceled'
  readonly canceled: number
  readonly left: number
}
/** A countdown ends at `triggerAt`; undefined: it is switched off. */
export type CountdownSet = { readonly kind: 'CountdownSet'; readonly triggerAt: TimeMs | undefined }
/** A session has a connection from now on: its owner names it by number and time. */
export type SessionOpened = {
  readonly kind: 'SessionOpened'
  readonly sessionNumber: SessionNumber
  /** When it was opened. */
  readonly time: TimeMs
  /** How many connections it has had with this one. */
  readonly attachment: number
}
/** The withdrawal waits; `repeated`: it had been asked for before under the trader's own id, and nothing was done now. */
export type WithdrawalAsked = {
  readonly kind: 'WithdrawalAsked'
  /** Names it from now on, for its trader and for operators: a UUID. */
  readonly reference: string
  /** When it was asked for. */
  readonly time: TimeMs
  readonly repeated: boolean
}
/** Money may go to the address from `usableAt` on; `repeated`: it was so before. */
export type AddressAllowed = {
  readonly kind: 'AddressAllowed'
  readonly usableAt: TimeMs
  readonly repeated: boolean
}
/** The command waits for a second person; nothing has moved. */
export type ApprovalNeeded = { readonly kind: 'ApprovalNeeded' }

export type Reply =
  | Refused
  | OrderAccepted
  | OrderRepeated
  | OrderAmended
  | OrderReplaced
  | ListAccepted
  | ListRepeated
  | Done
  | AssetListed
  | SymbolListed
  | AccountOpened
  | OrdersCanceled
  | CountdownSet
  | SessionOpened
  | WithdrawalAsked
  | AddressAllowed
  | ApprovalNeeded

/** The ordinary `Done`. */
export const DONE: Done = { kind: 'Done', repeated: false }

export function refused(reason: CoreReason): Refused {
  return { kind: 'Refused', reason }
}
