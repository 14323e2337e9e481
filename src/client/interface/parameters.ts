/** What requests take. Made by `npm run schemas` from src/contract/publish: change it there. */
import type { DecimalInput, NoMembers } from '../values.ts'
import type { CandleInterval, OrderType, SelfTradeMode, Side, TimeInForce } from './words.ts'

/** Whether orders may be sent. */
export type PingParameters = NoMembers

/** The server's time. */
export type TimeParameters = NoMembers

/** What the server has signed of a request. */
export type SignatureCheckParameters = NoMembers

/** Every listed symbol. */
export type ExchangeInfoParameters = NoMembers

/** What an order must fit. */
export type SymbolRulesParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** The order book. */
export type DepthParameters = {
  readonly symbol: string
  /** Levels a side. */
  readonly limit?: number | undefined
}

/** The newest trades. */
export type TradesParameters = {
  readonly symbol: string
  /** How many. */
  readonly limit?: number | undefined
}

/** Trades by their numbers, oldest first. */
export type HistoricalTradesParameters = {
  readonly symbol: string
  /** Only this number and higher ones. */
  readonly fromId?: number | undefined
  /** Only what happened then or later. */
  readonly startTime?: number | undefined
  /** Only what happened then or earlier. */
  readonly endTime?: number | undefined
  /** How many: the oldest with fromId or startTime, otherwise the newest. */
  readonly limit?: number | undefined
}

/** Aggregate trades by their numbers, oldest first. */
export type AggTradesParameters = {
  readonly symbol: string
  /** Only this number and higher ones. */
  readonly fromId?: number | undefined
  /** Only what happened then or later. */
  readonly startTime?: number | undefined
  /** Only what happened then or earlier. */
  readonly endTime?: number | undefined
  /** How many: the oldest with fromId or startTime, otherwise the newest. */
  readonly limit?: number | undefined
}

/** Candles, oldest first. */
export type KlinesParameters = {
  readonly symbol: string
  readonly interval: CandleInterval
  /** Only candles that begin then or later. */
  readonly startTime?: number | undefined
  /** Only candles that begin then or earlier. */
  readonly endTime?: number | undefined
  /** How many. */
  readonly limit?: number | undefined
}

/** The figures of the last 24 hours. */
export type DayTickerParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** The price of the last trade. */
export type PriceTickerParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** The best prices. */
export type BookTickerParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** Places an order. */
export type NewOrderParameters = {
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  /** In the base asset. Required but for a MARKET BUY. */
  readonly quantity?: DecimalInput | undefined
  /** Required of an order with a limit, refused of others. */
  readonly price?: DecimalInput | undefined
  /** In the quote asset. Of a MARKET BUY the most to spend, and required. */
  readonly total?: DecimalInput | undefined
  /** What an order that waits waits for. */
  readonly stopPrice?: DecimalInput | undefined
  /** How much the book shows at a time. */
  readonly icebergQty?: DecimalInput | undefined
  /** LIMIT: GTC unless said otherwise. */
  readonly timeInForce?: TimeInForce | undefined
  /** With GTD, and with it alone. */
  readonly expireTime?: number | undefined
  /** What happens where the order meets one of its own account; left out: as the symbol has it. */
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  /** Another form of the answer; FULL weighs 4 more. */
  readonly newOrderRespType?: 'RESULT' | 'FULL' | undefined
  /** A name of your own, so that an order sent twice is placed once. */
  readonly newClientOrderId?: string | undefined
}

/** Cancels an order. */
export type CancelOrderParameters = {
  /** The order; one of the two is required. */
  readonly id?: string | undefined
  /** The same, by the id that you gave it. */
  readonly cancelOrigClientOrderId?: string | undefined
  /** Must be the symbol of the order; otherwise nothing is canceled. */
  readonly symbol?: string | undefined
  /** The answer has the order, also where it had ended before. */
  readonly newOrderRespType?: 'RESULT' | undefined
}

/** Open orders, newest first. */
export type ActiveOrdersParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** What would become of an order now. */
export type TestOrderParameters = {
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  /** In the base asset. Required but for a MARKET BUY. */
  readonly quantity?: DecimalInput | undefined
  /** Required of an order with a limit, refused of others. */
  readonly price?: DecimalInput | undefined
  /** In the quote asset. Of a MARKET BUY the most to spend, and required. */
  readonly total?: DecimalInput | undefined
  /** What an order that waits waits for. */
  readonly stopPrice?: DecimalInput | undefined
  /** How much the book shows at a time. */
  readonly icebergQty?: DecimalInput | undefined
  /** LIMIT: GTC unless said otherwise. */
  readonly timeInForce?: TimeInForce | undefined
  /** With GTD, and with it alone. */
  readonly expireTime?: number | undefined
  /** What happens where the order meets one of its own account; left out: as the symbol has it. */
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  /** Another form of the answer; FULL weighs 4 more. */
  readonly newOrderRespType?: 'RESULT' | 'FULL' | undefined
  /** A name of your own, so that an order sent twice is placed once. */
  readonly newClientOrderId?: string | undefined
}

/** Up to 20 placements and cancels. */
export type OrderBatchParameters = {
  /**
   * A JSON array of 1 to 20 objects: method is POST or DELETE, all else as of a new order or a
   * cancel.
   */
  readonly operations: string
}

/** Cancels an order and places another one in one step. */
export type ReplaceOrderParameters = {
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  /** In the base asset. Required but for a MARKET BUY. */
  readonly quantity?: DecimalInput | undefined
  /** Required of an order with a limit, refused of others. */
  readonly price?: DecimalInput | undefined
  /** In the quote asset. Of a MARKET BUY the most to spend, and required. */
  readonly total?: DecimalInput | undefined
  /** What an order that waits waits for. */
  readonly stopPrice?: DecimalInput | undefined
  /** How much the book shows at a time. */
  readonly icebergQty?: DecimalInput | undefined
  /** LIMIT: GTC unless said otherwise. */
  readonly timeInForce?: TimeInForce | undefined
  /** With GTD, and with it alone. */
  readonly expireTime?: number | undefined
  /** What happens where the order meets one of its own account; left out: as the symbol has it. */
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  /** Another form of the answer; FULL weighs 4 more. */
  readonly newOrderRespType?: 'RESULT' | 'FULL' | undefined
  /** A name of your own, so that an order sent twice is placed once. */
  readonly newClientOrderId?: string | undefined
  /** Whether the new order is placed where the old one cannot be canceled. */
  readonly cancelReplaceMode: 'STOP_ON_FAILURE' | 'ALLOW_FAILURE'
  /** The order to cancel; one of the two is required. */
  readonly cancelId?: string | undefined
  /** The same, by the id that you gave it. */
  readonly cancelOrigClientOrderId?: string | undefined
  readonly cancelRestrictions?: 'ONLY_NEW' | 'ONLY_PARTIALLY_FILLED' | undefined
}

/** Lowers an order's quantity; it keeps its place. */
export type AmendOrderParameters = {
  /** One of the two is required. */
  readonly orderId?: string | undefined
  /** The id that you gave it. */
  readonly origClientOrderId?: string | undefined
  /** The whole quantity from now on, what was executed included. */
  readonly newQty: DecimalInput
}

/** An order as it is now, however long ago it ended. */
export type OrderParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
  /** One of the two is required. */
  readonly orderId?: string | undefined
  /** The id that you gave it. */
  readonly origClientOrderId?: string | undefined
  /** With a client order id: the last moment at which the order may have taken effect. */
  readonly deadline?: number | undefined
  /** With deadline: when you first sent the order. */
  readonly firstAttempt?: number | undefined
}

/** Open orders, newest first. */
export type OpenOrdersParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** Every order that was placed, newest first. */
export type AllOrdersParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
  /** Only what happened then or later. */
  readonly from?: number | undefined
  /** Only what happened then or earlier. */
  readonly to?: number | undefined
  /** So many elements at most. */
  readonly limit?: number | undefined
  /** Goes on from there: next of the answer before. */
  readonly before?: string | undefined
}

/** Cancels all open orders. */
export type MassCancelParameters = {
  /** Those of one symbol, or of all. */
  readonly scope: 'SYMBOL' | 'ACCOUNT'
  /** With SYMBOL, and with it alone. */
  readonly symbol?: string | undefined
}

/** A dead man's switch for all open orders. */
export type CountdownParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
  /** Milliseconds; 0 switches it off. */
  readonly countdownTime: number
  /** Orders that wait for their trigger go on waiting. */
  readonly keepStops?: 'true' | 'false' | undefined
}

/** Places two orders of which one cancels the other. */
export type NewOcoParameters = {
  readonly symbol: string
  /** Names the list. */
  readonly listClientOrderId?: string | undefined
  /** What happens where the order meets one of its own account; left out: as the symbol has it. */
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  readonly newOrderRespType?: 'RESULT' | undefined
  readonly side: Side
  /** A decimal above zero, without sign, exponent, spaces or separators. */
  readonly quantity: DecimalInput
  readonly aboveType: 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** Of a type with a limit. */
  readonly abovePrice?: DecimalInput | undefined
  /** Of a type that waits. */
  readonly aboveStopPrice?: DecimalInput | undefined
  readonly aboveTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  readonly aboveClientOrderId?: string | undefined
  /** Of a BUY at any price: the most to spend. */
  readonly aboveTotal?: DecimalInput | undefined
  readonly belowType: 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** Of a type with a limit. */
  readonly belowPrice?: DecimalInput | undefined
  /** Of a type that waits. */
  readonly belowStopPrice?: DecimalInput | undefined
  readonly belowTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  readonly belowClientOrderId?: string | undefined
  /** Of a BUY at any price: the most to spend. */
  readonly belowTotal?: DecimalInput | undefined
}

/** Places an order, and another one when it is filled. */
export type NewOtoParameters = {
  readonly symbol: string
  /** Names the list. */
  readonly listClientOrderId?: string | undefined
  /** What happens where the order meets one of its own account; left out: as the symbol has it. */
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  readonly newOrderRespType?: 'RESULT' | undefined
  readonly workingSide: Side
  readonly workingType: 'LIMIT' | 'LIMIT_MAKER'
  /** A decimal above zero, without sign, exponent, spaces or separators. */
  readonly workingPrice: DecimalInput
  /** A decimal above zero, without sign, exponent, spaces or separators. */
  readonly workingQuantity: DecimalInput
  readonly workingTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  readonly workingClientOrderId?: string | undefined
  readonly pendingSide: Side
  /** Left out: what the working order receives. */
  readonly pendingQuantity?: DecimalInput | undefined
  readonly pendingType: OrderType
  /** Of a type with a limit. */
  readonly pendingPrice?: DecimalInput | undefined
  /** Of a type that waits. */
  readonly pendingStopPrice?: DecimalInput | undefined
  readonly pendingTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  readonly pendingClientOrderId?: string | undefined
}

/** Places an order, and a pair when it is filled. */
export type NewOtocoParameters = {
  readonly symbol: string
  /** Names the list. */
  readonly listClientOrderId?: string | undefined
  /** What happens where the order meets one of its own account; left out: as the symbol has it. */
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  readonly newOrderRespType?: 'RESULT' | undefined
  readonly workingSide: Side
  readonly workingType: 'LIMIT' | 'LIMIT_MAKER'
  /** A decimal above zero, without sign, exponent, spaces or separators. */
  readonly workingPrice: DecimalInput
  /** A decimal above zero, without sign, exponent, spaces or separators. */
  readonly workingQuantity: DecimalInput
  readonly workingTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  readonly workingClientOrderId?: string | undefined
  readonly pendingSide: Side
  /** Left out: what the working order receives. */
  readonly pendingQuantity?: DecimalInput | undefined
  readonly pendingAboveType:
    | 'LIMIT_MAKER'
    | 'STOP_LOSS'
    | 'STOP_LOSS_LIMIT'
    | 'TAKE_PROFIT'
    | 'TAKE_PROFIT_LIMIT'
  /** Of a type with a limit. */
  readonly pendingAbovePrice?: DecimalInput | undefined
  /** Of a type that waits. */
  readonly pendingAboveStopPrice?: DecimalInput | undefined
  readonly pendingAboveTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  readonly pendingAboveClientOrderId?: string | undefined
  readonly pendingBelowType:
    | 'LIMIT_MAKER'
    | 'STOP_LOSS'
    | 'STOP_LOSS_LIMIT'
    | 'TAKE_PROFIT'
    | 'TAKE_PROFIT_LIMIT'
  /** Of a type with a limit. */
  readonly pendingBelowPrice?: DecimalInput | undefined
  /** Of a type that waits. */
  readonly pendingBelowStopPrice?: DecimalInput | undefined
  readonly pendingBelowTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  readonly pendingBelowClientOrderId?: string | undefined
}

/** An order list as it is now. */
export type OrderListParameters = {
  /** One of the two is required. */
  readonly listId?: string | undefined
  /** The id that you gave it. */
  readonly listClientOrderId?: string | undefined
  /** With a client order id: the last moment at which the order may have taken effect. */
  readonly deadline?: number | undefined
  /** With deadline: when you first sent the order. */
  readonly firstAttempt?: number | undefined
}

/** Cancels every open order of a list. */
export type CancelOrderListParameters = {
  /** One of the two is required. */
  readonly cancelListId?: string | undefined
  /** The id that you gave it. */
  readonly cancelListClientOrderId?: string | undefined
}

/** All balances, or what is free of one asset. */
export type WalletBalanceParameters = {
  /** The code of an asset; left out: all of them. */
  readonly code?: string | undefined
}

/** Trades in pages, newest first. */
export type TradeHistoryParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
  /** 0 is the newest. */
  readonly page?: number | undefined
  /** Items of a page. */
  readonly size?: number | undefined
  /** Only trades older than this trade. */
  readonly before?: string | undefined
}

/** Fills, newest first. */
export type MyTradesParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
  /** Only what happened then or later. */
  readonly from?: number | undefined
  /** Only what happened then or earlier. */
  readonly to?: number | undefined
  /** So many elements at most. */
  readonly limit?: number | undefined
  /** Goes on from there: next of the answer before. */
  readonly before?: string | undefined
  /** Only those of this order. */
  readonly orderId?: string | undefined
}

/** Every change of your balances, with its cause. */
export type AccountLedgerParameters = {
  /** The code of an asset; left out: all. */
  readonly asset?: string | undefined
  /** Only what happened then or later. */
  readonly from?: number | undefined
  /** Only what happened then or earlier. */
  readonly to?: number | undefined
  /** So many elements at most. */
  readonly limit?: number | undefined
  /** Goes on from there: next of the answer before. */
  readonly before?: string | undefined
  /** csv: a table to be kept. */
  readonly format?: 'json' | 'csv' | undefined
}

/** Your rates of commission. */
export type AccountCommissionParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** What is used of the limits, and what is left. */
export type AccountLimitsParameters = {
  /** Left out: all symbols. */
  readonly symbol?: string | undefined
}

/** Average cost and profit of each asset. */
export type AccountPositionsParameters = {
  /** The code of an asset; left out: all. */
  readonly asset?: string | undefined
  /** The assets of this symbol alone. */
  readonly symbol?: string | undefined
}

/** Ask for a withdrawal. */
export type AskWithdrawalParameters = {
  readonly coin: string
  /** A decimal above zero, without sign, exponent, spaces or separators. */
  readonly amount: DecimalInput
  /** Where money goes: visible ASCII characters. */
  readonly address: string
  /** The memo or destination tag of the address, where it has one. */
  readonly addressTag?: string | undefined
  /** A name of your own, so that what is asked for twice is done once. */
  readonly withdrawOrderId?: string | undefined
}

/** Cancel a withdrawal while it waits. */
export type CancelWithdrawalParameters = {
  /** The withdrawal; one of the two is required. */
  readonly cancelWithdrawId?: string | undefined
  /** The same, by the id that you gave it. */
  readonly cancelWithdrawOrderId?: string | undefined
}

/** Add an address that an asset may be withdrawn to. */
export type AddWithdrawalAddressParameters = {
  readonly coin: string
  /** Where money goes: visible ASCII characters. */
  readonly newAddress: string
  /** The memo or destination tag of the address, where it has one. */
  readonly addressTag?: string | undefined
  /** What you call it. */
  readonly label?: string | undefined
}

/** Remove such an address. */
export type RemoveWithdrawalAddressParameters = {
  readonly coin: string
  /** Where money goes: visible ASCII characters. */
  readonly removeAddress: string
  /** The memo or destination tag of the address, where it has one. */
  readonly addressTag?: string | undefined
}

/** The addresses that you may withdraw to. */
export type WithdrawalAddressesParameters = {
  /** Left out: all. */
  readonly coin?: string | undefined
}

/** Withdrawals: those that wait, and those that have ended, newest first. */
export type WithdrawalHistoryParameters = {
  /** Left out: all. */
  readonly coin?: string | undefined
  /** next of the page before. */
  readonly before?: string | undefined
  /** Most that have ended of one page. */
  readonly limit?: number | undefined
}

/** Deposits, newest first. */
export type DepositHistoryParameters = {
  /** Left out: all. */
  readonly coin?: string | undefined
  /** next of the page before. */
  readonly before?: string | undefined
  /** Most that have ended of one page. */
  readonly limit?: number | undefined
}
