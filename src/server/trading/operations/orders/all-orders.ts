/**
 * Orders of the account, open and ended, newest first, starting at a position
 * (docs/reference/orders.md#all-orders).
 */

import { ORDERS_READ, orderJson } from '../../../../contract/api/order-object.ts'
import { ORDER_ID } from '../../../../contract/expectations.ts'
import { PAGE_END, pageHead, placeEnd } from '../../../../contract/pages.ts'
import { ORDERS_MAX } from '../../../../engine/port/ports.ts'
import { isUuidText, type OrderNumber, parseOrderUuid, uuidOf } from '../../../../units/ids.ts'
import { readOptional, readTimeRange, readWholeNumber } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { listAnswer } from '../../list-answer.ts'
import { operationOf, readSymbol } from '../../operation.ts'
import { type ShownOrder, shownOrders } from '../../order-objects.ts'

const LIMIT = { min: 1, max: ORDERS_MAX, fallback: 500 }

/** Number of orders covered by one unit of weight, if that exceeds the weight above. */
const ORDERS_PER_WEIGHT = 25

/** Approximate memory of an order before it is converted to text. */
const ROW_BYTES = 800

export const allOrders = operationOf('allOrders', allOrdersAnswer)

async function allOrdersAnswer(call: Call): Promise<Answer> {
  const { parameters, services, accountId } = call
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const times = readTimeRange(parameters, 'from', 'to')
  if (times instanceof Refusal) return times
  const before = readBefore(call)
  if (before instanceof Refusal) return before
  const limit = readWholeNumber(parameters, 'limit', LIMIT)
  if (limit instanceof Refusal) return limit
  const atLeast = services.market.seq
  const query = { accountId, symbolId: symbol?.id, ...times, before, limit, atLeast }
  const { orders, next } = await services.history.orders(query)
  const refusal = call.chargeRows(
    Math.max(0, Math.ceil(orders.length / ORDERS_PER_WEIGHT) - allOrders.weight),
  )
  if (refusal !== undefined) return refusal
  return listAnswer(
    {
      head: pageHead(ORDERS_READ, call.language, 'orders'),
      rows: await shownOrders(call, orders),
      words: (rows: readonly ShownOrder[]) => rows.map((row) => orderJson(row.order, row.symbol)).join(','),
      end: next === undefined ? PAGE_END : placeEnd(uuidOf('order', next.orderNumber, next.time)),
      rowBytes: ROW_BYTES,
    },
    call.lane,
  )
}

/** The order given by `before`; an id that cannot be one of ours is an error, not an empty list. */
function readBefore(call: Call): OrderNumber | undefined | Refusal {
  const text = readOptional(call.parameters, 'before')
  if (text === undefined || text instanceof Refusal) return text
  const order = isUuidText(text) ? parseOrderUuid(text) : undefined
  return order?.number ?? refuse('INVALID_PARAMETER', { name: 'before', expected: ORDER_ID })
}
