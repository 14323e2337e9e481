/**
 * The requests that a logged-in connection may send (docs/reference/order-entry.md#requests): each is an
 * operation of trading under a name of its own. A new request is one more line here.
 */
import { type EndpointId, parameterNames } from '../../contract/endpoints/endpoints.ts'
import type { Taking } from '../trading/fields.ts'
import type { Operation } from '../trading/operation.ts'
import { amendOrder } from '../trading/operations/orders/amend-order.ts'
import { cancelOpenOrders } from '../trading/operations/orders/cancel-open-orders.ts'
import { cancelOrder, checkCancelOrderName } from '../trading/operations/orders/cancel-order.ts'
import { countdownCancelAll } from '../trading/operations/orders/countdown-cancel-all.ts'
import { newOrder } from '../trading/operations/orders/new-order.ts'
import { orderBatch } from '../trading/operations/orders/order-batch.ts'
import { checkReplaceOrderName, replaceOrder } from '../trading/operations/orders/replace-order.ts'
import { checkNewOrderName } from '../trading/order-parameters.ts'

export type EntryRequest = Taking & {
  readonly operation: Operation
  /** Parameters that it accepts, including `timestamp` and `recvWindow`; any other one is refused. */
  readonly takes: ReadonlySet<string>
}

/** Requests that may arrive too late accept a deadline; a cancel does not. */
const timed = (id: EndpointId): ReadonlySet<string> => new Set([...parameterNames(id), 'deadline'])

export const ENTRY_REQUESTS: ReadonlyMap<string, EntryRequest> = new Map([
  ['order.place', { operation: newOrder, takes: timed('newOrder'), checkName: checkNewOrderName }],
  [
    'order.cancel',
    { operation: cancelOrder, takes: parameterNames('cancelOrder'), checkName: checkCancelOrderName },
  ],
  ['order.amend', { operation: amendOrder, takes: timed('amendOrder') }],
  [
    'order.cancelReplace',
    { operation: replaceOrder, takes: timed('replaceOrder'), checkName: checkReplaceOrderName },
  ],
  ['order.cancelAll', { operation: cancelOpenOrders, takes: parameterNames('massCancel') }],
  ['order.countdownCancelAll', { operation: countdownCancelAll, takes: timed('countdown') }],
  ['order.batch', { operation: orderBatch, takes: timed('orderBatch') }],
])
