/**
 * Finding an order by its client order id (docs/reference/client-order-ids.md#ask-what-became-of-an-order). Where there is none, it
 * may be said that there never will be: the engine takes no order after its deadline, and dates nothing before what is durable.
 */
import type { ClientOrder, ClientOrderAnswer, ClientOrderQuery } from '../../core/exchange/view.ts'
import { CLIENT_ORDER_ID_LIFETIME_MS, ORDER_DEADLINE_AHEAD_MAX_MS } from '../../units/limits.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import type { Call } from './call.ts'

/**
 * An order of an older deadline may have been forgotten. One is remembered for 24 hours after its end at least, which is no more than an
 * hour before its deadline: a window, and the lead of a timestamp, are far less.
 */
const DEADLINE_AGE_MAX_MS = CLIENT_ORDER_ID_LIFETIME_MS - ORDER_DEADLINE_AHEAD_MAX_MS

/** The order of the account that stands under the id; else a refusal, which with a deadline says whether it is final. */
export async function findClientOrder(
  call: Call,
  clientOrderId: string,
  deadline: TimeMs | undefined,
): Promise<ClientOrder | Refusal> {
  const { order, time } = await answerTo(call, { accountId: call.accountId, clientOrderId }, deadline)
  if (order !== undefined) return order
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
