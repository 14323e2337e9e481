/**
 * Open orders (endpoint 6): a bare array, newest first (docs/reference/http.md#open-orders).
 */
import type { OpenOrder } from '../../../../core/exchange/view.ts'
import { quoteScale } from '../../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { uuidOf } from '../../../../units/ids.ts'
import { worthOf } from '../../../../units/notional.ts'
import { lots } from '../../../../units/quantities.ts'
import { openOrderJson } from '../../../../wire/orders.ts'
import { ledgerTotal } from '../../../description/order-figures.ts'
import { operationOf } from '../../operation.ts'
import { openOrdersAnswer } from './open-order-list.ts'

export const activeOrders = operationOf('activeOrders', (call) =>
  openOrdersAnswer(call, { head: '[', word: activeOrderJson, end: ']' }),
)

/**
 * `qty` is what was asked for less what DECREMENT took off, so that `qty - execQty` is always what is still to be traded. What an order
 * that waits at any price does not name is 0.
 */
function activeOrderJson(order: OpenOrder, symbol: TradingSymbol): string {
  const quantity = lots(order.executedQuantity + order.remaining)
  const scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
  return openOrderJson(
    {
      id: uuidOf('order', order.orderNumber, order.time),
      side: order.side,
      price: order.price,
      quantity,
      executedQuantity: order.executedQuantity,
      total: order.stop?.total ?? ledgerTotal(worthOf(order.price, quantity), order.side, scale),
      time: order.time,
    },
    symbol,
  )
}
