/**
 * Every change of a person's credentials, email address or password goes through this file: the change is
 * stored together with the end of all other sessions, or not at all; then the journal counts it.
 */
import type { HistoryKind } from '../../contract/customers/sessions.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { addSecurityMail } from '../mail/security-mail.ts'
import { journalChanges } from '../people/journal-marks.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'

/**
 * `change` checks again and writes, within the transaction; if it refuses, nothing has changed. If it rejects
 * with `ExchangeFault`, the change is stored, and the exchange is informed later that the other sessions have
 * ended.
 */
export async function changeFactors(
  context: CustomersContext,
  { origin, session }: CustomerRequest,
  person: Person,
  kind: HistoryKind,
  change: () => AccountRefusal | undefined,
): Promise<AccountRefusal | undefined> {
  const { store, world, announcer, dayLimits } = context
  const { owner } = person
  const spent = dayLimits.take(owner, 'changes')
  if (spent !== undefined) return spent
  const refusal = store.atOnce(() => {
    const sessions = store.sessions.of(owner)
    // The session may have ended while a credential was checked.
    if (!sessions.some(({ id }) => id === session?.id)) return refused('SESSION_NEEDED', {})
    const refusal = change()
    if (refusal !== undefined) return refusal
    for (const each of sessions) if (each.id !== session?.id) store.sessions.end(each)
    store.records.note(owner, kind, origin, world.now())
    // Sent to the address from before the change.
    addSecurityMail(context, person, kind === 'MAIL_CHANGED' ? kind : 'FACTORS_CHANGED')
    store.marks.want(owner)
    return undefined
  })
  if (refusal === undefined) {
    await journalChanges(context, owner)
    await announcer.announceEnded()
  }
  return refusal
}
