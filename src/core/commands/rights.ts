/**
 * Commands on the rights of operators: custom roles, tokens with terms, limits by amount and day, the number
 * of approvers.
 */
import type { Amount, TimeMs } from '../../units/quantities.ts'
import { byteString, integer, listOf, type ObjectOf, text, uint } from '../../units/shapes/shape.ts'
import { APPROVALS_NEEDED, OWN_ROLE } from '../registry/records.ts'
import { type CommandIn, operatorRows } from './row.ts'

const TOKEN_TERMS = {
  /** The time from which the token is refused; 0 means never. */
  expiresAt: uint<TimeMs>(),
  /**
   * Addresses and CIDR ranges from which the token may be used, at most `ADDRESSES_PER_KEY_MAX`; empty means
   * from anywhere. Checked for form at the border.
   */
  addresses: listOf(text()),
}

export interface TokenTerms extends ObjectOf<typeof TOKEN_TERMS> {}

export const RIGHTS_ROWS = operatorRows({
  SetRole: { code: 69, fields: OWN_ROLE },
  AddToken: {
    code: 70,
    fields: {
      name: text(),
      role: text(),
      /** SHA-256 of the token. */
      digest: byteString(),
      ...TOKEN_TERMS,
    },
  },
  SetTokenTerms: { code: 71, fields: { name: text(), ...TOKEN_TERMS } },
  SetRoleLimit: {
    code: 72,
    fields: {
      role: text(),
      asset: text(),
      inEach: integer<Amount>(),
      inDay: integer<Amount>(),
      outEach: integer<Amount>(),
      outDay: integer<Amount>(),
    },
  },
  SetApprovalsNeeded: { code: 73, fields: APPROVALS_NEEDED },
})

type In<Kind extends keyof typeof RIGHTS_ROWS> = CommandIn<typeof RIGHTS_ROWS, Kind>

/**
 * Creates a role, or replaces its rights. Without any right the role is removed, with its limits; no token in
 * use may then have it.
 */
export interface SetRole extends In<'SetRole'> {}

/** Adds a token of any role, as `AddAdminToken` does for the three built-in roles. */
export interface AddToken extends In<'AddToken'> {}

/**
 * Replaces a token's validity period and addresses; its role stays. The terms of a revoked token cannot be
 * set.
 */
export interface SetTokenTerms extends In<'SetTokenTerms'> {}

/**
 * Sets the limits of a role's tokens in an asset, for money in and out of the exchange, per command and in
 * total per day (UTC, of the journal's time). 0 means no limit. Amounts already moved on the day stay
 * counted.
 */
export interface SetRoleLimit extends In<'SetRoleLimit'> {}

/**
 * Sets the number of people, besides the requester, who must approve an amount above an asset's threshold.
 */
export interface SetApprovalsNeeded extends In<'SetApprovalsNeeded'> {}

export type RightsCommand = CommandIn<typeof RIGHTS_ROWS>
