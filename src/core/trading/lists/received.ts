/**
 * The proceeds of a list's working order, and the resulting parameters of its pending orders
 * (docs/reference/order-lists.md#pending-orders).
 */
import { affordable } from '../../../units/notional.ts'
import { type Amount, type Lots, UNITS_MAX } from '../../../units/quantities.ts'
import type { Market } from '../../exchange/market.ts'
import {
  baseUnits,
  budgetOf,
  commissionDue,
  difference,
  lotsWithin,
  receivedFor,
} from '../../ledger/money.ts'
import type { Order } from '../open-orders.ts'

/**
 * Ledger units that an order has received, after commission: of the base asset for a BUY, of the quote asset
 * for a SELL.
 */
export function receivedBy(
  { side, executedQuantity, executedNotional, commission }: Order,
  { scale, lotScale }: Market,
): Amount {
  const gross = side === 'BUY' ? baseUnits(executedQuantity, lotScale) : receivedFor(executedNotional, scale)
  return difference(gross, commissionDue(commission))
}

/**
 * The quantity of a pending order that has none of its own, a multiple of the symbol's step size: the lots
 * received, or those that the proceeds pay for at its limit.
 */
export function lotsFor(
  { side, price }: Pick<Order, 'side' | 'price'>,
  received: Amount,
  { scale, lotScale, symbol: { increments } }: Market,
): Lots {
  const lots =
    side === 'BUY'
      ? affordable(UNITS_MAX as Lots, price, budgetOf(received, scale))
      : lotsWithin(received, lotScale)
  return increments === undefined ? lots : ((lots - (lots % increments.stepSize)) as Lots)
}
