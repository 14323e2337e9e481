/**
 * The words of an order, as traders write them. Their numbers in journals are the positions in these lists:
 * new words go to the end, none is ever removed or moved.
 */

export const SIDES = ['BUY', 'SELL'] as const
export type Side = (typeof SIDES)[number]

/** `LIMIT_MAKER` rests in full or is refused: it never takes. Those of `STOP_TYPES` wait for their trigger first. */
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

/** Types of orders that wait outside of the book until a trade reaches their stop price. */
export const STOP_TYPES = ['STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const
export type StopType = (typeof STOP_TYPES)[number]

export function isStopType(type: OrderType): type is StopType {
  return (STOP_TYPES as readonly OrderType[]).includes(type)
}

/** Whether an order of the type says how long it is good for. */
export function takesTimeInForce(type: OrderType): boolean {
  return type === 'LIMIT' || type === 'STOP_LOSS_LIMIT' || type === 'TAKE_PROFIT_LIMIT'
}

/** `OCO`: one order cancels the other. `OTO`: one order, when it is filled, triggers another, `OTOCO` a pair of which one cancels the other. */
export const LIST_KINDS = ['OCO', 'OTO', 'OTOCO'] as const
export type ListKind = (typeof LIST_KINDS)[number]

/** What an order is in its list. */
export const LIST_ROLES = ['ABOVE', 'BELOW', 'WORKING', 'PENDING', 'PENDING_ABOVE', 'PENDING_BELOW'] as const
export type ListRole = (typeof LIST_ROLES)[number]

/** Whether an order waits for the working one of its list to be filled. */
export function isPendingRole(role: ListRole): boolean {
  return role === 'PENDING' || role === 'PENDING_ABOVE' || role === 'PENDING_BELOW'
}

/** The orders of a list, in the order of their numbers. */
export const ROLES_BY_KIND = {
  OCO: ['ABOVE', 'BELOW'],
  OTO: ['WORKING', 'PENDING'],
  OTOCO: ['WORKING', 'PENDING_ABOVE', 'PENDING_BELOW'],
} as const satisfies Record<ListKind, readonly ListRole[]>

/** docs/reference/http.md#life-of-an-order: `PENDING_CANCEL` is never produced; `REJECTED` is only ever a first state. */
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
 * `GTC` rests until filled or cancelled; `IOC` never rests; `FOK` is filled in full at once or refused; `GTD` is `GTC` until a time
 * that the order names.
 */
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTD'] as const
export type TimeInForce = (typeof TIMES_IN_FORCE)[number]

/** What happens when an order meets an order of its own account (docs/reference/http.md#self-trade-prevention). */
/** What a replacement does where the order to cancel cannot be. */
export const CANCEL_REPLACE_MODES = ['STOP_ON_FAILURE', 'ALLOW_FAILURE'] as const
export type CancelReplaceMode = (typeof CANCEL_REPLACE_MODES)[number]

/** In which state alone a replacement cancels an order. */
export const CANCEL_RESTRICTIONS = ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'] as const
export type CancelRestriction = (typeof CANCEL_RESTRICTIONS)[number]

export const SELF_TRADE_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'] as const
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number]

/**
 * Orders are placed in `TRADING` alone; open ones can be cancelled in every state. `HALTED` is an interruption,
 * `CANCEL_ONLY` a market that winds down, `DELISTED` one that is shown to nobody any more: its book is empty.
 */
export const SYMBOL_STATES = ['TRADING', 'HALTED', 'CANCEL_ONLY', 'DELISTED'] as const
export type SymbolState = (typeof SYMBOL_STATES)[number]

/**
 * What traders may do in all symbols: trade where their states let them; only take orders back; nothing at all. Anything that the
 * exchange owes goes on in each of them.
 */
export const EXCHANGE_PHASES = ['TRADING', 'CANCEL_ONLY', 'CLOSED'] as const
export type ExchangePhase = (typeof EXCHANGE_PHASES)[number]

/** The parts of a balance of one account in one asset. */
export const BUCKETS = ['free', 'locked', 'freeze', 'savings'] as const
export type Bucket = (typeof BUCKETS)[number]

/** What an API key may be used for; bits 1, 2, 4 and 8 of a permission mask, in this order. New ones go to the end. */
export const PERMISSIONS = ['TRADE', 'WALLET', 'USER_DATA', 'WITHDRAW'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** What a key may be used for where nobody says: all but taking money out. */
export const DEFAULT_PERMISSIONS = ['TRADE', 'WALLET', 'USER_DATA'] as const satisfies readonly Permission[]

/** The other side of the book. */
export function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}
