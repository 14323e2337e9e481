/**
 * The answers of the exchange to commands. A refusal is a value with a reason, and has changed nothing except
 * the sequence number. Each kind is one row, from which its type and its bytes are derived.
 */
import type { AccountId, AssetId, ListNumber, OrderNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import { LIST_KINDS, ORDER_STATUSES } from '../../units/order-enums.ts'
import type { Lots, Notional, TimeMs } from '../../units/quantities.ts'
import { CORE_REASONS, type CoreReason } from '../../units/reasons.ts'
import { type KindIn, kindRows } from '../../units/shapes/kind-codec.ts'
import {
  flag,
  integer,
  type ObjectOf,
  object,
  orUndefined,
  own,
  text,
  uint,
  uintOrNone,
  word,
} from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'

/** The answer to an accepted order. */
export const ACCEPTANCE = {
  orderNumber: uint<OrderNumber>(),
  time: uint<TimeMs>(),
  /** The order's state after matching; never REJECTED: a rejection is `Refused`. */
  status: word(ORDER_STATUSES),
  executedQuantity: uint<Lots>(),
  /** Exact sum of price x quantity over this order's fills so far. */
  executedNotional: integer<Notional>(),
}

/** The answer to an accepted list. */
export const LIST_ACCEPTANCE = {
  listNumber: uint<ListNumber>(),
  time: uint<TimeMs>(),
  list: word(LIST_KINDS),
}

const REASON = word(CORE_REASONS)
const ACCEPTED_CODEC = byteCodec(object(ACCEPTANCE))
const REASON_CODEC = byteCodec(REASON)

/** The order that replaces another one: accepted, or the reason why it was refused. */
const PLACED = own<({ readonly kind: 'OrderAccepted' } & ObjectOf<typeof ACCEPTANCE>) | Refused>({
  write: (w, placed) => {
    w.bool(placed.kind === 'OrderAccepted')
    if (placed.kind === 'OrderAccepted') ACCEPTED_CODEC.write(w, placed)
    else REASON_CODEC.write(w, placed.reason)
  },
  read: (r) =>
    r.bool() ? { kind: 'OrderAccepted', ...ACCEPTED_CODEC.read(r) } : refused(REASON_CODEC.read(r)),
})

export const REPLY_ROWS = kindRows({
  OrderAccepted: { code: 1, fields: ACCEPTANCE },
  Refused: { code: 2, fields: { reason: REASON } },
  Done: { code: 3, fields: { repeated: flag() } },
  AssetListed: { code: 4, fields: { assetId: uint<AssetId>() } },
  SymbolListed: { code: 5, fields: { symbolId: uint<SymbolId>() } },
  AccountOpened: { code: 6, fields: { accountId: uint<AccountId>() } },
  OrdersCanceled: { code: 7, fields: { canceled: uint(), left: uint() } },
  ApprovalNeeded: { code: 8 },
  OrderRepeated: { code: 9, fields: ACCEPTANCE },
  OrderAmended: { code: 10, fields: { orderNumber: uint<OrderNumber>(), time: uint<TimeMs>() } },
  OrderReplaced: {
    code: 11,
    fields: {
      repeated: flag(),
      /** The reason why the order was not canceled; undefined if it was. */
      cancelRefusal: orUndefined(REASON),
      placed: PLACED,
    },
  },
  CountdownSet: { code: 20, fields: { triggerAt: uintOrNone<TimeMs>() } },
  ListAccepted: { code: 54, fields: LIST_ACCEPTANCE },
  ListRepeated: { code: 55, fields: LIST_ACCEPTANCE },
  SessionOpened: {
    code: 56,
    fields: {
      sessionNumber: uint<SessionNumber>(),
      /** The time at which the session was opened. */
      time: uint<TimeMs>(),
      /** Number of connections of the session so far, including this one. */
      attachment: uint(),
    },
  },
  WithdrawalAsked: {
    code: 57,
    fields: {
      /** The withdrawal's id from now on, for its trader and for operators: a UUID. */
      reference: text(),
      /** The time at which the withdrawal was requested. */
      time: uint<TimeMs>(),
      repeated: flag(),
    },
  },
  AddressAllowed: { code: 58, fields: { usableAt: uint<TimeMs>(), repeated: flag() } },
})

type Rows = typeof REPLY_ROWS
type In<Kind extends keyof Rows> = KindIn<Rows, Kind>

export type Refused = { readonly kind: 'Refused'; readonly reason: CoreReason }

/** The order was accepted. */
export interface OrderAccepted extends In<'OrderAccepted'> {}

/**
 * The order was placed before under its client order id: this is the original answer. Nothing was done now.
 */
export interface OrderRepeated extends In<'OrderRepeated'> {}

/** The order has the requested quantity, from now on or already before. Number and time identify it. */
export interface OrderAmended extends In<'OrderAmended'> {}

/**
 * An order was canceled, another one placed, or both: a request that did neither is `Refused`. `repeated` is
 * true if nothing was done now; the rest is then the earlier answer.
 */
export interface OrderReplaced extends In<'OrderReplaced'> {}

/** All orders of a list were placed, or the open ones were canceled. */
export interface ListAccepted extends In<'ListAccepted'> {}

/** The list was placed before under its client order id. Nothing was done now. */
export interface ListRepeated extends In<'ListRepeated'> {}

/** The command was carried out. `repeated` is true if its reference was used before for the same thing. */
export interface Done extends In<'Done'> {}

export interface AssetListed extends In<'AssetListed'> {}
export interface SymbolListed extends In<'SymbolListed'> {}
export interface AccountOpened extends In<'AccountOpened'> {}

/** `left` is the number of orders that the same command could still cancel. */
export interface OrdersCanceled extends In<'OrdersCanceled'> {}

/** A countdown ends at `triggerAt`; undefined if it is switched off. */
export interface CountdownSet extends In<'CountdownSet'> {}

/** A session has a connection from now on. Its owner refers to it by number and time. */
export interface SessionOpened extends In<'SessionOpened'> {}

/**
 * The withdrawal is pending. `repeated` is true if it was requested before under the trader's own id, and
 * nothing was done now.
 */
export interface WithdrawalAsked extends In<'WithdrawalAsked'> {}

/** Money may be sent to the address from `usableAt` on. `repeated` is true if this was so before. */
export interface AddressAllowed extends In<'AddressAllowed'> {}

/** The command waits for a second person; no money was moved. */
export interface ApprovalNeeded extends In<'ApprovalNeeded'> {}

export type Reply = KindIn<Rows>

/** The answer `Done` to a command that is not a repeat. */
export const DONE: Done = { kind: 'Done', repeated: false }

export function refused(reason: CoreReason): Refused {
  return { kind: 'Refused', reason }
}
