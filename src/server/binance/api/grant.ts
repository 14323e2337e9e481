/**
 * A key that has signed for a connection and may act on it without a further signature, as long as a request
 * with the same signature would be accepted.
 */
import type { Account, ApiKey } from '../../../core/registry/records.ts'
import type { AccountId, KeyNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { RegistryView } from '../../../views/registry.ts'
import { keyFault } from '../../access/auth/authenticate.ts'
import type { PlainClaim } from '../../access/auth/claim.ts'
import { boundKey } from '../../access/auth/known-keys.ts'
import { credentialsFault, permissionOf, type SignedIn, type SignInParts } from '../access/sign-in.ts'
import type { WireSecurity } from '../endpoints/row.ts'
import { refused } from '../wire/refused.ts'
import type { WireError } from '../wire/wire-error.ts'

export type GrantParts = SignInParts & { readonly registry: RegistryView; readonly clientAddress: string }

export class Grant {
  readonly apiKey: string
  readonly accountId: AccountId
  /** Server's time. */
  readonly since: TimeMs
  readonly #claim: PlainClaim
  readonly #parts: GrantParts
  /** The records of the key and its account when the grant was last checked. */
  #record: ApiKey
  #account: Account | undefined

  constructor({ apiKey, accountId, claim }: SignedIn, since: TimeMs, parts: GrantParts) {
    this.apiKey = apiKey.apiKey
    this.accountId = accountId
    this.since = since
    this.#claim = claim
    this.#parts = parts
    this.#record = apiKey
    this.#account = parts.registry.account(accountId)
  }

  /** The number of the key in the form that new orders use. */
  get keyNumber(): KeyNumber | undefined {
    return this.#parts.registry.placingKey(this.apiKey)
  }

  /** The error if the grant has ended; undefined if it is valid. */
  fault(now: TimeMs): WireError | undefined {
    const { registry, shared } = this.#parts
    const record = boundKey(registry, this.apiKey, shared.sessionKeys)
    const account = registry.account(this.accountId)
    const isSame = record === this.#record && account === this.#account
    if (isSame && !this.#mayEnd(now)) return undefined
    const credentials = { apiKey: record, account, now, ...this.#of() }
    const fault = credentialsFault(credentials, permissionOf('USER_DATA'), this.#parts)
    if (fault !== undefined || record === undefined) return fault
    this.#record = record
    this.#account = account
    return undefined
  }

  /** The reason why the key lacks this permission; the grant itself is valid. */
  permissionFault(security: WireSecurity, now: TimeMs): WireError | undefined {
    const credentials = { apiKey: this.#record, account: this.#account, now, ...this.#of() }
    const refusal = keyFault(credentials, permissionOf(security))
    return refusal && refused(refusal)
  }

  #of() {
    return { clientAddress: this.#parts.clientAddress, claim: this.#claim }
  }

  /** Whether the key, or its previous secret, may have expired. */
  #mayEnd(now: TimeMs): boolean {
    const { expiresAt = Number.POSITIVE_INFINITY, previousSecret } = this.#record
    return now >= expiresAt || (previousSecret !== undefined && now >= previousSecret.until)
  }
}
