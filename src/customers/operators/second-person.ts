/**
 * Lifting a customer's freeze takes two operators: the first one asks, another one asks for the same within a
 * day, and it is done. Both hold named tokens in use; the second's existed before the first asked, so that
 * one person cannot make the second one.
 */
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import { isoTime } from '../../contract/time.ts'
import { timeMs } from '../../units/quantities.ts'
import type { CustomersContext } from '../customers-context.ts'
import { unfreeze } from '../freezes/unfreeze.ts'
import { NOWHERE } from '../sessions/origin.ts'
import { isRefusal, type OperatorRefusal, personOf, refusedOperator } from './refusal.ts'

/** A request that no second person repeats ends. */
export const ASKED_MS = 24 * 3_600_000
/** Restrictions of operators stay. Rejects with `ExchangeFault`: the second one asks again. */
export async function unfreezeByTwo(
  context: CustomersContext,
  { account, reason, madeMs, holders }: QuestionRequest<'unfreeze'>,
  by: string,
): Promise<QuestionAnswer<'unfreeze'> | OperatorRefusal> {
  const { store, world } = context
  const person = personOf(context, account)
  if (isRefusal(person)) return person
  const nowMs = world.now()
  const known = store.links.ask(person.owner)
  const isInTime =
    known !== undefined && nowMs - known.at_ms < ASKED_MS && holders.includes(known.by_operator)
  const asked = isInTime ? known : { by_operator: by, at_ms: nowMs }
  const answer = { askedBy: asked.by_operator, askedAt: isoTime(timeMs(asked.at_ms)) }
  if (!isInTime) store.links.putAsk(person.owner, by, nowMs)
  if (asked.by_operator === by) return { isDone: false, ...answer }
  if (madeMs >= asked.at_ms)
    return refusedOperator('TOKEN_TOO_NEW', `the token ${by} was made after ${asked.by_operator} had asked`)
  const operator = { by: `${asked.by_operator}, ${by}`, reason, shownMs: nowMs }
  await unfreeze(context, person, NOWHERE, operator)
  store.links.endAsk(person.owner)
  return { isDone: true, ...answer }
}
