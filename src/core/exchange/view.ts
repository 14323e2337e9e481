/**
 * What can be read from the exchange's state: plain values, safe to send to another thread.
 */

import type { AccountId, AssetId, ListNumber, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import type { ApprovableKind } from '../../units/operator-words.ts'
import type {
  ListKind,
  ListRole,
  OrderType,
  SelfTradeMode,
  Side,
  TimeInForce,
} from '../../units/order-words.ts'
import type { Amount, Lots, Notional, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { AskedWithdrawal } from '../ledger/asked-withdrawals.ts'
import type { WithdrawalAddress } from '../ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../ledger/withdrawals.ts'
import type { Level } from '../market/order-book.ts'
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

/** What an order waits for outside of the book, or has waited for. */
export type OpenOrderStop = {
  readonly price: Price
  /** Ledger units of the quote asset that it may spend at any price once it is triggered; undefined: it does not name them. */
  readonly total: Amount | undefined
  /** Undefined: it still waits. */
  readonly triggeredAt: TimeMs | undefined
}

/** An order that rests in a book, or waits for its trigger outside of it. */
export type OpenOrder = {
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly side: Side
  /** The limit; 0 for an order of any price that still waits. */
  readonly price: Price
  /** What was asked for, or it was amended to since; 0 for an order limited by its total alone. */
  readonly quantity: Lots
  /** What was asked for where it was amended since; undefined: `quantity`. */
  readonly askedQuantity: Lots | undefined
  readonly executedQuantity: Lots
  readonly executedNotional: Notional
  /** Ledger units of what it received that it was charged so far. */
  readonly commission: Amount
  /** What is still to be traded; less than quantity - executed when self-trade prevention lowered it. */
  readonly remaining: Lots
  /** What it was placed as; a plain `LIMIT` where the rules of its day did not keep that. */
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  /** Undefined where the rules of its day did not keep it. */
  readonly selfTradeMode: SelfTradeMode | undefined
  /** When something of it was last executed or taken off; at first `time`. */
  readonly updatedAt: TimeMs
  /** Undefined for an order of a type that never waits. */
  readonly stop: OpenOrderStop | undefined
  /** The trader's own name for it, where there is one and the rules know it. */
  readonly clientOrderId: string | undefined
  /** Of an order that shows one part of itself at a time: how much; undefined: it hides nothing. */
  readonly icebergQuantity: Lots | undefined
  /** When it ends by itself; undefined: never. */
  readonly expireTime: TimeMs | undefined
  /** Where it belongs to a list. */
  readonly inList: ListPlace | undefined
  /** It waits for the working order of its list to be filled. */
  readonly isPending: boolean
}

/** An order's place in a list. */
export type ListPlace = { readonly listNumber: ListNumber; readonly role: ListRole }

/** Which open orders are asked for: of an account, in one symbol or in all, newest first, from a place on. */
export type OpenOrdersQuery = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  /** Where the page before ended; undefined: the newest. */
  readonly after: OpenOrdersPlace | undefined
}

/** Which of an account's orders are asked for, by number: at most `ORDERS_BY_NUMBER_MAX`. */
export type OrdersByNumberQuery = {
  readonly accountId: AccountId
  readonly orderNumbers: readonly OrderNumber[]
}

/** Most orders that one question names. */
export const ORDERS_BY_NUMBER_MAX = 1_000

/** A place in an account's open orders that holds while orders come and go. */
export type OpenOrdersPlace = {
  /** All orders from this one on have been looked at. */
  readonly before: OrderNumber
  /** The order at which looking ended. When it is no longer open, looking starts at the newest and passes over those it had. */
  readonly at: OrderNumber
}

/**
 * A piece of a list of open orders as it is at one moment. Pages asked for one after another give an order that is open
 * all the while exactly once, one that comes or goes meanwhile at most once.
 */
export type OpenOrdersPage = {
  readonly orders: readonly OpenOrder[]
  /** How many orders the whole list has now. */
  readonly total: number
  /** Where to go on; undefined: this is the end. A page before the end may be empty. */
  readonly next: OpenOrdersPlace | undefined
}

/** Most orders in one page. */
export const OPEN_ORDERS_PAGE_MAX = 250

/** Most orders that are looked at for one page, those of other symbols included. */
export const OPEN_ORDERS_LOOKED_AT_MAX = 4_096

/** An order that is remembered under its client order id. */
export type ClientOrder = {
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
  readonly symbolId: SymbolId
  readonly isOpen: boolean
}

export type ClientOrderQuery = { readonly accountId: AccountId; readonly clientOrderId: string }

export type ClientOrderAnswer = {
  readonly order: ClientOrder | undefined
  /** Of the last command that is durable and applied. */
  readonly time: TimeMs
}

/** A list that is remembered under a client order id. */
export type ClientList = {
  readonly listNumber: ListNumber
  readonly time: TimeMs
  readonly kind: ListKind
}

export type ClientListQuery = { readonly accountId: AccountId; readonly listClientOrderId: string }

/** One account's money in one asset, in ledger units. */
export type Balance = {
  readonly assetId: AssetId
  readonly free: Amount
  readonly locked: Amount
  readonly freeze: Amount
  readonly savings: Amount
}

/** A whole book, best prices first. */
export type BookView = {
  readonly symbolId: SymbolId
  readonly sell: readonly Level[]
  readonly buy: readonly Level[]
}

/**
 * Most trades of one list of recent trades (docs/reference/http.md#recent-trades): read models keep as many, and history
 * is asked for no more.
 */
export const RECENT_TRADES_MAX = 1_000

/** A trade as everybody sees it. */
export type PublicTrade = {
  readonly tradeNumber: TradeNumber
  readonly price: Price
  readonly quantity: Lots
  readonly time: TimeMs
  /** Of the arriving order. */
  readonly takerSide: Side
}

/** A transfer that waits for a second person. */
export type Approval = {
  /** The transfer's own. */
  readonly reference: string
  readonly kind: ApprovableKind
  /** Who asked for it, and why. */
  readonly actor: string
  readonly note: string
  readonly accountId: AccountId
  readonly assetId: AssetId
  readonly amount: Amount
  readonly requestedAt: TimeMs
  /** Who agrees so far, in the order in which they did; absent: nobody. */
  readonly approvedBy?: readonly string[]
  /** Of a `RefuseWithdrawal`: what its trader is told; absent: nothing. */
  readonly reason?: string
}

/** Who has a withdrawal that waits in hand, and what became of the last request about it. */
export type WithdrawalHandling = {
  readonly reference: string
  /** Undefined: nobody has claimed it, or it was claimed before this was kept. */
  readonly claimedBy: string | undefined
  /** Who agreed to the claim, in the order in which they did; empty: nobody had to. */
  readonly approvedBy: readonly string[]
  /** The last request that somebody rejected, since it was claimed if it was. */
  readonly rejected: RejectedRequest | undefined
}

export type RejectedRequest = {
  readonly kind: ApprovableKind
  readonly askedBy: string
  readonly rejectedBy: string
  /** What who rejected it noted. */
  readonly note: string
  readonly at: TimeMs
}

/** What an account has of withdrawals that its trader asks for. */
export type AccountWithdrawals = {
  /** The oldest first. */
  readonly addresses: readonly WithdrawalAddress[]
  /** Those that wait, and those that have ended lately, the newest first. */
  readonly withdrawals: readonly AskedWithdrawal[]
  /** Those that operators hold for it and that wait: the oldest of them, the newest of these first. */
  readonly held: readonly Withdrawal[]
}

/** What operators keep. */
export type BackOfficeRecords = {
  readonly feeTiers: readonly FeeTier[]
  /** Revoked ones included. */
  readonly tokens: readonly AdminToken[]
  /** Those that are over may be among them. */
  readonly bans: readonly AddressBan[]
  /** Those that wait. */
  readonly withdrawals: readonly Withdrawal[]
  /** Those whose time is over may be among them. */
  readonly approvals: readonly Approval[]
  /** Absent: there are none. */
  readonly rights?: RightsRecords
  /** Of withdrawals that wait; absent: there are none. */
  readonly handlings?: readonly WithdrawalHandling[]
}

/** What operators may do, as far as they have said so themselves. */
export type RightsRecords = {
  readonly roles: readonly OwnRole[]
  readonly limits: readonly RoleLimit[]
  /** Where it is not one. */
  readonly approvalsNeeded: readonly ApprovalsNeeded[]
}

/** What a read model starts from: the state right after command `seq`. */
export type Bootstrap = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly rulesVersion: number
  readonly assets: readonly Asset[]
  readonly symbols: readonly TradingSymbol[]
  readonly accounts: readonly Account[]
  readonly apiKeys: readonly ApiKey[]
  readonly books: readonly BookView[]
  /** Absent: nothing of it has been used. */
  readonly backOffice?: BackOfficeRecords
  /** Absent: the exchange trades, and nothing else is planned or ever was. */
  readonly phases?: ExchangePhases
}
