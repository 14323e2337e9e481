/** Lowering the quantity of an order, which keeps its place. */

import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import { uuidOf } from '../../../units/ids.ts'
import { Refusal } from '../../common/refusal.ts'
import { amendOrder as operation } from '../../trading/operations/orders/amend-order.ts'
import { shownOrder } from '../../trading/order-objects.ts'
import { WireError } from '../wire/wire-error.ts'
import { symbolOf, type WireAnswer, type WireCall } from '../wire-call.ts'
import { namedOrder } from './find-order.ts'
import { NOT_THERE } from './read.ts'
import { amendedOrder, type ShownMembers } from './wire-order.ts'

export async function amendOrder(wireCall: WireCall): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const name = await namedOrder(wireCall)
  if (name instanceof WireError) return name
  if (name instanceof Refusal) return new WireError(NOT_THERE)
  const { call, parameters } = wireCall
  const shown = await shownOrder(call, name)
  if (shown instanceof Refusal || shown.symbol.id !== symbol.id) return new WireError(NOT_THERE)
  const orderId = uuidOf('order', name.orderNumber, name.time)
  const fields = { orderId, newQty: parameters.get('newQty') ?? '' }
  const data = await wireCall.operate<ShownMembers>(operation, fields)
  if (data instanceof Refusal) return data
  return JSON.stringify({
    transactTime: data.updatedAt,
    executionId: call.services.market.seq,
    amendedOrder: amendedOrder(data, binanceNameOf(symbol)),
  })
}
