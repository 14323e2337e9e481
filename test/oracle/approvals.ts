/** Applies an operator's command that approves or refuses a request waiting for a second person. */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Approval } from '../../src/core/questions/view.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import type { Administered, Emit, Of } from './administered.ts'
import { claim } from './asked-withdrawals.ts'
import { approversNeeded, hasRightToApprove } from './roles.ts'
import { transfer } from './transfers.ts'
import { drop, holdsToken, waitingFor } from './waiting.ts'
import { completeWithdrawal, endWithdrawal, handle } from './withdrawals.ts'

export function approve(state: Administered, { reference, operator }: Of<'Approve'>, emit: Emit): Reply {
  const approval = waitingFor(state, reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  const refusal = approverRefusal(state, approval, operator.actor)
  if (refusal !== undefined) return refused(refusal)
  const agreed = approval.approvedBy ?? []
  const others = agreed.filter(
    (name) => name !== operator.actor && approverRefusal(state, approval, name) === undefined,
  )
  if (others.length + 1 < approversNeeded(state, approval.assetId)) {
    if (!agreed.includes(operator.actor)) {
      const more: Approval = { ...approval, approvedBy: [...others, operator.actor] }
      state.approvals[state.approvals.indexOf(approval)] = more
      emit({ kind: 'ApprovalGiven', approval: more, by: operator.actor })
    }
    return { kind: 'ApprovalNeeded' }
  }
  const reply = carryOut(state, approval, [...others, operator.actor], emit)
  if (reply.kind !== 'Refused') drop(state, approval, 'APPROVED', emit)
  return reply
}

/** Two people or more, each with a named token; all tokens except the first are older than the request. */
function approverRefusal(
  state: Administered,
  { actor: asker, requestedAt }: Approval,
  approver: string,
): CoreReason | undefined {
  if (asker === approver) return 'SELF_APPROVAL'
  if (!holdsToken(state, approver)) return 'NAMED_TOKEN_NEEDED'
  const madeAt = state.tokens.find(({ name }) => name === approver)?.createdAt ?? 0
  if (madeAt >= requestedAt) return 'TOKEN_TOO_NEW'
  return hasRightToApprove(state, approver) ? undefined : 'NAMED_TOKEN_NEEDED'
}

function carryOut(state: Administered, approval: Approval, agreed: readonly string[], emit: Emit): Reply {
  const { kind, reference, actor, note, accountId, amount, reason = '' } = approval
  const asked = { operator: { actor, note }, reference }
  if (kind === 'ClaimWithdrawal') return claim(state, asked.operator, reference, emit, agreed)
  if (kind === 'RefuseWithdrawal')
    return endWithdrawal(state, reference, 'CANCELED', emit, { by: 'OPERATOR', reason, hasAgreement: true })
  if (kind === 'CompleteWithdrawal') return completeWithdrawal(state, { kind, ...asked }, emit, true)
  const asset = state.assets[approval.assetId]?.code ?? ''
  return transfer(state, { kind, ...asked, accountId, asset, amount }, emit, true)
}

export function reject(state: Administered, { reference, operator }: Of<'Reject'>, emit: Emit): Reply {
  const approval = waitingFor(state, reference)
  if (approval === undefined) return refused('UNKNOWN_APPROVAL')
  drop(state, approval, 'REJECTED', emit)
  const isHeld = state.withdrawals.some((one) => one.reference === reference && one.state === 'PENDING')
  if (!isHeld) return DONE
  const { kind, actor: askedBy } = approval
  const rejected = { kind, askedBy, rejectedBy: operator.actor, note: operator.note, at: state.time }
  const before = state.handlings.find((one) => one.reference === reference)
  handle(
    state,
    { reference, claimedBy: before?.claimedBy, approvedBy: before?.approvedBy ?? [], rejected },
    emit,
  )
  return DONE
}
