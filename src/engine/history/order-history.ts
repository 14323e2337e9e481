/**
 * Orders in history: the order as placed, stored once, and its end, stored once
 * (docs/reference/orders.md#order).
 */
import type { CancelCause, OrderPlaced } from '../../core/events/event.ts'
import type { ListNumber, OrderNumber } from '../../units/ids.ts'
import type { ListRole } from '../../units/order-enums.ts'
import type { Amount, Lots, Notional, Seq, TimeMs } from '../../units/quantities.ts'

/** The final state of an order. */
export type OrderEnd = {
  readonly seq: Seq
  readonly time: TimeMs
  /** The reason of its cancellation; undefined if it was filled. */
  readonly cause: CancelCause | undefined
  readonly executedQuantity: Lots
  /** The exact sum of price x quantity over its fills. */
  readonly executedNotional: Notional
  /** Ledger units of the asset that it received. */
  readonly commission: Amount
  /** The quantity that self-trade prevention removed, or gave up in the end. */
  readonly preventedQuantity: Lots
  /**
   * The quantity to which it was amended, or which it got when its list's working order was filled; undefined
   * for the original quantity.
   */
  readonly amendedQuantity: Lots | undefined
  /** The total which it got then, in ledger units of the quote asset; undefined for the original one. */
  readonly learnedTotal: Amount | undefined
}

/**
 * An order as it was accepted, with the command that placed it, and its end where that very command has ended
 * it.
 */
export type OrderRecord = Omit<OrderPlaced, 'kind' | 'inList'> & {
  readonly seq: Seq
  /** If it belongs to a list: the list, and its role there. */
  readonly listNumber: ListNumber | undefined
  readonly listRole: ListRole | undefined
  /** With the very command that placed it. */
  readonly endedAtOnce: OrderEnd | undefined
}

/** The end of an order that was open after the command that placed it. */
export type EndedOrder = OrderEnd & { readonly orderNumber: OrderNumber }

/** An order and its end, if history has one: without one it was open at history's position. */
export type HistoryOrder = Omit<OrderRecord, 'endedAtOnce'> & { readonly end: OrderEnd | undefined }

/**
 * Field by field: a private feed has one for each ended order, and an object spread takes a microsecond (`npm
 * run bench -- order-entry`).
 */
export function historyOrder(placed: OrderRecord, ended: EndedOrder | undefined): HistoryOrder {
  return {
    seq: placed.seq,
    time: placed.time,
    accountId: placed.accountId,
    symbolId: placed.symbolId,
    orderNumber: placed.orderNumber,
    keyNumber: placed.keyNumber,
    side: placed.side,
    type: placed.type,
    timeInForce: placed.timeInForce,
    price: placed.price,
    stopPrice: placed.stopPrice,
    trailingDelta: placed.trailingDelta,
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
    learnedTotal: ended.learnedTotal,
  }
}
