/** Opens the account of a person with the first way to sign in: first in the store, then at the exchange. */
import type { AccountData } from '../../contract/customers/endpoints.ts'
import type { HistoryKind } from '../../contract/customers/sessions.ts'
import { AccountRefusal, refused } from '../account-refusal.ts'
import { isAway } from '../away.ts'
import type { CustomersContext } from '../customers-context.ts'
import { storeRecoveryCodes } from '../factors/recovery-codes.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { openSession, type Proved, type SignedIn } from '../sessions/sign-in.ts'
import type { Person } from '../store/people.ts'

/** The first way to sign in: `store` writes it, within the transaction. */
export type FirstFactor = {
  readonly kind: HistoryKind
  readonly store: () => void
  /** Whether the person still has this way to sign in. */
  readonly isThere: () => boolean
}

/**
 * Rejects with `ExchangeFault`; then the account is opened later, and the factor can sign in from that time
 * on.
 */
export async function openAccount(
  context: CustomersContext,
  request: CustomerRequest,
  person: Person,
  factor: FirstFactor,
  sessionKey: string | undefined,
): Promise<AccountData<'passkey/register/finish'> | AccountRefusal> {
  const { store, world, openings } = context
  const { owner, account } = person
  const stored = store.atOnce(() => {
    // While the factor was checked, another link may have removed this person.
    if (store.people.byOwner(owner)?.state !== 'CONFIRMED') return refused('SESSION_NEEDED', {})
    const becomes = stateAfter(context, person)
    const invitation = store.invitations.of(owner)
    // Other persons may have used up the invitation in the meantime.
    if (invitation !== undefined && !store.invitations.use(invitation, world.now()))
      return refused('INVITATION_INVALID', {})
    factor.store()
    store.people.become(owner, becomes, 'CONFIRMED')
    store.records.note(owner, factor.kind, request.origin, world.now())
    return { isWaiting: becomes === 'WAITING', recoveryCodes: storeRecoveryCodes(context, owner) }
  })
  if (stored instanceof AccountRefusal) return stored
  const { isWaiting, recoveryCodes } = stored
  if (isWaiting) {
    request.end()
    return { account, isWaiting: true, recoveryCodes }
  }
  await openings.open(person)
  store.records.note(owner, 'SIGNED_UP', request.origin, world.now())
  request.end()
  const proved = { sessionKey, isStillProved: factor.isThere }
  return { account, ...(await firstSignIn(context, request, person, proved)), recoveryCodes }
}

/**
 * The answer after a first or a new way to sign in was stored, with a session. It has no session if the
 * exchange refuses it, or if the exchange or the store does not answer: the answer has recovery codes that
 * are shown only once, and the person can sign in later.
 */
export async function firstSignIn(
  context: CustomersContext,
  request: CustomerRequest,
  person: Person,
  { sessionKey, isStillProved }: Omit<Proved, 'sessionKey'> & { readonly sessionKey: string | undefined },
): Promise<{ readonly signedIn?: SignedIn }> {
  if (sessionKey === undefined) return {}
  try {
    const signedIn = await openSession(context, request, person, { sessionKey, isStillProved })
    return signedIn instanceof AccountRefusal ? {} : { signedIn }
  } catch (cause) {
    if (!isAway(cause)) throw cause
    return {}
  }
}

/** Whether an operator must approve the person first. */
function stateAfter({ config, store }: CustomersContext, { owner }: Person): 'PENDING' | 'WAITING' {
  return config.signUp === 'APPROVAL' && store.invitations.of(owner) === undefined ? 'WAITING' : 'PENDING'
}

/**
 * Signs in a person who has shown a credential, in any state of the account. Rejects with `ExchangeFault`.
 */
export async function signIn(
  context: CustomersContext,
  request: CustomerRequest,
  person: Person,
  proved: Proved,
): Promise<SignedIn | AccountRefusal> {
  // This store is an older copy: the credential may have been removed since.
  if (context.store.marks.isOld(person.owner)) return refused('CREDENTIALS_WRONG', {})
  const spent = context.dayLimits.take(person.owner, 'signIns')
  if (spent !== undefined) return spent
  // The process ended between storing the credential and opening the account.
  if (person.state === 'PENDING') await context.openings.open(person)
  else if (person.state === 'WAITING') return refused('APPROVAL_AWAITED', {})
  else if (person.state !== 'ACTIVE') return refused('CREDENTIALS_WRONG', {})
  return openSession(context, request, person, proved)
}
