/** Commands of operators on API keys. */
import type { AccountId } from '../../../units/ids.ts'
import type { Permission } from '../../../units/order-words.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { ApiKeyAmendment } from '../../registry/amendments.ts'
import type { Operator } from './operator.ts'

/** Gives an account a key. The secret is sealed (encrypted) before it comes here; the core never opens it. */
export type CreateApiKey = {
  readonly kind: 'CreateApiKey'
  readonly operator: Operator
  readonly accountId: AccountId
  /** What clients send as `X-Apikey`; unique. */
  readonly apiKey: string
  readonly sealedSecret: Uint8Array
  readonly permissions: readonly Permission[]
  /** Addresses and CIDR ranges it may be used from; empty: from anywhere. Checked for form at the border. */
  readonly addresses: readonly string[]
  readonly label: string
}

export type SetApiKeyEnabled = {
  readonly kind: 'SetApiKeyEnabled'
  readonly operator: Operator
  readonly apiKey: string
  readonly enabled: boolean
}

export type SetApiKeyTerms = {
  readonly kind: 'SetApiKeyTerms'
  readonly operator: Operator
  readonly apiKey: string
} & ApiKeyAmendment

/** Says whether a key demands strict signatures; its other commands leave that as it is. */
export type SetApiKeyStrict = {
  readonly kind: 'SetApiKeyStrict'
  readonly operator: Operator
  readonly apiKey: string
  readonly strictSignature: boolean
}

/** Gives a key another secret. The old one opens until `previousUntil`; 0: not any more. */
export type RotateApiKey = {
  readonly kind: 'RotateApiKey'
  readonly operator: Operator
  readonly apiKey: string
  readonly sealedSecret: Uint8Array
  readonly previousUntil: TimeMs
}

/** Switches a key off for good. */
export type RevokeApiKey = {
  readonly kind: 'RevokeApiKey'
  readonly operator: Operator
  readonly apiKey: string
}

/**
 * Puts another sealing of the same secret in the place of one, when the master key changes; nothing else of the key
 * changes. A sealing that the key has no more, because its secret was rotated meanwhile, is nobody's loss.
 */
export type ResealSecret = {
  readonly kind: 'ResealSecret'
  readonly operator: Operator
  readonly apiKey: string
  /** As it is now, of the secret or of the one before it. */
  readonly from: Uint8Array
  readonly to: Uint8Array
}

export type KeyCommand =
  | CreateApiKey
  | SetApiKeyEnabled
  | SetApiKeyTerms
  | SetApiKeyStrict
  | RotateApiKey
  | RevokeApiKey
  | ResealSecret
