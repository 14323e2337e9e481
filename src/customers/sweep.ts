/** Removes ended rows, so that the store does not grow with time. */
import type { CustomersContext } from './customers-context.ts'
import { KEYS_COUNT_MS } from './keys/create-key.ts'
import { ENDED_KEPT_MS } from './operators/admission.ts'
import { CHANGED_MAIL_MS } from './operators/two-persons.ts'
import { sweepSignUps } from './people/sign-up.ts'

/** The time for which emails are kept, whether sent or not. */
export const MAILS_KEPT_MS = 7 * 24 * 3_600_000

/** Requests for emails count toward the hourly limit for this long. */
const HOUR_MS = 3_600_000

/** Removes all rows that have ended; called at intervals. */
export function sweep(context: CustomersContext): void {
  const { store, config, world } = context
  sweepSignUps(context)
  const nowMs = world.now()
  store.links.removeOld(nowMs)
  store.mailChanges.removeOld(nowMs - HOUR_MS)
  store.requests.removeOld(nowMs - CHANGED_MAIL_MS)
  store.invitations.removeOld(nowMs - ENDED_KEPT_MS)
  store.records.removeMailsBefore(nowMs - MAILS_KEPT_MS)
  store.sessions.removeOld(nowMs, nowMs - config.sessionIdleMs)
  store.ownKeys.removeEnded(nowMs - KEYS_COUNT_MS)
  store.sweep(nowMs)
  store.claims.removeOld(nowMs)
  store.failures.removeOld(nowMs)
}
