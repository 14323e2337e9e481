/** Commands on tokens, approvals and bans: lists that protect operators from each other and from outside. */
import { TEXT_MAX } from '../../units/limits.ts'
import type { CommandOf } from '../commands/command.ts'
import type { SafetyCommand } from '../commands/safety.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import type { Approval } from '../questions/view.ts'
import { isValidBan } from '../records/back-office-codec.ts'
import { isValidToken } from '../registry/amendments.ts'
import { claimWithdrawal } from '../withdrawals/claim.ts'
import { completeWithdrawal, freeWithdrawal } from '../withdrawals/hold.ts'
import { approverRefusal, countApproval, endApproval, reject, waitingApproval } from './approvals.ts'
import { payOutCommission, transfer } from './money.ts'
import type { Operations } from './operations.ts'

export const SAFETY_OPERATIONS: Operations<SafetyCommand['kind']> = {
  AddAdminToken: addAdminToken,
  RevokeAdminToken: revokeAdminToken,
  Approve: approve,
  Reject: reject,
  BanAddress: banAddress,
  LiftBan: liftBan,
  AcceptClock: () => DONE,
  NoteChange: noteChange,
}

function addAdminToken(state: ExchangeState, command: CommandOf<'AddAdminToken'>, emit: EventSink): Reply {
  const { tokens } = state.backOffice
  if (!isValidToken(command)) return refused('INVALID_COMMAND')
  if (tokens.get(command.name) !== undefined) return refused('TOKEN_EXISTS')
  if (tokens.isFull) return refused('LIMIT_REACHED')
  const { name, role, digest } = command
  // A copy, since the given bytes may be a view of a whole batch of commands.
  const token = { name, role, digest: digest.slice(), createdAt: state.time, isRevoked: false }
  tokens.put(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

function revokeAdminToken(
  state: ExchangeState,
  command: CommandOf<'RevokeAdminToken'>,
  emit: EventSink,
): Reply {
  const known = state.backOffice.tokens.get(command.name)
  if (known === undefined) return refused('UNKNOWN_TOKEN')
  const token = { ...known, isRevoked: true }
  state.backOffice.tokens.put(token)
  emit({ kind: 'AdminTokenChanged', token })
  return DONE
}

/**
 * Carries out a pending request once enough people have approved it; if it is refused now, it stays pending.
 */
function approve(state: ExchangeState, command: CommandOf<'Approve'>, emit: EventSink): Reply {
  const approval = waitingApproval(state, command.reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  const reason = approverRefusal(state, approval, command.operator.actor)
  if (reason !== undefined) return refused(reason)
  const agreed = countApproval(state, approval, command.operator.actor, emit)
  if ('kind' in agreed) return agreed
  const done = carryOut(state, approval, agreed, emit)
  if (done.kind === 'Refused') return done
  endApproval(state, approval, 'APPROVED', emit)
  return done
}

/** Carries out the request that the people in `agreed` approved, in the name of the requester. */
function carryOut(
  state: ExchangeState,
  approval: Approval,
  agreed: readonly string[],
  emit: EventSink,
): Reply {
  const { kind, reference, accountId, amount, actor, note, reason = '' } = approval
  const operator = { actor, note }
  const asset = state.registry.asset(approval.assetId)?.code ?? ''
  switch (kind) {
    case 'CompleteWithdrawal':
      return completeWithdrawal(state, { kind, operator, reference }, emit, true)
    case 'ClaimWithdrawal':
      return claimWithdrawal(state, { operator, reference }, emit, agreed)
    case 'RefuseWithdrawal':
      return freeWithdrawal(state, { operator, reference, reason }, emit, true)
    case 'PayOutCommission':
      return payOutCommission(state, { kind, operator, asset, amount, reference }, emit, true)
    case 'Credit':
    case 'Debit':
      return transfer(state, { kind, operator, accountId, asset, amount, reference }, emit, true)
  }
}

function banAddress(
  state: ExchangeState,
  { address, until }: CommandOf<'BanAddress'>,
  emit: EventSink,
): Reply {
  const ban = { address, until }
  const { bans } = state.backOffice
  if (!isValidBan(ban) || until <= state.time) return refused('INVALID_COMMAND')
  if (bans.get(address) === undefined && bans.isFull) {
    const expired = [...bans.values()].filter((one) => one.until <= state.time)
    if (expired.length === 0) return refused('LIMIT_REACHED')
    for (const one of expired) {
      bans.delete(one.address)
      emit({ kind: 'BanLifted', address: one.address })
    }
  }
  bans.put(ban)
  emit({ kind: 'AddressBanned', ban })
  return DONE
}

function liftBan(state: ExchangeState, { address }: CommandOf<'LiftBan'>, emit: EventSink): Reply {
  state.backOffice.bans.delete(address)
  emit({ kind: 'BanLifted', address })
  return DONE
}

function noteChange(_state: ExchangeState, { subject, change }: CommandOf<'NoteChange'>): Reply {
  const isText = (text: string): boolean => text.length >= 1 && text.length <= TEXT_MAX && text.isWellFormed()
  return isText(subject) && isText(change) ? DONE : refused('INVALID_COMMAND')
}
