/** Open orders of the account as order objects, newest first (docs/reference/orders.md#open-orders). */

import { ORDERS_READ } from '../../../../contract/api/order-object.ts'
import { SUCCESS_LIST_END, successListHead } from '../../../../contract/envelope.ts'
import { openOrderJson } from '../../../description/order-objects.ts'
import type { Call } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { openOrdersAnswer } from './open-order-list.ts'

export const openOrders = operationOf('openOrders', (call: Call) =>
  openOrdersAnswer(call, {
    head: successListHead(ORDERS_READ, call.language),
    word: openOrderJson,
    end: SUCCESS_LIST_END,
  }),
)
