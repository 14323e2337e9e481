/**
 * Lowering the quantity of an open order, which keeps its place
 * (docs/reference/order-changes.md#lower-the-quantity). The answer is the order's state afterwards.
 */

import { ORDER_AMENDED } from '../../../../contract/api/order-object.ts'
import type { Reason } from '../../../../contract/reasons/catalogue.ts'
import type { AmendOrder, OrderTarget } from '../../../../core/commands/order-changes.ts'
import type { OrderAmended } from '../../../../core/questions/reply.ts'
import type { OpenOrder } from '../../../../core/questions/view.ts'
import { EngineFault } from '../../../../engine/port/fault.ts'
import { invariant } from '../../../../units/invariant.ts'
import { AMOUNT_MAX } from '../../../../units/limits.ts'
import { amount, DECIMALS_MAX, decimals } from '../../../../units/quantities.ts'
import { readDecimal } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import { nearestAmendment } from '../../../description/nearest-value.ts'
import type { Answer, Call, Outcome } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { readTarget } from '../../order-name.ts'
import { marketOf } from '../../order-objects.ts'
import { changedAnswer } from './placed-order.ts'

const TARGET = { id: 'orderId', clientOrderId: 'origClientOrderId' }

/** Only the core has the order's symbol, and so its decimals. */
const PLACES = decimals(DECIMALS_MAX)

export const amendOrder = operationOf('amendOrder', amendOrderAnswer)

function amendOrderAnswer(call: Call): Outcome {
  const { parameters, accountId } = call
  const quantity = readDecimal(parameters, 'newQty', PLACES, AMOUNT_MAX)
  if (quantity instanceof Refusal) return quantity
  if (quantity === undefined) return refuse('MISSING_PARAMETER', { name: 'newQty' })
  const target = readTarget(parameters, TARGET)
  if (target instanceof Refusal) return target
  // Submitted in the turn in which it arrived: later messages must not overtake it.
  return amend(call, { kind: 'AmendOrder', accountId, target, quantity: amount(quantity) })
}

async function amend(call: Call, command: AmendOrder): Promise<Answer> {
  let amended: OrderAmended | undefined
  const answer = await call.submit(command, (reply) => {
    invariant(
      reply.kind === 'OrderAmended',
      () => `expected OrderAmended in reply to AmendOrder, found ${reply.kind}`,
    )
    amended = reply
    return ''
  })
  if (amended !== undefined) return changedAnswer(call, amended, ORDER_AMENDED)
  return answer instanceof Refusal && ABOUT_QUANTITY.has(answer.reason)
    ? withNearest(call, command, answer)
    : answer
}

const ABOUT_QUANTITY: ReadonlySet<Reason> = new Set<Reason>([
  'AMENDED_QUANTITY_TOO_LARGE',
  'AMENDED_QUANTITY_TOO_SMALL',
  'AMENDED_QUANTITY_TOO_PRECISE',
  'QUANTITY_NOT_ON_STEP',
])

/**
 * Adds the nearest quantity that the order could have in its current state. If the order cannot be read, the
 * refusal is returned unchanged.
 */
async function withNearest(call: Call, { target, quantity }: AmendOrder, refusal: Refusal): Promise<Refusal> {
  try {
    const order = await openOrderOf(call, target)
    if (order === undefined) return refusal
    return refusal.near(nearestAmendment(quantity, order, marketOf(call, order.symbolId)))
  } catch (error) {
    if (error instanceof EngineFault) return refusal
    throw error
  }
}

/** The open order; undefined if it has ended by now. */
async function openOrderOf(call: Call, target: OrderTarget): Promise<OpenOrder | undefined> {
  const { accountId, services } = call
  const { engine } = services
  const orderNumber =
    target.clientOrderId === undefined
      ? target.orderNumber
      : (await engine.ask('clientOrder', { accountId, clientOrderId: target.clientOrderId })).order
          ?.orderNumber
  if (orderNumber === undefined) return undefined
  const [order] = await engine.ask('ordersByNumber', { accountId, orderNumbers: [orderNumber] })
  return order
}
