/**
 * The readable parts of the exchange's state: plain values that can be sent to another thread. The types and
 * bytes of all that are not records are derived from shapes.
 */

import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId, ListNumber, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import { APPROVABLE_KINDS } from '../../units/operator-enums.ts'
import {
  LIST_KINDS,
  LIST_ROLES,
  type OrderType,
  type SelfTradeMode,
  SIDES,
  type Side,
  type TimeInForce,
} from '../../units/order-enums.ts'
import type { Amount, Lots, Notional, Price, Seq, TimeMs } from '../../units/quantities.ts'
import {
  anyInteger,
  bit,
  flag,
  idOrNone,
  integer,
  listOf,
  type ObjectOf,
  object,
  orUndefined,
  own,
  spread,
  text,
  uint,
  uintOrNone,
  type ValueOf,
  word,
} from '../../units/shapes/shape.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type { AskedWithdrawal } from '../ledger/asked-withdrawals.ts'
import type { WithdrawalAddress } from '../ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../ledger/withdrawals.ts'
import type {
  Account,
  AddressBan,
  AdminToken,
  ApiKey,
  ApprovalsNeeded,
  Asset,
  ExchangePhases,
  FeeTier,
  OwnRole,
  RoleLimit,
  TradingSymbol,
} from '../registry/records.ts'
import { CARRIED } from '../trading/carried.ts'
import { termsAt, termsOf } from '../trading/order-terms.ts'

/** The trigger that an order waits for outside the book, or has waited for. */
export type OpenOrderStop = {
  /** Undefined for a trailing order that follows the price from the next trade on. */
  readonly price: Price | undefined
  /** The fields of a trailing order. */
  readonly trailing: OpenOrderTrailing | undefined
  /**
   * Ledger units of the quote asset that the order may spend at any price once it is triggered; undefined if
   * it has no such limit.
   */
  readonly total: Amount | undefined
  /** Undefined while the order waits. */
  readonly triggeredAt: TimeMs | undefined
}

/**
 * The distance at which an order follows the price, and the time at which it began to follow; the time is
 * undefined until then.
 */
export type OpenOrderTrailing = { readonly delta: TrailingDelta; readonly since: TimeMs | undefined }

/** An order's place in a list. */
export const LIST_PLACE = object({ listNumber: uint<ListNumber>(), role: word(LIST_ROLES) })
export interface ListPlace extends ValueOf<typeof LIST_PLACE> {}

export const OPEN_ORDER = object(
  {
    orderNumber: uint<OrderNumber>(),
    time: uint<TimeMs>(),
    accountId: uint<AccountId>(),
    symbolId: uint<SymbolId>(),
    side: word(SIDES),
    /** The limit; 0 for a waiting order without a limit. */
    price: uint<Price>(),
    /** The original or amended quantity; 0 for an order limited only by its total. */
    quantity: uint<Lots>(),
    /** The original quantity, if it was amended; undefined if `quantity` is the original one. */
    askedQuantity: orUndefined(uint<Lots>()),
    executedQuantity: uint<Lots>(),
    executedNotional: integer<Notional>(),
    /** Commission charged so far, in ledger units of the received asset. */
    commission: integer<Amount>(),
    /** The quantity still to be traded; less than quantity - executed if self-trade prevention lowered it. */
    remaining: uint<Lots>(),
    terms: spread<OpenOrderTerms>(['type', 'timeInForce', 'selfTradeMode'], {
      write: (w, { type, timeInForce, selfTradeMode }) =>
        w.uint(termsOf(type, timeInForce, selfTradeMode).code),
      read: readTerms,
    }),
    /** The time of the last execution or deduction; before the first, `time`. */
    updatedAt: uint<TimeMs>(),
    /** Undefined for an order of a type that never waits. */
    stop: own<OpenOrderStop | undefined>({ write: writeStop, read: readStop }),
    /** The trader's own id for the order, if there is one and the rules support it. */
    clientOrderId: orUndefined(text()),
    /** The time at which the order ends automatically; undefined if there is none. */
    expireTime: uintOrNone<TimeMs>(),
    /** For an iceberg order, the part shown at a time; undefined if nothing is hidden. */
    icebergQuantity: uintOrNone<Lots>(),
    /** The order's place in its list; undefined if it belongs to none. */
    inList: orUndefined(LIST_PLACE),
  },
  {
    /** True while the order waits for the working order of its list to be filled. */
    isPending: bit(),
    ...CARRIED,
  },
)

/** An order that rests in a book, or waits for its trigger outside it. */
export interface OpenOrder extends ValueOf<typeof OPEN_ORDER> {}

type OpenOrderTerms = {
  /** The order's original type; a plain `LIMIT` if the rules at that time did not store it. */
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  /** Undefined if the rules at that time did not store it. */
  readonly selfTradeMode: SelfTradeMode | undefined
}

function readTerms(r: ByteReader): OpenOrderTerms {
  const terms = termsAt(r.uint())
  if (terms === undefined) throw new BytesFault(`unknown terms of an order before byte ${r.at}`)
  return terms
}

/** Bits of an order's trigger; no bit is set if the order does not wait. */
const HAS_STOP = 1
const HAS_TOTAL = 2
const IS_TRIGGERED = 4
const IS_TRAILING = 8
const IS_FOLLOWING = 16
const STOP_MAX = 31
/** Written in place of a price or a time that a trailing order does not have. */
const NONE = 0

function writeStop(w: ByteWriter, stop: OpenOrderStop | undefined): void {
  if (stop === undefined) {
    w.u8(0)
    return
  }
  const { price, total, triggeredAt, trailing } = stop
  w.u8(
    HAS_STOP |
      (total === undefined ? 0 : HAS_TOTAL) |
      (triggeredAt === undefined ? 0 : IS_TRIGGERED) |
      (trailing === undefined ? 0 : IS_TRAILING) |
      (trailing?.since === undefined ? 0 : IS_FOLLOWING),
  )
  w.uint(price ?? NONE)
  if (total !== undefined) w.whole(total)
  if (triggeredAt !== undefined) w.uint(triggeredAt)
  if (trailing !== undefined) w.uint(trailing.delta)
  if (trailing?.since !== undefined) w.uint(trailing.since)
}

function readStop(r: ByteReader): OpenOrderStop | undefined {
  const has = r.u8()
  if (has === 0) return undefined
  if (has > STOP_MAX || (has & HAS_STOP) === 0) {
    throw new BytesFault(`unknown trigger of an order before byte ${r.at}: ${has}`)
  }
  const price = r.uint() as Price
  const isTrailing = (has & IS_TRAILING) !== 0
  if ((has & IS_FOLLOWING) !== 0 && !isTrailing) {
    throw new BytesFault(`an order before byte ${r.at} follows the price without a distance`)
  }
  return {
    price: isTrailing && price === NONE ? undefined : price,
    total: has & HAS_TOTAL ? (r.whole() as Amount) : undefined,
    triggeredAt: has & IS_TRIGGERED ? (r.uint() as TimeMs) : undefined,
    trailing: isTrailing ? readTrailing(r, (has & IS_FOLLOWING) !== 0) : undefined,
  }
}

function readTrailing(r: ByteReader, isFollowing: boolean): OpenOrderTrailing {
  const delta = r.uint() as TrailingDelta
  return { delta, since: isFollowing ? (r.uint() as TimeMs) : undefined }
}

/** A place in an account's open orders that stays valid while orders come and go. */
const OPEN_ORDERS_PLACE = object({
  /** All orders from this one on have been examined. */
  before: uint<OrderNumber>(),
  /**
   * The order at which the search ended. If it is no longer open, the search restarts at the newest order and
   * skips those already examined.
   */
  at: uint<OrderNumber>(),
})
export interface OpenOrdersPlace extends ValueOf<typeof OPEN_ORDERS_PLACE> {}

/** A request for open orders: of an account, in one symbol or in all, newest first, from a place on. */
export const OPEN_ORDERS_QUERY = object({
  accountId: uint<AccountId>(),
  symbolId: idOrNone<SymbolId>(),
  /** The end of the previous page; undefined for the first page. */
  after: orUndefined(OPEN_ORDERS_PLACE),
})
export interface OpenOrdersQuery extends ValueOf<typeof OPEN_ORDERS_QUERY> {}

/** A request for orders of an account by number: at most `ORDERS_BY_NUMBER_MAX`. */
export const ORDERS_BY_NUMBER_QUERY = object({
  accountId: uint<AccountId>(),
  orderNumbers: listOf(uint<OrderNumber>()),
})
export interface OrdersByNumberQuery extends ValueOf<typeof ORDERS_BY_NUMBER_QUERY> {}

/** Maximum number of orders in one request. */
export const ORDERS_BY_NUMBER_MAX = 1_000

/**
 * A page of a list of open orders at one time. Consecutive pages contain an order that stays open exactly
 * once, and an order that is opened or closed in the meantime at most once.
 */
export const OPEN_ORDERS_PAGE = object({
  orders: listOf(OPEN_ORDER),
  /** Current number of orders in the whole list. */
  total: uint(),
  /** The place of the next page; undefined at the end. A page before the end may be empty. */
  next: orUndefined(OPEN_ORDERS_PLACE),
})
export interface OpenOrdersPage extends ValueOf<typeof OPEN_ORDERS_PAGE> {}

/** Maximum number of orders in one page. */
export const OPEN_ORDERS_PAGE_MAX = 250

/** Maximum number of orders read for one page, including those of other symbols. */
export const OPEN_ORDERS_READ_MAX = 4_096

/** An order that is remembered under its client order id. */
const CLIENT_ORDER = object({
  orderNumber: uint<OrderNumber>(),
  time: uint<TimeMs>(),
  symbolId: uint<SymbolId>(),
  isOpen: flag(),
})
export interface ClientOrder extends ValueOf<typeof CLIENT_ORDER> {}

export const CLIENT_ORDER_QUERY = object({ accountId: uint<AccountId>(), clientOrderId: text() })
export interface ClientOrderQuery extends ValueOf<typeof CLIENT_ORDER_QUERY> {}

export const CLIENT_ORDER_ANSWER = object({
  /** The time of the last durable and applied command. */
  time: uint<TimeMs>(),
  order: orUndefined(CLIENT_ORDER),
})
export interface ClientOrderAnswer extends ValueOf<typeof CLIENT_ORDER_ANSWER> {}

/** A list that is remembered under a client order id. */
export const CLIENT_LIST = object({
  listNumber: uint<ListNumber>(),
  time: uint<TimeMs>(),
  kind: word(LIST_KINDS),
})
export interface ClientList extends ValueOf<typeof CLIENT_LIST> {}

export const CLIENT_LIST_QUERY = object({ accountId: uint<AccountId>(), listClientOrderId: text() })
export interface ClientListQuery extends ValueOf<typeof CLIENT_LIST_QUERY> {}

/** One account's money in one asset, in ledger units. */
export const BALANCE = object({
  assetId: uint<AssetId>(),
  free: integer<Amount>(),
  locked: integer<Amount>(),
  freeze: integer<Amount>(),
  savings: integer<Amount>(),
})
export interface Balance extends ValueOf<typeof BALANCE> {}

const LEVEL = object({ price: uint<Price>(), quantity: anyInteger() })

/** A whole book, best prices first. */
export const BOOK_VIEW = object({ symbolId: uint<SymbolId>(), sell: listOf(LEVEL), buy: listOf(LEVEL) })
export interface BookView extends ValueOf<typeof BOOK_VIEW> {}

/**
 * Maximum number of trades in one list of recent trades (docs/reference/http.md#recent-trades): read models
 * keep this many, and no more are requested from history.
 */
export const RECENT_TRADES_MAX = 1_000

/** The public data of a trade. */
export type PublicTrade = {
  readonly tradeNumber: TradeNumber
  /** The trade's number in its symbol, from 1, without gaps; 0 if the trade is older than such numbers. */
  readonly symbolTrade: number
  readonly price: Price
  readonly quantity: Lots
  readonly time: TimeMs
  /** The side of the arriving order. */
  readonly takerSide: Side
}

/** Fields that each approval has. */
export const APPROVAL_FIELDS = {
  /** The reference of the transfer that waits. */
  reference: text(),
  kind: word(APPROVABLE_KINDS),
  /** The requester, and the note of the request. */
  actor: text(),
  note: text(),
  accountId: uint<AccountId>(),
  assetId: uint<AssetId>(),
  amount: integer<Amount>(),
  requestedAt: uint<TimeMs>(),
}

/** A transfer that waits for a second person. */
export interface Approval extends ObjectOf<typeof APPROVAL_FIELDS> {
  /** The approvers so far, in order; absent if there are none. */
  readonly approvedBy?: readonly string[]
  /** For a `RefuseWithdrawal`, the reason shown to its trader; absent if there is none. */
  readonly reason?: string
}

/** The claimant of a pending withdrawal, and the outcome of the last request about it. */
export type WithdrawalHandling = {
  readonly reference: string
  /** Undefined if the withdrawal is not claimed, or was claimed before the claimant was recorded. */
  readonly claimedBy: string | undefined
  /** The approvers of the claim, in order; empty if none were needed. */
  readonly approvedBy: readonly string[]
  /** The last rejected request; if the withdrawal is claimed, only one made since then. */
  readonly rejected: RejectedRequest | undefined
}

export const REJECTED_REQUEST = object({
  kind: word(APPROVABLE_KINDS),
  askedBy: text(),
  rejectedBy: text(),
  /** The note of the person who rejected the request. */
  note: text(),
  at: uint<TimeMs>(),
})
export interface RejectedRequest extends ValueOf<typeof REJECTED_REQUEST> {}

/** An account's data about withdrawals requested by its trader. */
export type AccountWithdrawals = {
  /** Oldest first. */
  readonly addresses: readonly WithdrawalAddress[]
  /** Pending and recently ended withdrawals, newest first. */
  readonly withdrawals: readonly AskedWithdrawal[]
  /** The oldest pending withdrawals held by operators for the account, the newest of them first. */
  readonly held: readonly Withdrawal[]
}

/** Data that operators maintain. */
export type BackOfficeRecords = {
  readonly feeTiers: readonly FeeTier[]
  /** Including revoked ones. */
  readonly tokens: readonly AdminToken[]
  /** May include expired bans. */
  readonly bans: readonly AddressBan[]
  /** Only pending withdrawals. */
  readonly withdrawals: readonly Withdrawal[]
  /** May include expired ones. */
  readonly approvals: readonly Approval[]
  /** Absent if there are none. */
  readonly rights?: RightsRecords
  /** For pending withdrawals; absent if there are none. */
  readonly handlings?: readonly WithdrawalHandling[]
}

/** The rights that operators have set: custom roles, limits and numbers of approvals. */
export type RightsRecords = {
  readonly roles: readonly OwnRole[]
  readonly limits: readonly RoleLimit[]
  /** Only assets for which the number is not one. */
  readonly approvalsNeeded: readonly ApprovalsNeeded[]
}

/** The initial state of a read model: the state after command `seq`. */
export type Bootstrap = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly rulesVersion: number
  readonly assets: readonly Asset[]
  readonly symbols: readonly TradingSymbol[]
  readonly accounts: readonly Account[]
  readonly apiKeys: readonly ApiKey[]
  readonly books: readonly BookView[]
  /** Absent if there are no such data. */
  readonly backOffice?: BackOfficeRecords
  /** Absent if no phase was ever changed or planned: the exchange is in the phase TRADING. */
  readonly phases?: ExchangePhases
}
