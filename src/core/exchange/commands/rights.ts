/** Commands on what operators may do: roles of their own, tokens with terms, limits by amount and day, how many people approve. */
import type { AdminRight } from '../../../units/admin-rights.ts'
import type { Amount, TimeMs } from '../../../units/quantities.ts'
import type { Operator } from './operator.ts'

/** Makes a role, or says anew what it may. No right at all: the role is gone, with its limits; no token in use may have it then. */
export type SetRole = {
  readonly kind: 'SetRole'
  readonly operator: Operator
  /** 1 to `NAME_MAX` of small letters, digits and `._@-`: no name of a role that every exchange has. */
  readonly name: string
  readonly rights: readonly AdminRight[]
}

/** Adds a token of any role, as `AddAdminToken` does for the first three. */
export type AddToken = {
  readonly kind: 'AddToken'
  readonly operator: Operator
  readonly name: string
  readonly role: string
  /** SHA-256 of the token. */
  readonly digest: Uint8Array
} & TokenTerms

/** Says anew how long and from where a token opens; its role stays. A revoked one has no terms. */
export type SetTokenTerms = {
  readonly kind: 'SetTokenTerms'
  readonly operator: Operator
  readonly name: string
} & TokenTerms

export type TokenTerms = {
  /** It is refused from then on; 0: never. */
  readonly expiresAt: TimeMs
  /** Addresses and CIDR ranges it may be used from, at most `ADDRESSES_PER_KEY_MAX`; empty: from anywhere. Checked for form at the border. */
  readonly addresses: readonly string[]
}

/**
 * Says how much the tokens of a role may move in an asset, in and out of the exchange, with one command and all together in a day
 * (UTC, of the journal's time). 0: no limit. What was moved in the day stays counted.
 */
export type SetRoleLimit = {
  readonly kind: 'SetRoleLimit'
  readonly operator: Operator
  readonly role: string
  readonly asset: string
  readonly inEach: Amount
  readonly inDay: Amount
  readonly outEach: Amount
  readonly outDay: Amount
}

/** Says how many people beside who asks approve what is above an asset's threshold. */
export type SetApprovalsNeeded = {
  readonly kind: 'SetApprovalsNeeded'
  readonly operator: Operator
  /** Code of an asset; '': of all that have no number of their own. */
  readonly asset: string
  /** 1 to `APPROVERS_MAX`; 0, of an asset: what is needed of all. */
  readonly needed: number
}

export type RightsCommand = SetRole | AddToken | SetTokenTerms | SetRoleLimit | SetApprovalsNeeded
