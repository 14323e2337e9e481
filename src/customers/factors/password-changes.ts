/** Setting and removing a password. */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'
import { changeFactors } from './change.ts'
import { isCommonPassword } from './common-passwords.ts'
import { BUSY } from './passwords.ts'

export async function setPassword(
  context: CustomersContext,
  request: CustomerRequest,
  { password }: AccountBody<'password/set'>,
): Promise<undefined | AccountRefusal> {
  const { config, store, passwords } = context
  const { person, session } = request
  const details = person === undefined ? undefined : store.people.detailsOf(person)
  if (person === undefined || session === undefined || details === undefined)
    return refused('SESSION_NEEDED', {})
  if (isCommonPassword(password, [details.mail, config.name])) return refused('PASSWORD_COMMON', {})
  const hash = await passwords.hash(password)
  if (hash === BUSY) return refused('PASSWORDS_BUSY', {})
  if (session.level === 'SESSION')
    return changeFactors(context, request, person, 'PASSWORD_SET', () => {
      store.factors.setPassword(person.owner, hash)
      return undefined
    })
  return store.atOnce(() => {
    if (!isFree(context, person)) return refused('SESSION_NEEDED', {})
    store.factors.setPassword(person.owner, hash)
    return undefined
  })
}

export async function removePassword(
  context: CustomersContext,
  request: CustomerRequest,
): Promise<undefined | AccountRefusal> {
  const { store } = context
  const { person } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  return changeFactors(context, request, person, 'PASSWORD_REMOVED', () => {
    if (store.people.passkeys(person.owner).length === 0) return refused('LAST_FACTOR', {})
    store.factors.removePassword(person.owner)
    return undefined
  })
}

/**
 * Whether the email address is confirmed and there is no account yet; another link may have removed the
 * person in the meantime.
 */
export function isFree({ store }: CustomersContext, { owner }: Pick<Person, 'owner'>): boolean {
  return store.people.byOwner(owner)?.state === 'CONFIRMED'
}
