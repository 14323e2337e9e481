/** A phrase that the person has chosen, at the beginning of each email: a forged email does not have it. */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { MailDetails, MailRow } from '../store/records.ts'
import type { Store } from '../store/store.ts'

export function setPhrase(
  { store, world }: CustomersContext,
  request: CustomerRequest,
  { phrase }: AccountBody<'phrase/set'>,
): undefined | AccountRefusal {
  const { person, origin } = request
  return store.atOnce(() => {
    const now = person === undefined ? undefined : store.people.byOwner(person.owner)
    const details = now === undefined ? undefined : store.people.detailsOf(now)
    if (now === undefined || details === undefined || !request.isSessionRunning)
      return refused('SESSION_NEEDED', {})
    store.people.setDetails(now.owner, { ...details, phrase }, now.mail_index)
    store.records.note(now.owner, 'PHRASE_SET', origin, world.now())
    return undefined
  })
}

/**
 * The phrase of the recipient, looked up when the email is sent, so that a request takes no longer for an
 * address with an account; undefined if there is none.
 */
export function phraseOf(
  store: Store,
  { owner, to, isElsewhere }: Pick<MailRow, 'owner'> & Pick<MailDetails, 'to' | 'isElsewhere'>,
): string | undefined {
  const { people, keys } = store
  const own = isElsewhere === true ? undefined : people.byOwner(owner)
  const person = own ?? people.byMail(keys.mailIndex(to))
  return person === undefined ? undefined : people.detailsOf(person)?.phrase
}
