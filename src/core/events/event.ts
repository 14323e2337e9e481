/**
 * Events. They follow from commands and are never journaled: a replay produces them again. They contain
 * everything that a read model needs, so that none has to query the core. Each is declared by a row, from
 * which its type and its bytes are derived.
 */
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import { APPROVAL_STATES } from '../../units/operator-enums.ts'
import { ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../units/order-enums.ts'
import type { Amount, Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import { CORE_REASONS } from '../../units/reasons.ts'
import { type KindIn, kindRows } from '../../units/shapes/kind-codec.ts'
import {
  anyInteger,
  flag,
  integer,
  object,
  orAbsent,
  orUndefined,
  own,
  text,
  uint,
  word,
} from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { readAsked, writeAsked } from '../ledger/asked-terms.ts'
import { WITHDRAWAL_ADDRESS } from '../ledger/withdrawal-addresses.ts'
import { readWithdrawal, type Withdrawal, writeWithdrawal } from '../ledger/withdrawals.ts'
import { type Approval, LIST_PLACE } from '../questions/view.ts'
import * as backOffice from '../records/back-office-codec.ts'
import { readHandling, writeHandling } from '../records/handling-codec.ts'
import { ACCOUNT, ASSET, SYMBOL } from '../records/record-codec.ts'
import * as rights from '../records/rights-codec.ts'
import { RULES_IN_FORCE } from '../records/rules-codec.ts'
import { type AdminToken, EXCHANGE_PHASES_RECORD } from '../registry/records.ts'
import { API_KEYS } from '../registry/records-codec.ts'
import { isPlainToken } from '../registry/roles.ts'
import { CARRIED } from '../trading/carried.ts'

/** The cause of the end of an order that was not filled completely. New ones go to the end. */
export const CANCEL_CAUSES = [
  'USER',
  'IOC',
  'MARKET_REMAINDER',
  'SELF_TRADE',
  'OPERATOR',
  'STEPS',
  'TRIGGER_REFUSED',
  'EXPIRED',
  'DEAD_MAN',
  'LIST',
  'PENDING_REFUSED',
  'DISCONNECT',
] as const
export type CancelCause = (typeof CANCEL_CAUSES)[number]

/** Whose order it is, and in which market. */
const OF_ORDER = {
  symbolId: uint<SymbolId>(),
  accountId: uint<AccountId>(),
  orderNumber: uint<OrderNumber>(),
}
const AT = { ...OF_ORDER, time: uint<TimeMs>(), side: word(SIDES) }
/** An order's quantity decreases by this quantity, or is this quantity from now on. */
const LOWERED = { ...OF_ORDER, side: word(SIDES), quantity: uint<Lots>() }

/** One side's part of a trade. */
const PARTY = {
  accountId: uint<AccountId>(),
  orderNumber: uint<OrderNumber>(),
  /** The time at which the order was placed: the order's UUID is made of this and the number. */
  orderTime: uint<TimeMs>(),
  /**
   * Ledger units of the quote asset that the buyer paid or the seller received for this fill, before
   * commission.
   */
  total: integer<Amount>(),
  /** In ledger units of the asset that this side received (base for the buyer, quote for the seller). */
  commission: integer<Amount>(),
}

/** Fields that each order has when it is placed. */
export const PLACED_FIELDS = {
  ...AT,
  type: word(ORDER_TYPES),
  /** The mode in force: the order's own, or its symbol's. */
  selfTradeMode: word(SELF_TRADE_MODES),
}

/** In the bytes, the first carried field comes between older fields. */
const { keyNumber, ...newer } = CARRIED

/** Fields that not every order has. A new one goes to the end: history keeps orders in this form. */
export const PLACED_OPTIONS = {
  /** Undefined if the type has none. */
  timeInForce: orUndefined(word(TIMES_IN_FORCE)),
  /** The limit; undefined for any price. */
  price: orUndefined(uint<Price>()),
  /** The requested quantity, if given. */
  quantity: orUndefined(uint<Lots>()),
  /**
   * In ledger units of the quote asset: the maximum that a MARKET order may spend or bring, otherwise only a
   * check.
   */
  total: orUndefined(integer<Amount>()),
  keyNumber,
  /** The trader's own id for the order, if there is one. */
  clientOrderId: orUndefined(text()),
  /** For an order that waits for its trigger; undefined if it is matched now. */
  stopPrice: orUndefined(uint<Price>()),
  /** For an iceberg order, the part shown at a time; undefined if nothing is hidden. */
  icebergQuantity: orUndefined(uint<Lots>()),
  /** The automatic end of a `GTD` order; undefined if there is none. */
  expireTime: orUndefined(uint<TimeMs>()),
  /** The order's place in its list; orders that are in no list are published without the field. */
  inList: orAbsent(LIST_PLACE),
  /** For an order that follows the price; undefined for any other. */
  trailingDelta: orUndefined(uint<TrailingDelta>()),
  ...newer,
}

/**
 * Records have functions of their own: within the single generated function for all events they would be
 * written and read more slowly.
 */
const APPROVAL = own<Approval>({ write: backOffice.writeApproval, read: backOffice.readApproval })
/** The pending request, and its approvers so far. */
const AGREED = own<Approval>({
  write: (w, approval) => {
    backOffice.writeApproval(w, approval)
    rights.writeApprovers(w, approval)
  },
  read: (r) => {
    const asked = backOffice.readApproval(r)
    return rights.readApprovers(r, () => asked)
  },
})

/** The canceled quantity of an order, and the cause. */
const CANCELED = { ...LOWERED, cause: word(CANCEL_CAUSES) }

const TOKEN = own<AdminToken>({
  write: (w, token) => {
    const isPlain = isPlainToken(token)
    w.bool(isPlain)
    backOffice.ADMIN_TOKENS.write(w, token)
    if (!isPlain) rights.writeTokenTerms(w, token)
  },
  read: (r) => {
    const isPlain = r.bool()
    const token = backOffice.ADMIN_TOKENS.read(r)
    return isPlain ? token : rights.readTokenTerms(r, () => token)
  },
})
const WITHDRAWAL = own<Withdrawal>({
  write: (w, withdrawal) => {
    const { asked } = withdrawal
    w.bool(asked !== undefined)
    writeWithdrawal(w, withdrawal)
    if (asked !== undefined) writeAsked(w, asked)
  },
  read: (r) => {
    const isAsked = r.bool()
    const withdrawal = readWithdrawal(r)
    return isAsked ? { ...withdrawal, asked: readAsked(r) } : withdrawal
  },
})

export const EVENT_ROWS = kindRows({
  OrderPlaced: { code: 1, fields: PLACED_FIELDS, options: PLACED_OPTIONS },
  OrderCanceled: {
    code: 4,
    fields: CANCELED,
    options: {
      /**
       * The reason why an order was refused once its trigger was reached, or its working order was filled:
       * present with these two causes only.
       */
      reason: word(CORE_REASONS),
    },
  },
  AdminTokenChanged: { code: 13, fields: { token: TOKEN } },
  WithdrawalChanged: { code: 16, fields: { withdrawal: WITHDRAWAL } },
  OrdersMatched: {
    code: 67,
    fields: {
      symbolId: uint<SymbolId>(),
      tradeNumber: uint<TradeNumber>(),
      time: uint<TimeMs>(),
      price: uint<Price>(),
      quantity: uint<Lots>(),
      takerSide: word(SIDES),
      maker: object(PARTY),
      taker: object(PARTY),
      /** The trade's number in its symbol, from 1, without gaps; 0 under rules before `NUMBER_RULES`. */
      symbolTrade: uint(),
    },
  },
  LevelChanged: {
    code: 3,
    fields: {
      symbolId: uint<SymbolId>(),
      side: word(SIDES),
      price: uint<Price>(),
      /** Lots; a sum over orders, so it can exceed the range of one order. */
      quantity: anyInteger(),
    },
  },
  OrderDecremented: { code: 5, fields: LOWERED },
  ExternalTransfer: {
    code: 6,
    fields: {
      accountId: uint<AccountId>(),
      assetId: uint<AssetId>(),
      amount: integer<Amount>(),
      reference: text(),
    },
  },
  AssetChanged: { code: 7, fields: { asset: ASSET } },
  SymbolChanged: { code: 8, fields: { symbol: SYMBOL } },
  AccountCreated: { code: 9, fields: { account: ACCOUNT } },
  ApiKeyChanged: { code: 10, fields: { apiKey: own(API_KEYS) } },
  AccountChanged: { code: 11, fields: { account: ACCOUNT } },
  FeeTierChanged: {
    code: 12,
    fields: { feeTier: own(backOffice.FEE_TIERS) },
  },
  AddressBanned: {
    code: 14,
    fields: { ban: own(backOffice.BANS) },
  },
  BanLifted: { code: 15, fields: { address: text() } },
  ApprovalChanged: { code: 17, fields: { approval: APPROVAL, state: word(APPROVAL_STATES) } },
  RulesVersionChanged: {
    code: 18,
    fields: { version: RULES_IN_FORCE },
  },
  OrderTriggered: { code: 19, fields: AT },
  OrderAmended: {
    code: 20,
    fields: {
      /** `quantity` is the whole quantity from now on. */
      ...LOWERED,
      /** The quantity still to be traded. */
      remaining: uint<Lots>(),
    },
  },
  PhasesChanged: { code: 21, fields: { phases: own(byteCodec(EXCHANGE_PHASES_RECORD)) } },
  BalanceMoved: { code: 30, fields: { accountId: uint<AccountId>(), assetId: uint<AssetId>() } },
  OrderActivated: {
    code: 54,
    fields: {
      ...AT,
      /** The order's quantity, if its type has one. */
      quantity: orUndefined(uint<Lots>()),
      total: orUndefined(integer<Amount>()),
    },
  },
  WithdrawalAddressChanged: {
    code: 55,
    fields: { address: own(byteCodec(WITHDRAWAL_ADDRESS)), isAllowed: flag() },
  },
  ApprovalGiven: { code: 62, fields: { approval: AGREED, by: text() } },
  RoleChanged: { code: 63, fields: { role: own(rights.ROLES) } },
  RoleLimitChanged: {
    code: 64,
    fields: { limit: own(rights.LIMITS) },
  },
  ApprovalsNeededChanged: {
    code: 65,
    fields: { approvals: own(rights.APPROVALS) },
  },
  ApiKeyRemoved: { code: 68, fields: { accountId: uint<AccountId>(), apiKey: text() } },
  WithdrawalHandled: { code: 66, fields: { handling: own({ write: writeHandling, read: readHandling }) } },
})

type In<Kind extends keyof typeof EVENT_ROWS> = KindIn<typeof EVENT_ROWS, Kind>

/** An order was accepted. It may have been filled or canceled by the events that follow. */
export interface OrderPlaced extends In<'OrderPlaced'> {}

/** An asset was listed or its flags changed. */
export interface AssetChanged extends In<'AssetChanged'> {}

/** A symbol was listed, or its state or rates changed. */
export interface SymbolChanged extends In<'SymbolChanged'> {}

/** An account was created. */
export interface AccountCreated extends In<'AccountCreated'> {}

/** An operator changed an account's permissions or terms. */
export interface AccountChanged extends In<'AccountChanged'> {}

/** A key was created or changed. */
export interface ApiKeyChanged extends In<'ApiKeyChanged'> {}

/** A key that had ended was removed to make room for another key of its account. */
export interface ApiKeyRemoved extends In<'ApiKeyRemoved'> {}

/** The working order of its list was filled: a pending order waits, rests or is matched from now on. */
export interface OrderActivated extends In<'OrderActivated'> {}

/** An order's trigger was reached, and it is matched now, like an arriving order. */
export interface OrderTriggered extends In<'OrderTriggered'> {}

/** A resting order (maker) and an arriving one (taker) traded at the maker's price. */
export interface OrdersMatched extends In<'OrdersMatched'> {}

/** One side's part of a trade. */
export type TradeParty = OrdersMatched['maker']

/**
 * Self-trade prevention lowered the quantity of an order that stays in the book, or of an arriving one, which
 * may end with `OrderCanceled`.
 */
export interface OrderDecremented extends In<'OrderDecremented'> {}

/** The owner has lowered the quantity of a resting order, which keeps its place. */
export interface OrderAmended extends In<'OrderAmended'> {}

/**
 * The new quantity at a price of a book; 0n if the level was removed. One event per level that a command
 * changed.
 */
export interface LevelChanged extends In<'LevelChanged'> {}

/** From this event on commands are applied under these rules. */
export interface RulesVersionChanged extends In<'RulesVersionChanged'> {}

/** Money came in from or went out to the outside world; a negative amount went out. */
export interface ExternalTransfer extends In<'ExternalTransfer'> {}

/** Money moved between the buckets of one account. */
export interface BalanceMoved extends In<'BalanceMoved'> {}

export interface FeeTierChanged extends In<'FeeTierChanged'> {}

export interface AddressBanned extends In<'AddressBanned'> {}

/** The address is no longer banned; it may not have been banned before. */
export interface BanLifted extends In<'BanLifted'> {}

/** A pending withdrawal was claimed, or a request about it was rejected. It ends with the withdrawal. */
export interface WithdrawalHandled extends In<'WithdrawalHandled'> {}

/** From a given time on, an account may withdraw to an address; or it no longer may. */
export interface WithdrawalAddressChanged extends In<'WithdrawalAddressChanged'> {}

/** A request begins to wait for a second person, or no longer waits. */
export interface ApprovalChanged extends In<'ApprovalChanged'> {}

/** One more person has approved a request that needs several; it is still pending. */
export interface ApprovalGiven extends In<'ApprovalGiven'> {}

/** A custom role was created or changed; without a right it is removed, with its limits. */
export interface RoleChanged extends In<'RoleChanged'> {}

/** A limit of a role was set, or an amount was moved under it. */
export interface RoleLimitChanged extends In<'RoleLimitChanged'> {}

export interface ApprovalsNeededChanged extends In<'ApprovalsNeededChanged'> {}

/** The phase of the exchange, or a planned one, has changed. */
export interface PhasesChanged extends In<'PhasesChanged'> {}

/**
 * Fields of an order's end, except the reason of a missing placement, which follows the cause in the bytes.
 */

/** An order left the book, or an arriving one ends `CANCELED`: its remainder is canceled. */
export interface OrderCanceled extends In<'OrderCanceled'> {}

/** A token was created or revoked. */
export interface AdminTokenChanged extends In<'AdminTokenChanged'> {}

/** A withdrawal was held or requested, claimed, completed or canceled. */
export interface WithdrawalChanged extends In<'WithdrawalChanged'> {}

export type ExchangeEvent = KindIn<typeof EVENT_ROWS>

/** The receiver of the events of `apply`, in the order in which they happened. */
export type EventSink = (event: ExchangeEvent) => void

/**
 * The sink that has no listener: events of orders are then not even created (`npm run bench -- recovery`).
 */
export const NO_EVENTS: EventSink = () => {}

/** The effects of the commands of one durable batch. */
export type EventBatch = {
  /** Sequence number of the batch's last command. */
  readonly seq: Seq
  readonly time: TimeMs
  readonly events: readonly ExchangeEvent[]
  /**
   * For each command, oldest first, the number of events before the next command's. Absent if it is unknown
   * which command caused an event.
   */
  readonly ends?: readonly number[]
}
