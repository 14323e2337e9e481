/** The person's own view of account, sessions and history. */
import type { AccountData } from '../../contract/customers/endpoints.ts'
import { HISTORY_MAX } from '../../contract/customers/sessions.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { Person } from '../store/people.ts'
import type { CustomerRequest } from './customer-request.ts'
import { NOWHERE } from './origin.ts'

export function me(
  { store }: CustomersContext,
  request: CustomerRequest,
): AccountData<'me'> | AccountRefusal {
  const { person } = request
  const details = person === undefined ? undefined : store.people.detailsOf(person)
  if (person === undefined || details === undefined) return refused('SESSION_NEEDED', {})
  const { phrase } = details
  const recoveryAskedAt = store.requests.recoveryAskedMs(person.owner)
  const mailDueAt = store.requests.dueMail(person.owner)?.due_ms
  return {
    account: person.account,
    mail: details.mail,
    language: details.language,
    ...(phrase === undefined ? {} : { phrase }),
    ...(recoveryAskedAt === undefined ? {} : { recoveryAskedAt }),
    ...(mailDueAt === undefined ? {} : { mailDueAt }),
    createdAt: person.created_ms,
    passkeys: store.people.passkeys(person.owner).map((passkey) => ({
      id: passkey.id,
      label: store.people.labelOf(passkey),
      createdAt: passkey.created_ms,
      ...(passkey.used_ms === null ? {} : { usedAt: passkey.used_ms }),
    })),
    hasPassword: store.factors.hasPassword(person.owner),
    recoveryCodes: store.factors.recoveryCodesLeft(person.owner),
  }
}

export function listSessions(
  { store }: CustomersContext,
  request: CustomerRequest,
): AccountData<'sessions'> | AccountRefusal {
  const { person, session } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  return store.sessions.of(person.owner).map((each) => ({
    id: each.id,
    isThis: each.id === session?.id,
    ...(store.sessions.originOf(each) ?? NOWHERE),
    createdAt: each.created_ms,
    lastUsedAt: each.last_ms,
    endsAt: each.ends_ms,
  }))
}

/** Access by operators is left out until the person may see it. */
export function listHistory(
  context: CustomersContext,
  request: CustomerRequest,
): AccountData<'history'> | AccountRefusal {
  const { person } = request
  return person === undefined ? refused('SESSION_NEEDED', {}) : historyFor(context, person, HISTORY_MAX)
}

export function historyFor(
  { store, world }: Pick<CustomersContext, 'store' | 'world'>,
  { owner }: Pick<Person, 'owner'>,
  limit: number,
): AccountData<'history'> {
  const nowMs = world.now()
  return store.records
    .historyOf(owner, limit)
    .filter(({ operator }) => operator === undefined || operator.shownMs <= nowMs)
    .map(({ at_ms, kind, device, network, operator }) => ({
      ...{ at: at_ms, kind, device, network },
      ...(operator === undefined ? {} : { reason: operator.reason }),
    }))
}
