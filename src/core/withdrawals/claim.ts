/** Claims a withdrawal requested by a trader before it is paid (docs/reference/withdrawals.md#paying). */
import { invariant } from '../../units/invariant.ts'
import type { HandleWithdrawal } from '../commands/withdrawals.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { type AskedWithdrawal, isAsked } from '../ledger/asked-withdrawals.ts'
import { approvalNeeded, waitingApproval } from '../operators/approvals.ts'
import { noteClaim } from '../operators/handlings.ts'
import { isBeyondLimit } from '../operators/role-limits.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import { payingRefusal } from './ask.ts'

/**
 * Claims a withdrawal requested by a trader; without effect for one held by an operator. An amount beyond the
 * limit of the claimant's role is not claimed, since the claimant could not complete it; it counts when it is
 * completed. A withdrawal that needs two people is claimed when the second one approves, so that nothing is
 * paid without approval. `approvedBy` are the approvers; undefined if none were needed.
 */
export function claimWithdrawal(
  state: ExchangeState,
  { operator: { actor, note }, reference }: Pick<HandleWithdrawal, 'operator' | 'reference'>,
  emit: EventSink,
  approvedBy?: readonly string[],
): Reply {
  const known = state.backOffice.withdrawals.get(reference)
  if (known === undefined) return refused('UNKNOWN_WITHDRAWAL')
  if (known.state === 'CANCELED') return refused('WITHDRAWAL_FINISHED')
  if (!isAsked(known) || known.asked.claimedAt !== undefined) return { kind: 'Done', repeated: true }
  const { accountId, assetId, amount } = known
  const asset = state.registry.asset(assetId)
  invariant(asset !== undefined, () => `asset ${assetId} of withdrawal ${reference} must be listed`)
  const reason = payingRefusal(state, known, asset)
  if (reason !== undefined) return refused(reason)
  const isNew = approvedBy !== undefined || waitingApproval(state, reference) === undefined
  if (isNew && isBeyondLimit(state, actor, { assetId, way: 'out', amount })) return refused('ROLE_LIMIT')
  if (approvedBy === undefined) {
    const request = { reference, kind: 'ClaimWithdrawal', actor, note, accountId, assetId, amount } as const
    const waits = approvalNeeded(state, request, asset, emit)
    if (waits !== undefined) return waits
  }
  const withdrawal: AskedWithdrawal = { ...known, asked: { ...known.asked, claimedAt: state.time } }
  state.withdrawalRequests.asked.change(withdrawal)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  noteClaim(state, { reference, claimedBy: actor, approvedBy: approvedBy ?? [] }, emit)
  return DONE
}
