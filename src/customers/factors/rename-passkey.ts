/**
 * Renames a passkey. This grants and ends nothing, so it needs no step-up; but the person chooses by these
 * names which passkey to remove, so an email reports the change.
 */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { addSecurityMail } from '../mail/security-mail.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'

export function renamePasskey(
  context: CustomersContext,
  request: CustomerRequest,
  { id, label }: AccountBody<'passkey/rename'>,
): undefined | AccountRefusal {
  const { person, origin } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  const { store, world, dayLimits } = context
  const { owner } = person
  const found = () => store.people.passkeys(owner).find((each) => each.id === id)
  const known = found()
  if (known === undefined) return refused('NO_SUCH_PASSKEY', {})
  if (store.people.labelOf(known) === label) return undefined
  const spent = dayLimits.take(owner, 'changes')
  if (spent !== undefined) return spent
  return store.atOnce(() => {
    const passkey = found()
    if (!request.isSessionRunning) return refused('SESSION_NEEDED', {})
    if (passkey === undefined) return refused('NO_SUCH_PASSKEY', {})
    if (store.people.labelOf(passkey) === label) return undefined
    store.people.setLabel(passkey, label)
    store.records.note(owner, 'PASSKEY_RENAMED', origin, world.now())
    addSecurityMail(context, person, 'PASSKEY_RENAMED')
    return undefined
  })
}
