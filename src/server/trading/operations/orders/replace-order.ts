/**
 * Canceling an order and placing another one in one step (docs/reference/order-changes.md#replace). If
 * exactly one of the two was carried out, the answer is an error with its own status; if neither was, it is
 * the refusal.
 */

import { replacedBody, replacementJson } from '../../../../contract/api/order-replacement.ts'
import { orderCanceledBody } from '../../../../contract/api/orders.ts'
import type { ReplaceOrder } from '../../../../core/commands/order-changes.ts'
import type { OrderReplaced } from '../../../../core/questions/reply.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { invariant } from '../../../../units/invariant.ts'
import { CANCEL_REPLACE_MODES, CANCEL_RESTRICTIONS } from '../../../../units/order-enums.ts'
import type { CoreReason } from '../../../../units/reasons.ts'
import type { PlacementWatch } from '../../../../views/placements.ts'
import { readWord } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call, Outcome } from '../../call.ts'
import { operationOf, requireSymbol } from '../../operation.ts'
import { readTarget } from '../../order-name.ts'
import {
  checkNewOrderName,
  type ResponseType,
  readNewOrder,
  readResponseType,
} from '../../order-parameters.ts'
import { createdBody } from './new-order.ts'
import { chargeForm, filledAnswer, placedAnswer, watchFor } from './placed-order.ts'

/** The weight of checking whether a request is a repeat, when the account's limits allow no new order. */
const LOOK_UP_WEIGHT = 1

/** Parameters of Binance's that would have another meaning here, or none. */
const UNSUPPORTED_NAMES = ['cancelNewClientOrderId', 'orderRateLimitExceededMode']

const TARGET = { id: 'cancelId', clientOrderId: 'cancelOrigClientOrderId' }

export const replaceOrder = operationOf('replaceOrder', replaceOrderAnswer, checkReplaceOrderName)

export function checkReplaceOrderName(name: string): Refusal | undefined {
  if (UNSUPPORTED_NAMES.includes(name)) return refuse('UNSUPPORTED_PARAMETER', { name })
  if (name === 'cancelOrderId') return refuse('MISSPELLED_PARAMETER', { name, expected: TARGET.id })
  return checkNewOrderName(name)
}

function replaceOrderAnswer(call: Call): Outcome {
  const { parameters } = call
  const mode = readWord(parameters, 'cancelReplaceMode', CANCEL_REPLACE_MODES)
  if (mode instanceof Refusal) return mode
  if (mode === undefined) return refuse('MISSING_PARAMETER', { name: 'cancelReplaceMode' })
  const restriction = readWord(parameters, 'cancelRestrictions', CANCEL_RESTRICTIONS)
  if (restriction instanceof Refusal) return restriction
  const target = readTarget(parameters, TARGET)
  if (target instanceof Refusal) return target
  const symbol = requireSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const order = readNewOrder(parameters, symbol, call)
  if (order instanceof Refusal) return order
  const responseType = readResponseType(parameters)
  if (responseType instanceof Refusal) return responseType
  const command: ReplaceOrder = { kind: 'ReplaceOrder', target, mode, restriction, order }
  const weightRefusal = chargeForm(call, responseType)
  if (weightRefusal !== undefined) return weightRefusal
  const replacing = { command, symbol, responseType }
  if (order.clientOrderId !== undefined && !call.hasOrdersLeft()) return replaceUnlessNew(call, replacing)
  // Submitted in the turn in which it arrived: later messages must not overtake it.
  return call.takeOrders(1) ?? replace(call, replacing)
}

type Replacing = {
  readonly command: ReplaceOrder
  readonly symbol: TradingSymbol
  /** Form of the new order's answer; if undefined, that of the interface. */
  readonly responseType: ResponseType | undefined
}

/**
 * The account may place no more orders for now, but a repeat is not a new order
 * (docs/reference/client-order-ids.md#repeats).
 */
async function replaceUnlessNew(call: Call, replacing: Replacing): Promise<Answer> {
  const { accountId, clientOrderId = '' } = replacing.command.order
  const weightRefusal = call.charge(LOOK_UP_WEIGHT)
  if (weightRefusal !== undefined) return weightRefusal
  const { order } = await call.services.engine.ask('clientOrder', { accountId, clientOrderId })
  const refusal = order === undefined ? call.takeOrders(1) : undefined
  return refusal ?? replace(call, replacing)
}

async function replace(call: Call, replacing: Replacing): Promise<Answer> {
  const { command } = replacing
  const watch = watchFor(call, replacing.responseType)
  try {
    let replaced: OrderReplaced | undefined
    const answer = await call.submit(command, (reply) => {
      invariant(reply.kind === 'OrderReplaced', () => `expected OrderReplaced, found ${reply.kind}`)
      replaced = reply
    })
    return replaced === undefined ? answer : await replacedAnswer(call, replacing, replaced, watch)
  } finally {
    watch?.end()
  }
}

async function replacedAnswer(
  call: Call,
  replacing: Replacing,
  replaced: OrderReplaced,
  watch: PlacementWatch | undefined,
): Promise<Answer> {
  const { language } = call
  const { cancelRefusal, placed, repeated } = replaced
  if (repeated) call.noteRepeat()
  const canceled = {
    isDone: cancelRefusal === undefined,
    body:
      cancelRefusal === undefined ? orderCanceledBody(language) : refusedBody(call, replacing, cancelRefusal),
  }
  const isPlaced = placed.kind === 'OrderAccepted'
  const body = isPlaced
    ? await placedBody(call, replacing, placed, watch)
    : refusedBody(call, replacing, placed.reason)
  if (typeof body !== 'string') return body
  const data = replacementJson(canceled, { isDone: isPlaced, body })
  if (canceled.isDone && isPlaced) return replacedBody(data, language)
  return refuse('CANCEL_REPLACE_PARTLY_DONE', {}).partly(data, repeated)
}

/** The answer to a new order as text; any other answer means that the order cannot be read now. */
async function placedBody(
  call: Call,
  { command: { order }, symbol, responseType }: Replacing,
  placed: Extract<OrderReplaced['placed'], { kind: 'OrderAccepted' }>,
  watch: PlacementWatch | undefined,
): Promise<Answer> {
  if (watch !== undefined) return filledAnswer(call, placed, watch.of(placed.orderNumber))
  if (responseType !== undefined) return placedAnswer(call, placed)
  return createdBody(order, placed, symbol, call.language)
}

function refusedBody(call: Call, { command }: Replacing, reason: CoreReason): string {
  return call.coreRefusal(command, reason).body(call.language)
}
