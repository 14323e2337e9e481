/**
 * Recovery with only the email address: it gives no access, but asks the operators, who decide after two
 * days. The person gets an email, and can stop it from any session.
 */
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { addSecurityMail } from '../mail/security-mail.ts'
import { digestOf } from '../names.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'

/** The time in which the person can stop the recovery. */
export const RECOVERY_WAITS_MS = 48 * 3_600_000

export function requestRecovery(
  context: CustomersContext,
  request: CustomerRequest,
  { token }: AccountBody<'recover/request'>,
): AccountData<'recover/request'> | AccountRefusal {
  const { store, world } = context
  const nowMs = world.now()
  const askedMs = store.atOnce(() => {
    const link = store.links.find(digestOf(token), 'RECOVER', nowMs)
    const person = link === undefined ? undefined : store.people.byOwner(link.owner)
    if (person?.state !== 'ACTIVE') return undefined
    const { owner } = person
    store.links.remove(owner, 'RECOVER')
    const before = store.requests.recoveryAskedMs(owner)
    if (before !== undefined) return before
    store.requests.askRecovery(owner, nowMs)
    store.records.note(owner, 'RECOVERY_ASKED', request.origin, nowMs)
    addSecurityMail(context, person, 'RECOVERY_ASKED')
    return nowMs
  })
  if (askedMs === undefined) return refused('LINK_INVALID', {})
  return { readyAt: askedMs + RECOVERY_WAITS_MS }
}

export function stopRecovery(
  context: CustomersContext,
  request: CustomerRequest,
): undefined | AccountRefusal {
  const { store, world } = context
  const { person, origin } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  const { owner } = person
  return store.atOnce(() => {
    if (!request.isSessionRunning) return refused('SESSION_NEEDED', {})
    store.links.remove(owner, 'RESET')
    for (const kind of ['RESET', 'MAIL'] as const) store.requests.endAsk(owner, kind)
    const ended = [store.requests.endRecovery(owner), store.requests.endDueMail(owner)]
    if (!ended.includes(true)) return undefined
    store.records.note(owner, 'RECOVERY_STOPPED', origin, world.now())
    addSecurityMail(context, person, 'RECOVERY_STOPPED')
    return undefined
  })
}
