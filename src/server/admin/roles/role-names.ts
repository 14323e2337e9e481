/** Roles by the names that are typed. */
import { BUILT_IN_ROLES, builtInRights } from '../../../units/admin-rights.ts'
import { type AdminContext, unknown } from '../context.ts'

/** A role that there is; those that every exchange has are known in small letters too. Throws `AdminRequestError`. */
export function knownRole({ backOffice }: Pick<AdminContext, 'backOffice'>, name: string): string {
  if (backOffice.roleByName.has(name)) return name
  const upper = name.toUpperCase()
  if (builtInRights(upper) !== undefined) return upper
  const known = [...Object.keys(BUILT_IN_ROLES), ...backOffice.roleByName.keys()]
  throw unknown('UNKNOWN_ROLE', 'role', 'role', name, known)
}
