/**
 * The requests that a connection which is logged in may send (docs/reference/order-entry.md#requests): each is an operation of
 * trading under a name of its own. Another one is a line here.
 */
import type { Taking } from '../trading/fields.ts'
import type { Operation } from '../trading/operation.ts'
import { AMEND_ORDER_NAMES, amendOrder } from '../trading/operations/orders/amend-order.ts'
import {
  CANCEL_OPEN_ORDERS_NAMES,
  cancelOpenOrders,
} from '../trading/operations/orders/cancel-open-orders.ts'
import {
  CANCEL_ORDER_NAMES,
  cancelOrder,
  checkCancelOrderName,
} from '../trading/operations/orders/cancel-order.ts'
import { COUNTDOWN_NAMES, countdownCancelAll } from '../trading/operations/orders/countdown-cancel-all.ts'
import { newOrder } from '../trading/operations/orders/new-order.ts'
import { ORDER_BATCH_NAMES, orderBatch } from '../trading/operations/orders/order-batch.ts'
import {
  checkReplaceOrderName,
  REPLACE_ORDER_NAMES,
  replaceOrder,
} from '../trading/operations/orders/replace-order.ts'
import { checkNewOrderName, NEW_ORDER_NAMES } from '../trading/order-parameters.ts'

export type EntryRequest = Taking & {
  readonly operation: Operation
  /** Parameters that it takes, `timestamp` and `recvWindow` among them; any other is refused. */
  readonly takes: ReadonlySet<string>
}

/** What may come too late takes a deadline too; a cancel never does. */
const timed = (names: ReadonlySet<string>): ReadonlySet<string> => new Set([...names, 'deadline'])

export const ENTRY_REQUESTS: ReadonlyMap<string, EntryRequest> = new Map([
  ['order.place', { operation: newOrder, takes: timed(NEW_ORDER_NAMES), checkName: checkNewOrderName }],
  ['order.cancel', { operation: cancelOrder, takes: CANCEL_ORDER_NAMES, checkName: checkCancelOrderName }],
  ['order.amend', { operation: amendOrder, takes: timed(AMEND_ORDER_NAMES) }],
  [
    'order.cancelReplace',
    { operation: replaceOrder, takes: timed(REPLACE_ORDER_NAMES), checkName: checkReplaceOrderName },
  ],
  ['order.cancelAll', { operation: cancelOpenOrders, takes: CANCEL_OPEN_ORDERS_NAMES }],
  ['order.countdownCancelAll', { operation: countdownCancelAll, takes: timed(COUNTDOWN_NAMES) }],
  ['order.batch', { operation: orderBatch, takes: timed(ORDER_BATCH_NAMES) }],
])
