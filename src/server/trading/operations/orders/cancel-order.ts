/**
 * Cancelling an order (endpoint 5). An id that cannot be one of ours gets the same answer as any other unknown one.
 */
import type { CancelClientOrder, CancelOrder } from '../../../../core/exchange/commands/orders.ts'
import { isUuidText, parseOrderUuid } from '../../../../units/ids.ts'
import { invariant } from '../../../../units/invariant.ts'
import { either, INSTEAD_OF_ID, ORDER_ID } from '../../../../wire/expectations.ts'
import { orderCanceledBody } from '../../../../wire/orders.ts'
import { readOptional } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Call, Outcome } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { readClientOrderId } from '../../order-parameters.ts'

const WHICH_ORDER = either('id', 'cancelOrigClientOrderId')

/** What is signed to replace an order must not cancel it alone; and a cancel that is restricted must not be one that is not. */
const UNSUPPORTED_NAMES = ['cancelReplaceMode', 'cancelRestrictions']

export const cancelOrder = operationOf('cancelOrder', cancelOrderAnswer, checkCancelOrderName)

export function checkCancelOrderName(name: string): Refusal | undefined {
  return UNSUPPORTED_NAMES.includes(name) ? refuse('UNSUPPORTED_PARAMETER', { name }) : undefined
}

function cancelOrderAnswer(call: Call): Outcome {
  const clientOrderId = readClientOrderId(call.parameters, 'cancelOrigClientOrderId')
  if (clientOrderId instanceof Refusal) return clientOrderId
  return clientOrderId === undefined ? cancelById(call) : cancelByClientOrderId(call, clientOrderId)
}

function cancelByClientOrderId(call: Call, clientOrderId: string): Outcome {
  if (call.parameters.has('id')) {
    return refuse('INVALID_PARAMETER', { name: 'cancelOrigClientOrderId', expected: INSTEAD_OF_ID })
  }
  return cancel(call, { kind: 'CancelClientOrder', accountId: call.accountId, clientOrderId })
}

function cancelById(call: Call): Outcome {
  const text = readOptional(call.parameters, 'id')
  if (text === undefined) return refuse('MISSING_PARAMETER', { name: WHICH_ORDER })
  if (text instanceof Refusal) return text
  if (!isUuidText(text)) return refuse('INVALID_PARAMETER', { name: 'id', expected: ORDER_ID })
  const order = parseOrderUuid(text)
  if (order === undefined) return refuse('UNKNOWN_ORDER', {})
  const { accountId } = call
  return cancel(call, { kind: 'CancelOrder', accountId, orderNumber: order.number, orderTime: order.time })
}

function cancel(call: Call, command: CancelOrder | CancelClientOrder): Outcome {
  const { language } = call
  return call.handOver(command, (reply, body) => {
    invariant(reply.kind === 'Done', () => `expected Done to ${command.kind}, found ${reply.kind}`)
    body.text(orderCanceledBody(language))
  })
}
