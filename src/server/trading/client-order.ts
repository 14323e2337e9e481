/**
 * Finds an order, or a list of them, by its client order id
 * (docs/reference/client-order-ids.md#ask-what-became-of-an-order). If there is none, the answer may say that
 * there never will be: the engine accepts no order after its deadline, and no new command is dated before a
 * durable one.
 */

import { wholeNumber } from '../../contract/expectations.ts'
import type {
  ClientList,
  ClientOrder,
  ClientOrderAnswer,
  ClientOrderQuery,
} from '../../core/questions/view.ts'
import { CLIENT_ORDER_ID_LIFETIME_MS, ORDER_DEADLINE_AHEAD_MAX_MS } from '../../units/limits.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { Parameters } from '../common/parameters.ts'
import { readTime } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Call } from './call.ts'

/**
 * The period in which the order may have been placed: from the first attempt, if given, to the order's
 * deadline.
 */
export type Attempts = { readonly first: TimeMs | undefined; readonly deadline: TimeMs }

/**
 * The period in which an order, or a list, may have been placed; undefined if the request does not specify
 * it.
 */
export function readAttempts(parameters: Parameters): Attempts | undefined | Refusal {
  const deadline = readTime(parameters, 'deadline')
  if (deadline instanceof Refusal) return deadline
  const first = readTime(parameters, 'firstAttempt')
  if (first instanceof Refusal) return first
  if (deadline === undefined)
    return first === undefined ? undefined : refuse('MISSING_PARAMETER', { name: 'deadline' })
  if (first === undefined || first <= deadline) return { first, deadline }
  return refuse('INVALID_PARAMETER', { name: 'firstAttempt', expected: wholeNumber(0, deadline) })
}

/** How far the clock that dated an attempt may have been ahead of ours: far more than a timestamp may be. */
const CLOCKS_APART_MAX_MS = 60_000

/**
 * The order of the account with this client order id; otherwise a refusal, which states whether it is final
 * if there is a deadline.
 */
export async function findClientOrder(
  call: Call,
  clientOrderId: string,
  attempts: Attempts | undefined,
): Promise<ClientOrder | Refusal> {
  const query = { accountId: call.accountId, clientOrderId }
  const { order, time } = await answerTo(call, query, attempts?.deadline)
  if (order !== undefined) return order
  const refusal = refuse('UNKNOWN_CLIENT_ORDER_ID', {})
  return attempts === undefined ? refusal : refusal.final(isOver(attempts, time))
}

/** The list of the account with this client order id, in the same way. */
export async function findClientList(
  call: Call,
  listClientOrderId: string,
  attempts: Attempts | undefined,
): Promise<ClientList | Refusal> {
  const { accountId } = call
  // The time is read before the list: orders placed before that time are in the list.
  const { time } = await answerTo(call, { accountId, clientOrderId: listClientOrderId }, attempts?.deadline)
  const list = await call.services.engine.ask('clientList', { accountId, listClientOrderId })
  if (list !== undefined) return list
  const refusal = refuse('UNKNOWN_ORDER_LIST', {})
  return attempts === undefined ? refusal : refusal.final(isOver(attempts, time))
}

/**
 * The engine's answer; if it is not decisive and the deadline has passed, the engine is asked again once the
 * time is marked.
 */
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

/**
 * Whether the durable state is later than the deadline, and no order since the first attempt can have been
 * forgotten: an order is remembered for at least 24 hours after its end. If the first attempt is not given,
 * it is assumed to be an hour before the deadline, the maximum that a deadline may be ahead. `time`: of the
 * last command.
 */
function isOver({ first, deadline }: Attempts, time: TimeMs): boolean {
  const earliest = first === undefined ? deadline - ORDER_DEADLINE_AHEAD_MAX_MS : first - CLOCKS_APART_MAX_MS
  return time > deadline && time - earliest < CLIENT_ORDER_ID_LIFETIME_MS
}
