/** Authorization of a request over HTTP, and its parameters (docs/reference/http.md#order-of-checks). */
import type { AccountId, KeyNumber } from '../../units/ids.ts'
import { authenticate, type Credentials } from '../access/auth/authenticate.ts'
import { claimOf, type Signable } from '../access/auth/claim.ts'
import { checkTimes, takeNonce } from '../access/auth/freshness.ts'
import type { KeyUse } from '../access/auth/key-use.ts'
import { knownKey, unknownYet } from '../access/auth/known-keys.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { KeyOrders, SessionKeys } from '../access/auth/session-keys.ts'
import type { SignatureVerifier } from '../access/auth/signature.ts'
import { checkTimestamp, windowOf } from '../access/auth/time-window.ts'
import type { Clock } from '../common/clock.ts'
import { Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { RequestWindow } from '../trading/call.ts'
import type { Security } from '../trading/operation.ts'
import type { Services } from '../trading/services.ts'
import type { HttpOperation } from './http-call.ts'
import type { RequestContext } from './request-context.ts'
import { readParameters, repetition } from './request-parameters.ts'
import { type SignatureTrial, trialOf } from './signature-trial.ts'

/** An authorized request: the account that it acts for, and its parameters. */
export type AuthorizedRequest = {
  readonly parameters: Parameters
  readonly accountId: AccountId | undefined
  /** The account of the key; undefined if it has none. */
  readonly keyNumber?: KeyNumber | undefined
  /** The orders of a customer's session key. */
  readonly keyOrders?: KeyOrders | undefined
  /** Present if the request is signed. */
  readonly window: RequestWindow | undefined
  /** Present if the request asks for a test of its signature. */
  readonly trial?: SignatureTrial
}

/** The parts used by authorization. */
export type AuthorizationParts = {
  readonly verifier: SignatureVerifier
  readonly clock: Clock
  readonly keyUse: KeyUse
  readonly nonces: NonceStore
  /** The keys of customers' sessions; undefined if there are none. */
  readonly sessionKeys?: SessionKeys | undefined
}

type Secured = Exclude<Security, { readonly kind: 'NONE' }>

/** The caller if no key is needed and no parameter matters. */
const ANYBODY: AuthorizedRequest = { parameters: new Parameters(), accountId: undefined, window: undefined }

/**
 * Before the body is read: a request that requires a key must name one. Whether the key exists is only
 * answered after the body has arrived, since that is when a disabled key is refused: the two cannot be
 * distinguished before.
 */
export function keyRefusal({ headers }: RequestContext, { security }: HttpOperation): Refusal | undefined {
  if (security.kind === 'NONE') return undefined
  const { apiKey } = headers
  return apiKey === null || apiKey === '' ? refuse('MISSING_API_KEY', {}) : undefined
}

/**
 * Authorizes a request after its body has arrived. A promise while the nonce of a strict signature is being
 * counted.
 */
export function authorize(
  context: RequestContext,
  { security }: HttpOperation,
  services: Services,
  body: Uint8Array | undefined,
  parts: AuthorizationParts,
): AuthorizedRequest | Refusal | Promise<AuthorizedRequest | Refusal> {
  switch (security.kind) {
    case 'NONE':
      return security.takesParameters ? authorizeAnybody(context, body) : ANYBODY
    case 'TRIED':
      return authorizeTrial(context, services, body, parts)
    default:
      return authorizeWithKey(context, security, services, body, parts)
  }
}

function authorizeAnybody(
  { target, headers }: RequestContext,
  body: Uint8Array | undefined,
): AuthorizedRequest | Refusal {
  const parameters = readParameters(target.query, body, headers.contentType)
  if (parameters instanceof Refusal) return parameters
  return repetition(parameters) ?? { ...ANYBODY, parameters }
}

/**
 * Key, address, permission, signature, decoding, time window, no parameter twice, and no nonce twice: in this
 * order.
 */
function authorizeWithKey(
  context: RequestContext,
  security: Secured,
  services: Services,
  body: Uint8Array | undefined,
  parts: AuthorizationParts,
): AuthorizedRequest | Refusal | Promise<AuthorizedRequest | Refusal> {
  const { headers, target } = context
  const { verifier, clock, keyUse, nonces } = parts
  const credentials = credentialsOf(context, services, signableOf(context, body), parts)
  const { apiKey, claim } = credentials
  const { registry } = services.market
  const unknown =
    apiKey === undefined ? unknownYet(registry, headers.apiKey ?? '', parts.sessionKeys) : undefined
  if (unknown !== undefined) return unknown
  const isSigned = security.kind === 'SIGNED'
  const refusal = authenticate(credentials, { ...security, isSigned }, verifier)
  if (refusal !== undefined) return refusal
  if (apiKey === undefined) return refuse('INVALID_API_KEY', {})
  keyUse.note(apiKey.apiKey, context.now)
  const parameters = readParameters(target.query, body, headers.contentType)
  if (parameters instanceof Refusal) return parameters
  const fault = isSigned ? checkTimes(parameters, claim, clock) : checkTimestamp(parameters)
  if (fault !== undefined) return fault
  const repeated = repetition(parameters)
  if (repeated !== undefined) return repeated
  const window = isSigned ? windowOf(parameters) : undefined
  const keyNumber = services.market.registry.placingKey(apiKey.apiKey)
  const keyOrders = parts.sessionKeys?.ordersOf(apiKey.apiKey)
  const authorized = { parameters, accountId: apiKey.accountId, keyNumber, keyOrders, window }
  if (!isSigned || claim?.kind !== 'STRICT') return authorized
  const nonceRefusal = takeNonce(parameters, apiKey, claim, nonces, clock)
  if (!(nonceRefusal instanceof Promise)) return nonceRefusal ?? authorized
  return nonceRefusal.then((later) => later ?? authorized)
}

/** Accepts any key and any signature: the result of the check is the answer. */
function authorizeTrial(
  context: RequestContext,
  services: Services,
  body: Uint8Array | undefined,
  parts: AuthorizationParts,
): AuthorizedRequest | Refusal {
  const request = signableOf(context, body)
  const credentials = credentialsOf(context, services, request, parts)
  const trial = trialOf(request, context.headers.contentType, credentials, parts)
  if (trial instanceof Refusal) return trial
  const { apiKey } = credentials
  if (trial.isValid && apiKey !== undefined) parts.keyUse.note(apiKey.apiKey, context.now)
  return { ...ANYBODY, trial }
}

function signableOf({ request, target, headers }: RequestContext, body: Uint8Array | undefined): Signable {
  return { method: request.method, target, headers, body }
}

/** Looked up after the body has arrived: the key may have been disabled in the meantime. */
function credentialsOf(
  { headers, address }: RequestContext,
  { market: { registry } }: Services,
  request: Signable,
  { clock, sessionKeys }: AuthorizationParts,
): Credentials {
  const apiKey = knownKey(registry, headers.apiKey ?? '', sessionKeys)
  const account = apiKey === undefined ? undefined : registry.account(apiKey.accountId)
  return { apiKey, account, now: clock.steady(), clientAddress: address, claim: claimOf(request) }
}
