/** Operations on named tokens: creating, restricting and revoking them. */
import { randomBytes } from 'node:crypto'
import { type AdminRequests, type AdminResults, TOKEN_MARK } from '../../../contract/admin/admin.ts'
import type { AdminTokenInfo } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { AdminToken } from '../../../core/registry/records.ts'
import { rightsOf } from '../../../core/registry/roles.ts'
import { alikeWarnings } from '../../../units/names.ts'
import { ADMIN_ROLES, type AdminRole } from '../../../units/operator-enums.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { namesLike } from '../../../views/look-alikes.ts'
import { checkAddresses, expiryOf } from '../accounts/key-terms.ts'
import { digestOf } from '../callers.ts'
import {
  type AdminContext,
  AdminRequestError,
  invalid,
  mayRead,
  requireOwnToken,
  requireRight,
  unknown,
  warned,
} from '../context.ts'
import { pageOf } from '../page.ts'
import { operatorOf, submit } from '../submit.ts'
import { knownRole } from './role-names.ts'

/** Random bytes of a token. */
const TOKEN_BYTES = 32
const NEVER = 0 as TimeMs

/** Roles that neither move nor approve money: a named token may only create tokens with these. */
const HARMLESS_ROLES: readonly string[] = ['READ_ONLY', 'SUPPORT', 'AUDITOR']

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listTokens(
  context: AdminContext,
  request: AdminRequests['token/list'],
): Result<'token/list'> {
  const tokens = [...context.backOffice.tokenByName.values()]
  return pageOf(tokens, request, ({ name }) => name).map((token) => tokenInfo(context, token))
}

/** Creates a token; this answer is the only one that ever shows it. */
export async function addToken(
  context: AdminContext,
  request: AdminRequests['token/add'],
): Result<'token/add'> {
  const { name, addresses = [] } = request
  const role = knownRole(context, request.role)
  requireMayGive(context, role)
  checkAddresses(addresses)
  const expiresAt = expiryOf(context, request.expiresAt) ?? NEVER
  if (context.backOffice.tokenByName.has(name)) {
    const message = `name: a token ${name} exists or existed before`
    throw new AdminRequestError('TOKEN_EXISTS', { field: 'name', message })
  }
  const token = `${TOKEN_MARK}${randomBytes(TOKEN_BYTES).toString('hex')}`
  const operator = operatorOf(context, request)
  const digest = digestOf(token)
  // Roles known to every version of the rules are requested with the old commands.
  const isPlain = isFirstRole(role) && expiresAt === NEVER && addresses.length === 0
  await (isPlain
    ? submit(context, { kind: 'AddAdminToken', operator, name, role, digest })
    : submit(context, { kind: 'AddToken', operator, name, role, digest, expiresAt, addresses }))
  const likes = namesLike(name, context.backOffice.tokenByName.keys())
  const warnings = alikeWarnings('token', likes, mayRead(context, 'read.operators'))
  return { ...tokenInfo(context, knownToken(context, name)), token, ...warned(warnings) }
}

/** Replaces the given restrictions of a token: how long and from which addresses it is valid. */
export async function setToken(
  context: AdminContext,
  request: AdminRequests['token/set'],
): Result<'token/set'> {
  const known = knownToken(context, request.name)
  const { name } = known
  if (known.isRevoked) throw invalid('name', `the token ${name} is permanently revoked`)
  const addresses = request.addresses ?? known.addresses ?? []
  checkAddresses(addresses)
  const expiresAt = expiryOf(context, request.expiresAt) ?? known.expiresAt ?? NEVER
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'SetTokenTerms', operator, name, expiresAt, addresses })
  return tokenInfo(context, knownToken(context, name))
}

export async function revokeToken(
  context: AdminContext,
  request: AdminRequests['token/revoke'],
): Result<'token/revoke'> {
  const { name, role } = knownToken(context, request.name)
  requireRightsOf(context, role, `revoking a token of role ${role}`)
  await submit(context, { kind: 'RevokeAdminToken', operator: operatorOf(context, request), name })
  return tokenInfo(context, knownToken(context, name))
}

/**
 * An operator cannot create a token with more rights than their own, or one with which they could move or
 * approve money as a second person.
 */
function requireMayGive(context: AdminContext, role: string): void {
  if (!HARMLESS_ROLES.includes(role)) {
    requireOwnToken(context, `creating a token of role ${role}, which may move money or approve it,`)
  }
  requireRightsOf(context, role, `creating a token of role ${role}`)
}

/** An operator cannot change a token that has rights beyond their own. */
function requireRightsOf(context: AdminContext, role: string, what: string): void {
  const rights = rightsOf(role, context.backOffice.roleByName.get(role)) ?? []
  for (const right of rights) requireRight(context, right, what)
}

function isFirstRole(role: string): role is AdminRole {
  return (ADMIN_ROLES as readonly string[]).includes(role)
}

function knownToken(context: AdminContext, name: string): AdminToken {
  const { tokenByName } = context.backOffice
  const token = tokenByName.get(name)
  if (token !== undefined) return token
  const known = { right: 'read.operators', names: () => [...tokenByName.keys()] } as const
  throw unknown(context, { reason: 'UNKNOWN_TOKEN', field: 'name', what: 'token', found: name, known })
}

function tokenInfo({ tokenUse, now }: AdminContext, token: AdminToken): AdminTokenInfo {
  const { name, role, createdAt, isRevoked, expiresAt, addresses = [] } = token
  const used = tokenUse.last(name)
  return {
    name,
    role,
    createdAt: isoTime(createdAt),
    revoked: isRevoked,
    expired: expiresAt !== undefined && now() >= expiresAt,
    expiresAt: expiresAt === undefined ? null : isoTime(expiresAt),
    addresses,
    lastUsedAt: used === undefined ? null : isoTime(used.at),
    lastUsedFrom: used?.from ?? null,
  }
}
