/** Commands on orders: those of traders, most of every journal, and the operator's that cancels many. */
import type { AccountId, OrderNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import { isStopType, type SelfTradeMode, type Side, type TimeInForce } from '../../units/order-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../units/quantities.ts'
import { orUndefined, text, uint } from '../../units/shapes/shape.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type { Carried } from '../trading/carried.ts'
import { type CommandIn, commandRows, operatorRows } from './row.ts'

/** The common fields of new orders of every type. */
type AnyOrder = Partial<Carried> & {
  readonly kind: 'PlaceOrder'
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  /** Undefined for the symbol's default. */
  readonly selfTradeMode: SelfTradeMode | undefined
  /** The trader's own name for the order, unique in the account (docs/reference/client-order-ids.md). */
  readonly clientOrderId: string | undefined
  /** The order ends with this session (docs/reference/order-entry.md#cancel-on-disconnect). */
  readonly sessionNumber?: SessionNumber | undefined
}

/**
 * Trades at `price` or better; the rest rests in the book (`GTC`, and `GTD` until `expireTime`) or is
 * canceled (`IOC`). `FOK` trades all of it or is refused.
 */
export type LimitOrder = {
  readonly type: 'LIMIT'
  readonly side: Side
  readonly timeInForce: TimeInForce
  readonly price: Price
  readonly quantity: Lots
  /** If given, it must be price x quantity, in ledger units of the quote asset. */
  readonly total: Amount | undefined
  /** Lots of each part that the book shows, if the order rests; undefined for all of it. */
  readonly icebergQuantity?: Lots | undefined
  /**
   * Only with `GTD`: from this time on the order does not trade (docs/reference/timers.md#good-till-date).
   */
  readonly expireTime?: TimeMs | undefined
  readonly stopPrice?: undefined
  readonly trailingDelta?: undefined
}

/**
 * Rests in full at `price`; refused if it would match any order at once, including one of its own account.
 */
export type LimitMakerOrder = {
  readonly type: 'LIMIT_MAKER'
  readonly side: Side
  readonly price: Price
  readonly quantity: Lots
  /** As for a LIMIT order. */
  readonly total: Amount | undefined
  /** As for a LIMIT order. */
  readonly icebergQuantity?: Lots | undefined
  readonly timeInForce?: undefined
  readonly expireTime?: undefined
  readonly stopPrice?: undefined
  readonly trailingDelta?: undefined
}

/** Spends at most `total` at any price, and buys at most `quantity` where given. */
export type MarketBuyOrder = {
  readonly type: 'MARKET'
  readonly side: 'BUY'
  /** In ledger units of the quote asset. */
  readonly total: Amount
  readonly quantity: Lots | undefined
  readonly price?: undefined
  readonly timeInForce?: undefined
  readonly icebergQuantity?: undefined
  readonly expireTime?: undefined
  readonly stopPrice?: undefined
  readonly trailingDelta?: undefined
}

/**
 * Buys `quantity` at any price; refused if its immediate execution costs more than its account has free
 * (docs/reference/matching.md#market).
 */
export type MarketBuyQuantityOrder = {
  readonly type: 'MARKET'
  readonly side: 'BUY'
  readonly quantity: Lots
  readonly total?: undefined
  readonly price?: undefined
  readonly timeInForce?: undefined
  readonly icebergQuantity?: undefined
  readonly expireTime?: undefined
  readonly stopPrice?: undefined
  readonly trailingDelta?: undefined
}

/** Sells `quantity` at any price, or only as much of it as brings no more than `total`, if given. */
export type MarketSellOrder = {
  readonly type: 'MARKET'
  readonly side: 'SELL'
  readonly quantity: Lots
  /** In ledger units of the quote asset. */
  readonly total: Amount | undefined
  readonly price?: undefined
  readonly timeInForce?: undefined
  readonly icebergQuantity?: undefined
  readonly expireTime?: undefined
  readonly stopPrice?: undefined
  readonly trailingDelta?: undefined
}

/**
 * The trigger of an order that waits: a trade that reaches `stopPrice`
 * (docs/reference/waiting-orders.md#orders-that-wait). With `trailingDelta`, the order follows the price from
 * that trade on, or without `stopPrice` from the next trade on; its trigger is then a trade that is
 * `trailingDelta` away from the best price (docs/reference/trailing-orders.md).
 */
export type OrderTrigger =
  | { readonly stopPrice: Price; readonly trailingDelta?: undefined }
  | { readonly stopPrice: Price | undefined; readonly trailingDelta: TrailingDelta }

/** Waits for its trigger, then is a LIMIT order. */
export type StopLimitOrder = Omit<LimitOrder, 'type' | 'icebergQuantity' | keyof OrderTrigger> & {
  readonly type: 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT_LIMIT'
  readonly icebergQuantity?: undefined
} & OrderTrigger

/** Waits for its trigger, then is a MARKET BUY order; until then it holds `total`. */
export type StopBuyOrder = Omit<MarketBuyOrder, 'type' | keyof OrderTrigger> & {
  readonly type: 'STOP_LOSS' | 'TAKE_PROFIT'
} & OrderTrigger

/** Waits for its trigger, then is a MARKET SELL order; until then it holds `quantity`. It takes no total. */
export type StopSellOrder = Omit<MarketSellOrder, 'type' | 'total' | keyof OrderTrigger> & {
  readonly type: 'STOP_LOSS' | 'TAKE_PROFIT'
  readonly total?: undefined
} & OrderTrigger

export type StopOrder = StopLimitOrder | StopBuyOrder | StopSellOrder

/** Orders that are matched at once. */
export type ImmediateOrder =
  | LimitOrder
  | LimitMakerOrder
  | MarketBuyOrder
  | MarketBuyQuantityOrder
  | MarketSellOrder

/**
 * The figures that an order of each type has (docs/reference/http.md#new-order): a combination that no type
 * has does not compile.
 */
export type OrderFigures = ImmediateOrder | StopOrder

/** A new order. The border has checked its form; the core checks everything again that can cost money. */
export type PlaceOrder = AnyOrder & OrderFigures

/** An order that is matched now. */
export type PlaceImmediate = AnyOrder & ImmediateOrder

/** An order that waits for its trigger. */
export type PlaceStop = AnyOrder & StopOrder

export function isStop(order: PlaceOrder): order is PlaceStop {
  return isStopType(order.type)
}

/** Whether an order buys at any price without a total that bounds it. */
export function isBuyByQuantity({ type, side, total }: PlaceOrder): boolean {
  return type === 'MARKET' && side === 'BUY' && total === undefined
}

/** The type as which an order is matched once it is triggered. */
export function triggeredAs(order: PlaceStop): PlaceImmediate {
  const { kind, accountId, symbolId, selfTradeMode, clientOrderId } = order
  const head = { kind, accountId, symbolId, selfTradeMode, clientOrderId } as const
  if (order.price !== undefined) {
    const { side, timeInForce, price, quantity, total, expireTime } = order
    return { ...head, type: 'LIMIT', side, timeInForce, price, quantity, total, expireTime }
  }
  if (order.side === 'BUY') {
    return { ...head, type: 'MARKET', side: 'BUY', total: order.total, quantity: order.quantity }
  }
  return { ...head, type: 'MARKET', side: 'SELL', quantity: order.quantity, total: undefined }
}

/** Whether the order's remainder after matching goes to the book. */
export function mayRest({ type, timeInForce }: PlaceImmediate): boolean {
  return type === 'LIMIT_MAKER' || (type === 'LIMIT' && (timeInForce === 'GTC' || timeInForce === 'GTD'))
}

const accountId = uint<AccountId>()
/** The fields encoded in an order's UUID. */
const BY_UUID = { orderNumber: uint<OrderNumber>(), orderTime: uint<TimeMs>() }

/** A cancel that names the required symbol of its order. */
const OF_SYMBOL = { symbolId: uint<SymbolId>() }

export const ORDER_ROWS = commandRows({
  CancelOrder: { code: 2, fields: { accountId, ...BY_UUID }, later: { code: 80, fields: OF_SYMBOL } },
  CancelClientOrder: {
    code: 39,
    fields: { accountId, clientOrderId: text() },
    later: { code: 81, fields: OF_SYMBOL },
  },
})

export const ORDER_ENGINE_ROWS = commandRows({
  TriggerOrder: { code: 41, fields: { orderNumber: uint<OrderNumber>() } },
  ExpireOrder: { code: 46, fields: { orderNumber: uint<OrderNumber>() } },
})

export const ORDER_OPERATOR_ROWS = operatorRows({
  CancelOrders: {
    code: 18,
    fields: {
      /** Undefined means every account; `symbol` is then required. */
      accountId: orUndefined(accountId),
      /** Undefined means every symbol. */
      symbol: orUndefined(text()),
    },
  },
  CancelAnyOrder: { code: 74, fields: BY_UUID },
})

type In<Kind extends keyof typeof ORDER_ROWS> = CommandIn<typeof ORDER_ROWS, Kind>
type EngineIn<Kind extends keyof typeof ORDER_ENGINE_ROWS> = CommandIn<typeof ORDER_ENGINE_ROWS, Kind>
type OperatorIn<Kind extends keyof typeof ORDER_OPERATOR_ROWS> = CommandIn<typeof ORDER_OPERATOR_ROWS, Kind>

/**
 * Cancels an open order. `orderTime` comes from the order's UUID and must be the order's own; so must
 * `symbolId`, if given.
 */
export interface CancelOrder extends In<'CancelOrder'> {}

/** Cancels the open order with a client order id (docs/reference/client-order-ids.md#cancel-by-id). */
export interface CancelClientOrder extends In<'CancelClientOrder'> {}

/**
 * Cancels open orders of an account, of a symbol, or of an account in a symbol: at most `CANCEL_ORDERS_MAX`,
 * with the number of the remaining ones in the answer. The newest orders of an account come first, and in a
 * symbol those that would trade first.
 */
export interface CancelOrders extends OperatorIn<'CancelOrders'> {}

/** Cancels an open order of any account. `orderTime` comes from the order's UUID and must match the order. */
export interface CancelAnyOrder extends OperatorIn<'CancelAnyOrder'> {}

/**
 * Carries out an order whose trigger was reached: the engine's own command, given for the order whose turn it
 * is (docs/reference/waiting-orders.md#triggering).
 */
export interface TriggerOrder extends EngineIn<'TriggerOrder'> {}

/**
 * Ends an order whose end time was reached: the engine's own command
 * (docs/reference/timers.md#good-till-date).
 */
export interface ExpireOrder extends EngineIn<'ExpireOrder'> {}
