/**
 * Roles, terms of tokens, limits by amount and day, and numbers of approvers, from
 * docs/reference/admin.md#roles and the sections after it. Moves are kept one by one and summed on demand.
 */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { AdminToken, RoleLimit } from '../../src/core/registry/records.ts'
import { ADMIN_RIGHTS, type AdminRight, BUILT_IN_ROLES } from '../../src/units/admin-rights.ts'
import type { AssetId } from '../../src/units/ids.ts'
import { type Amount, amount } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { type Administered, areAmounts, type Emit, isText, type Of, put, stripped } from './administered.ts'
import { assetOf } from './listings.ts'

const CUSTOMER_RULES = 18
const OF_CUSTOMERS: readonly AdminRight[] = ['customers.read', 'customers.admit', 'customers.reset']
const TOKEN_NAME = /^[A-Za-z0-9._@-]{1,64}$/
const ROLE_NAME = /^[a-z0-9._@-]{1,64}$/
const DIGEST_BYTES = 32
const ADDRESSES_MOST = 100
const APPROVERS_MOST = 5
const DAY = 86_400_000

type Way = 'in' | 'out'
/** The limits of a role in an asset, and every move that counts towards a daily limit. */
export type Limited = {
  readonly role: string
  readonly assetId: AssetId
  readonly each: Readonly<Record<Way, bigint>>
  readonly day: Readonly<Record<Way, bigint>>
  moves: { readonly way: Way; readonly day: number; readonly units: bigint }[]
}

type RightsCommand = Of<'SetRole' | 'AddToken' | 'SetTokenTerms' | 'SetRoleLimit' | 'SetApprovalsNeeded'>

export function changeRights(state: Administered, command: RightsCommand, emit: Emit): Reply {
  switch (command.kind) {
    case 'SetRole':
      return setRole(state, command, emit)
    case 'AddToken':
      return addToken(state, command, emit)
    case 'SetTokenTerms':
      return setTerms(state, command, emit)
    case 'SetRoleLimit':
      return setLimit(state, command, emit)
    case 'SetApprovalsNeeded':
      return setNeeded(state, command, emit)
  }
}

function setRole(state: Administered, { name, rights: given }: Of<'SetRole'>, emit: Emit): Reply {
  if (state.rulesVersion < CUSTOMER_RULES && given.some((right) => OF_CUSTOMERS.includes(right)))
    return refused('RULES_VERSION_TOO_LOW')
  const isOwn = ROLE_NAME.test(name) && !Object.keys(BUILT_IN_ROLES).includes(name.toUpperCase())
  if (!isOwn || new Set(given).size < given.length) return refused('INVALID_COMMAND')
  const at = state.roles.findIndex((role) => role.name === name)
  const rights = given.toSorted((a, b) => ADMIN_RIGHTS.indexOf(a) - ADMIN_RIGHTS.indexOf(b))
  if (rights.length === 0) {
    if (at < 0) return refused('UNKNOWN_ROLE')
    if (state.tokens.some(({ role, isRevoked }) => role === name && !isRevoked)) return refused('ROLE_IN_USE')
    state.roles.splice(at, 1)
    const others = state.limited.filter(({ role }) => role !== name)
    state.limited.splice(0, state.limited.length, ...others)
  } else put(state.roles, (role) => role.name === name, { name, rights })
  emit({ kind: 'RoleChanged', role: { name, rights } })
  return DONE
}

function isRole({ roles }: Administered, name: string): boolean {
  return Object.keys(BUILT_IN_ROLES).includes(name) || roles.some((role) => role.name === name)
}

function areTerms({ addresses }: Pick<Of<'AddToken'>, 'addresses'>): boolean {
  return addresses.length <= ADDRESSES_MOST && addresses.every((address) => isText(address, 1))
}

function withTerms(
  token: AdminToken,
  { expiresAt, addresses }: Of<'AddToken' | 'SetTokenTerms'>,
): AdminToken {
  return stripped({
    ...token,
    expiresAt: expiresAt === 0 ? undefined : expiresAt,
    addresses: addresses.length === 0 ? undefined : addresses,
  }) as AdminToken
}

function addToken(state: Administered, command: Of<'AddToken'>, emit: Emit): Reply {
  const { name, role, digest } = command
  if (!TOKEN_NAME.test(name) || digest.length !== DIGEST_BYTES || !areTerms(command))
    return refused('INVALID_COMMAND')
  if (!isRole(state, role)) return refused('UNKNOWN_ROLE')
  if (state.tokens.some((token) => token.name === name)) return refused('TOKEN_EXISTS')
  const token = withTerms({ name, role, digest, createdAt: state.time, isRevoked: false }, command)
  state.tokens.push(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

function setTerms(state: Administered, command: Of<'SetTokenTerms'>, emit: Emit): Reply {
  const before = state.tokens.find(({ name }) => name === command.name)
  if (before === undefined) return refused('UNKNOWN_TOKEN')
  if (before.isRevoked || !areTerms(command)) return refused('INVALID_COMMAND')
  const token = withTerms(before, command)
  put(state.tokens, ({ name }) => name === command.name, token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

function setLimit(state: Administered, command: Of<'SetRoleLimit'>, emit: Emit): Reply {
  const { role, inEach, inDay, outEach, outDay } = command
  const asset = assetOf(state, command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  if (!areAmounts(inEach, inDay, outEach, outDay)) return refused('INVALID_COMMAND')
  if (!isRole(state, role)) return refused('UNKNOWN_ROLE')
  const isSame = (one: Limited) => one.role === role && one.assetId === asset.id
  const day = { in: bigintOf(inDay), out: bigintOf(outDay) }
  const before = state.limited.find(isSame)?.moves ?? []
  const limited: Limited = {
    role,
    assetId: asset.id,
    each: { in: bigintOf(inEach), out: bigintOf(outEach) },
    day,
    moves: before.filter(({ way }) => day[way] > 0n),
  }
  if ([...Object.values(limited.each), ...Object.values(day)].some((sum) => sum > 0n))
    put(state.limited, isSame, limited)
  else state.limited.splice(0, state.limited.length, ...state.limited.filter((one) => !isSame(one)))
  emit({ kind: 'RoleLimitChanged', limit: recordOf(state, limited) })
  return DONE
}

function setNeeded(state: Administered, { asset, needed }: Of<'SetApprovalsNeeded'>, emit: Emit): Reply {
  const isOfAll = asset === ''
  if (needed > APPROVERS_MOST || (isOfAll && needed === 0)) return refused('INVALID_COMMAND')
  if (!isOfAll && assetOf(state, asset) === undefined) return refused('UNKNOWN_ASSET')
  const at = state.approvalsNeeded.findIndex((one) => one.asset === asset)
  const isDefault = needed === (isOfAll ? 1 : 0)
  if (!isDefault) put(state.approvalsNeeded, (one) => one.asset === asset, { asset, needed })
  else if (at >= 0) state.approvalsNeeded.splice(at, 1)
  emit({ kind: 'ApprovalsNeededChanged', approvals: { asset, needed } })
  return DONE
}

/** The sum of today's moves in one direction. */
function movedToday({ time }: Administered, { moves }: Limited, wanted: Way): bigint {
  const today = Math.floor(time / DAY)
  return moves
    .filter(({ way, day }) => way === wanted && day === today)
    .reduce((sum, { units }) => sum + units, 0n)
}

/** The published record. */
export function recordOf(state: Administered, limited: Limited): RoleLimit {
  const way = (one: Way) => ({
    each: amount(limited.each[one]),
    day: amount(limited.day[one]),
    moved: amount(movedToday(state, limited, one)),
  })
  const { role, assetId } = limited
  return { role, assetId, day: Math.floor(state.time / DAY), in: way('in'), out: way('out') }
}

function limitedOf(state: Administered, actor: string, asset: AssetId): Limited | undefined {
  const role = state.tokens.find(({ name }) => name === actor)?.role
  return state.limited.find((one) => one.role === role && one.assetId === asset)
}

/**
 * Whether an amount is more than the role of `actor` may move with one command, or than the rest of its daily
 * limit.
 */
export function isOverLimit(
  state: Administered,
  actor: string,
  assetId: AssetId,
  way: Way,
  sum: Amount,
): boolean {
  const limited = limitedOf(state, actor, assetId)
  if (limited === undefined) return false
  const units = bigintOf(sum)
  const isMoreThanEach = limited.each[way] > 0n && units > limited.each[way]
  const isMoreThanDay = limited.day[way] > 0n && movedToday(state, limited, way) + units > limited.day[way]
  return isMoreThanEach || isMoreThanDay
}

export function countMove(
  state: Administered,
  actor: string,
  assetId: AssetId,
  way: Way,
  sum: Amount,
  emit: Emit,
): void {
  const limited = limitedOf(state, actor, assetId)
  if (limited === undefined || limited.day[way] === 0n) return
  limited.moves.push({ way, day: Math.floor(state.time / DAY), units: bigintOf(sum) })
  emit({ kind: 'RoleLimitChanged', limit: recordOf(state, limited) })
}

/** Whether the role of `actor`'s token may approve. */
export function hasRightToApprove(state: Administered, actor: string): boolean {
  const name = state.tokens.find((token) => token.name === actor)?.role ?? ''
  const own = state.roles.find((role) => role.name === name)?.rights ?? []
  const rights: readonly AdminRight[] =
    name === 'READ_ONLY' || name === 'SUPPORT' || name === 'AUDITOR' || name === 'DEPOSITOR'
      ? []
      : name === 'OPERATOR'
        ? ['approve']
        : own
  return rights.includes('approve')
}

/** Number of people who must approve a transfer in an asset. */
export function approversNeeded({ assets, approvalsNeeded }: Administered, assetId: AssetId): number {
  const own = approvalsNeeded.find(({ asset }) => asset === assets[assetId]?.code)
  const all = approvalsNeeded.find(({ asset }) => asset === '')
  return own?.needed ?? all?.needed ?? 1
}
