/** Ends the sessions of an account that operators have frozen; its restrictions are already journaled. */
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import type { CustomersContext } from '../customers-context.ts'
import { NOWHERE } from '../sessions/origin.ts'
import { isRefusal, type OperatorRefusal, personOf } from './refusal.ts'

/**
 * Rejects with `ExchangeFault`; the sessions have then ended here, and their keys at the exchange end later.
 */
export async function endFrozen(
  context: CustomersContext,
  { account }: QuestionRequest<'frozen'>,
): Promise<QuestionAnswer<'frozen'> | OperatorRefusal> {
  const { store, world, announcer } = context
  const person = personOf(context, account)
  if (isRefusal(person)) return person
  const ended = store.atOnce(() => {
    const sessions = store.sessions.of(person.owner)
    for (const session of sessions) store.sessions.end(session)
    store.records.note(person.owner, 'FROZEN', NOWHERE, world.now())
    return sessions.length
  })
  await announcer.announceEnded()
  return { ended }
}
