/**
 * Open orders (endpoint 6): a bare array, newest first.
 */
import type { OpenOrder } from '../../../core/exchange/view.ts'
import { quoteScale, worthOf } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { uuidOf } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { lots } from '../../../units/quantities.ts'
import { openOrderJson } from '../../../wire/orders.ts'
import type { Answer, Call } from '../call.ts'
import { type Endpoint, readSymbol, TRADE } from '../endpoint.ts'
import { Refusal } from '../refusal.ts'
import { ledgerTotal } from './new-order.ts'

const ONE_SYMBOL_WEIGHT = 6
const ALL_SYMBOLS_WEIGHT = 80

export const activeOrders: Endpoint = {
  security: TRADE,
  weight: ONE_SYMBOL_WEIGHT,
  answer: activeOrdersAnswer,
}

async function activeOrdersAnswer(call: Call): Promise<Answer> {
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const refusal = symbol === undefined ? call.charge(ALL_SYMBOLS_WEIGHT - ONE_SYMBOL_WEIGHT) : undefined
  if (refusal !== undefined) return refusal
  const { engine, market } = call.services
  const orders = await engine.openOrders(call.accountId, symbol?.id)
  const elements = orders.map((order) => {
    const owner = symbol ?? market.registry.symbol(order.symbolId)
    invariant(owner !== undefined, () => `open order in symbol ${order.symbolId} that is not listed`)
    return activeOrderJson(order, owner)
  })
  return `[${elements.join(',')}]`
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
