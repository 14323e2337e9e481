/**
 * Placing an order (endpoint 4). The parameters are read in `order-parameters.ts`; this file has the command,
 * and the wording of the engine's answers (docs/reference/http.md#new-order).
 */

import {
  type CreatedOrderFigures,
  orderCreatedBody,
  writeOrderCreated,
} from '../../../../contract/api/orders.ts'
import type { Language } from '../../../../contract/language.ts'
import type { PlaceOrder } from '../../../../core/commands/orders.ts'
import { averageTicks } from '../../../../core/ledger/money.ts'
import type { OrderAccepted, OrderRepeated } from '../../../../core/questions/reply.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { invariant } from '../../../../units/invariant.ts'
import type { JsonWriter } from '../../../../units/json-writer.ts'
import { worthOf } from '../../../../units/notional.ts'
import { NO_AMOUNT, NO_LOTS, price as priceOf } from '../../../../units/quantities.ts'
import { Refusal } from '../../../common/refusal.ts'
import { ledgerTotal, scaleOf } from '../../../description/order-figures.ts'
import type { Answer, Call, Done, Outcome, Wording } from '../../call.ts'
import { operationOf, requireSymbol } from '../../operation.ts'
import {
  checkNewOrderName,
  type ResponseType,
  readNewOrder,
  readResponseType,
} from '../../order-parameters.ts'
import { chargeForm, filledAnswer, placedAnswer, watchFor } from './placed-order.ts'

/** The weight of checking whether an order is a repeat, when the account's limits allow no new one. */
const LOOK_UP_WEIGHT = 1

/** The price of an order at any price. */
const NO_PRICE = priceOf(0)

export const newOrder = operationOf('newOrder', newOrderAnswer, checkNewOrderName)

function newOrderAnswer(call: Call): Outcome {
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const command = readNewOrder(call.parameters, symbol, call)
  if (command instanceof Refusal) return command
  const responseType = readResponseType(call.parameters)
  if (responseType instanceof Refusal) return responseType
  const weightRefusal = chargeForm(call, responseType)
  if (weightRefusal !== undefined) return weightRefusal
  if (command.clientOrderId !== undefined && !call.hasOrdersLeft()) {
    return placeUnlessNew(call, command, responseType ?? wordingOf(call, command, symbol))
  }
  const refusal = call.takeOrders(1)
  if (refusal !== undefined) return refusal
  // Submitted in the turn in which it arrived: later messages must not overtake it.
  if (responseType !== undefined) return showPlaced(call, command, responseType)
  return call.handOver(command, wordingOf(call, command, symbol))
}

/** Answers with the order right after its placement, or its current state if it had already been placed. */
async function showPlaced(call: Call, command: PlaceOrder, type: ResponseType): Promise<Answer> {
  const watch = watchFor(call, type)
  try {
    let placed: OrderAccepted | OrderRepeated | undefined
    const answer = await call.submit(command, (reply) => {
      placed = placedOf(call, reply)
    })
    if (placed === undefined) return answer
    if (watch === undefined) return await placedAnswer(call, placed)
    return await filledAnswer(call, placed, watch.of(placed.orderNumber))
  } finally {
    watch?.end()
  }
}

/**
 * The account may place no more orders for now, but a repeat of a placed order is not a new one
 * (docs/reference/client-order-ids.md#repeats).
 */
async function placeUnlessNew(
  call: Call,
  command: PlaceOrder,
  form: Wording | ResponseType,
): Promise<Answer> {
  const { accountId, clientOrderId = '' } = command
  const weightRefusal = call.charge(LOOK_UP_WEIGHT)
  if (weightRefusal !== undefined) return weightRefusal
  const { order } = await call.services.engine.ask('clientOrder', { accountId, clientOrderId })
  const refusal = order === undefined ? call.takeOrders(1) : undefined
  if (refusal !== undefined) return refusal
  return typeof form === 'string' ? showPlaced(call, command, form) : call.submit(command, form)
}

function wordingOf(call: Call, command: PlaceOrder, symbol: TradingSymbol): Wording {
  const { language } = call
  return (reply, body) => writeCreated(body, command, placedOf(call, reply), symbol, language)
}

/** The answer to a placement, unless another form is requested. */
export function createdBody(
  command: PlaceOrder,
  placed: OrderAccepted | OrderRepeated,
  symbol: TradingSymbol,
  language: Language,
): string {
  return orderCreatedBody(createdFigures(command, placed, symbol), symbol, language)
}

function writeCreated(
  body: JsonWriter,
  command: PlaceOrder,
  placed: OrderAccepted | OrderRepeated,
  symbol: TradingSymbol,
  language: Language,
): void {
  writeOrderCreated(body, createdFigures(command, placed, symbol), symbol, language)
}

/** The reply to a placement; notes a repeat. */
function placedOf(call: Call, reply: Done): OrderAccepted | OrderRepeated {
  invariant(
    reply.kind === 'OrderAccepted' || reply.kind === 'OrderRepeated',
    () => `expected OrderAccepted in reply to PlaceOrder, found ${reply.kind}`,
  )
  if (reply.kind === 'OrderRepeated') call.noteRepeat()
  return reply
}

/**
 * For a MARKET order, the executed figures; for all others the requested ones, 0 for those that were not
 * given.
 */
function createdFigures(
  command: PlaceOrder,
  reply: OrderAccepted | OrderRepeated,
  symbol: TradingSymbol,
): CreatedOrderFigures {
  const scale = scaleOf(symbol)
  const { side } = command
  const { orderNumber, time } = reply
  if (command.type !== 'MARKET') {
    const { price = NO_PRICE, quantity = NO_LOTS, total } = command
    const worth = ledgerTotal(worthOf(price, quantity), side, scale)
    const shown = command.price === undefined ? (total ?? NO_AMOUNT) : worth
    return { orderNumber, side, time, price, quantity, total: shown }
  }
  return {
    orderNumber,
    side,
    time,
    price: averageTicks(reply.executedNotional, reply.executedQuantity),
    quantity: reply.executedQuantity,
    total: ledgerTotal(reply.executedNotional, side, scale),
  }
}
