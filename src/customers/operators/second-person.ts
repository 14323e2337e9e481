/** Lifting a customer's own freeze: two operators must request it. Restrictions set by operators remain. */
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import type { CustomersContext } from '../customers-context.ts'
import { lift } from '../freezes/unfreeze.ts'
import { NOWHERE } from '../sessions/origin.ts'
import { isRefusal, type OperatorRefusal, personOf } from './refusal.ts'
import { askedByTwo } from './two-persons.ts'

/** Rejects with `ExchangeFault`; the second operator must then repeat the request. */
export async function unfreezeByTwo(
  context: CustomersContext,
  { account, reason, madeMs, holders }: QuestionRequest<'unfreeze'>,
  by: string,
): Promise<QuestionAnswer<'unfreeze'> | OperatorRefusal> {
  const { store, world, turns } = context
  const person = personOf(context, account)
  if (isRefusal(person)) return person
  return turns.take(person.owner, async () => {
    const asked = askedByTwo(context, person, { kind: 'UNFREEZE', value: '', by, madeMs, holders })
    if (isRefusal(asked) || !asked.isDone) return asked
    const operator = { by: `${asked.askedBy}, ${by}`, reason, shownMs: world.now() }
    await lift(context, person, { ...NOWHERE, operator })
    store.requests.endAsk(person.owner, 'UNFREEZE')
    return asked
  })
}
