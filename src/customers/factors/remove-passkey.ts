/** Removing a passkey; the last way to sign in cannot be removed. */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { changeFactors } from './change.ts'

export async function removePasskey(
  context: CustomersContext,
  request: CustomerRequest,
  { id }: AccountBody<'passkey/remove'>,
): Promise<undefined | AccountRefusal> {
  const { people } = context.store
  const { person } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  return changeFactors(context, request, person, 'PASSKEY_REMOVED', () => {
    const all = people.passkeys(person.owner)
    if (!all.some((passkey) => passkey.id === id)) return refused('NO_SUCH_PASSKEY', {})
    if (all.length === 1 && !context.store.factors.hasPassword(person.owner))
      return refused('LAST_FACTOR', {})
    people.removePasskey(id)
    return undefined
  })
}
