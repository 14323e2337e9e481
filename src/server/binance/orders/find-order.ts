/**
 * Finds the order of its account that a request names, by its number or by the id that the account gave it.
 */
import { orderMembers } from '../../../contract/api/order-object.ts'
import { isClientOrderId } from '../../../units/client-order-id.ts'
import type { OrderNumber } from '../../../units/ids.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Call } from '../../trading/call.ts'
import { findClientOrder } from '../../trading/client-order.ts'
import { type OrderName, shownOrder } from '../../trading/order-objects.ts'
import { invalid } from '../endpoints/check.ts'
import { type WireError, wrongParameter } from '../wire/wire-error.ts'
import type { WireCall } from '../wire-call.ts'
import { clientIdOf, numberInId } from './wire-order.ts'

const OTHER_ID = 'Client order ID is not correct for this order ID.'

/** The order that a request names by `orderId` and `origClientOrderId`. */
export function namedOrder({ call, parameters }: WireCall): Promise<OrderName | Refusal | WireError> {
  return orderNamedBy(call, parameters, { id: 'orderId', clientId: 'origClientOrderId' })
}

/** The order that a request names, with other parameter names. */
export async function orderNamedBy(
  call: Call,
  parameters: WireCall['parameters'],
  names: { readonly id: string; readonly clientId: string },
): Promise<OrderName | Refusal | WireError> {
  const id = parameters.get(names.id)
  const clientOrderId = parameters.get(names.clientId)
  if (id === undefined && clientOrderId === undefined) {
    const msg = `Param '${names.clientId}' or '${names.id}' must be sent, but both were empty/null!`
    return wrongParameter(names.id, -1102, msg, 'MISSING_PARAMETER')
  }
  if (clientOrderId !== undefined && !isClientOrderId(clientOrderId)) return invalid(names.clientId)
  if (id !== undefined) {
    const name = await numberedOrder(call, Number(id))
    if (name instanceof Refusal || clientOrderId === undefined) return name
    const shown = await shownOrder(call, name)
    if (shown instanceof Refusal) return shown
    // The id stored with the order: the index forgets an id some time after its order has ended.
    return clientIdOf(orderMembers(shown.order, shown.symbol)) !== clientOrderId
      ? wrongParameter(names.clientId, -2039, OTHER_ID, 'UNKNOWN_CLIENT_ORDER_ID')
      : name
  }
  return clientOrder(call, clientOrderId ?? '')
}

async function clientOrder(call: Call, clientOrderId: string): Promise<OrderName | Refusal> {
  const found = await findClientOrder(call, clientOrderId, undefined)
  const number = numberInId(clientOrderId)
  return found instanceof Refusal && number !== undefined ? numberedOrder(call, number) : found
}

/** The order with this number: open orders are requested from the engine, all others are in history. */
export async function numberedOrder(call: Call, number: number): Promise<OrderName | Refusal> {
  const unknown = refuse('UNKNOWN_ORDER', {})
  if (!Number.isSafeInteger(number) || number <= 0) return unknown
  const { services, accountId } = call
  const orderNumbers = [number as OrderNumber]
  const [open] = await services.engine.ask('ordersByNumber', { accountId, orderNumbers })
  if (open !== undefined) return open
  const atLeast = services.market.seq
  const [ended] = await services.history.numberedOrders({ orderNumbers, atLeast })
  return ended?.accountId === accountId ? ended : unknown
}
