/**
 * Open orders (endpoint 6): a bare array, newest first (docs/reference/http.md#open-orders).
 */

import { openOrderJson } from '../../../../contract/api/orders.ts'
import { quoteScale } from '../../../../core/ledger/money.ts'
import type { OpenOrder } from '../../../../core/questions/view.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { uuidOf } from '../../../../units/ids.ts'
import { worthOf } from '../../../../units/notional.ts'
import { lots } from '../../../../units/quantities.ts'
import { ledgerTotal } from '../../../description/order-figures.ts'
import { operationOf } from '../../operation.ts'
import { openOrdersAnswer } from './open-order-list.ts'

export const activeOrders = operationOf('activeOrders', (call) =>
  openOrdersAnswer(call, { head: '[', word: activeOrderJson, end: ']' }),
)

/**
 * `qty` is the requested quantity less the quantity that DECREMENT removed, so that `qty - execQty` is always
 * the remaining quantity. Values that a waiting order at any price does not have are 0.
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
