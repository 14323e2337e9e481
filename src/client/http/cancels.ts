/**
 * Cancels that are sent until there is an answer. If an answer is lost, the next attempt finds nothing to
 * cancel: then the order, or the list, is queried, and shows whether it was canceled on request.
 */

import { ENDPOINTS } from '../endpoints.ts'
import { type BourseError, RefusedError } from '../errors.ts'
import type { Order, OrderList } from '../interface/orders.ts'
import type { Endpoint } from '../values.ts'
import type { Answer, Fields } from './attempt.ts'
import type { RestCaller, RetriedCall } from './caller.ts'

/** An endpoint that cancels something, and the endpoint that queries it. */
export type Canceling = {
  readonly endpoint: Endpoint
  readonly asking: Endpoint
  /** Parameters of the cancel, with their names at the other endpoint. */
  readonly names: Readonly<Record<string, string>>
  /** The reason that means that there is nothing to cancel. */
  readonly reason: string
}

export const CANCEL_ORDER: Canceling = {
  endpoint: ENDPOINTS.cancelOrder,
  asking: ENDPOINTS.order,
  names: { id: 'orderId', cancelOrigClientOrderId: 'origClientOrderId' },
  reason: 'UNKNOWN_ORDER',
}

export const CANCEL_LIST: Canceling = {
  endpoint: ENDPOINTS.cancelOrderList,
  asking: ENDPOINTS.orderList,
  names: { cancelListId: 'listId', cancelListClientOrderId: 'listClientOrderId' },
  reason: 'UNKNOWN_ORDER_LIST',
}

/** The answer; for a cancel whose own answer was lost, `data` is the order or list that was found. */
export async function cancel(
  caller: RestCaller,
  canceling: Canceling,
  fields: Fields,
  call: RetriedCall,
): Promise<Answer> {
  const { endpoint, reason } = canceling
  let isLost = false
  const onFailure = (error: BourseError) => {
    isLost ||= error.outcome === 'UNKNOWN'
  }
  try {
    return await caller.repeatedly(endpoint, fields, call, onFailure)
  } catch (error) {
    if (!isLost || !(error instanceof RefusedError) || error.reason !== reason) throw error
    const found = await foundUnder(caller, canceling, fields, call).catch((cause: unknown) => {
      throw error.with({ outcome: 'UNKNOWN', cause })
    })
    if (isCanceledByUser(found)) return { data: found, isRepeated: true }
    throw error
  }
}

/** Whether the target of a cancel was canceled on request. */
export async function isCanceled(
  caller: RestCaller,
  canceling: Canceling,
  fields: Fields,
  call: RetriedCall,
): Promise<boolean> {
  return isCanceledByUser(await foundUnder(caller, canceling, fields, call))
}

async function foundUnder(
  caller: RestCaller,
  { asking, names }: Canceling,
  fields: Fields,
  call: RetriedCall,
): Promise<Order | OrderList> {
  const { data } = await caller.repeatedly(asking, renamed(fields, names), call)
  return data as Order | OrderList
}

function renamed(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  const own = Object.entries(fields).filter(([name]) => Object.hasOwn(names, name))
  return Object.fromEntries(own.map(([name, value]) => [names[name], value]))
}

function isCanceledByUser(found: Order | OrderList): boolean {
  const orders = 'orders' in found ? found.orders : [found]
  return orders.some(({ status, endReason }) => status === 'CANCELED' && endReason === 'USER')
}
