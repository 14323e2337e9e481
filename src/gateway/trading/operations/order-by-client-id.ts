/**
 * What became of an order, by its client order id (docs/reference/client-order-ids.md#ask-what-became-of-an-order). Where there is none, it
 * may be said that there never will be: the engine takes no order after its deadline, and dates nothing before what is durable.
 */
import type { ClientOrder, ClientOrderAnswer, ClientOrderQuery } from '../../../core/exchange/view.ts'
import { uuidOf } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../../../units/limits.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { clientOrderBody } from '../../../wire/client-order.ts'
import { readTime } from '../../common/read.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Answer, Call } from '../call.ts'
import { type Operation, TRADE } from '../operation.ts'
import { readClientOrderId } from '../order-parameters.ts'

/** It may have the time marked in the journal. */
const WEIGHT = 4

/**
 * An order of an older deadline may have been forgotten. One is remembered for 24 hours after its end at least, which is no more than the
 * longest window and the greatest lead of a timestamp before its deadline: an hour is far more.
 */
const DEADLINE_AGE_MAX_MS = CLIENT_ORDER_ID_LIFETIME_MS - 60 * 60 * 1_000

export const orderByClientId: Operation = { security: TRADE, weight: WEIGHT, answer: orderAnswer }

async function orderAnswer(call: Call): Promise<Answer> {
  const clientOrderId = readClientOrderId(call.parameters, 'origClientOrderId')
  if (clientOrderId instanceof Refusal) return clientOrderId
  if (clientOrderId === undefined) return refuse('MISSING_PARAMETER', { name: 'origClientOrderId' })
  const deadline = readTime(call.parameters, 'deadline')
  if (deadline instanceof Refusal) return deadline
  const query = { accountId: call.accountId, clientOrderId }
  const { order, time } = await answerTo(call, query, deadline)
  if (order !== undefined) return foundBody(call, clientOrderId, order)
  const refusal = refuse('UNKNOWN_CLIENT_ORDER_ID', {})
  return deadline === undefined ? refusal : refusal.final(isOver(deadline, time))
}

/** What the engine knows; where that does not decide yet, and the deadline is over, it is asked again once the time is marked. */
async function answerTo(
  { services: { engine }, serverTime }: Call,
  query: ClientOrderQuery,
  deadline: TimeMs | undefined,
): Promise<ClientOrderAnswer> {
  const first = await engine.ask('clientOrder', query)
  const isDecided = first.order !== undefined || deadline === undefined || first.time > deadline
  if (isDecided || serverTime <= deadline) return first
  await engine.submit({ kind: 'MarkTime' })
  return engine.ask('clientOrder', query)
}

/** Whether what is durable is later than a deadline, and no order of it has been forgotten. `time`: of the last command. */
function isOver(deadline: TimeMs, time: TimeMs): boolean {
  return time > deadline && time - deadline < DEADLINE_AGE_MAX_MS
}

function foundBody({ services, language }: Call, clientOrderId: string, order: ClientOrder): string {
  const { orderNumber, time, symbolId, isOpen } = order
  const symbol = services.market.registry.symbol(symbolId)
  invariant(symbol !== undefined, () => `symbol ${symbolId} of order ${orderNumber} must exist`)
  const id = uuidOf('order', orderNumber, time)
  return clientOrderBody(
    { id, clientOrderId, symbol: symbol.name, createdAt: time, isWorking: isOpen },
    language,
  )
}
