/** Placing and testing an order: operations of trading, with Binance's parameter names. */

import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { isClientOrderId } from '../../../units/client-order-id.ts'
import { Refusal } from '../../common/refusal.ts'
import { findClientOrder } from '../../trading/client-order.ts'
import { newOrder as placeOperation } from '../../trading/operations/orders/new-order.ts'
import { testOrder as testOperation } from '../../trading/operations/orders/test-order.ts'
import { shownOrder } from '../../trading/order-objects.ts'
import { invalid } from '../endpoints/check.ts'
import { missing } from '../wire/refused.ts'
import { WireError, wrongParameter } from '../wire/wire-error.ts'
import { symbolOf, type WireAnswer, type WireCall } from '../wire-call.ts'
import { orderStatus } from './order-status.ts'
import { placedOrder, type RespType, type ShownFill, type ShownMembers } from './wire-order.ts'

/** Binance's names and ours. */
const NAMES = {
  side: 'side',
  type: 'type',
  timeInForce: 'timeInForce',
  quantity: 'quantity',
  quoteOrderQty: 'total',
  price: 'price',
  newClientOrderId: 'newClientOrderId',
  stopPrice: 'stopPrice',
  trailingDelta: 'trailingDelta',
  icebergQty: 'icebergQty',
  selfTradePreventionMode: 'selfTradePreventionMode',
} as const

type Fields = Readonly<Record<string, string>>
export type Placed = ShownMembers & { readonly fills: readonly ShownFill[] }

export async function newOrder(wireCall: WireCall): Promise<WireAnswer> {
  const asked = askedOrder(wireCall)
  if (asked instanceof WireError) return asked
  const { symbol, fields } = asked
  const data = await wireCall.operate<Placed>(placeOperation, { ...fields, newOrderRespType: 'FULL' })
  if (data instanceof Refusal) {
    return data.reason === 'DUPLICATE_CLIENT_ORDER_ID'
      ? duplicate(wireCall, fields.newClientOrderId ?? '')
      : data
  }
  if (wireCall.isRepeat) return duplicateOf(data)
  return JSON.stringify(placedOrder(data, binanceNameOf(symbol), respTypeOf(wireCall)))
}

export async function testOrder(wireCall: WireCall): Promise<WireAnswer> {
  const asked = askedOrder(wireCall)
  if (asked instanceof WireError) return asked
  const data = await wireCall.operate(testOperation, { ...asked.fields, test: 'true' })
  return data instanceof Refusal ? data : '{}'
}

/** FULL for order types that may trade at once, else ACK. */
export function respTypeOf({ parameters }: WireCall): RespType {
  const given = parameters.get('newOrderRespType')
  if (given !== undefined) return given as RespType
  const type = parameters.get('type')
  return type === 'MARKET' || type === 'LIMIT' ? 'FULL' : 'ACK'
}

export function askedOrder(
  wireCall: WireCall,
): { readonly symbol: TradingSymbol; readonly fields: Fields } | WireError {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { parameters } = wireCall
  const fault = combinationFault(wireCall)
  if (fault !== undefined) return fault
  const clientOrderId = parameters.get('newClientOrderId')
  if (clientOrderId !== undefined && !isClientOrderId(clientOrderId)) return invalid('newClientOrderId')
  const fields: Record<string, string> = { symbol: symbol.name }
  for (const [theirs, ours] of Object.entries(NAMES)) {
    const value = parameters.get(theirs)
    if (value !== undefined) fields[ours] = value
  }
  return { symbol, fields }
}

/**
 * The error if parameters are missing or excluded by others: our operation would accept more combinations
 * than Binance does.
 */
function combinationFault({ parameters }: WireCall): WireError | undefined {
  const type = parameters.get('type') ?? ''
  if (parameters.has('quantity') && parameters.has('quoteOrderQty')) {
    const msg = 'Combination of optional parameters invalid.'
    return wrongParameter('quoteOrderQty', -1128, msg, 'PARAMETER_NOT_TAKEN')
  }
  const hasTime = type === 'LIMIT' || type === 'STOP_LOSS_LIMIT' || type === 'TAKE_PROFIT_LIMIT'
  if (hasTime && !parameters.has('timeInForce'))
    return wrongParameter('timeInForce', -1102, missing('timeInForce'), 'MISSING_PARAMETER')
  return undefined
}

/** The error for a client order id that the account has already used, with the order and its state. */
export async function duplicate({ call }: WireCall, clientOrderId: string): Promise<WireAnswer> {
  const found = await findClientOrder(call, clientOrderId, undefined)
  if (found instanceof Refusal) return duplicateError(undefined)
  const shown = await shownOrder(call, found)
  if (shown instanceof Refusal) return duplicateError(undefined)
  const { order } = shown
  const { orderNumber } = found
  return duplicateError({ orderId: orderNumber, status: orderStatus(order) })
}

export function duplicateOf(order: Placed): WireError {
  const { orderId, status } = placedOrder(order, '', 'RESULT') as { orderId: number; status: string }
  return duplicateError({ orderId, status })
}

function duplicateError(beside: WireError['beside']): WireError {
  const msg = 'Duplicate order sent.'
  return new WireError({ status: 400, code: -2010, msg, reason: 'DUPLICATE_CLIENT_ORDER_ID', beside })
}
