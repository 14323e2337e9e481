/** Canceling one order, or all of a symbol. */
import { orderMembers } from '../../../contract/api/order-object.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import { uuidOf } from '../../../units/ids.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import { cancelOpenOrders as cancelAllOperation } from '../../trading/operations/orders/cancel-open-orders.ts'
import { cancelOrder as cancelOperation } from '../../trading/operations/orders/cancel-order.ts'
import { shownOrder } from '../../trading/order-objects.ts'
import { WireError } from '../wire/wire-error.ts'
import { symbolOf, type WireAnswer, type WireCall } from '../wire-call.ts'
import { namedOrder } from './find-order.ts'
import { canceledOrder, type ShownMembers } from './wire-order.ts'

export async function cancelOrder(wireCall: WireCall): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const name = await namedOrder(wireCall)
  if (name instanceof Refusal || name instanceof WireError) return name
  const id = uuidOf('order', name.orderNumber, name.time)
  const fields = { id, symbol: symbol.name, newOrderRespType: 'RESULT' }
  const data = await wireCall.operate<ShownMembers>(cancelOperation, fields)
  if (data instanceof Refusal) return data
  const cancelId = wireCall.parameters.get('newClientOrderId')
  return JSON.stringify(canceledOrder(data, binanceNameOf(symbol), cancelId))
}

/** Cancels all of them; the answer has the first page of those that were open. */
export async function cancelOpenOrders(wireCall: WireCall): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { call } = wireCall
  const { accountId } = call
  const query = { accountId, symbolId: symbol.id, after: undefined }
  const { orders } = await call.services.engine.ask('openOrders', query)
  if (orders.length === 0) return refuse('UNKNOWN_ORDER', {})
  const done = await wireCall.operate(cancelAllOperation, { scope: 'SYMBOL', symbol: symbol.name })
  if (done instanceof Refusal) return done
  const canceled: unknown[] = []
  for (const order of orders) {
    const shown = await shownOrder(call, order)
    if (shown instanceof Refusal || shown.order.status !== 'CANCELED') continue
    canceled.push(canceledOrder(orderMembers(shown.order, symbol), binanceNameOf(symbol), undefined))
  }
  return JSON.stringify(canceled)
}
