/** Finds roles by the names that operators type. */
import { BUILT_IN_ROLES, builtInRights } from '../../../units/admin-rights.ts'
import { type AdminContext, unknown } from '../context.ts'

/**
 * Resolves an existing role; the names of the built-in roles are also accepted in lower case. Throws
 * `AdminRequestError`.
 */
export function knownRole(context: Pick<AdminContext, 'backOffice' | 'caller'>, name: string): string {
  const { backOffice } = context
  if (backOffice.roleByName.has(name)) return name
  const upper = name.toUpperCase()
  if (builtInRights(upper) !== undefined) return upper
  const names = () => [...Object.keys(BUILT_IN_ROLES), ...backOffice.roleByName.keys()]
  const known = { right: 'read.operators', names } as const
  throw unknown(context, { reason: 'UNKNOWN_ROLE', field: 'role', what: 'role', found: name, known })
}
