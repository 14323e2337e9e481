/** Mails about the safety of an account: each has a link that freezes the account and opens nothing. */
import type { CustomersContext } from '../customers-context.ts'
import { digestOf, newToken } from '../names.ts'
import type { Person } from '../store/people.ts'
import type { MailKind } from '../store/records.ts'

/** The link of a mail that somebody finds late still freezes. */
export const FREEZE_LINK_MS = 30 * 24 * 3_600_000

/**
 * Puts a mail to the confirmed address into the queue; `token`: of a link that the mail is about. To be
 * called within the transaction of the change that it is about.
 */
export function addSecurityMail(
  { store, world }: CustomersContext,
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
  const freeze = newToken(world.randomBytes)
  store.links.add({
    ...{ token_digest: digestOf(freeze), owner, kind: 'FREEZE' },
    ...{ created_ms: nowMs, expires_ms: nowMs + FREEZE_LINK_MS },
  })
  store.records.addMail({ owner, kind, at_ms: nowMs }, { to: mail, language, token, freeze }, key)
}
