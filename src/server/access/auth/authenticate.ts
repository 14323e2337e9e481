/**
 * Who may do what: key and its account, address, permission, signature, in this order
 * (docs/reference/http.md#order-of-checks). Without a valid signature an unknown or disabled key, a wrong address and a
 * missing permission are one and the same refusal after the same work, so that nobody learns about a key without its secret.
 */
import type { Account, ApiKey } from '../../../core/registry/records.ts'
import type { Permission } from '../../../units/order-words.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import { type AddressRange, containsAny, parseAddress, parseAddressRange } from './address.ts'
import { type Claim, claimFault } from './claim.ts'
import type { SignatureVerifier } from './signature.ts'

/** What a request says about itself. */
export type Credentials = {
  /** Undefined: nobody has it. */
  readonly apiKey: ApiKey | undefined
  /** The key's; undefined is nobody's. */
  readonly account: Account | undefined
  readonly now: TimeMs
  readonly clientAddress: string
  /** Undefined: it has no signature. */
  readonly claim: Claim | undefined
}

const rangesByKey = new WeakMap<ApiKey, readonly AddressRange[]>()

/** What an operation needs. */
export type Need = {
  readonly permission: Permission
  readonly isSigned: boolean
  /** A strict signature, whatever the key demands. */
  readonly isStrict?: true
}

/** Undefined when the request may go on, or why it may not. */
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
 * Whether the signature is right, where nothing else is asked for; a refusal where it is and the key cannot be used. All that is
 * wrong of a key is a wrong signature to those who do not hold its secret.
 */
export function trySignature(credentials: Credentials, verifier: SignatureVerifier): boolean | Refusal {
  const fault = keyFault(credentials, undefined)
  const isRight = isProven(credentials, verifier)
  return isRight && fault !== undefined ? fault : isRight
}

/**
 * Why a login is refused; undefined: it is not. It needs no permission, since each request has one of its own. A key that is unknown
 * looks like a wrong signature.
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

/** Which of several texts the signature is right for; undefined: none, and none where the key cannot be used. */
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

/** Why a signature that is right is not enough; only those who hold the key's secret may learn it. */
export function strictnessFault({ apiKey, claim }: Credentials): Refusal | undefined {
  return claim?.kind === 'PLAIN' && apiKey?.strictSignature
    ? refuse('STRICT_SIGNATURE_REQUIRED', {})
    : undefined
}

/** Why the key itself cannot be used so; what is answered only to those who hold its secret. No `permission`: any key will do. */
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
  return apiKey.permissions.includes(permission) ? undefined : refuse('PERMISSION_DENIED', { permission })
}

function isAddressAllowed(apiKey: ApiKey, clientAddress: string): boolean {
  if (apiKey.addresses.length === 0) return true
  const address = parseAddress(clientAddress)
  return address !== undefined && containsAny(rangesOf(apiKey), address)
}

/** A malformed entry, which the admin server refuses, allows nobody. */
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
