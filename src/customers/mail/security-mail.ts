/** Emails about the security of an account: each has a link that freezes the account and gives no access. */
import { digestOf, newToken } from '../names.ts'
import type { World } from '../ports.ts'
import type { Person } from '../store/people.ts'
import type { MailKind } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/** The time for which a link that freezes the account is valid: an email that is found late still helps. */
export const FREEZE_LINK_MS = 30 * 24 * 3_600_000
/**
 * Maximum number of emails to one person in an hour; the last one announces that no more will be sent. Emails
 * with a link of their own are always sent, since they are counted where they are requested.
 */
export const SECURITY_MAILS_PER_HOUR = 20
/** Maximum number of links that freeze one person's account; the oldest one is dropped. */
export const FREEZE_LINKS_MAX = 500
const HOUR_MS = 3_600_000

export type SecurityMailParts = {
  readonly store: Store
  readonly world: Pick<World, 'now' | 'randomBytes'>
}

/**
 * Puts an email to the confirmed address into the queue; `token` belongs to a link in the email. Call it
 * within the transaction of the change that the email reports.
 */
export function addSecurityMail(
  { store, world }: SecurityMailParts,
  person: Person,
  kind: MailKind,
  token = '',
): void {
  const key = store.keys.keyOf(person.owner)
  const details = store.people.detailsOf(person)
  if (key === undefined || details === undefined) return
  const { mail, language } = details
  const { owner } = person
  const nowMs = world.now()
  const left = token === '' ? SECURITY_MAILS_PER_HOUR - store.records.mailsSince(owner, nowMs - HOUR_MS) : 2
  if (left <= 0) return
  const freeze = newToken(world.randomBytes)
  store.links.add({
    ...{ token_digest: digestOf(freeze), owner, kind: 'FREEZE' },
    ...{ created_ms: nowMs, expires_ms: nowMs + FREEZE_LINK_MS },
  })
  store.links.keepNewest(owner, 'FREEZE', FREEZE_LINKS_MAX)
  const isLast = left === 1 ? { isLast: true as const } : {}
  store.records.addMail({ owner, kind, at_ms: nowMs }, { to: mail, language, token, freeze, ...isLast }, key)
}
