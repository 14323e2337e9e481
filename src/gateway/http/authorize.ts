/** Who is let in to an endpoint, and with which parameters (docs/reference/http.md#order-of-checks). */
import type { ApiKey } from '../../core/registry/records.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { authenticate } from '../access/auth/authenticate.ts'
import { type Claim, claimOf, type StrictClaim } from '../access/auth/claim.ts'
import type { KeyUse } from '../access/auth/key-use.ts'
import type { NonceStore, NonceVerdict } from '../access/auth/nonces.ts'
import type { SignatureVerifier } from '../access/auth/signature.ts'
import { checkTimestamp, checkTimeWindow, lastAcceptable } from '../access/auth/time-window.ts'
import type { Clock } from '../common/clock.ts'
import { Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Services } from '../trading/call.ts'
import type { Endpoint, Security } from '../trading/operation.ts'
import type { Visit } from './request-context.ts'
import { readParameters } from './request-parameters.ts'

/** Who was let in, and with what. */
export type Entrant = { readonly parameters: Parameters; readonly accountId: AccountId | undefined }

/** What an entrance works with. */
export type EntranceParts = {
  readonly verifier: SignatureVerifier
  readonly clock: Clock
  readonly keyUse: KeyUse
  readonly nonces: NonceStore
}

type Secured = Exclude<Security, { readonly kind: 'NONE' }>

/** Who comes in where nothing is asked; no parameter counts there either. */
const ANYBODY: Entrant = { parameters: new Parameters(), accountId: undefined }

/**
 * Before anything is read for it: a request that needs a key must name one. Whether there is such a key is told when the body
 * has come, since of a disabled one that is the moment: until then the two are the same.
 */
export function keyRefusal({ headers }: Visit, { security }: Endpoint): Refusal | undefined {
  if (security.kind === 'NONE') return undefined
  const { apiKey } = headers
  return apiKey === null || apiKey === '' ? refuse('MISSING_API_KEY', {}) : undefined
}

/** Lets in whoever may come in, now that the body is here. A promise where the nonce of a strict signature is being counted. */
export function letIn(
  visit: Visit,
  { security }: Endpoint,
  services: Services,
  body: Uint8Array | undefined,
  parts: EntranceParts,
): Entrant | Refusal | Promise<Entrant | Refusal> {
  return security.kind === 'NONE' ? ANYBODY : letInWithKey(visit, security, services, body, parts)
}

/** Key, address, permission, signature, decoding, time window, no parameter twice, and no nonce twice: in this order. */
function letInWithKey(
  visit: Visit,
  security: Secured,
  services: Services,
  body: Uint8Array | undefined,
  { verifier, clock, keyUse, nonces }: EntranceParts,
): Entrant | Refusal | Promise<Entrant | Refusal> {
  const { headers, target, address } = visit
  const { registry } = services.market
  // Looked up now that the body is here: it may have been disabled while that came.
  const apiKey = registry.apiKey(headers.apiKey ?? '')
  const account = apiKey === undefined ? undefined : registry.account(apiKey.accountId)
  const claim = claimOf({ method: visit.request.method, target, headers, body })
  const credentials = { apiKey, account, now: clock.steady(), clientAddress: address, claim }
  const isSigned = security.kind === 'SIGNED'
  const refusal = authenticate(credentials, security.permission, isSigned, verifier)
  if (refusal !== undefined) return refusal
  if (apiKey === undefined) return refuse('INVALID_API_KEY', {})
  keyUse.note(apiKey.apiKey, visit.now)
  const parameters = readParameters(target.query, body, headers.contentType)
  if (parameters instanceof Refusal) return parameters
  const fault = isSigned ? checkTimes(parameters, claim, clock) : checkTimestamp(parameters)
  if (fault !== undefined) return fault
  const repeated = parameters.firstRepeated()
  if (repeated !== undefined) return refuse('DUPLICATE_PARAMETER', { name: repeated })
  const entrant = { parameters, accountId: apiKey.accountId }
  if (!isSigned || claim?.kind !== 'STRICT') return entrant
  return withNonce(entrant, apiKey, claim, nonces, clock)
}

/** The window is measured now, when the request is whole: one that was withheld until it was over is refused. */
function checkTimes(parameters: Parameters, claim: Claim | undefined, clock: Clock): Refusal | undefined {
  const fault = checkTimeWindow(parameters, { now: clock.now(), doubted: clock.doubted() })
  if (fault !== undefined) return fault
  return claim?.kind === 'STRICT' && claim.timestamp !== parameters.get('timestamp')
    ? refuse('TIMESTAMP_MISMATCH', {})
    : undefined
}

/** Lets in whoever is the first with this nonce. */
function withNonce(
  entrant: Entrant,
  { apiKey, accountId }: ApiKey,
  { nonce, timestamp }: StrictClaim,
  nonces: NonceStore,
  clock: Clock,
): Entrant | Refusal | Promise<Entrant | Refusal> {
  const now = clock.now()
  const acceptableUntil = lastAcceptable(entrant.parameters)
  const sentAt = Number(timestamp)
  const told = (verdict: NonceVerdict) => nonceRefusal(verdict, sentAt, acceptableUntil, now) ?? entrant
  const verdict = nonces.take({ apiKey, accountId, nonce, timestamp: sentAt, acceptableUntil, now })
  return verdict instanceof Promise ? verdict.then(told) : told(verdict)
}

function nonceRefusal(
  verdict: NonceVerdict,
  sentAt: number,
  acceptableUntil: number,
  now: TimeMs,
): Refusal | undefined {
  switch (verdict.kind) {
    case 'FRESH':
      return undefined
    case 'REPEATED':
      return refuse('NONCE_REPEATED', {})
    case 'FULL':
      return refuse('NONCES_FULL', {})
    case 'EXPIRED': {
      const { serverTime } = verdict
      const times = { skewMs: serverTime - sentAt, recvWindowMs: acceptableUntil - sentAt }
      return refuse('TIMESTAMP_EXPIRED', { ...times, serverTimeMs: serverTime })
    }
    case 'UNKNOWABLE':
      return refuse('NONCES_UNKNOWN', {
        afterMs: verdict.after,
        waitMs: Math.max(0, verdict.after - now) + 1,
      })
  }
}
