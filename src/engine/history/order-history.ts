/**
 * Orders in history: the order as placed, stored once, and its end, stored once
 * (docs/reference/orders.md#order).
 */
import { CANCEL_CAUSES, type OrderPlaced } from '../../core/events/event.ts'
import type { OrderNumber } from '../../units/ids.ts'
import type { Amount, Lots, Notional, Seq, TimeMs } from '../../units/quantities.ts'
import { integer, object, orUndefined, uint, type ValueOf, word } from '../../units/shapes/shape.ts'

/** Figures of an order that has ended. */
export const END_FIELDS = {
  executedQuantity: uint<Lots>(),
  /** The exact sum of price x quantity over its fills. */
  executedNotional: integer<Notional>(),
  /** Ledger units of the asset that it received. */
  commission: integer<Amount>(),
  /** The quantity that self-trade prevention removed or, at the end, gave up. */
  preventedQuantity: uint<Lots>(),
}
export const END_OPTIONS = {
  /** The reason for its cancellation; undefined if it was filled. */
  cause: orUndefined(word(CANCEL_CAUSES)),
  /**
   * The quantity to which it was amended, or which it received when its list's working order was filled;
   * undefined for the original quantity.
   */
  amendedQuantity: orUndefined(uint<Lots>()),
  /** The total that it received then, in ledger units of the quote asset; undefined for the original one. */
  learnedTotal: orUndefined(integer<Amount>()),
}
export const ORDER_END = object({ seq: uint<Seq>(), time: uint<TimeMs>(), ...END_FIELDS }, END_OPTIONS)

/** The final state of an order, and the command that ended it. */
export interface OrderEnd extends ValueOf<typeof ORDER_END> {}

/** The end of an order that was open after the command that placed it. */
export type EndedOrder = OrderEnd & { readonly orderNumber: OrderNumber }

/**
 * An order as placed by command `seq`, and its end. A stored order has an end only if that same command ended
 * it. An order in an answer of history has its end in any case; without one, it was open at history's
 * position.
 */
export type HistoryOrder = OrderPlaced & { readonly seq: Seq; readonly end: OrderEnd | undefined }

/** A stored order with its end. */
export function historyOrder(placed: HistoryOrder, ended: EndedOrder | undefined): HistoryOrder {
  return ended === undefined ? placed : { ...placed, end: endOf(ended) }
}

/** The end of an order, without the order's number. */
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
