/**
 * Open orders (endpoint 6): a bare array, newest first. The engine gives it in pages, and long ones are made and sent page
 * by page (docs/reference/http.md#open-orders).
 */
import type { OpenOrder, OpenOrdersPage } from '../../../core/exchange/view.ts'
import { quoteScale } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { uuidOf } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { worthOf } from '../../../units/notional.ts'
import { lots } from '../../../units/quantities.ts'
import { openOrderJson } from '../../../wire/orders.ts'
import { Refusal } from '../../common/refusal.ts'
import type { Answer, Call } from '../call.ts'
import { LongAnswer } from '../long-answer.ts'
import { type Operation, readSymbol, TRADE } from '../operation.ts'
import { ledgerTotal } from './order-figures.ts'

const ONE_SYMBOL_WEIGHT = 6
const ALL_SYMBOLS_WEIGHT = 80

/** Orders that one weight pays for, where that is more than the weight above. */
const ORDERS_PER_WEIGHT = 25

/** A list this long is put into words at once, without waiting for its turn. */
const SHORT_LIST = 50

export const activeOrders: Operation = {
  security: TRADE,
  weight: ONE_SYMBOL_WEIGHT,
  answer: activeOrdersAnswer,
}

async function activeOrdersAnswer(call: Call): Promise<Answer> {
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const weight = symbol === undefined ? ALL_SYMBOLS_WEIGHT : ONE_SYMBOL_WEIGHT
  const refusal = call.charge(weight - ONE_SYMBOL_WEIGHT)
  if (refusal !== undefined) return refusal
  const page = await pageOf(call, symbol, undefined)
  const rowsWeight = Math.ceil(page.total / ORDERS_PER_WEIGHT)
  const rowsRefusal = rowsWeight > weight ? call.chargeRows(rowsWeight - weight) : undefined
  if (rowsRefusal !== undefined) return rowsRefusal
  if (page.next !== undefined) return LongAnswer.ofSlices(slicesOf(call, symbol, page))
  const text = () => `[${wordsOf(page, call, symbol)}]`
  return page.orders.length <= SHORT_LIST ? text() : await call.lane.first(text)
}

function pageOf(
  call: Call,
  symbol: TradingSymbol | undefined,
  after: OpenOrdersPage['next'],
): Promise<OpenOrdersPage> {
  const { accountId } = call
  return call.services.engine.ask('openOrders', { accountId, symbolId: symbol?.id, after })
}

/** The array, a page at a time. */
async function* slicesOf(
  call: Call,
  symbol: TradingSymbol | undefined,
  first: OpenOrdersPage,
): AsyncGenerator<string, void> {
  const { lane } = call
  let text = await lane.first(() => wordsOf(first, call, symbol))
  let isEmpty = text === ''
  yield `[${text}`
  for (let after = first.next; after !== undefined; ) {
    const place = after
    await lane.further(async () => {
      const page = await pageOf(call, symbol, place)
      text = wordsOf(page, call, symbol)
      after = page.next
    })
    if (text === '') continue
    yield isEmpty ? text : `,${text}`
    isEmpty = false
  }
  yield ']'
}

function wordsOf({ orders }: OpenOrdersPage, call: Call, symbol: TradingSymbol | undefined): string {
  const { registry } = call.services.market
  const elements = orders.map((order) => {
    const owner = symbol ?? registry.symbol(order.symbolId)
    invariant(owner !== undefined, () => `open order in symbol ${order.symbolId} that is not listed`)
    return activeOrderJson(order, owner)
  })
  return elements.join(',')
}

/** `qty` is what was asked for less what DECREMENT took off, so that `qty - execQty` is always what rests. */
function activeOrderJson(order: OpenOrder, symbol: TradingSymbol): string {
  const quantity = lots(order.executedQuantity + order.remaining)
  const scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
  return openOrderJson(
    {
      id: uuidOf('order', order.orderNumber, order.time),
      side: order.side,
      price: order.price,
      quantity,
      executedQuantity: order.executedQuantity,
      total: ledgerTotal(worthOf(order.price, quantity), order.side, scale),
      time: order.time,
    },
    symbol,
  )
}
