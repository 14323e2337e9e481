/** Reading orders of the account: one by its id, the open ones, and all, oldest first. */
import { orderMembers } from '../../../contract/api/order-object.ts'
import type { OpenOrder } from '../../../core/questions/view.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { OrderNumber } from '../../../units/ids.ts'
import { Refusal } from '../../common/refusal.ts'
import { askedOfOpen, type KeyNames, openObject } from '../../description/order-objects.ts'
import { openOrdersAnswer } from '../../trading/operations/orders/open-order-list.ts'
import { type ShownOrder, shownOrder, shownOrders } from '../../trading/order-objects.ts'
import { WireError } from '../wire/wire-error.ts'
import { rangeOf, rowsAnswer, symbolOf, type WireAnswer, type WireCall, wholeOf } from '../wire-call.ts'
import { namedOrder } from './find-order.ts'
import { queriedOrder } from './wire-order.ts'

const LIMIT = { max: 1_000, fallback: 500 }
export const NOT_THERE = {
  status: 400,
  code: -2013,
  msg: 'Order does not exist.',
  reason: 'UNKNOWN_ORDER',
} as const

export async function queryOrder(wireCall: WireCall): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const shown = await readOrder(wireCall, symbol)
  if (shown instanceof WireError) return shown
  return shown instanceof Refusal ? new WireError(NOT_THERE) : JSON.stringify(wordsOf(shown))
}

/** The order that a request names, in this symbol. */
export async function readOrder(
  wireCall: WireCall,
  symbol: TradingSymbol,
): Promise<ShownOrder | Refusal | WireError> {
  const name = await namedOrder(wireCall)
  if (name instanceof Refusal || name instanceof WireError) return name
  const shown = await shownOrder(wireCall.call, name)
  const isOther = !(shown instanceof Refusal) && shown.symbol.id !== symbol.id
  return isOther ? new WireError(NOT_THERE) : shown
}

export function openOrders(wireCall: WireCall): Promise<WireAnswer> | WireAnswer {
  const { parameters } = wireCall
  const symbol = parameters.has('symbol') ? symbolOf(wireCall) : undefined
  if (symbol instanceof WireError) return symbol
  const fields = symbol === undefined ? {} : { symbol: symbol.name }
  const { registry } = wireCall.call.services.market
  const word = (order: OpenOrder, of: TradingSymbol): string => JSON.stringify(openWords(order, of, registry))
  return openOrdersAnswer(wireCall.callWith(fields), { head: '[', word, end: ']' }) as Promise<WireAnswer>
}

export async function allOrders(wireCall: WireCall): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const { call } = wireCall
  const { services, accountId } = call
  const limit = wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback)
  const orderId = wireCall.parameters.get('orderId')
  const range = rangeOf(wireCall)
  const isOldest = orderId !== undefined || range.from !== undefined
  const oldestFrom = isOldest ? (Number(orderId ?? 0) as OrderNumber) : undefined
  const query = { accountId, symbolId: symbol.id, ...range, before: undefined, oldestFrom, limit }
  const { orders } = await services.history.orders({ ...query, atLeast: services.market.seq })
  const rows = (await shownOrders(call, orders)).reverse()
  return rowsAnswer(wireCall, rows, wordsOf)
}

function openWords(order: OpenOrder, symbol: TradingSymbol, keys: KeyNames) {
  const asked = askedOfOpen(order)
  return wordsOf({ order: openObject({ ...order, ...asked }, symbol, keys), symbol })
}

function wordsOf({ order, symbol }: ShownOrder) {
  return queriedOrder(orderMembers(order, symbol), binanceNameOf(symbol))
}
