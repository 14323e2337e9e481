/** A person's data: shown to that person, and erased. */
import { EXPORTED_HISTORY_MAX } from '../../contract/customers/data.ts'
import type { AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { endAllKeys } from '../keys/end-keys.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { historyFor } from '../sessions/lists.ts'
import { NOWHERE } from '../sessions/origin.ts'
import type { Person } from '../store/people.ts'

export function exportData(
  context: CustomersContext,
  { person }: CustomerRequest,
): AccountData<'export'> | AccountRefusal {
  const data = person === undefined ? undefined : dataOf(context, person)
  return data ?? refused('SESSION_NEEDED', {})
}

/** Undefined if the person was erased. */
export function dataOf(context: CustomersContext, person: Person): AccountData<'export'> | undefined {
  const { store } = context
  const details = store.people.detailsOf(person)
  if (details === undefined) return undefined
  const { mail, language, termsVersion, phrase } = details
  return {
    ...{ account: person.account, mail, language, termsVersion, createdAt: person.created_ms },
    ...(phrase === undefined ? {} : { phrase }),
    passkeys: store.people.passkeys(person.owner).map((passkey) => ({
      label: store.people.labelOf(passkey),
      createdAt: passkey.created_ms,
      ...(passkey.used_ms === null ? {} : { usedAt: passkey.used_ms }),
    })),
    sessions: store.sessions.of(person.owner).map((session) => ({
      ...(store.sessions.originOf(session) ?? NOWHERE),
      createdAt: session.created_ms,
      lastUsedAt: session.last_ms,
    })),
    keys: store.ownKeys.of(person.owner).map((row) => ({
      apiKey: row.api_key,
      ...(store.ownKeys.detailsOf(row) ?? { name: '', addresses: [] }),
    })),
    history: historyFor(context, person, EXPORTED_HISTORY_MAX),
  }
}

/**
 * First ends the API keys, since later only operators could do so. Then journals the erasure: from then on
 * every copy of the store erases the person at its start. Rejects with `ExchangeFault`; the person is then
 * erased at the next start, if the journal has the erasure.
 */
export async function eraseOwn(
  context: CustomersContext,
  request: CustomerRequest,
): Promise<undefined | AccountRefusal> {
  const { store, exchange, announcer, turns } = context
  const { person } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  await turns.take(person.owner, async () => {
    await endAllKeys(context, person, request.origin)
    await exchange.forget(person.account)
    store.erase(person)
  })
  request.end()
  await announcer.announceEnded()
  return undefined
}
