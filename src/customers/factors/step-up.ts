/**
 * Step-up for one operation: the person reads a description of it, and a credential signs the digest of that
 * text. `stepUpRefusal` is called before each operation whose row requires a step-up.
 */
import { createHash } from 'node:crypto'
import '../people/metadata-of-classes.ts'
import { type AuthenticationResponseJSON, generateAuthenticationOptions } from '@simplewebauthn/server'
import {
  ACCOUNT_ROWS,
  type AccountBody,
  type AccountData,
  type AccountEndpoint,
} from '../../contract/customers/endpoints.ts'
import type { AccountRow } from '../../contract/customers/row.ts'
import { STEP_UP_MS } from '../../contract/customers/step-up.ts'
import { oneOf } from '../../contract/expectations.ts'
import { AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { checkedBody } from '../http/body.ts'
import { newReference } from '../names.ts'
import { provePassword } from '../people/password-login.ts'
import { assertedCounter } from '../people/web-authn.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'
import { stepUpText } from './step-up-text.ts'

export async function beginStepUp(
  context: CustomersContext,
  request: CustomerRequest,
  { operation, values = {} }: AccountBody<'step-up/begin'>,
): Promise<AccountData<'step-up/begin'> | AccountRefusal> {
  const { config, store, stepUps, world } = context
  const { person, session } = request
  if (person === undefined || session === undefined) return refused('SESSION_NEEDED', {})
  const row = rowOf(operation)
  if (row?.stepUp === undefined)
    return refused('INVALID_PARAMETER', { name: 'operation', expected: ONE_THAT_NEEDS })
  const checked = checkedBody(values, row.fields)
  if (checked instanceof AccountRefusal) return checked
  const { stepUp } = row
  const reference = newReference(world.randomBytes)
  const { language } = request
  const asked = { operation: operation as AccountEndpoint, stepUp, values }
  const text = stepUpText(context, person, asked, { language, reference })
  if (text instanceof AccountRefusal) return text
  const options = await generateAuthenticationOptions({
    rpID: config.rpId,
    challenge: new Uint8Array(createHash('sha256').update(text).digest()),
    timeout: STEP_UP_MS,
    userVerification: 'required',
    allowCredentials: store.people.passkeys(person.owner).map(({ id }) => ({ id })),
  })
  const { challenge } = options
  stepUps.ask(session.id, { operation, values, isReading: stepUp.isReading === true }, challenge)
  return { text, challenge, options: JSON.stringify(options), lastsMs: STEP_UP_MS }
}

export async function finishStepUp(
  context: CustomersContext,
  request: CustomerRequest,
  { assertion, password, code }: AccountBody<'step-up/finish'>,
): Promise<AccountData<'step-up/finish'> | AccountRefusal> {
  const { store, stepUps, world } = context
  const { person, session } = request
  if (person === undefined || session === undefined) return refused('SESSION_NEEDED', {})
  const asked = stepUps.takeAsked(session.id)
  if (asked === undefined) return refused('CHALLENGE_EXPIRED', {})
  const proof =
    assertion === undefined
      ? await proveOwnPassword(context, request, person, { password, code })
      : await provePasskey(
          context,
          person,
          assertion as unknown as AuthenticationResponseJSON,
          asked.challenge,
        )
  if (proof === 'WRONG') {
    store.records.note(person.owner, 'STEP_UP_FAILED', request.origin, world.now())
    return refused('STEP_UP_REFUSED', {})
  }
  if (proof !== 'RIGHT') return refused(proof, {})
  store.records.note(person.owner, 'STEPPED_UP', request.origin, world.now())
  const { token, lastsMs } = stepUps.allow(session.id, asked.action)
  return token === undefined ? { lastsMs } : { stepUp: token, lastsMs }
}

async function provePasskey(
  context: CustomersContext,
  { owner }: Person,
  response: AuthenticationResponseJSON,
  challenge: string,
): Promise<'RIGHT' | 'WRONG'> {
  const { people } = context.store
  const passkey = typeof response.id === 'string' ? people.passkey(response.id) : undefined
  if (passkey === undefined || passkey.owner !== owner) return 'WRONG'
  const counter = await assertedCounter(context, response, challenge, passkey)
  if (counter === undefined) return 'WRONG'
  people.usedPasskey(passkey.id, counter, context.world.now())
  return 'RIGHT'
}

/** A person without a passkey reads the text and confirms it with password and code. */
async function proveOwnPassword(
  context: CustomersContext,
  request: CustomerRequest,
  person: Person,
  {
    password = '',
    code = '',
  }: { readonly password?: string | undefined; readonly code?: string | undefined },
) {
  const details = context.store.people.detailsOf(person)
  if (details === undefined) return 'WRONG'
  const account = Buffer.from(context.store.keys.mailIndex(details.mail)).toString('base64url')
  return provePassword(context, request, { person, account, password, code })
}

/**
 * Checks the token of this session for an operation with these values. A browser that has only confirmed an
 * email address has no credential to prove yet. Undefined if the operation may be carried out, once.
 */
export function stepUpRefusal(
  { stepUps }: CustomersContext,
  { session }: CustomerRequest,
  operation: AccountEndpoint,
  { stepUp }: AccountRow,
  values: Readonly<Record<string, unknown>>,
  token: string | null,
): AccountRefusal | undefined {
  if (stepUp === undefined || session?.level === 'SIGNUP') return undefined
  if (session === undefined) return refused('SESSION_NEEDED', {})
  const action = { operation, values, isReading: stepUp.isReading === true }
  return stepUps.take(session.id, action, token) ? undefined : refused('STEP_UP_NEEDED', {})
}

function rowOf(operation: string): AccountRow | undefined {
  return Object.hasOwn(ACCOUNT_ROWS, operation) ? ACCOUNT_ROWS[operation as AccountEndpoint] : undefined
}

const NEEDING = Object.entries(ACCOUNT_ROWS).flatMap(([name, { stepUp }]) =>
  stepUp === undefined ? [] : [name],
)
const ONE_THAT_NEEDS = oneOf(NEEDING)
