/**
 * Placing an order (endpoint 4). The parameters are read in `order-parameters.ts`; this is the command, and the
 * wording of what the engine answers (docs/reference/http.md#new-order).
 */
import type { PlaceOrder } from '../../../core/exchange/commands/orders.ts'
import type { OrderAccepted, OrderRepeated } from '../../../core/exchange/reply.ts'
import { averagePrice } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { uuidOf } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { worthOf } from '../../../units/notional.ts'
import { type OrderFigures, orderCreatedBody } from '../../../wire/orders.ts'
import { Refusal } from '../../common/refusal.ts'
import type { Answer, Call, Outcome, Wording } from '../call.ts'
import { type Operation, requireSymbol, TRADE } from '../operation.ts'
import { checkNewOrderNames, readNewOrder } from '../order-parameters.ts'
import { ledgerTotal, scaleOf } from './order-figures.ts'

/** Of looking up whether an order is a repeat, where the account's limits allow no new one. */
const LOOK_UP_WEIGHT = 1

export const newOrder: Operation = { security: TRADE, weight: 1, answer: newOrderAnswer }

function newOrderAnswer(call: Call): Outcome {
  const nameRefusal = checkNewOrderNames(call.parameters)
  if (nameRefusal !== undefined) return nameRefusal
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const order = readNewOrder(call.parameters, symbol)
  if (order instanceof Refusal) return order
  const command: PlaceOrder = {
    kind: 'PlaceOrder',
    accountId: call.accountId,
    symbolId: symbol.id,
    ...order,
  }
  if (command.clientOrderId !== undefined && !call.hasOrdersLeft())
    return placeUnlessNew(call, command, symbol)
  return call.takeOrders(1) ?? call.handOver(command, wordingOf(call, command, symbol))
}

/**
 * The account may place no more orders for now; one that it has placed already is none more
 * (docs/reference/client-order-ids.md#repeats).
 */
async function placeUnlessNew(call: Call, command: PlaceOrder, symbol: TradingSymbol): Promise<Answer> {
  const { accountId, clientOrderId = '' } = command
  const weightRefusal = call.charge(LOOK_UP_WEIGHT)
  if (weightRefusal !== undefined) return weightRefusal
  const { order } = await call.services.engine.ask('clientOrder', { accountId, clientOrderId })
  const refusal = order === undefined ? call.takeOrders(1) : undefined
  return refusal ?? call.submit(command, wordingOf(call, command, symbol))
}

function wordingOf(call: Call, command: PlaceOrder, symbol: TradingSymbol): Wording {
  const { language } = call
  return (reply) => {
    invariant(
      reply.kind === 'OrderAccepted' || reply.kind === 'OrderRepeated',
      () => `expected OrderAccepted to PlaceOrder, found ${reply.kind}`,
    )
    if (reply.kind === 'OrderRepeated') call.noteRepeat()
    return orderCreatedBody(createdFigures(command, reply, symbol), symbol, language)
  }
}

/** LIMIT and LIMIT_MAKER: what was asked for. MARKET: what was executed. */
function createdFigures(
  command: PlaceOrder,
  reply: OrderAccepted | OrderRepeated,
  symbol: TradingSymbol,
): OrderFigures {
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
