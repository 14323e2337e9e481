/**
 * Placing an order (endpoint 4). The parameters are read in `order-parameters.ts`; this is the command, and the
 * wording of what the engine answers (docs/reference/http.md#new-order).
 */
import type { PlaceOrder } from '../../../core/exchange/commands/orders.ts'
import type { OrderAccepted } from '../../../core/exchange/reply.ts'
import {
  averagePrice,
  paidFor,
  type QuoteScale,
  quoteScale,
  receivedFor,
} from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { uuidOf } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { worthOf } from '../../../units/notional.ts'
import type { Side } from '../../../units/order-words.ts'
import type { Amount, Notional } from '../../../units/quantities.ts'
import { type OrderFigures, orderCreatedBody } from '../../../wire/orders.ts'
import { Refusal } from '../../common/refusal.ts'
import type { Call, Outcome } from '../call.ts'
import { type Operation, requireSymbol, TRADE } from '../operation.ts'
import { checkNewOrderNames, readNewOrder } from '../order-parameters.ts'

export const newOrder: Operation = { security: TRADE, weight: 1, answer: newOrderAnswer }

function newOrderAnswer(call: Call): Outcome {
  const nameRefusal = checkNewOrderNames(call.parameters)
  if (nameRefusal !== undefined) return nameRefusal
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const order = readNewOrder(call.parameters, symbol)
  if (order instanceof Refusal) return order
  const refusal = call.takeOrders(1)
  if (refusal !== undefined) return refusal
  const command: PlaceOrder = {
    kind: 'PlaceOrder',
    accountId: call.accountId,
    symbolId: symbol.id,
    clientReference: undefined,
    ...order,
  }
  const { language } = call
  return call.handOver(command, (reply) => {
    invariant(
      reply.kind === 'OrderAccepted',
      () => `expected OrderAccepted to PlaceOrder, found ${reply.kind}`,
    )
    return orderCreatedBody(createdFigures(command, reply, symbol), symbol, language)
  })
}

/** LIMIT and LIMIT_MAKER: what was asked for. MARKET: what was executed. */
function createdFigures(command: PlaceOrder, reply: OrderAccepted, symbol: TradingSymbol): OrderFigures {
  const scale = scaleOf(symbol)
  const { side } = command
  const head = { id: uuidOf('order', reply.orderNumber, reply.time), side, time: reply.time }
  if (command.type !== 'MARKET') {
    const { price, quantity } = command
    return { ...head, price, quantity, total: ledgerTotal(worthOf(price, quantity), side, scale) }
  }
  return {
    ...head,
    price: averagePrice(reply.executedNotional, reply.executedQuantity),
    quantity: reply.executedQuantity,
    total: ledgerTotal(reply.executedNotional, side, scale),
  }
}

const scaleBySymbol = new WeakMap<TradingSymbol, QuoteScale>()

/** The symbol's scale, made once: three powers of ten (`npm run bench -- order-to-ack`). */
function scaleOf(symbol: TradingSymbol): QuoteScale {
  const known = scaleBySymbol.get(symbol)
  if (known !== undefined) return known
  const scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
  scaleBySymbol.set(symbol, scale)
  return scale
}

/** What a buyer pays is rounded up, what a seller receives down. */
export function ledgerTotal(worth: Notional, side: Side, scale: QuoteScale): Amount {
  return side === 'BUY' ? paidFor(worth, scale) : receivedFor(worth, scale)
}
