/** Who is let in to an endpoint, and with which parameters (decisions: "Authentication"). */
import type { AccountId } from '../../units/ids.ts'
import type { Clock } from '../clock.ts'
import type { Services } from '../http/call.ts'
import type { Endpoint, Security } from '../http/endpoint.ts'
import { Parameters } from '../http/parameters.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import { readParameters } from '../http/request-parameters.ts'
import type { Visit } from '../visit.ts'
import { authenticate } from './authenticate.ts'
import type { KeyUse } from './key-use.ts'
import type { SignatureVerifier } from './signature.ts'
import { checkTimestamp, checkTimeWindow } from './time-window.ts'

/** Who was let in, and with what. */
export type Entrant = { readonly parameters: Parameters; readonly accountId: AccountId | undefined }

/** What an entrance works with. */
export type EntranceParts = {
  readonly verifier: SignatureVerifier
  readonly clock: Clock
  readonly keyUse: KeyUse
}

type Secured = Exclude<Security, { readonly kind: 'NONE' }>

/** Who comes in where nothing is asked; no parameter counts there either. */
const ANYBODY: Entrant = { parameters: new Parameters(), accountId: undefined }

/** Before anything is read for it: a request that needs a key must name one that exists. */
export function keyRefusal(
  { headers }: Visit,
  { security }: Endpoint,
  services: Services,
): Refusal | undefined {
  if (security.kind === 'NONE') return undefined
  const { apiKey } = headers
  if (apiKey === null || apiKey === '') return refuse('MISSING_API_KEY', {})
  return services.market.registry.apiKey(apiKey) === undefined ? refuse('INVALID_API_KEY', {}) : undefined
}

/** Lets in whoever may come in, now that the body is here. */
export function letIn(
  visit: Visit,
  { security }: Endpoint,
  services: Services,
  body: Uint8Array | undefined,
  parts: EntranceParts,
): Entrant | Refusal {
  return security.kind === 'NONE' ? ANYBODY : letInWithKey(visit, security, services, body, parts)
}

/** Key, address, permission, signature, decoding, time window, and no parameter twice: in this order. */
function letInWithKey(
  visit: Visit,
  security: Secured,
  services: Services,
  body: Uint8Array | undefined,
  { verifier, clock, keyUse }: EntranceParts,
): Entrant | Refusal {
  const { headers, target, address, now } = visit
  // Looked up again: it may have been disabled while the body came.
  const apiKey = services.market.registry.apiKey(headers.apiKey ?? '')
  if (apiKey === undefined) return refuse('INVALID_API_KEY', {})
  const { signature, contentType } = headers
  const account = services.market.registry.account(apiKey.accountId)
  const sent = { clientAddress: address, signature, query: target.query, body }
  const credentials = { apiKey, account, now: clock.now(), ...sent }
  const isSigned = security.kind === 'SIGNED'
  const refusal = authenticate(credentials, security.permission, isSigned, verifier)
  if (refusal !== undefined) return refusal
  keyUse.note(apiKey.apiKey, now)
  const parameters = readParameters(target.query, body, contentType)
  if (parameters instanceof Refusal) return parameters
  const fault = isSigned ? checkTimeWindow(parameters, clock.now()) : checkTimestamp(parameters)
  if (fault !== undefined) return fault
  const repeated = parameters.firstRepeated()
  return repeated === undefined
    ? { parameters, accountId: apiKey.accountId }
    : refuse('DUPLICATE_PARAMETER', { name: repeated })
}
