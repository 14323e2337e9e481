/** Answers about orders. Made by `npm run schemas` from src/contract/publish: change it there. */
import type { DecimalText, OtherWord } from '../values.ts'
import type { EndReason, KnownReason, OrderType, SelfTradeMode, Side, TimeInForce } from './words.ts'

/** An open order. */
export type ActiveOrder = {
  readonly id: string
  readonly symbol: string
  readonly side: Side
  readonly price: DecimalText
  readonly qty: DecimalText
  readonly execQty: DecimalText
  readonly total: DecimalText
  /** ISO 8601 in UTC, with milliseconds. */
  readonly createdAt: string
}

/** An order that was placed. */
export type CreatedOrder = {
  readonly id: string
  readonly symbol: string
  readonly side: Side
  /** As asked; of a MARKET order the average of what was executed. */
  readonly price: DecimalText
  /** As asked; of a MARKET order what was executed. */
  readonly qty: DecimalText
  readonly total: DecimalText
  /** ISO 8601 in UTC, with milliseconds. */
  readonly created_at: string
  /** The side in the language of the request: Buy, Sell; Alış, Satış. */
  readonly side_name: string
}

/** It was done. */
export type Done = {
  readonly status: true
  readonly code: '0000'
  /** Text for people, in the language of Accept-Language; it may change, do not compare it. */
  readonly msg: readonly string[]
}

/** The request was refused. */
export type ErrorBody = {
  readonly status: false
  /** 4001: the request is wrong, or refused. 4004: it cannot be read. 0014: not now. */
  readonly code: '4001' | '4004' | '0014'
  /** Text for people, in the language of Accept-Language; it may change, do not compare it. */
  readonly msg: readonly string[]
  /** Why: finer than code, and stable. New words may be added: treat an unknown one by its code. */
  readonly reason: KnownReason | OtherWord
  /** Of an order or list that is not there: whether it never will be placed. */
  readonly isFinal?: boolean | undefined
  /** The nearest value that would pass the rule that has refused, to be sent as it is. */
  readonly nearest?: DecimalText | undefined
  /** The parameter to send it in. */
  readonly parameter?: string | undefined
}

/** Your side of a trade. */
export type Fill = {
  /** Of the trade. */
  readonly id: string
  /** Of the trade in its symbol, from 1 without gaps; absent: older than such numbers. */
  readonly number?: number | undefined
  readonly orderId: string
  readonly symbol: string
  readonly side: Side
  readonly price: DecimalText
  readonly quantity: DecimalText
  readonly total: DecimalText
  readonly commission: DecimalText
  readonly commissionAsset: string
  /** Your order rested, the other one arrived. */
  readonly isMaker: boolean
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number
}

/** Fills, newest first. */
export type FillPage = {
  readonly fills: readonly Fill[]
  /** before of the request that goes on; absent at the end. */
  readonly next?: string | undefined
}

/** An order as it was placed, with its fills. */
export type FilledOrder = {
  readonly id: string
  readonly clientOrderId?: string | undefined
  /** The list that it belongs to. */
  readonly listId?: string | undefined
  /**
   * The key that placed it: its label, or # and its number. Absent: the session of a customer, or
   * unknown.
   */
  readonly keyName?: string | undefined
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce?: TimeInForce | undefined
  /** Of an order with a limit, as asked. */
  readonly price?: DecimalText | undefined
  /** Of an order that waits or has waited for it. */
  readonly stopPrice?: DecimalText | undefined
  /** As asked, or as amended since. */
  readonly quantity?: DecimalText | undefined
  /** Of an iceberg order: how much is shown at a time. */
  readonly visibleQuantity?: DecimalText | undefined
  /** Of an order without a limit, as asked. */
  readonly total?: DecimalText | undefined
  readonly executedQuantity: DecimalText
  /** Paid or received so far, before commission. */
  readonly executedTotal: DecimalText
  readonly averagePrice?: DecimalText | undefined
  readonly commission: DecimalText
  readonly commissionAsset: string
  /** What self-trade prevention took off. */
  readonly preventedQuantity?: DecimalText | undefined
  readonly status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED'
  /** With CANCELED: why. */
  readonly endReason?: EndReason | OtherWord | undefined
  /** While it is open: it rests in the book. */
  readonly isWorking?: boolean | undefined
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  /** Of a GTD order: when it ends by itself. */
  readonly expireTime?: number | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly triggeredAt?: number | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly createdAt: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly updatedAt: number
  /** The first 100, oldest first. */
  readonly fills: readonly {
    readonly tradeId: string
    /** Of the trade in its symbol, from 1 without gaps; absent: older than such numbers. */
    readonly number?: number | undefined
    readonly price: DecimalText
    readonly quantity: DecimalText
    readonly total: DecimalText
    readonly commission: DecimalText
    readonly commissionAsset: string
    readonly isMaker: boolean
  }[]
  readonly hasMoreFills?: true | undefined
}

/** An order as it is now. */
export type Order = {
  readonly id: string
  readonly clientOrderId?: string | undefined
  /** The list that it belongs to. */
  readonly listId?: string | undefined
  /**
   * The key that placed it: its label, or # and its number. Absent: the session of a customer, or
   * unknown.
   */
  readonly keyName?: string | undefined
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce?: TimeInForce | undefined
  /** Of an order with a limit, as asked. */
  readonly price?: DecimalText | undefined
  /** Of an order that waits or has waited for it. */
  readonly stopPrice?: DecimalText | undefined
  /** As asked, or as amended since. */
  readonly quantity?: DecimalText | undefined
  /** Of an iceberg order: how much is shown at a time. */
  readonly visibleQuantity?: DecimalText | undefined
  /** Of an order without a limit, as asked. */
  readonly total?: DecimalText | undefined
  readonly executedQuantity: DecimalText
  /** Paid or received so far, before commission. */
  readonly executedTotal: DecimalText
  readonly averagePrice?: DecimalText | undefined
  readonly commission: DecimalText
  readonly commissionAsset: string
  /** What self-trade prevention took off. */
  readonly preventedQuantity?: DecimalText | undefined
  readonly status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED'
  /** With CANCELED: why. */
  readonly endReason?: EndReason | OtherWord | undefined
  /** While it is open: it rests in the book. */
  readonly isWorking?: boolean | undefined
  readonly selfTradePreventionMode?: SelfTradeMode | undefined
  /** Of a GTD order: when it ends by itself. */
  readonly expireTime?: number | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly triggeredAt?: number | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly createdAt: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly updatedAt: number
}

/** Orders that belong together. */
export type OrderList = {
  readonly listId: string
  readonly listClientOrderId?: string | undefined
  readonly contingencyType: 'OCO' | 'OTO'
  readonly listStatusType: 'EXEC_STARTED' | 'ALL_DONE'
  readonly listOrderStatus: 'EXECUTING' | 'ALL_DONE'
  readonly symbol: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly createdAt: number
  readonly orders: readonly Order[]
}

/** Orders, newest first. */
export type OrderPage = {
  readonly orders: readonly Order[]
  /** before of the request that goes on; absent at the end. */
  readonly next?: string | undefined
}

/** Of the cancel and the new order one was done. */
export type PartlyReplaced = {
  readonly status: false
  /** 4001: the request is wrong, or refused. 4004: it cannot be read. 0014: not now. */
  readonly code: '4001' | '4004' | '0014'
  /** Text for people, in the language of Accept-Language; it may change, do not compare it. */
  readonly msg: readonly string[]
  readonly reason: 'CANCEL_REPLACE_PARTLY_DONE'
  readonly data: Replacement
}

/** The order has been placed; data is as newOrderRespType has asked for. */
export type Placed = {
  readonly status: true
  readonly code: '0000'
  /** Text for people, in the language of Accept-Language; it may change, do not compare it. */
  readonly msg: readonly string[]
  readonly data: CreatedOrder | Order | FilledOrder
}

/** The order was placed before under its client order id. */
export type RepeatedOrder = {
  readonly isRepeat: true
  readonly id: string
  readonly clientOrderId?: string | undefined
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce?: TimeInForce | undefined
  readonly status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED'
  readonly executedQuantity: DecimalText
  readonly executedTotal: DecimalText
  readonly averagePrice?: DecimalText | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly createdAt: number
}

/** What became of the cancel and of the new order. */
export type Replacement = {
  readonly cancelResult: 'SUCCESS' | 'FAILURE'
  readonly newOrderResult: 'SUCCESS' | 'FAILURE'
  readonly cancelResponse: Done | ErrorBody
  readonly newOrderResponse: Placed | ErrorBody
}

/** What would become of the order now; nothing was placed. */
export type TestedOrder = {
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce?: TimeInForce | undefined
  readonly price?: DecimalText | undefined
  readonly stopPrice?: DecimalText | undefined
  readonly quantity?: DecimalText | undefined
  readonly visibleQuantity?: DecimalText | undefined
  readonly total?: DecimalText | undefined
  readonly selfTradePreventionMode: SelfTradeMode
  /** Milliseconds since 1970-01-01 UTC. */
  readonly expireTime?: number | undefined
  /** The state that it would have after matching. */
  readonly status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED'
  /** With CANCELED: why. */
  readonly endReason?: EndReason | OtherWord | undefined
  readonly executedQuantity: DecimalText
  readonly executedTotal: DecimalText
  readonly averagePrice?: DecimalText | undefined
  readonly commission: DecimalText
  readonly commissionAsset: string
  /** What the rest would hold while it rests or waits. */
  readonly hold: DecimalText
  readonly holdAsset: string
  /** A whole number. */
  readonly fillCount: number
  readonly fills: readonly {
    readonly price: DecimalText
    readonly quantity: DecimalText
    readonly total: DecimalText
    readonly commission: DecimalText
  }[]
}
