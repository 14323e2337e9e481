/**
 * One order of the account, open or long ended, by its id or by the id that the account gave it
 * (docs/reference/orders.md#order).
 */

import { orderBody } from '../../../../contract/api/order-object.ts'
import { either, INSTEAD_OF_ID, ORDER_ID } from '../../../../contract/expectations.ts'
import { isUuidText, parseOrderUuid } from '../../../../units/ids.ts'
import { readOptional } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { findClientOrder, readAttempts } from '../../client-order.ts'
import { operationOf, readSymbol } from '../../operation.ts'
import { type OrderName, shownOrder } from '../../order-objects.ts'
import { readClientOrderId } from '../../order-parameters.ts'

export const order = operationOf('order', orderAnswer)

async function orderAnswer(call: Call): Promise<Answer> {
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const name = await readOrderName(call)
  if (name instanceof Refusal) return name
  const shown = await shownOrder(call, name)
  if (!(shown instanceof Refusal) && symbol !== undefined && shown.symbol.id !== symbol.id)
    return refuse('UNKNOWN_ORDER', {})
  return shown instanceof Refusal ? shown : orderBody(shown.order, shown.symbol, call.language)
}

/**
 * The requested order: `orderId` or `origClientOrderId`, and with the latter optionally a `deadline` and the
 * time of the first attempt.
 */
async function readOrderName(call: Call): Promise<OrderName | Refusal> {
  const { parameters } = call
  const clientOrderId = readClientOrderId(parameters, 'origClientOrderId')
  if (clientOrderId instanceof Refusal) return clientOrderId
  const text = readOptional(parameters, 'orderId')
  if (text instanceof Refusal) return text
  const attempts = readAttempts(parameters)
  if (attempts instanceof Refusal) return attempts
  if (clientOrderId !== undefined) {
    if (text !== undefined)
      return refuse('INVALID_PARAMETER', { name: 'origClientOrderId', expected: INSTEAD_OF_ID })
    return findClientOrder(call, clientOrderId, attempts)
  }
  if (attempts !== undefined) return refuse('MISSING_PARAMETER', { name: 'origClientOrderId' })
  if (text === undefined) {
    return refuse('MISSING_PARAMETER', { name: either('orderId', 'origClientOrderId') })
  }
  if (!isUuidText(text)) return refuse('INVALID_PARAMETER', { name: 'orderId', expected: ORDER_ID })
  const id = parseOrderUuid(text)
  if (id === undefined) return refuse('UNKNOWN_ORDER', {})
  return { orderNumber: id.number, time: id.time }
}
