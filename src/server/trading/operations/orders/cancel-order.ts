/**
 * Canceling an order (endpoint 5). An id that cannot be one of ours gets the same answer as any other
 * unknown one. With `newOrderRespType=RESULT` the answer has the order's state afterwards, even if it had
 * already ended (docs/reference/http.md#cancel-order).
 */

import { ORDER_CANCELED_READ, orderJson } from '../../../../contract/api/order-object.ts'
import { orderCanceledBody } from '../../../../contract/api/orders.ts'
import type { CancelClientOrder, CancelOrder } from '../../../../core/commands/orders.ts'
import { EngineFault } from '../../../../engine/port/fault.ts'
import { invariant } from '../../../../units/invariant.ts'
import { readWord } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call, Outcome, Wording } from '../../call.ts'
import { findClientOrder } from '../../client-order.ts'
import { operationOf, readSymbol } from '../../operation.ts'
import { readTarget } from '../../order-name.ts'
import { type OrderName, shownOrder } from '../../order-objects.ts'
import { changedAnswer } from './placed-order.ts'

const TARGET = { id: 'id', clientOrderId: 'cancelOrigClientOrderId' }

/**
 * A request signed for a replacement must not be usable as a plain cancel; and a restricted cancel must not
 * be usable as an unrestricted one.
 */
const UNSUPPORTED_NAMES = ['cancelReplaceMode', 'cancelRestrictions']

const RESPONSE_TYPES = ['RESULT'] as const

export const cancelOrder = operationOf('cancelOrder', cancelOrderAnswer, checkCancelOrderName)

export function checkCancelOrderName(name: string): Refusal | undefined {
  return UNSUPPORTED_NAMES.includes(name) ? refuse('UNSUPPORTED_PARAMETER', { name }) : undefined
}

type Cancel = CancelOrder | CancelClientOrder

function cancelOrderAnswer(call: Call): Outcome {
  const { parameters, accountId } = call
  const target = readTarget(parameters, TARGET)
  if (target instanceof Refusal) return target
  const responseType = readWord(parameters, 'newOrderRespType', RESPONSE_TYPES)
  if (responseType instanceof Refusal) return responseType
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const named: Cancel =
    target.clientOrderId === undefined
      ? { kind: 'CancelOrder', accountId, orderNumber: target.orderNumber, orderTime: target.orderTime }
      : { kind: 'CancelClientOrder', accountId, clientOrderId: target.clientOrderId }
  const command = symbol === undefined ? named : { ...named, symbolId: symbol.id }
  // Submitted in the turn in which it arrived: later messages must not overtake it.
  if (responseType === 'RESULT') return canceledOrder(call, command)
  return symbol === undefined ? call.handOver(command, wordCanceled(call)) : cancelIn(call, command)
}

function wordCanceled({ language }: Call): Wording {
  return (reply, body) => {
    invariant(reply.kind === 'Done', () => `expected Done in reply to a cancel, found ${reply.kind}`)
    body.text(orderCanceledBody(language))
  }
}

/** Under rules that do not check the symbol, the order is canceled regardless of it. */
async function cancelIn(call: Call, command: Cancel): Promise<string | Refusal> {
  const answer = await call.submit(command, wordCanceled(call))
  const isTooNew = answer instanceof Refusal && answer.reason === 'RULES_VERSION_TOO_LOW'
  if (!isTooNew || command.symbolId === undefined) return answer
  return call.submit({ ...command, symbolId: undefined }, wordCanceled(call))
}

/** Answers with the order; if the account's own order had already ended, with the refusal and the order. */
async function canceledOrder(call: Call, command: Cancel): Promise<Answer> {
  const answer = await cancelIn(call, command)
  if (answer instanceof Refusal && answer.reason !== 'UNKNOWN_ORDER') return answer
  try {
    const name = await nameOf(call, command)
    if (answer instanceof Refusal) {
      return name instanceof Refusal ? answer : await withEnded(call, command, name, answer)
    }
    return name instanceof Refusal
      ? refuse('OUTCOME_UNKNOWN', {})
      : await changedAnswer(call, name, ORDER_CANCELED_READ)
  } catch (error) {
    // The refusal is returned even if the order cannot be read.
    if (answer instanceof Refusal) return answer
    return error instanceof EngineFault ? refuse('OUTCOME_UNKNOWN', {}) : call.lost(error)
  }
}

async function nameOf(call: Call, command: Cancel): Promise<OrderName | Refusal> {
  if (command.kind === 'CancelClientOrder') return findClientOrder(call, command.clientOrderId, undefined)
  return { orderNumber: command.orderNumber, time: command.orderTime }
}

async function withEnded(
  call: Call,
  { symbolId }: Cancel,
  name: OrderName,
  refusal: Refusal,
): Promise<Refusal> {
  const shown = await shownOrder(call, name)
  if (shown instanceof Refusal) return refusal
  const { order, symbol } = shown
  const isOther = symbolId !== undefined && symbolId !== symbol.id
  const hasEnded = order.status === 'FILLED' || order.status === 'CANCELED'
  return isOther || !hasEnded ? refusal : refusal.partly(orderJson(order, symbol), false)
}
