/** Commands on roles, tokens with terms, limits of roles and the number of approvals. */
import { builtInRights } from '../../units/admin-rights.ts'
import { APPROVERS_MAX } from '../../units/limits.ts'
import { NO_AMOUNT } from '../../units/quantities.ts'
import type { CommandOf } from '../commands/command.ts'
import type { RightsCommand } from '../commands/rights.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import { isValidToken } from '../registry/amendments.ts'
import type { AdminToken, RoleLimit } from '../registry/records.ts'
import {
  areValidTokenTerms,
  isOwnRoleName,
  isUnlimited,
  isValidRoleLimit,
  orderedRights,
  tokenWithTerms,
} from '../registry/roles.ts'
import type { Operations } from './operations.ts'
import { dayOf } from './role-limits.ts'

export const RIGHTS_OPERATIONS: Operations<RightsCommand['kind']> = {
  SetRole: setRole,
  AddToken: addToken,
  SetTokenTerms: setTokenTerms,
  SetRoleLimit: setRoleLimit,
  SetApprovalsNeeded: setApprovalsNeeded,
}

function setRole(state: ExchangeState, command: CommandOf<'SetRole'>, emit: EventSink): Reply {
  const { name } = command
  const { roles } = state.backOffice
  const role = { name, rights: orderedRights(command.rights) }
  if (!isOwnRoleName(name) || role.rights.length !== command.rights.length) return refused('INVALID_COMMAND')
  const isKnown = roles.get(name) !== undefined
  if (role.rights.length === 0) {
    if (!isKnown) return refused('UNKNOWN_ROLE')
    if (isRoleInUse(state, name)) return refused('ROLE_IN_USE')
    removeRole(state, name)
  } else {
    if (!isKnown && roles.isFull) return refused('LIMIT_REACHED')
    roles.put(role)
  }
  emit({ kind: 'RoleChanged', role })
  return DONE
}

/** A token that is not revoked counts even if it has expired, since its validity may be extended. */
function isRoleInUse({ backOffice }: ExchangeState, name: string): boolean {
  return [...backOffice.tokens.values()].some(({ role, isRevoked }) => role === name && !isRevoked)
}

function removeRole({ backOffice }: ExchangeState, name: string): void {
  backOffice.roles.delete(name)
  for (const limit of backOffice.roleLimits.all()) {
    if (limit.role === name) backOffice.roleLimits.delete(limit)
  }
}

function hasRole({ backOffice }: ExchangeState, role: string): boolean {
  return builtInRights(role) !== undefined || backOffice.roles.get(role) !== undefined
}

function addToken(state: ExchangeState, command: CommandOf<'AddToken'>, emit: EventSink): Reply {
  const { tokens } = state.backOffice
  const { name, role, expiresAt, addresses } = command
  if (!isValidToken(command) || !areValidTokenTerms(expiresAt, addresses)) return refused('INVALID_COMMAND')
  if (!hasRole(state, role)) return refused('UNKNOWN_ROLE')
  if (tokens.get(name) !== undefined) return refused('TOKEN_EXISTS')
  if (tokens.isFull) return refused('LIMIT_REACHED')
  // A copy, since the given bytes may be a view of a whole batch of commands.
  const digest = command.digest.slice()
  const plain = { name, role, digest, createdAt: state.time, isRevoked: false }
  return tokenChanged(state, tokenWithTerms(plain, expiresAt, addresses), emit)
}

function setTokenTerms(state: ExchangeState, command: CommandOf<'SetTokenTerms'>, emit: EventSink): Reply {
  const { name, expiresAt, addresses } = command
  const known = state.backOffice.tokens.get(name)
  if (known === undefined) return refused('UNKNOWN_TOKEN')
  if (known.isRevoked || !areValidTokenTerms(expiresAt, addresses)) return refused('INVALID_COMMAND')
  return tokenChanged(state, tokenWithTerms(known, expiresAt, addresses), emit)
}

function tokenChanged(state: ExchangeState, token: AdminToken, emit: EventSink): Reply {
  state.backOffice.tokens.put(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

/** Amounts already moved today still count when a daily limit is replaced by another. */
function setRoleLimit(state: ExchangeState, command: CommandOf<'SetRoleLimit'>, emit: EventSink): Reply {
  const { role, inEach, inDay, outEach, outDay } = command
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { roleLimits } = state.backOffice
  const known = roleLimits.find(role, asset.id)
  const day = dayOf(state.time)
  const movedIn = known?.day === day && inDay > 0 ? known.in.moved : NO_AMOUNT
  const movedOut = known?.day === day && outDay > 0 ? known.out.moved : NO_AMOUNT
  const limit: RoleLimit = {
    role,
    assetId: asset.id,
    in: { each: inEach, day: inDay, moved: movedIn },
    out: { each: outEach, day: outDay, moved: movedOut },
    day,
  }
  if (!isValidRoleLimit(limit)) return refused('INVALID_COMMAND')
  if (!hasRole(state, role)) return refused('UNKNOWN_ROLE')
  if (isUnlimited(limit)) roleLimits.delete(limit)
  else {
    if (known === undefined && roleLimits.isFull) return refused('LIMIT_REACHED')
    roleLimits.put(limit)
  }
  emit({ kind: 'RoleLimitChanged', limit })
  return DONE
}

function setApprovalsNeeded(
  state: ExchangeState,
  { asset, needed }: CommandOf<'SetApprovalsNeeded'>,
  emit: EventSink,
): Reply {
  const least = asset === '' ? 1 : 0
  if (!Number.isSafeInteger(needed) || needed < least || needed > APPROVERS_MAX)
    return refused('INVALID_COMMAND')
  if (asset !== '' && state.registry.assetByCode(asset) === undefined) return refused('UNKNOWN_ASSET')
  const { approvalsNeeded } = state.backOffice
  if (needed === (asset === '' ? 1 : 0)) approvalsNeeded.delete(asset)
  else approvalsNeeded.put({ asset, needed })
  emit({ kind: 'ApprovalsNeededChanged', approvals: { asset, needed } })
  return DONE
}
