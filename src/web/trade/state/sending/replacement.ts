/** The order that replaces an edited or moved one. */
import { Decimal } from '../../../../client/decimal.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'

/** The changed part of an order. */
export type Moved = {
  readonly price?: string | undefined
  readonly stopPrice?: string | undefined
  /** In basis points. */
  readonly trailingDelta?: number | undefined
  readonly quantity?: string | undefined
  /** It follows the price from the next trade on, without the stop price of the old order. */
  readonly beginsAtOnce?: boolean | undefined
}

/** The rest of an order as a new order, with the changes. */
export function replacementOf(order: Order, moved: Moved = {}): NewOrderParameters {
  const { symbol, side, type, timeInForce, price, stopPrice, quantity, total, visibleQuantity } = order
  const { trailingDelta, trailingTime } = order
  const { executedQuantity, preventedQuantity, executedTotal, expireTime, triggeredAt } = order
  const left = (whole: string | undefined, done: string) =>
    whole === undefined ? undefined : Decimal.from(whole).minus(done).toString()
  const rest = moved.quantity ?? left(left(quantity, executedQuantity), preventedQuantity ?? '0')
  // An order whose stop price was reached rests like a limit order; with the stop price it would be refused.
  const isLimit = triggeredAt !== undefined && price !== undefined
  const isAll =
    visibleQuantity !== undefined && rest !== undefined && Decimal.from(visibleQuantity).compare(rest) > 0
  const shown = isAll ? rest : visibleQuantity
  const fields = {
    timeInForce: type === 'LIMIT_MAKER' ? undefined : timeInForce,
    price: moved.price ?? price,
    // An order that already follows the price has reached its stop price: its replacement follows at once.
    stopPrice:
      isLimit || trailingTime !== undefined || moved.beginsAtOnce
        ? undefined
        : (moved.stopPrice ?? stopPrice),
    trailingDelta: isLimit ? undefined : (moved.trailingDelta ?? trailingDelta),
    quantity: rest,
    total: price === undefined ? left(total, executedTotal) : undefined,
    icebergQty: shown,
    expireTime,
    selfTradePreventionMode: order.selfTradePreventionMode,
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { symbol, side, type: isLimit ? 'LIMIT' : type, ...Object.fromEntries(given) }
}
