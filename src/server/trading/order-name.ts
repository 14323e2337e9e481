/** How a request names one order of its account: by the order's id, or by the id that the account gave it. */

import { either, INSTEAD_OF_ID, ORDER_ID } from '../../contract/expectations.ts'
import type { OrderTarget } from '../../core/commands/order-changes.ts'
import { isUuidText, parseOrderUuid } from '../../units/ids.ts'
import type { Parameters } from '../common/parameters.ts'
import { readOptional } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { readClientOrderId } from './order-parameters.ts'

/** The names of its two parameters, one of which is required. */
export type TargetNames = { readonly id: string; readonly clientOrderId: string }

/** An impossible id gets the same answer as any other unknown one. */
export function readTarget(parameters: Parameters, names: TargetNames): OrderTarget | Refusal {
  const clientOrderId = readClientOrderId(parameters, names.clientOrderId)
  if (clientOrderId instanceof Refusal) return clientOrderId
  const text = readOptional(parameters, names.id)
  if (text instanceof Refusal) return text
  if (clientOrderId !== undefined) {
    if (text === undefined) return { clientOrderId }
    return refuse('INVALID_PARAMETER', { name: names.clientOrderId, expected: INSTEAD_OF_ID })
  }
  if (text === undefined) {
    return refuse('MISSING_PARAMETER', { name: either(names.id, names.clientOrderId) })
  }
  if (!isUuidText(text)) return refuse('INVALID_PARAMETER', { name: names.id, expected: ORDER_ID })
  const order = parseOrderUuid(text)
  return order === undefined
    ? refuse('UNKNOWN_ORDER', {})
    : { orderNumber: order.number, orderTime: order.time }
}
