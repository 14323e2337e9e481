/** Orders as history keeps them: what was asked for, once, and what had become of it when it ended, once (docs/reference/orders.md#order). */
import type { CancelCause, OrderPlaced } from '../../core/exchange/event.ts'
import type { ListNumber, OrderNumber } from '../../units/ids.ts'
import type { ListRole } from '../../units/order-words.ts'
import type { Amount, Lots, Notional, Seq, TimeMs } from '../../units/quantities.ts'

/** What had become of an order when it ended. */
export type OrderEnd = {
  readonly seq: Seq
  readonly time: TimeMs
  /** Why it was canceled; undefined: it was filled. */
  readonly cause: CancelCause | undefined
  readonly executedQuantity: Lots
  /** The exact sum of price x quantity over its fills. */
  readonly executedNotional: Notional
  /** Ledger units of what it received. */
  readonly commission: Amount
  /** What self-trade prevention took off, or gave up in the end. */
  readonly preventedQuantity: Lots
  /** The quantity that it was amended to, or learned when its list's working order was filled; undefined: what was asked for. */
  readonly amendedQuantity: Lots | undefined
}

/** An order as it was accepted, with the command that placed it, and its end where that very command has ended it. */
export type OrderRecord = Omit<OrderPlaced, 'kind' | 'inList'> & {
  readonly seq: Seq
  /** Where it belongs to a list: which, and what it is there. */
  readonly listNumber: ListNumber | undefined
  readonly listRole: ListRole | undefined
  /** With the very command that placed it. */
  readonly endedAtOnce: OrderEnd | undefined
}

/** The end of an order that was open after the command that placed it. */
export type EndedOrder = OrderEnd & { readonly orderNumber: OrderNumber }

/** An order and its end, if history has one: without one it was open at history's position. */
export type HistoryOrder = Omit<OrderRecord, 'endedAtOnce'> & { readonly end: OrderEnd | undefined }

/** Field by field: what a private feed tells has one for each order that ended, and parts that are spread into one take a microsecond (`npm run bench -- order-entry`). */
export function historyOrder(placed: OrderRecord, ended: EndedOrder | undefined): HistoryOrder {
  return {
    seq: placed.seq,
    time: placed.time,
    accountId: placed.accountId,
    symbolId: placed.symbolId,
    orderNumber: placed.orderNumber,
    side: placed.side,
    type: placed.type,
    timeInForce: placed.timeInForce,
    price: placed.price,
    stopPrice: placed.stopPrice,
    expireTime: placed.expireTime,
    quantity: placed.quantity,
    total: placed.total,
    icebergQuantity: placed.icebergQuantity,
    selfTradeMode: placed.selfTradeMode,
    clientOrderId: placed.clientOrderId,
    listNumber: placed.listNumber,
    listRole: placed.listRole,
    end: placed.endedAtOnce ?? (ended && endOf(ended)),
  }
}

/** Without the order's number. */
function endOf(ended: EndedOrder): OrderEnd {
  return {
    seq: ended.seq,
    time: ended.time,
    cause: ended.cause,
    executedQuantity: ended.executedQuantity,
    executedNotional: ended.executedNotional,
    commission: ended.commission,
    preventedQuantity: ended.preventedQuantity,
    amendedQuantity: ended.amendedQuantity,
  }
}
