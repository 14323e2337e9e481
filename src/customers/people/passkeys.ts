/** Registering a passkey, and signing in with one. */
import './metadata-of-classes.ts'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { changeFactors } from '../factors/change.ts'
import { replaceFactors } from '../factors/recovery.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'
import { CHALLENGE_MS } from './challenges.ts'
import { openAccount, signIn } from './open-account.ts'
import { assertedCounter, attestedPasskey } from './web-authn.ts'

/** Maximum number of passkeys of one person. */
export const PASSKEYS_MAX = 10

export async function beginRegistration(
  { config, challenges, store }: CustomersContext,
  request: CustomerRequest,
): Promise<AccountData<'passkey/register/begin'> | AccountRefusal> {
  const { person } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  // A passkey that replaces all others after a recovery may come from a device that has one of them.
  const own = request.session?.level === 'SESSION' ? store.people.passkeys(person.owner) : []
  if (own.length >= PASSKEYS_MAX) return refused('TOO_MANY_PASSKEYS', { max: PASSKEYS_MAX })
  const mail = store.people.detailsOf(person)?.mail ?? person.account
  const options = await generateRegistrationOptions({
    rpName: config.name,
    rpID: config.rpId,
    userID: new Uint8Array(person.handle),
    userName: mail,
    userDisplayName: mail,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: own.map(({ id }) => ({ id })),
  })
  challenges.begin(request.cookieDigest, 'REGISTER', options.challenge)
  return { options: JSON.stringify(options) }
}

/**
 * The first passkey opens the account; a further one, which needs a step-up at its start, ends other
 * sessions.
 */
export async function finishRegistration(
  context: CustomersContext,
  request: CustomerRequest,
  { attestation, label, sessionKey }: AccountBody<'passkey/register/finish'>,
): Promise<AccountData<'passkey/register/finish'> | AccountRefusal> {
  const { store, challenges, world } = context
  const { person, session } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  const challenge = challenges.take(request.cookieDigest, 'REGISTER')
  if (challenge === undefined) return refused('CHALLENGE_EXPIRED', {})
  const made = await attestedPasskey(context, attestation as unknown as RegistrationResponseJSON, challenge)
  const isTaken = () => made === undefined || store.people.hasPasskey(made.id)
  if (made === undefined || isTaken()) return refused('PASSKEY_REFUSED', {})
  const passkey = {
    ...made,
    owner: person.owner,
    created_ms: world.now(),
    label: label ?? request.origin.device,
  }
  if (session?.level === 'SIGNUP' && person.state === 'ACTIVE')
    return replaceFactors(context, request, person, passkey, sessionKey)
  if (session?.level === 'SIGNUP') {
    const factor = {
      kind: 'PASSKEY_ADDED',
      store: () => store.people.addPasskey(passkey),
      isThere: () => store.people.hasPasskey(passkey.id),
    } as const
    return openAccount(context, request, person, factor, sessionKey)
  }
  const refusal = await changeFactors(context, request, person, 'PASSKEY_ADDED', () => {
    if (store.people.passkeys(person.owner).length >= PASSKEYS_MAX)
      return refused('TOO_MANY_PASSKEYS', { max: PASSKEYS_MAX })
    if (isTaken()) return refused('PASSKEY_REFUSED', {})
    store.people.addPasskey(passkey)
    return undefined
  })
  return refusal ?? { account: person.account }
}

/** The same for every address: a list of passkeys would reveal who has one. */
export async function beginLogin(
  { config, challenges }: CustomersContext,
  request: CustomerRequest,
): Promise<AccountData<'login/passkey/begin'>> {
  const options = await generateAuthenticationOptions({
    rpID: config.rpId,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  })
  challenges.begin(request.cookieDigest, 'LOGIN', options.challenge)
  return { options: JSON.stringify(options) }
}

export async function finishLogin(
  context: CustomersContext,
  request: CustomerRequest,
  { assertion, sessionKey }: AccountBody<'login/passkey/finish'>,
): Promise<AccountData<'login/passkey/finish'> | AccountRefusal> {
  const person = await assertedPerson(context, request, assertion)
  if (person instanceof AccountRefusal) return person
  const isStillProved = () => context.store.people.passkey(String(assertion.id))?.owner === person.owner
  return signIn(context, request, person, { sessionKey, isStillProved })
}

/** The person whose passkey has signed this browser's challenge for a sign-in. The challenge is used up. */
export async function assertedPerson(
  context: CustomersContext,
  request: CustomerRequest,
  assertion: AccountBody<'login/passkey/finish'>['assertion'],
): Promise<Person | AccountRefusal> {
  const { store, challenges, world } = context
  const challenge = challenges.take(request.cookieDigest, 'LOGIN')
  if (challenge === undefined) return refused('CHALLENGE_EXPIRED', {})
  const response = assertion as unknown as AuthenticationResponseJSON
  const passkey = typeof response.id === 'string' ? store.people.passkey(response.id) : undefined
  const person = passkey === undefined ? undefined : store.people.byOwner(passkey.owner)
  if (passkey === undefined || person === undefined || !isHandle(response, person))
    return refused('CREDENTIALS_WRONG', {})
  const counter = await assertedCounter(context, response, challenge, passkey)
  if (counter === undefined) {
    store.records.noteLater(person.owner, 'SIGN_IN_FAILED', request.origin, world.now())
    return refused('CREDENTIALS_WRONG', {})
  }
  store.people.usedPasskey(passkey.id, counter, world.now())
  return person
}

/** A discoverable passkey identifies its person, who must be the person for whom it was created. */
function isHandle({ response }: AuthenticationResponseJSON, { handle }: Person): boolean {
  const said = response?.userHandle
  return typeof said === 'string' && said === Buffer.from(handle).toString('base64url')
}
