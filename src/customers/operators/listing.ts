/** Lists customers without personal data. */
import type { KnownCustomer } from '../../contract/admin/customers.ts'
import type { CustomersUse, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import { isoTime } from '../../contract/time.ts'
import { timeMs } from '../../units/quantities.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { Person } from '../store/people.ts'

export function listCustomers(
  context: CustomersContext,
  { state, after = '', limit }: QuestionRequest<'list'>,
): readonly KnownCustomer[] {
  return context.store.people.after(after, limit, state).map((person) => knownCustomer(context, person))
}

/** The given accounts that belong to no customer. */
export function unknownAccounts(
  { store }: CustomersContext,
  { accounts }: QuestionRequest<'unknown'>,
): readonly string[] {
  return accounts.filter((account) => store.people.byAccount(account) === undefined)
}

export function useOfCustomers({ store, config, found }: CustomersContext): CustomersUse {
  return {
    ...found,
    people: store.people.countByState(),
    sessions: store.sessions.count(),
    signUps: store.people.signUpCount(),
    // A sandbox sends no emails.
    mails: config.isSandbox ? 0 : store.records.mailsWaiting(),
    events: store.records.counts,
  }
}

export function knownCustomer({ store }: CustomersContext, person: Person): KnownCustomer {
  const { owner, account, state, created_ms } = person
  return {
    ...{ account, state },
    createdAt: isoTime(timeMs(created_ms)),
    passkeys: store.people.passkeys(owner).length,
    sessions: store.sessions.of(owner).filter(({ level }) => level === 'SESSION').length,
  }
}
