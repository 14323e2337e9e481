/**
 * Signing in with email address, password and the code of an authenticator app. An address without an account
 * goes through the same steps: the same counts, the same queue, a hash of the same cost, and the check of the
 * code against some secret.
 */
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { BUSY } from '../factors/passwords.ts'
import { newTotpSecret, stepOfCode } from '../factors/totp.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'
import { signIn } from './open-account.ts'

export async function loginWithPassword(
  context: CustomersContext,
  request: CustomerRequest,
  { mail, password, code = '', sessionKey }: AccountBody<'login/password'>,
): Promise<AccountData<'login/password'> | AccountRefusal> {
  const { store } = context
  const mailIndex = store.keys.mailIndex(mail)
  const person = store.people.byMail(mailIndex)
  const account = Buffer.from(mailIndex).toString('base64url')
  const hash = store.factors.passwordOf(person?.owner ?? '')
  const proved = await provePassword(context, request, { person, account, password, code })
  if (proved !== 'RIGHT') return refused(proved === 'WRONG' ? 'CREDENTIALS_WRONG' : proved, {})
  if (person === undefined) return refused('CREDENTIALS_WRONG', {})
  const isStillProved = () => store.factors.passwordOf(person.owner) === hash
  return signIn(context, request, person, { sessionKey, isStillProved })
}

type Shown = {
  /** Undefined if the address has no account. */
  readonly person: Person | undefined
  /** The blind index of the address. */
  readonly account: string
  readonly password: string
  readonly code: string
}

/** RIGHT: the code is used up. Each failure is counted, whether the person exists or not. */
export async function provePassword(
  { store, world, passwords, failures }: CustomersContext,
  { origin, network, deviceDigest }: CustomerRequest,
  { person, account, password, code }: Shown,
): Promise<'RIGHT' | 'WRONG' | 'TOO_MANY_FAILURES' | 'PASSWORDS_BUSY'> {
  const owner = person?.owner ?? ''
  const isKnownDevice = store.factors.isDevice(owner, deviceDigest)
  const device = isKnownDevice ? Buffer.from(deviceDigest).toString('base64url') : undefined
  const begun = failures.begin({ account, network, password, device })
  if (begun === undefined) return 'TOO_MANY_FAILURES'
  const isPassword = await passwords.verify(password, store.factors.passwordOf(owner), isKnownDevice)
  if (isPassword === BUSY) {
    begun.succeed()
    return 'PASSWORDS_BUSY'
  }
  const { secret } = store.factors.totpOf(owner) ?? { secret: newTotpSecret(world.randomBytes) }
  const step = stepOfCode(secret, code, world.now())
  if (!isPassword || step === undefined || !store.factors.useStep(owner, step)) {
    begun.fail()
    store.records.noteLater(owner, 'SIGN_IN_FAILED', origin, world.now())
    return 'WRONG'
  }
  begun.succeed()
  return 'RIGHT'
}
