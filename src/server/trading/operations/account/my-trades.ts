/**
 * Fills of the account, newest first, starting at a position (docs/reference/orders.md#fills): the list that
 * trade history shows in pages, with the filters that bots need.
 */

import { FILLS_READ, fillJson } from '../../../../contract/api/fills.ts'
import { ORDER_ID } from '../../../../contract/expectations.ts'
import { PAGE_END, pageHead, placeEnd } from '../../../../contract/pages.ts'
import { FILLS_MAX, type FillQuery, type TradeRecord } from '../../../../engine/port/ports.ts'
import {
  isUuidText,
  type OrderNumber,
  parseOrderUuid,
  type UuidParts,
  uuidOf,
} from '../../../../units/ids.ts'
import { type TimeMs, UNITS_MAX } from '../../../../units/quantities.ts'
import { readOptional, readTimeRange, readWholeNumber } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import { historyItem } from '../../../description/history-item.ts'
import type { Answer, Call } from '../../call.ts'
import { listAnswer } from '../../list-answer.ts'
import { operationOf, readSymbol } from '../../operation.ts'
import { readTradeBefore } from './trade-history.ts'

const LIMIT = { min: 1, max: FILLS_MAX, fallback: 500 }

/** Number of examined fills covered by one unit of weight, if that exceeds the weight above. */
const FILLS_PER_WEIGHT = 25

/** Approximate memory of a fill before it is converted to text. */
const ROW_BYTES = 400

export const myTrades = operationOf('myTrades', myTradesAnswer)

async function myTradesAnswer(call: Call): Promise<Answer> {
  const { parameters, services, accountId } = call
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const order = readOrder(call)
  if (order instanceof Refusal) return order
  const times = readTimeRange(parameters, 'from', 'to')
  if (times instanceof Refusal) return times
  const before = readTradeBefore(call)
  if (before instanceof Refusal) return before
  const limit = readWholeNumber(parameters, 'limit', LIMIT)
  if (limit instanceof Refusal) return limit
  const atLeast = services.market.seq
  const asked = {
    accountId,
    symbolId: symbol?.id,
    orderNumber: order?.number,
    ...times,
    before,
    limit,
    atLeast,
  }
  const query = order === undefined ? asked : await narrowed(call, asked, order)
  const { fills, lookedAt, next } = await services.history.fills(query)
  const refusal = call.chargeRows(Math.max(0, Math.ceil(lookedAt / FILLS_PER_WEIGHT) - myTrades.weight))
  if (refusal !== undefined) return refusal
  const { registry } = services.market
  return listAnswer(
    {
      head: pageHead(FILLS_READ, call.language, 'fills'),
      rows: fills,
      words: (rows: readonly TradeRecord[]) =>
        rows.map((fill) => fillJson({ ...historyItem(fill, registry), isMaker: fill.isMaker })).join(','),
      end: next === undefined ? PAGE_END : placeEnd(uuidOf('trade', next.tradeNumber, next.time)),
      rowBytes: ROW_BYTES,
    },
    call.lane,
  )
}

type NamedOrder = UuidParts<OrderNumber>

/** No order has a fill outside of its symbol, before it was placed, or after it has ended. */
async function narrowed(call: Call, asked: FillQuery, named: NamedOrder): Promise<FillQuery> {
  const { atLeast, from, to } = asked
  const [order] = await call.services.history.numberedOrders({ orderNumbers: [named.number], atLeast })
  // Finds nothing for an order that does not exist, or is not the account's.
  const isOwn = order?.accountId === asked.accountId && order.time === named.time
  if (!isOwn) return { ...asked, from: LATEST }
  const ended = order.end?.time
  return {
    ...asked,
    symbolId: asked.symbolId ?? order.symbolId,
    from: from === undefined || from < order.time ? order.time : from,
    to: to === undefined || (ended !== undefined && ended < to) ? ended : to,
  }
}

/** A time after which nothing happens. */
const LATEST = UNITS_MAX as TimeMs

/** The order named by `orderId`; an id that cannot be one of ours is an error, not an empty list. */
function readOrder(call: Call): NamedOrder | undefined | Refusal {
  const text = readOptional(call.parameters, 'orderId')
  if (text === undefined || text instanceof Refusal) return text
  const order = isUuidText(text) ? parseOrderUuid(text) : undefined
  return order ?? refuse('INVALID_PARAMETER', { name: 'orderId', expected: ORDER_ID })
}
