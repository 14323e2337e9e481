/** Commands on orders: those of traders, most of every journal, and the operator's that cancels many. */
import type { AccountId, OrderNumber, SessionNumber, SymbolId } from '../../../units/ids.ts'
import { isStopType, type SelfTradeMode, type Side, type TimeInForce } from '../../../units/order-words.ts'
import type { Amount, Lots, Price, TimeMs } from '../../../units/quantities.ts'
import type { Operator } from './operator.ts'

/** What every new order says, whatever its type. */
type AnyOrder = {
  readonly kind: 'PlaceOrder'
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  /** Undefined: what the symbol says. */
  readonly selfTradeMode: SelfTradeMode | undefined
  /** The trader's own name for the order, unique in the account (docs/reference/client-order-ids.md). */
  readonly clientOrderId: string | undefined
  /** It ends with this session (docs/reference/order-entry.md#cancel-on-disconnect). */
  readonly sessionNumber?: SessionNumber | undefined
}

/**
 * Trades at `price` or better; what is left rests (`GTC`, and `GTD` until `expireTime`) or is given up (`IOC`). `FOK` trades all of it or
 * is refused.
 */
export type LimitOrder = {
  readonly type: 'LIMIT'
  readonly side: Side
  readonly timeInForce: TimeInForce
  readonly price: Price
  readonly quantity: Lots
  /** Where given, it must be price x quantity, in ledger units of the quote asset. */
  readonly total: Amount | undefined
  /** Lots of each part that the book shows, where the order rests; undefined: all of it. */
  readonly icebergQuantity?: Lots | undefined
  /** Given with `GTD` alone: from this time on the order does not trade (docs/reference/timers.md#good-till-date). */
  readonly expireTime?: TimeMs | undefined
  readonly stopPrice?: undefined
}

/** Rests in full at `price`; refused where it would meet any order at once, an own one too. */
export type LimitMakerOrder = {
  readonly type: 'LIMIT_MAKER'
  readonly side: Side
  readonly price: Price
  readonly quantity: Lots
  /** As a LIMIT order's. */
  readonly total: Amount | undefined
  /** As a LIMIT order's. */
  readonly icebergQuantity?: Lots | undefined
  readonly timeInForce?: undefined
  readonly expireTime?: undefined
  readonly stopPrice?: undefined
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
}

/** Sells `quantity` at any price, or as much of it as brings no more than `total` where given. */
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
}

/** Waits until a trade reaches `stopPrice`, then is a LIMIT order (docs/reference/waiting-orders.md#orders-that-wait). */
export type StopLimitOrder = Omit<LimitOrder, 'type' | 'stopPrice' | 'icebergQuantity'> & {
  readonly type: 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT_LIMIT'
  readonly icebergQuantity?: undefined
  readonly stopPrice: Price
}

/** The same, then a MARKET BUY; until then it holds `total`. */
export type StopBuyOrder = Omit<MarketBuyOrder, 'type' | 'stopPrice'> & {
  readonly type: 'STOP_LOSS' | 'TAKE_PROFIT'
  readonly stopPrice: Price
}

/** The same, then a MARKET SELL; until then it holds `quantity`. It takes no total. */
export type StopSellOrder = Omit<MarketSellOrder, 'type' | 'stopPrice' | 'total'> & {
  readonly type: 'STOP_LOSS' | 'TAKE_PROFIT'
  readonly total?: undefined
  readonly stopPrice: Price
}

export type StopOrder = StopLimitOrder | StopBuyOrder | StopSellOrder

/** What is matched as soon as it is taken. */
export type ImmediateOrder = LimitOrder | LimitMakerOrder | MarketBuyOrder | MarketSellOrder

/**
 * The figures that an order of each type has (docs/reference/http.md#new-order): a combination that no type has cannot be
 * written down.
 */
export type OrderFigures = ImmediateOrder | StopOrder

/** A new order. The border has checked its form; the core checks everything again that can cost money. */
export type PlaceOrder = AnyOrder & OrderFigures

/** One that is matched now. */
export type PlaceImmediate = AnyOrder & ImmediateOrder

/** One that waits for its trigger. */
export type PlaceStop = AnyOrder & StopOrder

export function isStop(order: PlaceOrder): order is PlaceStop {
  return isStopType(order.type)
}

/** What an order is matched as once it is triggered. */
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

/** Whether what matching leaves of the order goes to the book. */
export function mayRest({ type, timeInForce }: PlaceImmediate): boolean {
  return type === 'LIMIT_MAKER' || (type === 'LIMIT' && (timeInForce === 'GTC' || timeInForce === 'GTD'))
}

/** Takes an open order from the book. `orderTime` comes from the order's UUID and must be the order's own. */
export type CancelOrder = {
  readonly kind: 'CancelOrder'
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly orderTime: TimeMs
}

/** The same for the open order that is known by a client order id (docs/reference/client-order-ids.md#cancel-by-id). */
export type CancelClientOrder = {
  readonly kind: 'CancelClientOrder'
  readonly accountId: AccountId
  readonly clientOrderId: string
}

/**
 * Cancels open orders of an account, of a symbol, or of an account in a symbol: at most `CANCEL_ORDERS_MAX`, the
 * answer says how many are left. Of an account the newest first; of a symbol those first that would trade first.
 */
export type CancelOrders = {
  readonly kind: 'CancelOrders'
  readonly operator: Operator
  /** Undefined: of every account; then `symbol` is given. */
  readonly accountId: AccountId | undefined
  /** Undefined: in every symbol. */
  readonly symbol: string | undefined
}

/** Cancels an open order of anybody. `orderTime` comes from the order's UUID and must be the order's own. */
export type CancelAnyOrder = {
  readonly kind: 'CancelAnyOrder'
  readonly operator: Operator
  readonly orderNumber: OrderNumber
  readonly orderTime: TimeMs
}

/**
 * Carries out an order whose trigger was reached: the engine's own command, given for the one whose turn it is
 * (docs/reference/waiting-orders.md#triggering).
 */
export type TriggerOrder = { readonly kind: 'TriggerOrder'; readonly orderNumber: OrderNumber }

/** Ends an order whose time is over: the engine's own command (docs/reference/timers.md#good-till-date). */
export type ExpireOrder = { readonly kind: 'ExpireOrder'; readonly orderNumber: OrderNumber }
