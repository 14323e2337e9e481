/** Roles of tokens, a token's rights and validity, and the limits of a role. */
import { ADMIN_RIGHTS, type AdminRight, builtInRights } from '../../units/admin-rights.ts'
import { ADDRESSES_PER_KEY_MAX, NAME_MAX } from '../../units/limits.ts'
import { ADMIN_ROLES, type AdminRole } from '../../units/operator-enums.ts'
import { isAmount, type TimeMs, UNITS_MAX } from '../../units/quantities.ts'
import type { AdminToken, OwnRole, RoleLimit } from './records.ts'
import { isNumberWithin, isTextWithin } from './terms.ts'

const OWN_ROLE_NAME = new RegExp(`^[a-z0-9._@-]{1,${NAME_MAX}}$`)

/** Whether a custom role may have this name: not one that can be read as a built-in role. */
export function isOwnRoleName(name: string): boolean {
  return OWN_ROLE_NAME.test(name) && builtInRights(name.toUpperCase()) === undefined
}

/** Each right once, in the order of `ADMIN_RIGHTS`. */
export function orderedRights(rights: readonly AdminRight[]): readonly AdminRight[] {
  return ADMIN_RIGHTS.filter((right) => rights.includes(right))
}

/** The rights of a role; undefined if there is no such role. `own` is the custom role with that name. */
export function rightsOf(role: string, own: OwnRole | undefined): readonly AdminRight[] | undefined {
  return builtInRights(role) ?? own?.rights
}

/** Whether a token may be used at `time`: it is not revoked and has not expired. */
export function isTokenInUse({ isRevoked, expiresAt }: AdminToken, time: TimeMs): boolean {
  return !isRevoked && (expiresAt === undefined || expiresAt > time)
}

/**
 * Whether a token has one of the three original roles and is valid forever and from anywhere: the form of
 * tokens whose record has no terms.
 */
export function isPlainToken(token: AdminToken): token is AdminToken & { readonly role: AdminRole } {
  const { role, expiresAt, addresses } = token
  return (
    (ADMIN_ROLES as readonly string[]).includes(role) && expiresAt === undefined && addresses === undefined
  )
}

export function areValidTokenTerms(expiresAt: TimeMs, addresses: readonly string[]): boolean {
  return (
    isNumberWithin(expiresAt, 0, UNITS_MAX) &&
    addresses.length <= ADDRESSES_PER_KEY_MAX &&
    addresses.every((address) => isTextWithin(address, 1))
  )
}

/**
 * A token that is valid until `expiresAt` (0 means forever) from `addresses` (an empty list means from
 * anywhere).
 */
export function tokenWithTerms(
  token: AdminToken,
  expiresAt: TimeMs,
  addresses: readonly string[],
): AdminToken {
  const { expiresAt: _until, addresses: _from, ...rest } = token
  return {
    ...rest,
    ...(expiresAt > 0 ? { expiresAt } : {}),
    ...(addresses.length > 0 ? { addresses: addresses.slice() } : {}),
  }
}

/** Whether nothing is limited: such a record is not stored. */
export function isUnlimited({ in: incoming, out }: RoleLimit): boolean {
  return incoming.each === 0 && incoming.day === 0 && out.each === 0 && out.day === 0
}

export function isValidRoleLimit({ in: incoming, out }: RoleLimit): boolean {
  return [incoming, out].every(({ each, day, moved }) => isAmount(each) && isAmount(day) && isAmount(moved))
}
