/** Erases a customer for an operator; the erasure is already journaled. */
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import type { CustomersContext } from '../customers-context.ts'
import { endAllKeys } from '../keys/end-keys.ts'
import { NOWHERE } from '../sessions/origin.ts'

/**
 * A customer that does not exist counts as erased. Rejects with `ExchangeFault`; keys of sessions then end
 * later.
 */
export async function eraseForgotten(
  context: CustomersContext,
  { account }: QuestionRequest<'erased'>,
): Promise<QuestionAnswer<'erased'>> {
  const { store, announcer, turns } = context
  const person = store.people.byAccount(account)
  if (person !== undefined) {
    await turns.take(person.owner, async () => {
      await endAllKeys(context, person, NOWHERE)
      store.erase(person)
    })
  }
  await announcer.announceEnded()
  return { erased: true }
}
