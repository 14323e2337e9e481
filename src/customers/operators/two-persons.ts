/**
 * Operations that need two operators: one requests the operation, a second one requests the same within a
 * day, and it is carried out. Both use valid named tokens; the second token is older than the first request,
 * so that one person cannot create it for the purpose.
 */
import { isoTime } from '../../contract/time.ts'
import { timeMs } from '../../units/quantities.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { Person } from '../store/people.ts'
import type { AskKind } from '../store/requests.ts'
import { type OperatorRefusal, refusedOperator } from './refusal.ts'

/** A request that no second operator repeats expires. */
export const ASKED_MS = 24 * 3_600_000
/**
 * The time in which an operator who has changed a customer's email address may not reset the same customer.
 */
export const CHANGED_MAIL_MS = 30 * 24 * 3_600_000

export type TwoPersons = {
  readonly kind: AskKind
  /** Both operators must request the same value. */
  readonly value: string
  readonly by: string
  /** The time at which the token of this request was created. */
  readonly madeMs: number
  /** Names of the valid tokens with the right. */
  readonly holders: readonly string[]
}

type Answer = { readonly isDone: boolean; readonly askedBy: string; readonly askedAt: string }

/** `isDone`: both have requested it; the caller carries it out and ends the request. */
export function askedByTwo(
  context: CustomersContext,
  person: Person,
  asked: TwoPersons,
): Answer | OperatorRefusal {
  return context.store.atOnce(() => answerOf(context, person, asked))
}

function answerOf(
  { store, world }: CustomersContext,
  { owner, account }: Person,
  { kind, value, by, madeMs, holders }: TwoPersons,
): Answer | OperatorRefusal {
  const nowMs = world.now()
  if (store.people.byOwner(owner) === undefined)
    return refusedOperator('UNKNOWN_ACCOUNT', `account: ${account} was erased`, 'account')
  const known = store.requests.ask(owner, kind)
  const isInTime =
    known !== undefined &&
    nowMs - known.at_ms < ASKED_MS &&
    holders.includes(known.by_operator) &&
    known.value === value
  const asked = isInTime ? known : { by_operator: by, at_ms: nowMs, value }
  const answer = { askedBy: asked.by_operator, askedAt: isoTime(timeMs(asked.at_ms)) }
  if (!isInTime) store.requests.putAsk(owner, kind, asked)
  if (asked.by_operator === by) return { isDone: false, ...answer }
  if (madeMs >= asked.at_ms)
    return refusedOperator(
      'TOKEN_TOO_NEW',
      `the token ${by} was created after the request of ${asked.by_operator}`,
    )
  return { isDone: true, ...answer }
}
