/** Placing order lists: their parameters have the same names here and at our own interface. */

import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import { Refusal } from '../../common/refusal.ts'
import type { Operation } from '../../trading/operation.ts'
import {
  newOco as ocoOperation,
  newOtoco as otocoOperation,
  newOto as otoOperation,
} from '../../trading/operations/orders/new-list.ts'
import { SIGNED } from '../endpoints/row.ts'
import { WireError } from '../wire/wire-error.ts'
import { type Handler, symbolOf, type WireAnswer, type WireCall } from '../wire-call.ts'
import { listHead, listNumberOf, type ShownList } from './wire-list.ts'
import { placedOrder, type RespType } from './wire-order.ts'

export const newOco = placing(ocoOperation)
export const newOto = placing(otoOperation)
export const newOtoco = placing(otocoOperation)

const NOT_OURS: ReadonlySet<string> = new Set([...Object.keys(SIGNED), 'symbol', 'newOrderRespType'])

function placing(operation: Operation): Handler {
  return (wireCall) => place(wireCall, operation)
}

async function place(wireCall: WireCall, operation: Operation): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { parameters } = wireCall
  const fields: Record<string, string> = { symbol: symbol.name }
  for (const name of parameters.names()) if (!NOT_OURS.has(name)) fields[name] = parameters.get(name) ?? ''
  const list = await wireCall.operate<ShownList>(operation, fields)
  if (list instanceof Refusal) return list
  if (wireCall.isRepeat) return duplicateList(list)
  const name = binanceNameOf(symbol)
  const type: RespType = parameters.get('newOrderRespType') === 'ACK' ? 'ACK' : 'RESULT'
  const orderReports = list.orders.map((order) => placedOrder({ ...order, fills: [] }, name, type))
  return JSON.stringify({ ...listHead(list, name), orderReports })
}

function duplicateList(list: ShownList): WireError {
  const beside = { orderListId: listNumberOf(list), listOrderStatus: list.listOrderStatus }
  const msg = 'Duplicate order sent.'
  return new WireError({ status: 400, code: -2010, msg, reason: 'DUPLICATE_CLIENT_ORDER_ID', beside })
}
