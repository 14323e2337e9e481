/**
 * Operators help a person who has lost every way to sign in, or the email address: always two of them, after
 * a time in which the person can stop it, and never by a link that an operator sees.
 */
import { createHash } from 'node:crypto'
import { mail as mailField } from '../../contract/customers/field.ts'
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import { isoTime } from '../../contract/time.ts'
import { timeMs } from '../../units/quantities.ts'
import type { CustomersContext } from '../customers-context.ts'
import { RECOVERY_WAITS_MS } from '../factors/recovery-requests.ts'
import { forEachPerson } from '../for-each-person.ts'
import { addSecurityMail } from '../mail/security-mail.ts'
import { digestOf, newToken } from '../names.ts'
import { journalChanges } from '../people/journal-marks.ts'
import { NOWHERE } from '../sessions/origin.ts'
import type { Person } from '../store/people.ts'
import type { DueMail } from '../store/requests.ts'
import { isRefusal, type OperatorRefusal, personOf, refusedOperator } from './refusal.ts'
import { askedByTwo, CHANGED_MAIL_MS } from './two-persons.ts'

/** The time for which the link of a reset is valid. */
export const RESET_LINK_MS = 24 * 3_600_000
/** The time in which the owner of the old address can stop it. */
export const MAIL_WAITS_MS = 7 * 24 * 3_600_000

export function listRequests(
  { store }: CustomersContext,
  { after = '', limit }: QuestionRequest<'requests'>,
): QuestionAnswer<'requests'> {
  return store.requests.recoveriesAfter(after, limit).map(({ account, at_ms }) => ({
    account,
    askedAt: isoTime(timeMs(at_ms)),
    readyAt: isoTime(timeMs(at_ms + RECOVERY_WAITS_MS)),
  }))
}

/** Sends the link to the confirmed address. */
export function resetByTwo(
  context: CustomersContext,
  { account, reason, madeMs, holders }: QuestionRequest<'reset'>,
  by: string,
): QuestionAnswer<'reset'> | OperatorRefusal {
  const { store, world } = context
  const token = newToken(world.randomBytes)
  return store.atOnce(() => {
    const person = personOf(context, account)
    if (isRefusal(person)) return person
    const { owner } = person
    const nowMs = world.now()
    const askedMs = store.requests.recoveryAskedMs(owner)
    if (askedMs === undefined || nowMs - askedMs < RECOVERY_WAITS_MS)
      return refusedOperator(
        'NOT_READY',
        `account: ${account} did not ask for a recovery at least 48 hours ago`,
        'account',
      )
    if (store.requests.hasChangedMail(owner, by, nowMs - CHANGED_MAIL_MS))
      return refusedOperator(
        'CHANGED_MAIL',
        `${by} changed the email address of ${account} in the last 30 days`,
      )
    const asked = askedByTwo(context, person, { kind: 'RESET', value: '', by, madeMs, holders })
    if (isRefusal(asked) || !asked.isDone) return asked
    if (store.requests.hasChangedMail(owner, asked.askedBy, nowMs - CHANGED_MAIL_MS))
      return refusedOperator(
        'CHANGED_MAIL',
        `${asked.askedBy} changed the email address of ${account} in the last 30 days`,
      )
    store.links.remove(owner, 'RESET')
    const link = { token_digest: digestOf(token), owner, kind: 'RESET' } as const
    store.links.add({ ...link, created_ms: nowMs, expires_ms: nowMs + RESET_LINK_MS })
    store.requests.endAsk(owner, 'RESET')
    const operator = { by: `${asked.askedBy}, ${by}`, reason, shownMs: nowMs }
    store.records.note(owner, 'RESET', { ...NOWHERE, operator }, nowMs)
    addSecurityMail(context, person, 'RESET', token)
    return asked
  })
}

/** The address takes effect after 7 days, unless a session of the customer stops it. */
export function changeMailByTwo(
  context: CustomersContext,
  { account, mail, reason, madeMs, holders }: QuestionRequest<'mail'>,
  by: string,
): QuestionAnswer<'mail'> | OperatorRefusal {
  const { store, world } = context
  return store.atOnce(() => {
    const person = personOf(context, account)
    if (isRefusal(person)) return person
    if (!isMail(mail) || store.people.byMail(store.keys.mailIndex(mail)) !== undefined)
      return refusedOperator('MAIL_TAKEN', 'mail: expected an email address that no customer uses', 'mail')
    const { owner } = person
    const nowMs = world.now()
    const value = createHash('sha256').update(store.keys.mailIndex(mail)).digest('hex')
    const asked = askedByTwo(context, person, { kind: 'MAIL', value, by, madeMs, holders })
    if (isRefusal(asked) || !asked.isDone) return asked
    const both = `${asked.askedBy}, ${by}`
    store.requests.setDueMail(owner, { mail, dueMs: nowMs + MAIL_WAITS_MS, by: both })
    store.requests.endAsk(owner, 'MAIL')
    for (const operator of [asked.askedBy, by]) store.requests.noteMailChange(owner, operator, nowMs)
    const operator = { by: both, reason, shownMs: nowMs }
    store.records.note(owner, 'MAIL_CHANGE_ASKED', { ...NOWHERE, operator }, nowMs)
    addSecurityMail(context, person, 'MAIL_BY_OPERATORS')
    return asked
  })
}

/** Called at intervals: puts addresses into effect whose 7 days are over. Rejects with `ExchangeFault`. */
export async function changeDueMails(context: CustomersContext): Promise<void> {
  const { store, world, announcer } = context
  await forEachPerson(store.requests.dueMails(world.now()), async ({ owner }) => {
    store.atOnce(() => {
      // Another process may have done it, or the customer has stopped it.
      const due = store.requests.dueMail(owner)
      const person = store.people.byOwner(owner)
      if (person !== undefined && due !== undefined && due.due_ms <= world.now())
        changeDueMail(context, person, due)
    })
    await journalChanges(context, owner)
  })
  await announcer.announceEnded()
}

function changeDueMail(context: CustomersContext, person: Person, due: DueMail): void {
  const { store, world } = context
  const { owner } = person
  const nowMs = world.now()
  const mail = store.requests.mailOf(due)
  const details = store.people.detailsOf(person)
  store.requests.endDueMail(owner)
  if (mail === undefined || details === undefined) return
  const mailIndex = store.keys.mailIndex(mail)
  // Another person has opened an account with this address in the meantime.
  if (store.people.byMail(mailIndex) !== undefined) return
  addSecurityMail(context, person, 'MAIL_CHANGED')
  store.people.setDetails(owner, { ...details, mail }, mailIndex)
  for (const session of store.sessions.of(owner)) store.sessions.end(session)
  for (const operator of due.by_operators.split(', ')) store.requests.noteMailChange(owner, operator, nowMs)
  store.records.note(owner, 'MAIL_CHANGED', NOWHERE, nowMs)
  store.marks.want(owner)
}

function isMail(text: string): boolean {
  const { form } = mailField('')
  return form.is === 'text' && form.pattern.test(text)
}
