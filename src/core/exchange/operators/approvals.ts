/**
 * Two people for much money: what is above an asset's threshold waits until somebody else than who asked for it
 * approves. Both are holders of named tokens: any other name is only claimed. What nobody approves in time is forgotten.
 * Nothing is held meanwhile: the approval checks everything anew.
 */
import { APPROVAL_LIFETIME_MS } from '../../../units/limits.ts'
import type { ApprovalState } from '../../../units/operator-words.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import type { Asset } from '../../registry/records.ts'
import type { CommandOf } from '../command.ts'
import type { EventSink } from '../event.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import type { Approval } from '../view.ts'

/**
 * Whether `wanted` may be done now (undefined), or the answer to the operator who asked for it: that it waits, from
 * now or already, or why it cannot.
 */
export function approvalNeeded(
  state: ExchangeState,
  wanted: Omit<Approval, 'requestedAt'>,
  asset: Asset,
  emit: EventSink,
): Reply | undefined {
  const waiting = waitingApproval(state, wanted.reference)
  if (waiting !== undefined) {
    return isSame(waiting, wanted) ? { kind: 'ApprovalNeeded' } : refused('REFERENCE_CONFLICT')
  }
  if (asset.approvalAbove === undefined || wanted.amount <= asset.approvalAbove) return undefined
  if (state.bindsOperators && !isInUse(state, wanted.actor)) return refused('NAMED_TOKEN_NEEDED')
  const { approvals } = state.backOffice
  const [oldest] = approvals.values()
  if (approvals.isFull && oldest !== undefined && isInTime(oldest, state)) return refused('TOO_MANY_PENDING')
  dropExpired(state, emit)
  const approval = { ...wanted, requestedAt: state.time }
  approvals.put(approval)
  emit({ kind: 'ApprovalChanged', approval, state: 'PENDING' })
  return { kind: 'ApprovalNeeded' }
}

/** Why `actor` cannot approve what waits. */
export function approverRefusal(
  state: ExchangeState,
  approval: Approval,
  actor: string,
): CoreReason | undefined {
  if (approval.actor === actor) return 'SELF_APPROVAL'
  if (!state.bindsOperators) return undefined
  const { tokens } = state.backOffice
  // What was asked for under earlier rules may name somebody who was only claimed.
  if (!isInUse(state, actor) || tokens.get(approval.actor) === undefined) return 'NAMED_TOKEN_NEEDED'
  // Else the operator who asks could make the second person afterwards. Commands of one batch have one time.
  const madeAt = tokens.get(actor)?.createdAt ?? state.time
  return madeAt < approval.requestedAt ? undefined : 'TOKEN_TOO_NEW'
}

/** Whether an actor is the holder of a named token that still opens. */
function isInUse(state: ExchangeState, actor: string): boolean {
  return state.backOffice.tokens.get(actor)?.isRevoked === false
}

/** What waits under a reference and is still in time. */
export function waitingApproval(state: ExchangeState, reference: string): Approval | undefined {
  const approval = state.backOffice.approvals.get(reference)
  return approval !== undefined && isInTime(approval, state) ? approval : undefined
}

/** Takes what waited from the list; `became` says why. */
export function endApproval(
  state: ExchangeState,
  approval: Approval,
  became: Exclude<ApprovalState, 'PENDING'>,
  emit: EventSink,
): void {
  state.backOffice.approvals.delete(approval.reference)
  emit({ kind: 'ApprovalChanged', approval, state: became })
}

export function reject(state: ExchangeState, command: CommandOf<'Reject'>, emit: EventSink): Reply {
  const approval = waitingApproval(state, command.reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  endApproval(state, approval, 'REJECTED', emit)
  return DONE
}

/** They wait in the order in which they came, so the expired ones are the first. */
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
