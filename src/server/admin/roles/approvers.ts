/** Who has approved what waits, and whose tokens still may: as the exchange would decide now. */
import type { Approval } from '../../../core/exchange/view.ts'
import type { AdminToken } from '../../../core/registry/records.ts'
import { isTokenInUse, rightsOf } from '../../../core/registry/roles.ts'
import type { AdminApproval } from '../../../wire/admin-records.ts'
import type { AdminContext } from '../context.ts'

/** Most names of those who may. */
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
