/** Admission of persons: approvals and invitations. */
import type { KnownCustomer } from '../../contract/admin/customers.ts'
import { INVITATIONS_MAX } from '../../contract/admin/operations/admission.ts'
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import { isoTime } from '../../contract/time.ts'
import { timeMs } from '../../units/quantities.ts'
import type { CustomersContext } from '../customers-context.ts'
import { digestOf, newId, newToken } from '../names.ts'
import { NOWHERE } from '../sessions/origin.ts'
import type { Person } from '../store/people.ts'
import { knownCustomer } from './listing.ts'
import { isRefusal, type OperatorRefusal, personOf, refusedOperator } from './refusal.ts'

const DAY_MS = 86_400_000
/** 128 bits, 22 characters of base64url. */
const CODE_BYTES = 16
/** The time for which ended invitations are listed. */
export const ENDED_KEPT_MS = 30 * DAY_MS
/** The time for which the email to a refused person is kept. */
const MAIL_KEPT_MS = 7 * DAY_MS
/**
 * Approves the person and opens the account. Rejects with `ExchangeFault`; the approval is then stored, and
 * the opening continues by itself.
 */
export async function approveCustomer(
  context: CustomersContext,
  { account, reason }: QuestionRequest<'approve'>,
  by: string,
): Promise<KnownCustomer | OperatorRefusal> {
  const { store, world, openings } = context
  const person = waitingPerson(context, account)
  if (isRefusal(person)) return person
  const nowMs = world.now()
  const isApproved = store.atOnce(() => {
    if (!store.people.become(person.owner, 'PENDING', 'WAITING')) return false
    store.records.note(
      person.owner,
      'APPROVED',
      { ...NOWHERE, operator: { by, reason, shownMs: nowMs } },
      nowMs,
    )
    addMail(context, person, 'APPROVED')
    return true
  })
  if (!isApproved) return waitingPersonRefusal(context, account)
  await openings.open(person)
  return knownCustomer(context, { ...person, state: 'ACTIVE' })
}

/** Refuses the person: all of the person's data is erased, after an email that says so. */
export function refuseCustomer(
  context: CustomersContext,
  { account }: QuestionRequest<'refuse'>,
): QuestionAnswer<'refuse'> | OperatorRefusal {
  const { store, world } = context
  const person = waitingPerson(context, account)
  if (isRefusal(person)) return person
  const details = store.people.detailsOf(person)
  const forMail = store.keys.newOwner()
  const nowMs = world.now()
  const isRefused = store.atOnce(() => {
    if (store.people.byOwner(person.owner)?.state !== 'WAITING') return false
    addMail(context, person, 'REFUSED', forMail)
    if (details !== undefined) {
      // A sign-up whose link has no effect: when it ends, the email is erased with it.
      const terms = { ...forMail, isKnown: true, nowMs, expiresMs: nowMs + MAIL_KEPT_MS }
      const mailIndex = store.keys.mailIndex(details.mail)
      store.people.addSignUp(digestOf(newToken(world.randomBytes)), mailIndex, details, terms)
    }
    store.people.remove(person.owner)
    store.invitations.unbind(person.owner)
    store.records.removeMailsOf([person.owner])
    return true
  })
  if (!isRefused) {
    store.keys.destroy(forMail.owner)
    return waitingPersonRefusal(context, account)
  }
  store.keys.destroy(person.owner)
  return { refused: true }
}

export function addInvitation(
  { store, world }: CustomersContext,
  { uses, days, mail }: QuestionRequest<'invite'>,
  by: string,
): QuestionAnswer<'invite'> | OperatorRefusal {
  const code = Buffer.from(world.randomBytes(CODE_BYTES)).toString('base64url')
  const nowMs = world.now()
  const invitation = {
    id: newId(world.randomBytes),
    code_digest: digestOf(code),
    mail_index: mail === undefined ? null : store.keys.mailIndex(mail),
    ...{ uses_max: uses, uses: 0, by_operator: by, created_ms: nowMs, ends_ms: nowMs + days * DAY_MS },
  }
  const isAdded = store.atOnce(() => {
    if (store.invitations.count() >= INVITATIONS_MAX) return false
    store.invitations.add(invitation)
    return true
  })
  if (!isAdded)
    return refusedOperator('TOO_MANY_INVITATIONS', `there are ${INVITATIONS_MAX} invitations: end some`)
  return { id: invitation.id, code, endsAt: isoTime(timeMs(invitation.ends_ms)) }
}

export function listInvitations(
  { store }: CustomersContext,
  { after = '', limit }: QuestionRequest<'invitations'>,
): QuestionAnswer<'invitations'> {
  return store.invitations
    .after(after, limit)
    .map(({ id, uses, uses_max, mail_index, by_operator, created_ms, ends_ms }) => ({
      ...{ id, uses, usesMax: uses_max, isForOneAddress: mail_index !== null, by: by_operator },
      createdAt: isoTime(timeMs(created_ms)),
      endsAt: isoTime(timeMs(ends_ms)),
    }))
}

export function endInvitation(
  { store, world }: CustomersContext,
  { id }: QuestionRequest<'uninvite'>,
): QuestionAnswer<'uninvite'> | OperatorRefusal {
  if (store.invitations.end(id, world.now())) return { ended: true }
  return refusedOperator('UNKNOWN_INVITATION', `id: there is no invitation ${id}`, 'id')
}

/** The refusal if another request has decided in the meantime. */
function waitingPersonRefusal(context: CustomersContext, account: string): OperatorRefusal {
  const person = waitingPerson(context, account)
  return isRefusal(person) ? person : refusedOperator('NOT_WAITING', `account: ${account} is ${person.state}`)
}

function waitingPerson(context: CustomersContext, account: string): Person | OperatorRefusal {
  const person = personOf(context, account)
  if (isRefusal(person) || person.state === 'WAITING') return person
  return refusedOperator(
    'NOT_WAITING',
    `account: ${account} is ${person.state}, and is not waiting for approval`,
    'account',
  )
}

/** `as`: the owner whose key seals the email; by default the person. */
function addMail(
  { store, world }: CustomersContext,
  person: Person,
  kind: 'APPROVED' | 'REFUSED',
  as?: { readonly owner: string; readonly key: Uint8Array },
): void {
  const details = store.people.detailsOf(person)
  const key = as?.key ?? store.keys.keyOf(person.owner)
  if (details === undefined || key === undefined) return
  const owner = as?.owner ?? person.owner
  const { mail, language } = details
  store.records.addMail({ owner, kind, at_ms: world.now() }, { to: mail, language, token: '' }, key)
}
