/**
 * A list of the account's open orders, newest first, in any form of answer. The engine returns it in pages,
 * and long ones are made and sent page by page (docs/reference/http.md#open-orders).
 */

import { ENDPOINT_ROWS } from '../../../../contract/endpoints/endpoints.ts'
import type { OpenOrder, OpenOrdersPage } from '../../../../core/questions/view.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { KeyNames } from '../../../description/order-objects.ts'
import type { Answer, Call } from '../../call.ts'
import { LongAnswer } from '../../long-answer.ts'
import { readSymbol } from '../../operation.ts'
import { marketOf } from '../../order-objects.ts'

/** The weight for one symbol. */
const { weight: OPEN_ORDERS_WEIGHT } = ENDPOINT_ROWS.openOrders
const ALL_SYMBOLS_WEIGHT = 80

/** Number of orders covered by one unit of weight, if that exceeds the weight above. */
const ORDERS_PER_WEIGHT = 25

/** A list of at most this number of orders is written at once, without waiting for its turn. */
const SHORT_LIST = 50

/** Text before the orders, of each order, and after them. */
export type OpenOrderWords = {
  readonly head: string
  readonly word: (order: OpenOrder, symbol: TradingSymbol, keys: KeyNames) => string
  readonly end: string
}

export async function openOrdersAnswer(call: Call, words: OpenOrderWords): Promise<Answer> {
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const weight = symbol === undefined ? ALL_SYMBOLS_WEIGHT : OPEN_ORDERS_WEIGHT
  const refusal = call.charge(weight - OPEN_ORDERS_WEIGHT)
  if (refusal !== undefined) return refusal
  const page = await pageOf(call, symbol, undefined)
  const rowsWeight = Math.ceil(page.total / ORDERS_PER_WEIGHT)
  const rowsRefusal = rowsWeight > weight ? call.chargeRows(rowsWeight - weight) : undefined
  if (rowsRefusal !== undefined) return rowsRefusal
  const list = { call, symbol, words }
  if (page.next !== undefined) return LongAnswer.ofSlices(slicesOf(list, page))
  const text = () => words.head + textOf(list, page) + words.end
  return page.orders.length <= SHORT_LIST ? text() : await call.lane.first(text)
}

/** The listed orders, and their form. */
type OpenOrderList = {
  readonly call: Call
  readonly symbol: TradingSymbol | undefined
  readonly words: OpenOrderWords
}

function pageOf(
  call: Call,
  symbol: TradingSymbol | undefined,
  after: OpenOrdersPage['next'],
): Promise<OpenOrdersPage> {
  const { accountId } = call
  return call.services.engine.ask('openOrders', { accountId, symbolId: symbol?.id, after })
}

/** The list, a page at a time. */
async function* slicesOf(list: OpenOrderList, first: OpenOrdersPage): AsyncGenerator<string, void> {
  const { call, symbol, words } = list
  const { lane } = call
  let text = await lane.first(() => textOf(list, first))
  let isEmpty = text === ''
  yield words.head + text
  for (let after = first.next; after !== undefined; ) {
    const place = after
    await lane.further(async () => {
      const page = await pageOf(call, symbol, place)
      text = textOf(list, page)
      after = page.next
    })
    if (text === '') continue
    yield isEmpty ? text : `,${text}`
    isEmpty = false
  }
  yield words.end
}

function textOf({ call, symbol, words }: OpenOrderList, { orders }: OpenOrdersPage): string {
  const { registry } = call.services.market
  return orders
    .map((order) => words.word(order, symbol ?? marketOf(call, order.symbolId), registry))
    .join(',')
}
