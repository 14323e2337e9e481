/**
 * Recovery (docs/customers.md#recover-an-account): the confirmed email address and a recovery code together,
 * never one of them; or the link that two operators have sent. All sessions and API keys end at once; the new
 * passkey replaces every other credential when it is created.
 */
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { restWithdrawals } from '../freezes/rests.ts'
import { endAllKeys } from '../keys/end-keys.ts'
import { addSecurityMail } from '../mail/security-mail.ts'
import { digestOf } from '../names.ts'
import { journalChanges } from '../people/journal-marks.ts'
import { firstSignIn } from '../people/open-account.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { NewPasskey, Person } from '../store/people.ts'
import { comparable, storeRecoveryCodes } from './recovery-codes.ts'

/** The time for which withdrawals are blocked. */
export const RECOVERY_REST_MS = 72 * 3_600_000
/** The time for which withdrawals are blocked after a reset by operators. */
export const RESET_REST_MS = 7 * 24 * 3_600_000
/** The time that the browser has to create the new passkey. */
const PASSKEY_MS = 30 * 60_000

/** Returns the same answer for every address. */
export function beginRecovery(
  { askedMails }: CustomersContext,
  _request: CustomerRequest,
  { mail }: AccountBody<'recover/begin'>,
): undefined {
  askedMails.ask('RECOVER', mail)
  return undefined
}

/**
 * Rejects with `ExchangeFault`; withdrawals may then be blocked, but the code is still valid, and no access
 * is given.
 */
export async function confirmRecovery(
  context: CustomersContext,
  request: CustomerRequest,
  { token, code }: AccountBody<'recover/confirm'>,
): Promise<AccountData<'recover/confirm'> | AccountRefusal> {
  const { store } = context
  const person = personOfLink(context, token, 'RECOVER')
  if (person === undefined) return refused('LINK_INVALID', {})
  const { owner } = person
  // An older copy of the store may contain used codes: in that case operators decide.
  const isOld = store.marks.isOld(owner)
  if (isOld || !store.factors.hasRecoveryCode(owner, comparable(code)))
    return refused('CREDENTIALS_WRONG', {})
  // Within the transaction: of two concurrent requests only one succeeds, even if both have the same link.
  const prove = () =>
    personOfLink(context, token, 'RECOVER') !== undefined &&
    store.factors.useRecoveryCode(owner, comparable(code))
  const terms = { restMs: RECOVERY_REST_MS, kind: 'RECOVERED', refusal: 'CREDENTIALS_WRONG', prove } as const
  return beginAnew(context, request, person, terms)
}

/** Begins the recovery with the link that two operators have sent. Rejects like `confirmRecovery`. */
export async function confirmReset(
  context: CustomersContext,
  request: CustomerRequest,
  { token }: AccountBody<'reset/confirm'>,
): Promise<AccountData<'reset/confirm'> | AccountRefusal> {
  const person = personOfLink(context, token, 'RESET')
  if (person === undefined) return refused('LINK_INVALID', {})
  const prove = () => personOfLink(context, token, 'RESET') !== undefined
  const terms = { restMs: RESET_REST_MS, kind: 'RESET', refusal: 'LINK_INVALID', prove } as const
  return beginAnew(context, request, person, terms)
}

function personOfLink(
  { store, world }: CustomersContext,
  token: string,
  kind: 'RECOVER' | 'RESET',
): Person | undefined {
  const link = store.links.find(digestOf(token), kind, world.now())
  const person = link === undefined ? undefined : store.people.byOwner(link.owner)
  return person?.state === 'ACTIVE' ? person : undefined
}

type Terms = {
  readonly restMs: number
  readonly kind: 'RECOVERED' | 'RESET'
  /**
   * Called within the transaction. If it returns false, the result is `refusal`, and nothing has changed
   * here.
   */
  readonly prove: () => boolean
  readonly refusal: 'CREDENTIALS_WRONG' | 'LINK_INVALID'
}

/** Journals the restrictions, ends sessions and API keys, and lets this browser create a passkey. */
async function beginAnew(
  context: CustomersContext,
  request: CustomerRequest,
  person: Person,
  { restMs, kind, prove, refusal }: Terms,
): Promise<AccountData<'recover/confirm'> | AccountRefusal> {
  const { store, world, announcer, turns } = context
  const { owner } = person
  const nowMs = world.now()
  const spent = context.dayLimits.take(owner, 'recoveries')
  if (spent !== undefined) return spent
  const sealingKey = store.keys.keyOf(owner)
  if (sealingKey === undefined) return refused('LINK_INVALID', {})
  if (!(await restWithdrawals(context, person, nowMs + restMs))) return refused('LINK_INVALID', {})
  const next = request.next({ owner, level: 'SIGNUP', lastsMs: PASSKEY_MS }, sealingKey)
  // In one turn of the person: no session can create a key between the end of all keys and the end of the
  // sessions.
  const isDone = await turns.take(owner, async () => {
    await endAllKeys(context, person, request.origin)
    return store.atOnce(() => {
      if (!prove()) return false
      for (const link of ['RECOVER', 'RESET'] as const) store.links.remove(owner, link)
      store.requests.endRecovery(owner)
      for (const session of store.sessions.of(owner)) store.sessions.end(session)
      store.factors.forgetDevices(owner)
      store.records.note(owner, kind, request.origin, nowMs)
      store.marks.want(owner)
      addSecurityMail(context, person, 'RECOVERED')
      next.store()
      return true
    })
  })
  if (!isDone) return refused(refusal, {})
  await journalChanges(context, owner)
  await announcer.announceEnded()
  if (next.take() === undefined) return refused('LINK_INVALID', {})
  return { state: 'SIGNUP', csrfToken: request.csrfToken }
}

/**
 * Stores the passkey of a person who has recovered: the only credential from now on, with new recovery
 * codes.
 */
export async function replaceFactors(
  context: CustomersContext,
  request: CustomerRequest,
  person: Person,
  passkey: NewPasskey,
  sessionKey: string | undefined,
): Promise<AccountData<'passkey/register/finish'> | AccountRefusal> {
  const { store, world, announcer } = context
  const { owner, account } = person
  const recoveryCodes = store.atOnce(() => {
    const sessions = store.sessions.of(owner)
    // The session may have ended while the passkey was checked.
    if (!sessions.some(({ id }) => id === request.session?.id)) return undefined
    if (store.people.hasPasskey(passkey.id)) return undefined
    for (const { id } of store.people.passkeys(owner)) store.people.removePasskey(id)
    store.factors.removePassword(owner)
    store.people.addPasskey(passkey)
    store.marks.makeNew(owner)
    for (const session of sessions) store.sessions.end(session)
    store.records.note(owner, 'PASSKEY_ADDED', request.origin, world.now())
    store.marks.want(owner)
    addSecurityMail(context, person, 'FACTORS_CHANGED')
    return storeRecoveryCodes(context, owner)
  })
  if (recoveryCodes === undefined) return refused('SESSION_NEEDED', {})
  request.end()
  const proved = { sessionKey, isStillProved: () => store.people.hasPasskey(passkey.id) }
  await journalChanges(context, owner)
  await announcer.announceEnded()
  return { account, ...(await firstSignIn(context, request, person, proved)), recoveryCodes }
}
