/**
 * Approval of large amounts by a second person, or by several: a request above an asset's threshold waits
 * until someone other than the requester approves it, or as many people as the exchange or the asset
 * requires. Only holders of named tokens can approve: any other name is unverified. Requests that are not
 * approved in time expire. No money is held in the meantime: the approval checks everything again.
 */
import { APPROVAL_LIFETIME_MS } from '../../units/limits.ts'
import type { ApprovalState } from '../../units/operator-enums.ts'
import type { Amount } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { CommandOf } from '../commands/command.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import type { Approval } from '../questions/view.ts'
import type { Asset } from '../registry/records.ts'
import { isTokenInUse, rightsOf } from '../registry/roles.ts'
import { noteRejection } from './handlings.ts'

/**
 * Undefined if `wanted` may be done now; otherwise the answer to the operator who requested it: that it now
 * waits or already waits for approval, or why it cannot be done.
 */
export function approvalNeeded(
  state: ExchangeState,
  wanted: Omit<Approval, 'requestedAt'>,
  asset: Asset,
  emit: EventSink,
  takesTwo = isMuch(asset, wanted.amount),
): Reply | undefined {
  const waiting = waitingApproval(state, wanted.reference)
  if (waiting !== undefined) {
    return isSame(waiting, wanted) ? { kind: 'ApprovalNeeded' } : refused('REFERENCE_CONFLICT')
  }
  if (!takesTwo) return undefined
  if (!isInUse(state, wanted.actor)) return refused('NAMED_TOKEN_NEEDED')
  const { approvals } = state.backOffice
  const [oldest] = approvals.values()
  if (approvals.isFull && oldest !== undefined && isInTime(oldest, state)) return refused('TOO_MANY_PENDING')
  dropExpired(state, emit)
  const approval = { ...wanted, requestedAt: state.time }
  approvals.put(approval)
  emit({ kind: 'ApprovalChanged', approval, state: 'PENDING' })
  return { kind: 'ApprovalNeeded' }
}

/** Whether an amount is above the threshold of its asset. */
export function isMuch({ approvalAbove }: Asset, amount: Amount): boolean {
  return approvalAbove !== undefined && amount > approvalAbove
}

/** The reason why `actor` cannot approve the pending request; undefined if `actor` can. */
export function approverRefusal(
  state: ExchangeState,
  approval: Approval,
  actor: string,
): CoreReason | undefined {
  if (approval.actor === actor) return 'SELF_APPROVAL'
  const { tokens } = state.backOffice
  if (!isInUse(state, actor)) return 'NAMED_TOKEN_NEEDED'
  // Otherwise the requester could create the second person afterwards. All commands of one batch have the
  // same time, so equal times count as afterwards.
  const madeAt = tokens.get(actor)?.createdAt ?? state.time
  if (madeAt >= approval.requestedAt) return 'TOKEN_TOO_NEW'
  return !mayApprove(state, actor) ? 'NAMED_TOKEN_NEEDED' : undefined
}

/** Whether the current role of an actor's token has the right to approve. */
function mayApprove({ backOffice }: ExchangeState, actor: string): boolean {
  const role = backOffice.tokens.get(actor)?.role ?? ''
  return rightsOf(role, backOffice.roles.get(role))?.includes('approve') === true
}

/** Whether an actor is the holder of a named token that is still valid. */
function isInUse({ backOffice, time }: ExchangeState, actor: string): boolean {
  const token = backOffice.tokens.get(actor)
  return token !== undefined && isTokenInUse(token, time)
}

/** The number of people, besides the requester, who must approve money of an asset. */
function approvalsNeeded({ backOffice }: ExchangeState, code: string): number {
  const records = backOffice.approvalsNeeded
  return (records.get(code) ?? records.get(''))?.needed ?? 1
}

/**
 * Records that `actor`, who may do so, approves a pending request. Returns all approvers if they are enough,
 * so that the request is to be carried out; otherwise the reply. Earlier approvals that are no longer valid
 * do not count.
 */
export function countApproval(
  state: ExchangeState,
  approval: Approval,
  actor: string,
  emit: EventSink,
): Reply | readonly string[] {
  const before = approval.approvedBy ?? []
  const others = before.filter((one) => one !== actor && approverRefusal(state, approval, one) === undefined)
  const code = state.registry.asset(approval.assetId)?.code ?? ''
  if (others.length + 1 >= approvalsNeeded(state, code)) return [...others, actor]
  // A repeated approval changes nothing.
  if (!before.includes(actor)) {
    const given: Approval = { ...approval, approvedBy: [...others, actor] }
    state.backOffice.approvals.put(given)
    emit({ kind: 'ApprovalGiven', approval: given, by: actor })
  }
  return { kind: 'ApprovalNeeded' }
}

/** The pending request with a reference, if it has not expired. */
export function waitingApproval(state: ExchangeState, reference: string): Approval | undefined {
  const approval = state.backOffice.approvals.get(reference)
  return approval !== undefined && isInTime(approval, state) ? approval : undefined
}

/** Removes a pending request from the list; `became` is the reason. */
export function endApproval(
  state: ExchangeState,
  approval: Approval,
  became: Exclude<ApprovalState, 'PENDING'>,
  emit: EventSink,
): void {
  const { approvedBy: _given, ...ended } = approval
  state.backOffice.approvals.delete(approval.reference)
  emit({ kind: 'ApprovalChanged', approval: ended, state: became })
}

export function reject(state: ExchangeState, command: CommandOf<'Reject'>, emit: EventSink): Reply {
  const approval = waitingApproval(state, command.reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  endApproval(state, approval, 'REJECTED', emit)
  noteRejection(state, approval, command.operator, emit)
  return DONE
}

/** Requests are in the order in which they were made, so expired ones are first. */
function dropExpired(state: ExchangeState, emit: EventSink): void {
  for (const approval of state.backOffice.approvals.values()) {
    if (isInTime(approval, state)) return
    endApproval(state, approval, 'EXPIRED', emit)
  }
}

function isInTime(approval: Approval, state: ExchangeState): boolean {
  return state.time - approval.requestedAt < APPROVAL_LIFETIME_MS
}

function isSame(a: Approval, b: Omit<Approval, 'requestedAt'>): boolean {
  return a.kind === b.kind && a.accountId === b.accountId && a.assetId === b.assetId && a.amount === b.amount
}
