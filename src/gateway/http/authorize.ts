/** Who may use an operation over HTTP, and with which parameters (docs/reference/http.md#order-of-checks). */
import type { AccountId } from '../../units/ids.ts'
import { authenticate } from '../access/auth/authenticate.ts'
import { claimOf } from '../access/auth/claim.ts'
import { checkTimes, takeNonce } from '../access/auth/freshness.ts'
import type { KeyUse } from '../access/auth/key-use.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { SignatureVerifier } from '../access/auth/signature.ts'
import { checkTimestamp } from '../access/auth/time-window.ts'
import type { Clock } from '../common/clock.ts'
import { Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Operation, Security } from '../trading/operation.ts'
import type { Services } from '../trading/services.ts'
import type { RequestContext } from './request-context.ts'
import { readParameters } from './request-parameters.ts'

/** A request that is authorized: the account it acts for, and what it asks for. */
export type AuthorizedRequest = { readonly parameters: Parameters; readonly accountId: AccountId | undefined }

/** What authorization works with. */
export type AuthorizationParts = {
  readonly verifier: SignatureVerifier
  readonly clock: Clock
  readonly keyUse: KeyUse
  readonly nonces: NonceStore
}

type Secured = Exclude<Security, { readonly kind: 'NONE' }>

/** Who asks where no key is needed and no parameter counts. */
const ANYBODY: AuthorizedRequest = { parameters: new Parameters(), accountId: undefined }

/**
 * Before anything is read for it: a request that needs a key must name one. Whether there is such a key is answered when the body
 * has come, since of a disabled one that is the moment: until then the two are the same.
 */
export function keyRefusal({ headers }: RequestContext, { security }: Operation): Refusal | undefined {
  if (security.kind === 'NONE') return undefined
  const { apiKey } = headers
  return apiKey === null || apiKey === '' ? refuse('MISSING_API_KEY', {}) : undefined
}

/** Authorizes a request, now that the body is here. A promise where the nonce of a strict signature is being counted. */
export function authorize(
  context: RequestContext,
  { security }: Operation,
  services: Services,
  body: Uint8Array | undefined,
  parts: AuthorizationParts,
): AuthorizedRequest | Refusal | Promise<AuthorizedRequest | Refusal> {
  if (security.kind !== 'NONE') return authorizeWithKey(context, security, services, body, parts)
  return security.takesParameters ? authorizeAnybody(context, body) : ANYBODY
}

function authorizeAnybody(
  { target, headers }: RequestContext,
  body: Uint8Array | undefined,
): AuthorizedRequest | Refusal {
  const parameters = readParameters(target.query, body, headers.contentType)
  if (parameters instanceof Refusal) return parameters
  return repetition(parameters) ?? { parameters, accountId: undefined }
}

/** Key, address, permission, signature, decoding, time window, no parameter twice, and no nonce twice: in this order. */
function authorizeWithKey(
  context: RequestContext,
  security: Secured,
  services: Services,
  body: Uint8Array | undefined,
  { verifier, clock, keyUse, nonces }: AuthorizationParts,
): AuthorizedRequest | Refusal | Promise<AuthorizedRequest | Refusal> {
  const { headers, target, address } = context
  const { registry } = services.market
  // Looked up now that the body is here: it may have been disabled while that came.
  const apiKey = registry.apiKey(headers.apiKey ?? '')
  const account = apiKey === undefined ? undefined : registry.account(apiKey.accountId)
  const claim = claimOf({ method: context.request.method, target, headers, body })
  const credentials = { apiKey, account, now: clock.steady(), clientAddress: address, claim }
  const isSigned = security.kind === 'SIGNED'
  const refusal = authenticate(credentials, security.permission, isSigned, verifier)
  if (refusal !== undefined) return refusal
  if (apiKey === undefined) return refuse('INVALID_API_KEY', {})
  keyUse.note(apiKey.apiKey, context.now)
  const parameters = readParameters(target.query, body, headers.contentType)
  if (parameters instanceof Refusal) return parameters
  const fault = isSigned ? checkTimes(parameters, claim, clock) : checkTimestamp(parameters)
  if (fault !== undefined) return fault
  const repeated = repetition(parameters)
  if (repeated !== undefined) return repeated
  const authorized = { parameters, accountId: apiKey.accountId }
  if (!isSigned || claim?.kind !== 'STRICT') return authorized
  const nonceRefusal = takeNonce(parameters, apiKey, claim, nonces, clock)
  if (!(nonceRefusal instanceof Promise)) return nonceRefusal ?? authorized
  return nonceRefusal.then((later) => later ?? authorized)
}

function repetition(parameters: Parameters): Refusal | undefined {
  const name = parameters.firstRepeated()
  return name === undefined ? undefined : refuse('DUPLICATE_PARAMETER', { name })
}
