/** Ends API keys: at the exchange first, since this restricts. */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'
import type { Origin } from '../store/sessions.ts'

/** Rejects with `ExchangeFault`. */
export async function endKey(
  context: CustomersContext,
  { person, origin }: CustomerRequest,
  { apiKey }: AccountBody<'key/end'>,
): Promise<undefined | AccountRefusal> {
  if (person === undefined) return refused('SESSION_NEEDED', {})
  const isThere = await context.exchange.endKey(person.account, apiKey)
  if (!isThere) return refused('NO_SUCH_KEY', {})
  noteEnd(context, person, apiKey, origin)
  return undefined
}

/** Ends every key of the account. Rejects with `ExchangeFault`; some may then have ended. */
export async function endAllKeys(context: CustomersContext, person: Person, origin: Origin): Promise<void> {
  const keys = await context.exchange.keysOf(person.account)
  for (const { apiKey } of keys.filter(({ isRevoked }) => !isRevoked)) {
    await context.exchange.endKey(person.account, apiKey)
    noteEnd(context, person, apiKey, origin)
  }
}

function noteEnd(
  { store, world }: CustomersContext,
  { owner }: Person,
  apiKey: string,
  origin: Origin,
): void {
  store.atOnce(() => {
    store.ownKeys.end(apiKey, world.now())
    store.records.note(owner, 'KEY_ENDED', origin, world.now())
  })
}
