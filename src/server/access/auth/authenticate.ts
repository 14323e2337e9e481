/**
 * Authentication and authorization: key and its account, address, permission, signature, in this order
 * (docs/reference/http.md#order-of-checks). Without a valid signature, an unknown or disabled key, a wrong
 * address and a missing permission give the same refusal after the same work, so that a client without the
 * secret learns nothing about a key.
 */
import { type Account, type ApiKey, keyWireOf } from '../../../core/registry/records.ts'
import { type KeyWire, mayUse, type Permission } from '../../../units/order-enums.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import { type AddressRange, containsAny, parseAddress, parseAddressRange } from './address.ts'
import { type Claim, claimFault } from './claim.ts'
import type { SignatureVerifier } from './signature.ts'

/** The credentials in a request. */
export type Credentials = {
  /** Undefined if no such key exists. */
  readonly apiKey: ApiKey | undefined
  /** The account of the key; undefined if it has none. */
  readonly account: Account | undefined
  readonly now: TimeMs
  readonly clientAddress: string
  /** Undefined if it has no signature. */
  readonly claim: Claim | undefined
}

/** The part of a registry that looks up keys. */
export type KnownKeys = { readonly apiKey: (key: string) => ApiKey | undefined }

/** The key as seen by one wire: keys of other wires are unknown there. */
export function keyAt(registry: KnownKeys, wire: KeyWire, key: string): ApiKey | undefined {
  const found = registry.apiKey(key)
  return found !== undefined && keyWireOf(found) === wire ? found : undefined
}

const rangesByKey = new WeakMap<ApiKey, readonly AddressRange[]>()

/** Requirements of an operation. */
export type Need = {
  readonly permission: Permission
  readonly isSigned: boolean
  /** A strict signature, even if the key does not require it. */
  readonly isStrict?: true
}

/** Undefined when the request may continue, or the reason why not. */
export function authenticate(
  credentials: Credentials,
  { permission, isSigned, isStrict }: Need,
  verifier: SignatureVerifier,
): Refusal | undefined {
  const { claim } = credentials
  const fault = keyFault(credentials, permission)
  if (fault !== undefined) return isProven(credentials, verifier) ? fault : refuse('INVALID_API_KEY', {})
  if (!isSigned) return undefined
  if (claim === undefined) return refuse('MISSING_SIGNATURE', {})
  const malformed = claimFault(claim)
  if (malformed !== undefined) return malformed
  if (!isProven(credentials, verifier)) return refuse('INVALID_SIGNATURE', {})
  if (isStrict && claim.kind === 'PLAIN') return refuse('STRICT_SIGNATURE_REQUIRED', {})
  return strictnessFault(credentials)
}

/**
 * Whether the signature is correct, for requests that only test it; a refusal if it is correct but the key
 * cannot be used. Any problem with a key is reported as a wrong signature to callers that do not hold its
 * secret.
 */
export function trySignature(credentials: Credentials, verifier: SignatureVerifier): boolean | Refusal {
  const fault = keyFault(credentials, undefined)
  const isRight = isProven(credentials, verifier)
  return isRight && fault !== undefined ? fault : isRight
}

/**
 * The refusal of a login; undefined if it is accepted. A login needs no permission, since each later request
 * is checked for its own. An unknown key looks like a wrong signature.
 */
export function authenticateLogin(
  credentials: Credentials,
  verifier: SignatureVerifier,
): Refusal | undefined {
  const isRight = trySignature(credentials, verifier)
  if (isRight instanceof Refusal) return isRight
  if (!isRight) return refuse('INVALID_SIGNATURE', {})
  const { claim, apiKey } = credentials
  return claim?.kind === 'PLAIN' && apiKey?.strictSignature ? refuse('NONCE_REQUIRED', {}) : undefined
}

/** The first text that the signature is valid for; undefined if there is none or the key cannot be used. */
export function textSigned(
  credentials: Credentials,
  texts: readonly string[],
  verifier: SignatureVerifier,
): string | undefined {
  const { apiKey, claim, now } = credentials
  if (claim === undefined) return undefined
  const usable = keyFault(credentials, undefined) === undefined ? apiKey : undefined
  return verifier.firstSigned(usable, texts, claim.signed.signature, now)
}

/** The reason why a correct signature is not enough. Only holders of the key's secret may learn it. */
export function strictnessFault({ apiKey, claim }: Credentials): Refusal | undefined {
  return claim?.kind === 'PLAIN' && apiKey?.strictSignature
    ? refuse('STRICT_SIGNATURE_REQUIRED', {})
    : undefined
}

/**
 * The reason why the key itself cannot be used in this way; only holders of its secret receive it. Without
 * `permission`, any key is accepted.
 */
export function keyFault(
  { apiKey, account, clientAddress, now }: Credentials,
  permission: Permission | undefined,
): Refusal | undefined {
  if (apiKey === undefined) return refuse('INVALID_API_KEY', {})
  if (!apiKey.enabled) return refuse('KEY_DISABLED', {})
  if (apiKey.expiresAt !== undefined && now >= apiKey.expiresAt) return refuse('KEY_EXPIRED', {})
  if (account?.isClosed || account?.restrictions?.includes('LOGIN')) return refuse('ACCOUNT_LOCKED', {})
  if (!isAddressAllowed(apiKey, clientAddress)) {
    return refuse('ADDRESS_NOT_ALLOWED', { address: clientAddress })
  }
  if (permission === undefined) return undefined
  return mayUse(apiKey.permissions, permission) ? undefined : refuse('PERMISSION_DENIED', { permission })
}

function isAddressAllowed(apiKey: ApiKey, clientAddress: string): boolean {
  if (apiKey.addresses.length === 0) return true
  const address = parseAddress(clientAddress)
  return address !== undefined && containsAny(rangesOf(apiKey), address)
}

/** A malformed entry, which the admin server refuses, matches no address. */
function rangesOf(apiKey: ApiKey): readonly AddressRange[] {
  const known = rangesByKey.get(apiKey)
  if (known !== undefined) return known
  const ranges = apiKey.addresses.map(parseAddressRange).filter((range) => range !== undefined)
  rangesByKey.set(apiKey, ranges)
  return ranges
}

function isProven({ apiKey, claim, now }: Credentials, verifier: SignatureVerifier): boolean {
  if (claim === undefined || claimFault(claim) !== undefined) return false
  return verifier.verify(apiKey, claim.signed, now)
}
