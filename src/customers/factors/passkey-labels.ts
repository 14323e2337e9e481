/** Names that persons give their passkeys. */
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'

/** The label as it appears in texts: a quote in it does not end the quotes around it. */
export function labelOfPasskey(
  { store }: CustomersContext,
  owner: string,
  id: string,
): string | AccountRefusal {
  const passkey = store.people.passkey(id)
  if (passkey?.owner !== owner) return refused('NO_SUCH_PASSKEY', {})
  return store.people.labelOf(passkey).replaceAll('"', "'")
}
