/** Setting up an authenticator app: its secret takes effect once a code from the app has been entered. */
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { openAccount } from '../people/open-account.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { changeFactors } from './change.ts'
import { isFree } from './password-changes.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

const OFFER_MS = 10 * 60_000
/** Maximum number of wrong codes for one secret. */
const TRIES_MAX = 5

export function beginTotp(
  { config, store, world, totpOffers }: CustomersContext,
  { person, session }: CustomerRequest,
): AccountData<'totp/begin'> | AccountRefusal {
  const details = person === undefined ? undefined : store.people.detailsOf(person)
  if (session === undefined || details === undefined) return refused('SESSION_NEEDED', {})
  const secret = newTotpSecret(world.randomBytes)
  totpOffers.set(session.id, { secret, tries: 0 }, OFFER_MS)
  return { secret, uri: totpUri(secret, { issuer: config.name, label: details.mail }) }
}

/** Together with a password, opens the account after the confirmation of the email address. */
export async function finishTotp(
  context: CustomersContext,
  request: CustomerRequest,
  { code, sessionKey }: AccountBody<'totp/finish'>,
): Promise<AccountData<'totp/finish'> | AccountRefusal> {
  const { store, world, totpOffers } = context
  const { person, session } = request
  if (person === undefined || session === undefined) return refused('SESSION_NEEDED', {})
  const offer = totpOffers.get(session.id)
  if (offer === undefined) return refused('CHALLENGE_EXPIRED', {})
  const isFirst = session.level === 'SIGNUP'
  if (isFirst && !isFree(context, person)) return refused('SESSION_NEEDED', {})
  if (isFirst && store.factors.passwordOf(person.owner) === undefined) return refused('PASSWORD_NEEDED', {})
  const step = stepOfCode(offer.secret, code, world.now())
  if (step === undefined) {
    if (++offer.tries >= TRIES_MAX) totpOffers.delete(session.id)
    return refused('CODE_WRONG', {})
  }
  totpOffers.delete(session.id)
  const keep = () => store.factors.setTotp(person.owner, { secret: offer.secret, lastStep: step })
  const isThere = () => store.factors.hasPassword(person.owner)
  const factor = { kind: 'TOTP_SET', store: keep, isThere } as const
  if (isFirst) return openAccount(context, request, person, factor, sessionKey)
  const refusal = await changeFactors(context, request, person, 'TOTP_SET', () => {
    keep()
    return undefined
  })
  return refusal ?? { account: person.account }
}
