/** Fills of the account in a symbol, oldest first. */

import { fillMembers } from '../../../contract/api/fills.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { type TradeNumber, uuidOf } from '../../../units/ids.ts'
import { Refusal } from '../../common/refusal.ts'
import { historyItem } from '../../description/history-item.ts'
import type { Call } from '../../trading/call.ts'
import { myTrades as operation } from '../../trading/operations/account/my-trades.ts'
import { numberedOrder } from '../orders/find-order.ts'
import { orderNumberOf } from '../orders/wire-order.ts'
import { paddedText } from '../wire/padded.ts'
import { WireError } from '../wire/wire-error.ts'
import { rangeOf, rowsAnswer, symbolOf, type WireAnswer, type WireCall, wholeOf } from '../wire-call.ts'

const LIMIT = { max: 1_000, fallback: 500 }
/** The same limit as for this list at our own interface. */
const FILLS_PER_WEIGHT = 25

type Fill = {
  readonly number?: number | undefined
  readonly orderId: string
  readonly side: string
  readonly price: string
  readonly quantity: string
  readonly total: string
  readonly commission: string
  readonly commissionAsset: string
  readonly isMaker: boolean
  readonly time: number
}

export async function myTrades(wireCall: WireCall): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { parameters } = wireCall
  const isOfOrder = parameters.has('orderId')
  const isOldest = !isOfOrder && (parameters.has('fromId') || parameters.has('startTime'))
  const fills = isOldest ? await oldestFills(wireCall, symbol) : await newestFills(wireCall, symbol)
  if (fills instanceof Refusal) return fills
  const from = Number(parameters.get('fromId') ?? 0)
  const rows = fills.toReversed().filter(({ number = 0 }) => number >= from)
  const name = binanceNameOf(symbol)
  return rowsAnswer(wireCall, rows, (fill) => ({ symbol: name, ...fillRow(fill) }))
}

/** The fills of an order, if one is given. */
async function newestFills(wireCall: WireCall, symbol: TradingSymbol): Promise<readonly Fill[] | Refusal> {
  const { parameters, call } = wireCall
  const limit = wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback)
  const fields: Record<string, string> = { symbol: symbol.name, limit: String(limit) }
  const [from, to] = [parameters.get('startTime'), parameters.get('endTime')]
  if (from !== undefined) fields.from = from
  if (to !== undefined) fields.to = to
  const orderId = parameters.get('orderId')
  if (orderId !== undefined) {
    const order = await numberedOrder(call, Number(orderId))
    if (order instanceof Refusal) return []
    fields.orderId = uuidOf('order', order.orderNumber, order.time)
  }
  const data = await wireCall.operate<{ readonly fills: readonly Fill[] }>(operation, fields)
  return data instanceof Refusal ? data : data.fills
}

/** Fills from the trade with a given number, and from a given time. */
async function oldestFills(wireCall: WireCall, symbol: TradingSymbol): Promise<readonly Fill[] | Refusal> {
  const { parameters, call } = wireCall
  const { services, accountId } = call
  const fromId = Number(parameters.get('fromId') ?? 0)
  const oldestFrom = fromId > 0 ? await tradeNumbered(call, symbol, fromId) : (0 as TradeNumber)
  if (oldestFrom === undefined) return []
  const limit = wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback)
  const ofAccount = { accountId, symbolId: symbol.id, orderNumber: undefined, ...rangeOf(wireCall) }
  const page = { before: undefined, oldestFrom, limit, atLeast: services.market.seq }
  const { fills, lookedAt } = await services.history.fills({ ...ofAccount, ...page })
  const more = Math.ceil(lookedAt / FILLS_PER_WEIGHT) - operation.weight
  const refusal = more > 0 ? call.chargeRows(more) : undefined
  if (refusal !== undefined) return refusal
  const { registry } = services.market
  return fills.map((fill) => fillMembers({ ...historyItem(fill, registry), isMaker: fill.isMaker }))
}

/** The exchange-wide number of a symbol's trade, or of the next one; undefined if there is none yet. */
async function tradeNumbered(
  { services }: Call,
  { id }: TradingSymbol,
  first: number,
): Promise<TradeNumber | undefined> {
  const range = { symbolId: id, first, from: undefined, to: undefined, limit: 1 }
  const [trade] = await services.history.symbolTrades({ ...range, upTo: services.market.seq })
  return trade?.tradeNumber
}

function fillRow(fill: Fill) {
  return {
    id: fill.number ?? 0,
    orderId: orderNumberOf(fill.orderId),
    orderListId: -1,
    price: paddedText(fill.price),
    qty: paddedText(fill.quantity),
    quoteQty: paddedText(fill.total),
    commission: paddedText(fill.commission),
    commissionAsset: fill.commissionAsset,
    time: fill.time,
    isBuyer: fill.side === 'BUY',
    isMaker: fill.isMaker,
    isBestMatch: true,
  }
}
