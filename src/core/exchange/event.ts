/**
 * What happened. Events follow from commands and are never journaled: a replay produces them again. They carry
 * all that a read model needs, so that none has to ask the core.
 */
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import type { ApprovalState } from '../../units/operator-words.ts'
import type { OrderType, SelfTradeMode, Side, TimeInForce } from '../../units/order-words.ts'
import type { Amount, Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
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
import type { Approval, ListPlace, WithdrawalHandling } from './view.ts'

/** An asset was listed or its flags changed. */
export type AssetChanged = { readonly kind: 'AssetChanged'; readonly asset: Asset }
/** A symbol was listed, or its state or rates changed. */
export type SymbolChanged = { readonly kind: 'SymbolChanged'; readonly symbol: TradingSymbol }
/** An account was created. */
export type AccountCreated = { readonly kind: 'AccountCreated'; readonly account: Account }
/** An operator changed what an account may do, or its terms. */
export type AccountChanged = { readonly kind: 'AccountChanged'; readonly account: Account }
/** A key was created or changed. */
export type ApiKeyChanged = { readonly kind: 'ApiKeyChanged'; readonly apiKey: ApiKey }

/** An order was accepted. It may have been filled or cancelled by the events that follow. */
export type OrderPlaced = {
  readonly kind: 'OrderPlaced'
  readonly symbolId: SymbolId
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
  readonly side: Side
  readonly type: OrderType
  /** Undefined where the type takes none. */
  readonly timeInForce: TimeInForce | undefined
  /** The limit; undefined: any price. */
  readonly price: Price | undefined
  /** Of an order that waits for its trigger; undefined: it is matched now. */
  readonly stopPrice: Price | undefined
  /** What was asked for, as far as it was given. */
  readonly quantity: Lots | undefined
  /** In ledger units of the quote asset: what a MARKET order may spend or bring, else only a check. */
  readonly total: Amount | undefined
  /** Of an order that shows one part of itself at a time: how much; undefined: it hides nothing. */
  readonly icebergQuantity: Lots | undefined
  /** When a `GTD` order ends by itself; undefined: never. */
  readonly expireTime: TimeMs | undefined
  /** In force: the order's own, or its symbol's. */
  readonly selfTradeMode: SelfTradeMode
  /** The trader's own name for it, where there is one and the rules know it. */
  readonly clientOrderId: string | undefined
  /** Where it belongs to a list. */
  readonly inList: ListPlace | undefined
}

/** The working order of its list was filled: a pending order waits, rests or is matched from now on. */
export type OrderActivated = {
  readonly kind: 'OrderActivated'
  readonly symbolId: SymbolId
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
  readonly side: Side
  /** What it is for, as far as its type names it. */
  readonly quantity: Lots | undefined
  readonly total: Amount | undefined
}

/** An order's trigger was reached, and it is matched now, as one that arrives. */
export type OrderTriggered = {
  readonly kind: 'OrderTriggered'
  readonly symbolId: SymbolId
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
  readonly side: Side
}

/** One side's part of a trade. */
export type TradeParty = {
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  /** When the order was placed: with the number it makes the order's UUID. */
  readonly orderTime: TimeMs
  /** Ledger units of the quote asset that the buyer paid or the seller received for this fill, before commission. */
  readonly total: Amount
  /** Ledger units of what this side received (base for the buyer, quote for the seller). */
  readonly commission: Amount
}

/** A resting order (maker) and an arriving one (taker) traded at the maker's price. */
export type OrdersMatched = {
  readonly kind: 'OrdersMatched'
  readonly symbolId: SymbolId
  readonly tradeNumber: TradeNumber
  readonly time: TimeMs
  readonly price: Price
  readonly quantity: Lots
  readonly takerSide: Side
  readonly maker: TradeParty
  readonly taker: TradeParty
}

/** Why an order ended unfilled, in part or whole. New ones go to the end. */
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

/** An order left the book, or an arriving one ends `CANCELED`: it gives up what it did not trade. */
export type OrderCanceled = {
  readonly kind: 'OrderCanceled'
  readonly symbolId: SymbolId
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly side: Side
  /** Quantity given up; 0 for what was only left of a MARKET order's total, or when nothing was left to give up. */
  readonly quantity: Lots
  readonly cause: CancelCause
  /** Why an order was not taken once its trigger was reached, or its working order was filled: given with these two causes alone. */
  readonly reason?: CoreReason
}

/** Self-trade prevention lowered an order that rests on, or an arriving one that may end with `OrderCanceled`. */
export type OrderDecremented = {
  readonly kind: 'OrderDecremented'
  readonly symbolId: SymbolId
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly side: Side
  readonly quantity: Lots
}

/** Its owner has lowered the quantity of an order that rests on, in its place. */
export type OrderAmended = {
  readonly kind: 'OrderAmended'
  readonly symbolId: SymbolId
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly side: Side
  /** The whole quantity from now on. */
  readonly quantity: Lots
  /** What of it is still to be traded. */
  readonly remaining: Lots
}

/** The quantity now at a price of a book; 0n: the level is gone. One per level that a command changed. */
export type LevelChanged = {
  readonly kind: 'LevelChanged'
  readonly symbolId: SymbolId
  readonly side: Side
  readonly price: Price
  /** Lots; a sum over orders, so it can exceed the range of one order. */
  readonly quantity: bigint
}

/** From here on commands are applied under these rules. */
export type RulesVersionChanged = { readonly kind: 'RulesVersionChanged'; readonly version: number }

/** Money came in from or went out to the outside world; a negative amount went out. */
export type ExternalTransfer = {
  readonly kind: 'ExternalTransfer'
  readonly accountId: AccountId
  readonly assetId: AssetId
  readonly amount: Amount
  readonly reference: string
}

/** Money moved between the buckets of one account. */
export type BalanceMoved = {
  readonly kind: 'BalanceMoved'
  readonly accountId: AccountId
  readonly assetId: AssetId
}

export type FeeTierChanged = { readonly kind: 'FeeTierChanged'; readonly feeTier: FeeTier }
/** A token was made or revoked. */
export type AdminTokenChanged = { readonly kind: 'AdminTokenChanged'; readonly token: AdminToken }
export type AddressBanned = { readonly kind: 'AddressBanned'; readonly ban: AddressBan }
/** Nobody bans the address any more; there need not have been a ban. */
export type BanLifted = { readonly kind: 'BanLifted'; readonly address: string }
/** A withdrawal was held or asked for, claimed, completed or cancelled. */
export type WithdrawalChanged = { readonly kind: 'WithdrawalChanged'; readonly withdrawal: Withdrawal }
/** Somebody claimed a withdrawal that waits, or rejected what was asked of it. When the withdrawal ends, it is no more. */
export type WithdrawalHandled = {
  readonly kind: 'WithdrawalHandled'
  readonly handling: WithdrawalHandling
}
/** Money of an account may go to an address, at once or later; or may not any more. */
export type WithdrawalAddressChanged = {
  readonly kind: 'WithdrawalAddressChanged'
  readonly address: WithdrawalAddress
  readonly isAllowed: boolean
}
/** Something waits for a second person, or does not any more. */
export type ApprovalChanged = {
  readonly kind: 'ApprovalChanged'
  readonly approval: Approval
  readonly state: ApprovalState
}

/** One more person agrees to what waits for several; it waits on. */
export type ApprovalGiven = {
  readonly kind: 'ApprovalGiven'
  readonly approval: Approval
  readonly by: string
}
/** A role of the operators' own was made or changed; without a right: it is gone, with its limits. */
export type RoleChanged = { readonly kind: 'RoleChanged'; readonly role: OwnRole }
/** A limit of a role was set, or something was moved under it. */
export type RoleLimitChanged = { readonly kind: 'RoleLimitChanged'; readonly limit: RoleLimit }
export type ApprovalsNeededChanged = {
  readonly kind: 'ApprovalsNeededChanged'
  readonly approvals: ApprovalsNeeded
}

/** The phase of the exchange has changed, or what is planned of it. */
export type PhasesChanged = { readonly kind: 'PhasesChanged'; readonly phases: ExchangePhases }

export type ExchangeEvent =
  | AssetChanged
  | SymbolChanged
  | AccountCreated
  | ApiKeyChanged
  | OrderPlaced
  | OrderTriggered
  | OrderActivated
  | OrdersMatched
  | OrderCanceled
  | OrderDecremented
  | OrderAmended
  | LevelChanged
  | ExternalTransfer
  | BalanceMoved
  | AccountChanged
  | FeeTierChanged
  | AdminTokenChanged
  | AddressBanned
  | BanLifted
  | WithdrawalChanged
  | WithdrawalHandled
  | WithdrawalAddressChanged
  | ApprovalChanged
  | RulesVersionChanged
  | PhasesChanged
  | ApprovalGiven
  | RoleChanged
  | RoleLimitChanged
  | ApprovalsNeededChanged

/** Where `apply` puts events, in the order in which they happened. */
export type EventSink = (event: ExchangeEvent) => void

/** The sink where nobody listens: what orders cause is then not even made into events (`npm run bench -- recovery`). */
export const NO_EVENTS: EventSink = () => {}

/** What the commands of one durable batch caused. */
export type EventBatch = {
  /** Sequence number of the batch's last command. */
  readonly seq: Seq
  readonly time: TimeMs
  readonly events: readonly ExchangeEvent[]
  /** Of each command, oldest first, how many of the events are before the next command's. Absent: it is not known which command caused what. */
  readonly ends?: readonly number[]
}
