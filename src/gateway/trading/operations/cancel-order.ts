/**
 * Cancelling an order (endpoint 5). An id that cannot be one of ours gets the same answer as any other unknown one.
 */
import { isUuidText, parseOrderUuid } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { ORDER_ID } from '../../../wire/expectations.ts'
import { orderCanceledBody } from '../../../wire/orders.ts'
import { readRequired } from '../../common/read.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Call, Outcome } from '../call.ts'
import { type Operation, TRADE } from '../operation.ts'

/** Every parameter of it. */
export const CANCEL_ORDER_NAMES: ReadonlySet<string> = new Set(['id', 'timestamp', 'recvWindow'])

export const cancelOrder: Operation = { security: TRADE, weight: 1, answer: cancelOrderAnswer }

function cancelOrderAnswer(call: Call): Outcome {
  const text = readRequired(call.parameters, 'id')
  if (text instanceof Refusal) return text
  if (!isUuidText(text)) return refuse('INVALID_PARAMETER', { name: 'id', expected: ORDER_ID })
  const order = parseOrderUuid(text)
  if (order === undefined) return refuse('UNKNOWN_ORDER', {})
  const { accountId, language } = call
  return call.handOver(
    { kind: 'CancelOrder', accountId, orderNumber: order.number, orderTime: order.time },
    (reply) => {
      invariant(reply.kind === 'Done', () => `expected Done to CancelOrder, found ${reply.kind}`)
      return orderCanceledBody(language)
    },
  )
}
