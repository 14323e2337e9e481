/**
 * Changes the email address: requested with a step-up and reported to the present address; confirmed with a
 * link sent to the new one, in a session of the account. From then on withdrawals are blocked. If the new
 * address has an account, it gets an email that says so; the work and the answer are the same.
 */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { changeFactors } from '../factors/change.ts'
import { restWithdrawals } from '../freezes/rests.ts'
import { REST_MS } from '../freezes/unfreeze.ts'
import { digestOf, newToken } from '../names.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { addSecurityMail } from './security-mail.ts'

const LINK_MS = 30 * 60_000
const HOUR_MS = 3_600_000
/**
 * Maximum number of emails requested by one person, and sent to one address, in an hour; further requests get
 * the same answer.
 */
const MAILS_PER_HOUR = 5

export function beginMailChange(
  context: CustomersContext,
  request: CustomerRequest,
  { mail }: AccountBody<'mail/change/begin'>,
): undefined | AccountRefusal {
  const { store, world } = context
  const { person, origin } = request
  const key = person === undefined ? undefined : store.keys.keyOf(person.owner)
  const details = person === undefined ? undefined : store.people.detailsOf(person)
  if (person === undefined || key === undefined || details === undefined) return refused('SESSION_NEEDED', {})
  const { owner } = person
  const nowMs = world.now()
  const mailIndex = store.keys.mailIndex(mail)
  const token = newToken(world.randomBytes)
  return store.atOnce(() => {
    if (!request.isSessionRunning) return refused('SESSION_NEEDED', {})
    if (store.mailChanges.countSince(owner, mailIndex, nowMs - HOUR_MS) >= MAILS_PER_HOUR) return undefined
    const isKnown = store.people.byMail(mailIndex) !== undefined
    const change = { token_digest: digestOf(token), owner, mail_index: mailIndex, is_known: isKnown ? 1 : 0 }
    store.mailChanges.add({ ...change, created_ms: nowMs, expires_ms: nowMs + LINK_MS }, mail, key)
    const kind = isKnown ? 'HAVE_ACCOUNT' : 'MAIL_CHANGE'
    const { language } = details
    store.records.addMail(
      { owner, kind, at_ms: nowMs },
      { to: mail, language, token, isElsewhere: true },
      key,
    )
    addSecurityMail(context, person, 'MAIL_CHANGE_ASKED')
    store.records.note(owner, 'MAIL_CHANGE_ASKED', origin, nowMs)
    return undefined
  })
}

/**
 * Rejects with `ExchangeFault`; then withdrawals may be blocked, or the change is stored and counted later.
 */
export async function confirmMailChange(
  context: CustomersContext,
  request: CustomerRequest,
  { token }: AccountBody<'mail/change/confirm'>,
): Promise<undefined | AccountRefusal> {
  const { store, world } = context
  const { person } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  const digest = digestOf(token)
  const found = () => {
    const change = store.mailChanges.find(digest, world.now())
    return change?.owner === person.owner && change.is_known === 0 ? change : undefined
  }
  if (found() === undefined) return refused('LINK_INVALID', {})
  const spent = context.dayLimits.refusalOf(person.owner, 'changes')
  if (spent !== undefined) return spent
  if (!(await restWithdrawals(context, person, world.now() + REST_MS))) return refused('SESSION_NEEDED', {})
  return changeFactors(context, request, person, 'MAIL_CHANGED', () => {
    const change = found()
    const mail = change === undefined ? undefined : store.mailChanges.mailOf(change)
    const now = store.people.byOwner(person.owner)
    const details = now === undefined ? undefined : store.people.detailsOf(now)
    // Another person may have opened an account with this address in the meantime.
    const isFree = change !== undefined && store.people.byMail(change.mail_index) === undefined
    if (!isFree || mail === undefined || details === undefined) return refused('LINK_INVALID', {})
    store.mailChanges.removeOf(person.owner)
    store.people.setDetails(person.owner, { ...details, mail }, change.mail_index)
    return undefined
  })
}
