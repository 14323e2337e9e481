/**
 * Checks of the sender of a signed request: key, wire, address, permission, signature, window, and earlier
 * uses of the signature. Weight and bans of the address are checked earlier.
 */

import type { ApiKey } from '../../../core/registry/records.ts'
import type { AccountId, KeyNumber } from '../../../units/ids.ts'
import { authenticate, type Credentials } from '../../access/auth/authenticate.ts'
import type { PlainClaim } from '../../access/auth/claim.ts'
import { boundKey, unknownYet } from '../../access/auth/known-keys.ts'
import { refuse } from '../../common/refusal.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { SharedParts } from '../../public/shared-parts.ts'
import type { RequestWindow } from '../../trading/call.ts'
import type { Services } from '../../trading/services.ts'
import type { WireSecurity } from '../endpoints/row.ts'
import { refused } from '../wire/refused.ts'
import { WireError } from '../wire/wire-error.ts'
import type { Payload } from './payload.ts'
import { useSignature } from './signature-use.ts'
import { windowOf } from './time-window.ts'

export const KEY_HEADER = 'x-mbx-apikey'
/** The permission for reading, which the permission for trading includes. */
const READ = 'READ'
const KEY_FORM = /^[A-Za-z0-9]{1,128}$/

/**
 * The detail added to the error for a key of the other interface once its signature has been found correct.
 */
const OTHER_WIRE = 'This key belongs to the interface of the exchange: create one for clients of Binance.'

export type SignedIn = {
  readonly accountId: AccountId
  readonly keyNumber: KeyNumber | undefined
  readonly window: RequestWindow
  readonly apiKey: ApiKey
  readonly claim: PlainClaim
}

/** A request whose parameters match its row. */
export type SignedRequest = Payload & {
  /** The name of the key. */
  readonly name: string
  readonly security: WireSecurity
  /** As in `SignatureUse`. */
  readonly opens: string
}

export type SignInParts = {
  readonly shared: SharedParts
  /** Whether the key was made for this wire. */
  readonly isOfWire: (apiKey: ApiKey) => boolean
}

/** The name of the key that the request sends; an error if it is missing or cannot be a key. */
export function keyNameOf(headers: Headers): string | WireError {
  return keyName(headers.get(KEY_HEADER))
}

export function keyName(name: string | null | undefined): string | WireError {
  return name != null && KEY_FORM.test(name) ? name : refused(refuse('MISSING_API_KEY', {}))
}

/** Rejects with `EngineFault`. */
export async function signIn(
  { address, now: seenAt }: Pick<RequestContext, 'address' | 'now'>,
  request: SignedRequest,
  { market: { registry } }: Services,
  { shared, isOfWire }: SignInParts,
): Promise<SignedIn | WireError> {
  const { clock, keyUse, sessionKeys } = shared
  const { text, signature = '', opens, parameters, name } = request
  const unknown = unknownYet(registry, name, sessionKeys)
  if (unknown !== undefined) return refused(unknown)
  const apiKey = boundKey(registry, name, sessionKeys)
  const account = apiKey === undefined ? undefined : registry.account(apiKey.accountId)
  const claim: PlainClaim = { kind: 'PLAIN', signed: { text, body: undefined, signature } }
  const credentials = { apiKey, account, now: clock.steady(), clientAddress: address, claim }
  const fault = credentialsFault(credentials, permissionOf(request.security), { shared, isOfWire })
  if (fault !== undefined) return fault
  if (apiKey === undefined) return refused(refuse('INVALID_API_KEY', {}))
  const window = windowOf(parameters, { now: clock.now(), doubted: clock.doubted?.() })
  if (window instanceof WireError) return window
  const use = { key: apiKey, signature, opens, window, now: clock.now() }
  const used = await useSignature(shared.nonces(), use)
  if (used !== undefined) return refused(used)
  keyUse.note(apiKey.apiKey, seenAt)
  const keyNumber = registry.placingKey(apiKey.apiKey)
  return { accountId: apiKey.accountId, keyNumber, window, apiKey, claim }
}

export function permissionOf(security: WireSecurity): 'TRADE' | 'READ' {
  return security === 'TRADE' ? 'TRADE' : READ
}

/** The reason why the key is not accepted at an endpoint of this wire that needs this permission. */
export function credentialsFault(
  credentials: Credentials,
  permission: 'TRADE' | 'READ',
  { shared, isOfWire }: SignInParts,
): WireError | undefined {
  const refusal = authenticate(credentials, { permission, isSigned: true }, shared.verifier)
  const { apiKey } = credentials
  if (apiKey !== undefined && !isOfWire(apiKey)) {
    const beside = refusal === undefined ? { detail: OTHER_WIRE } : undefined
    const { status, code, msg, reason } = refused(refuse('INVALID_API_KEY', {}))
    return new WireError({ status, code, msg, reason, beside })
  }
  return refusal && refused(refusal)
}
