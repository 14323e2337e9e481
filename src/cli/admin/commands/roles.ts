/** The operator's commands for roles, tokens and the number of approvers. */

import type { ROLE_OPERATIONS } from '../../../contract/admin/operations/roles.ts'
import type { AdminApprovalRules, AdminRoleInfo, AdminTokenInfo } from '../../../contract/admin/records.ts'
import { ADMIN_RIGHTS } from '../../../units/admin-rights.ts'
import { facts, table } from '../../table.ts'
import { withWarnings } from '../../warnings.ts'
import type { Shown } from '../command.ts'

function tokenTable(tokens: readonly AdminTokenInfo[]): string {
  const rows = tokens.map((token) => [
    token.name,
    token.role,
    token.revoked ? 'revoked' : token.expired ? 'expired' : 'in use',
    token.createdAt,
    token.expiresAt ?? 'never',
    token.addresses.join(' ') || 'anywhere',
    token.lastUsedAt === null ? '-' : `${token.lastUsedAt} ${token.lastUsedFrom}`,
  ])
  return table(
    ['NAME', 'ROLE', 'STATE', 'CREATED', 'EXPIRES', 'FROM', 'LAST USED'],
    rows,
    'There are no named tokens yet.',
  )
}

function roleTable(roles: readonly AdminRoleInfo[]): string {
  const rows = roles.map(({ name, builtIn, rights }) => [
    name,
    builtIn ? 'always' : 'own',
    rights.length === ADMIN_RIGHTS.length ? 'all' : rights.join(' '),
  ])
  const limits = roles.flatMap(({ name, limits: some }) =>
    some.map((limit) => [
      name,
      limit.asset,
      wayText(limit.inEach, limit.inDay, limit.inLeft),
      wayText(limit.outEach, limit.outDay, limit.outLeft),
      limit.dayEndsAt,
    ]),
  )
  const ofRoles = table(['ROLE', 'KIND', 'RIGHTS'], rows, 'There are no roles.')
  const headings = ['LIMIT OF', 'ASSET', 'IN', 'OUT', 'DAY ENDS']
  return limits.length === 0 ? ofRoles : `${ofRoles}\n\n${table(headings, limits, '')}`
}

function wayText(each: string, day: string, left: string | null): string {
  const ofEach = each === '0' ? [] : [`each ${each}`]
  const ofDay = left === null ? [] : [`day ${day}, left ${left}`]
  return [...ofEach, ...ofDay].join('; ') || '-'
}

function approvalRulesText({ needed, assets }: AdminApprovalRules): string {
  return facts([
    ['approvals needed', String(needed)],
    ...assets.map(({ asset, needed: own }): [string, string] => [`of ${asset}`, String(own)]),
  ])
}

export const ROLE_ANSWERS: Shown<typeof ROLE_OPERATIONS> = {
  'token/list': tokenTable,
  'token/add': (token) =>
    withWarnings(
      `${facts([
        ['name', token.name],
        ['role', token.role],
        ['expires', token.expiresAt ?? 'never'],
        ['from', token.addresses.join(' ') || 'anywhere'],
        ['token', token.token],
      ])}\nThe token is shown only once: store it now, and use it as BOURSE_ADMIN_TOKEN.`,
      token.warnings ?? [],
    ),
  'token/set': (token) => tokenTable([token]),
  'token/revoke': (token) => tokenTable([token]),
  'role/list': roleTable,
  'role/set': (role) => roleTable([role]),
  'role/remove': () => 'Removed.',
  'role/limit': (role) => roleTable([role]),
  'approval/show': approvalRulesText,
  'approval/needed': approvalRulesText,
}
