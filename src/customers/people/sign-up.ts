/**
 * Sign-up (docs/customers.md#open-an-account): no answer reveals whether an address has an account. A link
 * confirms the email address and voids every earlier sign-up for the same address.
 */
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { WAITING_MAX } from '../mail/mail-sender.ts'
import { digestOf, newAccountName, newToken } from '../names.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'

export const LINK_MS = 30 * 60_000
/** The time that a confirmed person has to register a passkey. */
export const SIGN_UP_MS = 30 * 60_000
const HOUR_MS = 3_600_000
/**
 * Maximum number of emails to one address in an hour; further requests get the same answer, and no email is
 * sent.
 */
const MAILS_PER_HOUR = 5
/** Maximum number of unused links, of all addresses. */
export const SIGN_UPS_MAX = 20_000
/** Random bytes of a person's user handle in WebAuthn. */
const HANDLE_BYTES = 32

/**
 * Sends a link; to an address that has an account, sends an email that says so, with the same work and
 * answer.
 */
export function beginSignUp(
  context: CustomersContext,
  _request: CustomerRequest,
  body: AccountBody<'signup/begin'>,
): undefined | AccountRefusal {
  const { config, store, world } = context
  if (config.signUp === 'CLOSED') return refused('SIGNUP_CLOSED', {})
  if (body.termsVersion !== config.termsVersion)
    return refused('TERMS_CHANGED', { version: config.termsVersion })
  const mailIndex = store.keys.mailIndex(body.mail)
  const nowMs = world.now()
  const invitation =
    body.invitation === undefined
      ? undefined
      : store.invitations.usable(digestOf(body.invitation), mailIndex, nowMs)
  const isNeeded = config.signUp === 'INVITATION' || body.invitation !== undefined
  if (isNeeded && invitation === undefined) return refused('INVITATION_INVALID', {})
  if (config.signUp === 'APPROVAL' && store.people.waitingCount() >= SIGN_UPS_MAX)
    return refused('TOO_MANY_SIGNUPS', {})
  const token = newToken(world.randomBytes)
  const { mail, language, termsVersion } = body
  const owner = store.keys.newOwner()
  const outcome = store.atOnce(() => {
    const { all, recent } = store.people.signUpCounts(mailIndex, nowMs - HOUR_MS)
    if (all >= SIGN_UPS_MAX || store.records.mailsWaiting() >= waitingMax(context)) return 'TOO_MANY'
    if (recent >= MAILS_PER_HOUR) return 'SENT_ENOUGH'
    const isKnown = isOpen(store.people.byMail(mailIndex)?.state)
    const terms = { ...owner, isKnown, nowMs, expiresMs: nowMs + LINK_MS }
    store.people.addSignUp(digestOf(token), mailIndex, { mail, language, termsVersion }, terms)
    if (invitation !== undefined) store.invitations.bind(owner.owner, invitation.id)
    const kind = isKnown ? 'HAVE_ACCOUNT' : 'CONFIRM'
    const toSend = { owner: owner.owner, kind, at_ms: nowMs } as const
    store.records.addMail(toSend, { to: mail, language, token }, owner.key)
    return 'SENT'
  })
  if (outcome !== 'SENT') store.keys.destroy(owner.owner)
  return outcome === 'TOO_MANY' ? refused('TOO_MANY_SIGNUPS', {}) : undefined
}

/** Confirms the email address in this browser, which may then register the first passkey. */
export function confirmSignUp(
  context: CustomersContext,
  request: CustomerRequest,
  { token }: AccountBody<'signup/confirm'>,
): AccountData<'signup/confirm'> | AccountRefusal {
  const { store, world } = context
  const nowMs = world.now()
  const digest = digestOf(token)
  const first = store.people.signUp(digest)
  const details = first === undefined ? undefined : store.people.detailsOfSignUp(first)
  if (details === undefined) return refused('LINK_INVALID', {})
  const mailIndex = store.keys.mailIndex(details.mail)
  const person = store.keys.newOwner()
  const terms = { owner: person.owner, level: 'SIGNUP', lastsMs: SIGN_UP_MS } as const
  const next = request.next(terms, person.key)
  const voided = store.atOnce(() => {
    const found = store.people.signUp(digest)
    if (found === undefined || found.is_known !== 0 || nowMs >= found.expires_ms) return undefined
    const earlier = store.people.byMail(mailIndex)
    // The account was opened in the meantime through another link.
    if (isOpen(earlier?.state)) return undefined
    // An earlier sign-up for this address without a passkey is void.
    if (earlier !== undefined) store.people.remove(earlier.owner)
    const owners = store.people.removeSignUps(mailIndex)
    const invitation = store.invitations.of(found.owner)
    if (invitation !== undefined) store.invitations.bind(person.owner, invitation)
    const account = newAccountName(world.randomBytes)
    const handle = world.randomBytes(HANDLE_BYTES)
    store.people.add({ account, handle, created_ms: nowMs }, mailIndex, details, person)
    next.store()
    return earlier === undefined ? owners : [...owners, earlier.owner]
  })
  forget(context, voided ?? [person.owner])
  if (voided === undefined || next.take() === undefined) return refused('LINK_INVALID', {})
  return { state: 'SIGNUP', csrfToken: request.csrfToken }
}

/** Erases expired sign-ups; called at intervals. */
export function sweepSignUps(context: CustomersContext): void {
  const { store, world } = context
  const nowMs = world.now()
  const unfinished = store.atOnce(() => {
    const owners = store.people.unfinished(nowMs - SIGN_UP_MS).map(({ owner }) => owner)
    for (const owner of owners) store.people.remove(owner)
    return owners
  })
  forget(context, [...unfinished, ...store.people.removeOldSignUps(nowMs)])
}

/** Destroys the keys of the persons: nothing sealed with them can be opened any more. */
function forget({ store }: CustomersContext, owners: readonly string[]): void {
  store.records.removeMailsOf(owners)
  for (const owner of owners) store.invitations.unbind(owner)
  for (const owner of owners) store.keys.destroy(owner)
}

function isOpen(state: string | undefined): boolean {
  return state === 'WAITING' || state === 'PENDING' || state === 'ACTIVE'
}

/** A sandbox sends no emails: its queue is a list for operators. */
function waitingMax({ config }: CustomersContext): number {
  return config.isSandbox ? Number.POSITIVE_INFINITY : WAITING_MAX
}
