/** Operations on roles, on their limits by amount and day, and on how many people approve. */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminApprovalRules, AdminRoleInfo, AdminRoleLimit } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { RoleLimit } from '../../../core/registry/records.ts'
import { BUILT_IN_ROLES } from '../../../units/admin-rights.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { invariant } from '../../../units/invariant.ts'
import { type Amount, NO_AMOUNT } from '../../../units/quantities.ts'
import { roleLimitKey } from '../../../views/back-office.ts'
import { type AdminContext, AdminRequestError, invalid, knownAsset, unknown } from '../context.ts'
import { leftText, nextDay } from '../limit-text.ts'
import { amountOf } from '../markets/decimals.ts'
import { pageOf } from '../page.ts'
import { operatorOf, submit } from '../submit.ts'
import { knownRole } from './role-names.ts'

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listRoles(
  context: AdminContext,
  request: AdminRequests['role/list'],
): Result<'role/list'> {
  const names = [...Object.keys(BUILT_IN_ROLES), ...context.backOffice.roleByName.keys()]
  return pageOf(names, request, (name) => name).map((name) => roleInfo(context, name))
}

/** Creates a custom role, or replaces its rights. */
export async function setRole(context: AdminContext, request: AdminRequests['role/set']): Result<'role/set'> {
  const { name, rights } = request
  if (Object.hasOwn(BUILT_IN_ROLES, name.toUpperCase())) {
    throw invalid('name', `${name.toUpperCase()} is a built-in role and cannot be changed`)
  }
  const doubled = rights.find((right, at) => rights.indexOf(right) !== at)
  if (doubled !== undefined) throw invalid('rights', `expected each right once, found ${doubled} twice`)
  await submit(context, { kind: 'SetRole', operator: operatorOf(context, request), name, rights })
  return roleInfo(context, name)
}

/** Removes a custom role, and its limits. */
export async function removeRole(
  context: AdminContext,
  request: AdminRequests['role/remove'],
): Result<'role/remove'> {
  const { name } = request
  if (!context.backOffice.roleByName.has(name)) {
    const names = () => [...context.backOffice.roleByName.keys()]
    const known = { right: 'read.operators', names } as const
    const what = 'role of your own'
    throw unknown(context, { reason: 'UNKNOWN_ROLE', field: 'name', what, found: name, known })
  }
  await submit(context, { kind: 'SetRole', operator: operatorOf(context, request), name, rights: [] })
  return { removed: true }
}

/** Sets the given fields of a role's limits in an asset; the others keep their values. */
export async function limitRole(
  context: AdminContext,
  request: AdminRequests['role/limit'],
): Result<'role/limit'> {
  const role = knownRole(context, request.role)
  const asset = knownAsset(context, 'asset', request.asset)
  const known = context.backOffice.roleLimitByKey.get(roleLimitKey(role, asset.id))
  const sum = (field: 'inEach' | 'inDay' | 'outEach' | 'outDay', before: Amount = NO_AMOUNT): Amount => {
    const text = request[field]
    return text === undefined ? before : amountOf(field, text, asset)
  }
  await submit(context, {
    kind: 'SetRoleLimit',
    operator: operatorOf(context, request),
    role,
    asset: asset.code,
    inEach: sum('inEach', known?.in.each),
    inDay: sum('inDay', known?.in.day),
    outEach: sum('outEach', known?.out.each),
    outDay: sum('outDay', known?.out.day),
  })
  return roleInfo(context, role)
}

/** Sets the number of approvers, for an asset or for all assets without their own number. */
export async function setApprovalsNeeded(
  context: AdminContext,
  request: AdminRequests['approval/needed'],
): Result<'approval/needed'> {
  const asset = request.asset === undefined ? '' : knownAsset(context, 'asset', request.asset).code
  const { needed } = request
  if (asset === '' && needed === 0)
    throw invalid('needed', 'expected at least 1, or 0 together with an asset')
  await submit(context, { kind: 'SetApprovalsNeeded', operator: operatorOf(context, request), asset, needed })
  return approvalRules(context)
}

export async function showApprovalRules(context: AdminContext): Result<'approval/show'> {
  return approvalRules(context)
}

function approvalRules({ backOffice }: AdminContext): AdminApprovalRules {
  const records = [...backOffice.approvalsNeededByAsset.values()]
  return {
    needed: backOffice.approvalsNeededByAsset.get('')?.needed ?? 1,
    assets: records.filter(({ asset }) => asset !== '').map(({ asset, needed }) => ({ asset, needed })),
  }
}

function roleInfo(context: AdminContext, name: string): AdminRoleInfo {
  const builtIn = Object.hasOwn(BUILT_IN_ROLES, name)
  const rights = builtIn
    ? BUILT_IN_ROLES[name as keyof typeof BUILT_IN_ROLES]
    : context.backOffice.roleByName.get(name)?.rights
  if (rights === undefined) throw new AdminRequestError('UNKNOWN_ROLE')
  const limits = [...context.backOffice.roleLimitByKey.values()].filter(({ role }) => role === name)
  return { name, builtIn, rights, limits: limits.map((limit) => limitInfo(context, limit)) }
}

function limitInfo({ registry, now }: AdminContext, limit: RoleLimit): AdminRoleLimit {
  const asset = registry.asset(limit.assetId)
  invariant(asset !== undefined, () => `a limit of role ${limit.role} is in an asset that is not listed`)
  const text = (units: Amount) => plainDecimal(units, asset.fraction)
  const time = now()
  return {
    asset: asset.code,
    inEach: text(limit.in.each),
    inDay: text(limit.in.day),
    inLeft: leftText(limit, 'in', asset, time),
    outEach: text(limit.out.each),
    outDay: text(limit.out.day),
    outLeft: leftText(limit, 'out', asset, time),
    dayEndsAt: isoTime(nextDay(time)),
  }
}
