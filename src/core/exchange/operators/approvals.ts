/**
 * Two people for much money, or more: what is above an asset's threshold waits until somebody else than who asked for it
 * approves, or as many as the exchange or the asset needs. All are holders of named tokens: any other name is only claimed. What nobody approves in time is forgotten.
 * Nothing is held meanwhile: the approval checks everything anew.
 */
import { APPROVAL_LIFETIME_MS } from '../../../units/limits.ts'
import type { ApprovalState } from '../../../units/operator-words.ts'
import type { Amount } from '../../../units/quantities.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import type { Asset } from '../../registry/records.ts'
import { isTokenInUse, rightsOf } from '../../registry/roles.ts'
import type { CommandOf } from '../command.ts'
import type { EventSink } from '../event.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import type { Approval } from '../view.ts'
import { noteRejection } from './handlings.ts'

/**
 * Whether `wanted` may be done now (undefined), or the answer to the operator who asked for it: that it waits, from
 * now or already, or why it cannot.
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

/** Whether an amount is above the threshold of its asset. */
export function isMuch({ approvalAbove }: Asset, amount: Amount): boolean {
  return approvalAbove !== undefined && amount > approvalAbove
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
  if (madeAt >= approval.requestedAt) return 'TOKEN_TOO_NEW'
  return state.hasRights && !mayApprove(state, actor) ? 'NAMED_TOKEN_NEEDED' : undefined
}

/** Whether the role of a token in use, which the admin server has seen too, still has the right. */
function mayApprove({ backOffice }: ExchangeState, actor: string): boolean {
  const role = backOffice.tokens.get(actor)?.role ?? ''
  return rightsOf(role, backOffice.roles.get(role))?.includes('approve') === true
}

/** Whether an actor is the holder of a named token that still opens. */
function isInUse({ backOffice, time }: ExchangeState, actor: string): boolean {
  const token = backOffice.tokens.get(actor)
  return token !== undefined && isTokenInUse(token, time)
}

/** How many people beside who asks approve money of an asset. */
function approvalsNeeded({ backOffice }: ExchangeState, code: string): number {
  const records = backOffice.approvalsNeeded
  return (records.get(code) ?? records.get(''))?.needed ?? 1
}

/**
 * Counts that `actor`, who may, approves what waits: everybody who agrees, where that is enough now and it is to be carried out. Who agreed
 * before and could not any more counts for nobody.
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
  // Whoever says so again says nothing new.
  if (!before.includes(actor)) {
    const given: Approval = { ...approval, approvedBy: [...others, actor] }
    state.backOffice.approvals.put(given)
    emit({ kind: 'ApprovalGiven', approval: given, by: actor })
  }
  return { kind: 'ApprovalNeeded' }
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
  const { approvedBy: _given, ...ended } = approval
  state.backOffice.approvals.delete(approval.reference)
  emit({ kind: 'ApprovalChanged', approval: ended, state: became })
}

export function reject(state: ExchangeState, command: CommandOf<'Reject'>, emit: EventSink): Reply {
  const approval = waitingApproval(state, command.reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  endApproval(state, approval, 'REJECTED', emit)
  if (state.approvesBeforePaying) noteRejection(state, approval, command.operator, emit)
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
