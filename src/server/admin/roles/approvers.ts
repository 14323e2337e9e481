/**
 * The approvers of a pending request, and the tokens that may still approve it, as the exchange would decide
 * now.
 */

import type { AdminApproval } from '../../../contract/admin/records.ts'
import type { Approval } from '../../../core/questions/view.ts'
import type { AdminToken } from '../../../core/registry/records.ts'
import { isTokenInUse, rightsOf } from '../../../core/registry/roles.ts'
import type { AdminContext } from '../context.ts'

/** Maximum number of approvers' names. */
const NAMES_MAX = 20

export function approversOf(
  context: AdminContext,
  approval: Approval,
): Pick<AdminApproval, 'needed' | 'approvedBy' | 'mayApprove'> {
  const { backOffice, registry } = context
  const able = [...backOffice.tokenByName.values()].filter((token) => mayApprove(context, token, approval))
  const names = able.map(({ name }) => name)
  const code = registry.asset(approval.assetId)?.code ?? ''
  const records = backOffice.approvalsNeededByAsset
  const before = approval.approvedBy ?? []
  return {
    needed: (records.get(code) ?? records.get(''))?.needed ?? 1,
    approvedBy: before.filter((name) => names.includes(name)),
    mayApprove: names.filter((name) => !before.includes(name)).slice(0, NAMES_MAX),
  }
}

function mayApprove(
  { backOffice, now }: AdminContext,
  token: AdminToken,
  { actor, requestedAt }: Approval,
): boolean {
  const { name, role, createdAt } = token
  if (name === actor || !isTokenInUse(token, now()) || createdAt >= requestedAt) return false
  return rightsOf(role, backOffice.roleByName.get(role))?.includes('approve') === true
}
