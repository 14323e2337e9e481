/**
 * Enums of an order, as traders write them. Their numbers in journals are the positions in these lists: new
 * words are added at the end, none is ever removed or moved.
 */

export const SIDES = ['BUY', 'SELL'] as const
export type Side = (typeof SIDES)[number]

/**
 * `LIMIT_MAKER` rests in full or is refused: it never takes liquidity. Orders of `STOP_TYPES` first wait for
 * their trigger.
 */
export const ORDER_TYPES = [
  'LIMIT',
  'MARKET',
  'LIMIT_MAKER',
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
] as const
export type OrderType = (typeof ORDER_TYPES)[number]

/** Types of orders that wait outside the book until a trade reaches their stop price. */
export const STOP_TYPES = ['STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const
export type StopType = (typeof STOP_TYPES)[number]

/**
 * Uses comparisons: this runs several times for a plain order (`npm run bench -- core`), and a search of the
 * list would take as long as matching it.
 */
export function isStopType(type: OrderType): type is StopType {
  return type !== 'LIMIT' && type !== 'MARKET' && type !== 'LIMIT_MAKER'
}

/** Whether orders of the type have a time in force. */
export function takesTimeInForce(type: OrderType): boolean {
  return type === 'LIMIT' || type === 'STOP_LOSS_LIMIT' || type === 'TAKE_PROFIT_LIMIT'
}

/**
 * `OCO`: one order cancels the other. `OTO`: one order, when it is filled, triggers another. `OTOCO`: it
 * triggers a pair, one of which cancels the other.
 */
export const LIST_KINDS = ['OCO', 'OTO', 'OTOCO'] as const
export type ListKind = (typeof LIST_KINDS)[number]

/** The role of an order in its list. */
export const LIST_ROLES = ['ABOVE', 'BELOW', 'WORKING', 'PENDING', 'PENDING_ABOVE', 'PENDING_BELOW'] as const
export type ListRole = (typeof LIST_ROLES)[number]

/** Whether an order waits for the working order of its list to be filled. */
export function isPendingRole(role: ListRole): boolean {
  return role === 'PENDING' || role === 'PENDING_ABOVE' || role === 'PENDING_BELOW'
}

/** The roles of the orders in a list, in the order of their numbers. */
export const ROLES_BY_KIND = {
  OCO: ['ABOVE', 'BELOW'],
  OTO: ['WORKING', 'PENDING'],
  OTOCO: ['WORKING', 'PENDING_ABOVE', 'PENDING_BELOW'],
} as const satisfies Record<ListKind, readonly ListRole[]>

/**
 * See docs/reference/matching.md#life-of-an-order. `PENDING_CANCEL` is never used; `REJECTED` occurs only as
 * a first status.
 */
export const ORDER_STATUSES = [
  'NEW',
  'PARTIALLY_FILLED',
  'FILLED',
  'CANCELED',
  'PENDING_CANCEL',
  'REJECTED',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/**
 * `GTC` rests until filled or canceled; `IOC` never rests; `FOK` is filled in full at once or refused; `GTD`
 * is `GTC` until the order's expire time.
 */
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTD'] as const
export type TimeInForce = (typeof TIMES_IN_FORCE)[number]

/** The behavior of a replacement if the old order cannot be canceled. */
export const CANCEL_REPLACE_MODES = ['STOP_ON_FAILURE', 'ALLOW_FAILURE'] as const
export type CancelReplaceMode = (typeof CANCEL_REPLACE_MODES)[number]

/** The only status of the old order in which a replacement may cancel it. */
export const CANCEL_RESTRICTIONS = ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'] as const
export type CancelRestriction = (typeof CANCEL_RESTRICTIONS)[number]

/**
 * The effect when an order would trade with another order of its own account
 * (docs/reference/matching.md#self-trade-prevention).
 */
export const SELF_TRADE_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'] as const
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number]

/**
 * Orders can be placed only in `TRADING`; open orders can be canceled in every state. `HALTED` is an
 * interruption, `CANCEL_ONLY` a market that is being closed, `DELISTED` a market that is no longer shown: its
 * book is empty.
 */
export const SYMBOL_STATES = ['TRADING', 'HALTED', 'CANCEL_ONLY', 'DELISTED'] as const
export type SymbolState = (typeof SYMBOL_STATES)[number]

/**
 * The phases of all symbols together: trading as each symbol's state allows; only cancels; neither orders nor
 * cancels. The exchange meets its obligations in each phase.
 */
export const EXCHANGE_PHASES = ['TRADING', 'CANCEL_ONLY', 'CLOSED'] as const
export type ExchangePhase = (typeof EXCHANGE_PHASES)[number]

/** The parts of a balance of one account in one asset. */
export const BUCKETS = ['free', 'locked', 'freeze', 'savings'] as const
export type Bucket = (typeof BUCKETS)[number]

/**
 * The permissions of an API key; bits 1, 2, 4, 8 and 16 of a permission mask, in this order. New ones are
 * added at the end. `READ` permits the reading part of `TRADE`.
 */
export const PERMISSIONS = ['TRADE', 'WALLET', 'USER_DATA', 'WITHDRAW', 'READ'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** Whether the permissions include the needed one: `TRADE` includes `READ`. */
export function mayUse(permissions: readonly Permission[], needed: Permission): boolean {
  return permissions.includes(needed) || (needed === 'READ' && permissions.includes('TRADE'))
}

/** The default permissions of a key: all but withdrawals. */
export const DEFAULT_PERMISSIONS = ['TRADE', 'WALLET', 'USER_DATA'] as const satisfies readonly Permission[]

/** How a key signs: with a secret that both sides have, or with the private key of a pair. */
export const KEY_KINDS = ['HMAC', 'ED25519'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** The interface at which a key is valid: the exchange's own, or the one in the form of Binance's. */
export const KEY_WIRES = ['BOURSE', 'BINANCE'] as const
export type KeyWire = (typeof KEY_WIRES)[number]

/** The other side of the book. */
export function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}
