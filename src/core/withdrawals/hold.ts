/**
 * Withdrawals: held on request, then completed or canceled, each once. A repeat of the same step is answered
 * as a repeat; the other step after it is refused.
 */
import { OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { CommandOf } from '../commands/command.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { isAsked } from '../ledger/asked-withdrawals.ts'
import { negated } from '../ledger/money.ts'
import type { Transfer } from '../ledger/references.ts'
import type { Withdrawal } from '../ledger/withdrawals.ts'
import { approvalNeeded, isMuch, waitingApproval } from '../operators/approvals.ts'
import { forgetHandling, handlingOf } from '../operators/handlings.ts'
import { accountRefusal, moveOnce, useOf } from '../operators/money.ts'
import { countMoved, isBeyondLimit } from '../operators/role-limits.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'

export function holdWithdrawal(
  state: ExchangeState,
  command: CommandOf<'HoldWithdrawal'>,
  emit: EventSink,
): Reply {
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { accountId, reference } = command
  const reason = accountRefusal(state, accountId)
  if (reason !== undefined) return refused(reason)
  const place = { assetId: asset.id, from: accountId, to: accountId }
  const wanted: Transfer = { ...place, fromBucket: 'free', toBucket: 'freeze', amount: command.amount }
  const { withdrawals } = state.backOffice
  const known = useOf(state, reference, wanted)
  if (known !== undefined) {
    // The reference of a plain move into `freeze` is not that of a withdrawal.
    const isOther = known.kind === 'Done' && withdrawals.get(reference) === undefined
    return isOther ? refused('REFERENCE_CONFLICT') : known
  }
  if (waitingApproval(state, reference) !== undefined) return refused('REFERENCE_CONFLICT')
  if (!asset.isWithdraw) return refused('ASSET_NOT_WITHDRAWABLE')
  if (state.registry.account(accountId)?.restrictions?.includes('WITHDRAW'))
    return refused('ACCOUNT_RESTRICTED')
  if (withdrawals.isBusy) return refused('TOO_MANY_PENDING')
  if (withdrawals.isFull) return refused('TOO_MANY_REFERENCES')
  const reply = moveOnce(state, reference, asset, wanted)
  if (reply !== DONE) return reply
  const withdrawal: Withdrawal = {
    reference,
    accountId,
    assetId: asset.id,
    amount: command.amount,
    state: 'PENDING',
    requestedAt: state.time,
  }
  return changed(state, withdrawal, emit)
}

/**
 * `isApproved` is whether a second person has approved. If the claim needed approval, that was given earlier.
 */
export function completeWithdrawal(
  state: ExchangeState,
  command: CommandOf<'CompleteWithdrawal'>,
  emit: EventSink,
  isApproved = false,
): Reply {
  const { reference } = command
  const known = state.backOffice.withdrawals.get(reference)
  if (known === undefined) return refused('UNKNOWN_WITHDRAWAL')
  if (known.state !== 'PENDING') return finished(known, 'COMPLETED')
  if (isAsked(known) && known.asked.claimedAt === undefined) return refused('WITHDRAWAL_NOT_CLAIMED')
  const { accountId, assetId, amount: sum } = known
  const asset = state.registry.asset(assetId)
  invariant(asset !== undefined, () => `asset ${assetId} of withdrawal ${reference} must be listed`)
  const { actor, note } = command.operator
  const move = { assetId, way: 'out', amount: sum } as const
  const isNew = isApproved || waitingApproval(state, reference) === undefined
  if (isNew && isBeyondLimit(state, actor, move)) return refused('ROLE_LIMIT')
  if (!isApproved && handlingOf(state, reference).approvedBy.length === 0) {
    const request = { reference, kind: command.kind, actor, note, accountId, assetId, amount: sum }
    const waits = approvalNeeded(state, request, asset, emit)
    if (waits !== undefined) return waits
  }
  state.ledger.move(assetId, accountId, 'freeze', OUTSIDE_ACCOUNT, 'free', sum)
  emit({ kind: 'ExternalTransfer', accountId, assetId, amount: negated(sum), reference })
  countMoved(state, actor, move, emit)
  return changed(state, ended(state, known, 'COMPLETED', ''), emit)
}

export function cancelWithdrawal(
  state: ExchangeState,
  { operator, reference }: CommandOf<'CancelWithdrawal'>,
  emit: EventSink,
): Reply {
  return freeWithdrawal(state, { operator, reference, reason: '' }, emit)
}

/** The command with which an operator returns the money of a withdrawal. */
export type WithdrawalRefusal = Pick<CommandOf<'CancelWithdrawal'>, 'operator' | 'reference'> & {
  /** The reason shown to the trader who requested the withdrawal; '' for none. */
  readonly reason: string
}

/** Moves the money of a withdrawal back to `free`. `isApproved` is whether a second person has approved. */
export function freeWithdrawal(
  state: ExchangeState,
  refusal: WithdrawalRefusal,
  emit: EventSink,
  isApproved = false,
): Reply {
  const { reference, reason } = refusal
  const known = state.backOffice.withdrawals.get(reference)
  if (known === undefined) return refused('UNKNOWN_WITHDRAWAL')
  if (known.state !== 'PENDING') return finished(known, 'CANCELED')
  const { accountId, assetId } = known
  if (!isApproved) {
    const waits = refusalWaits(state, refusal, known, emit)
    if (waits !== undefined) return waits
  }
  state.ledger.move(assetId, accountId, 'freeze', accountId, 'free', known.amount)
  return changed(state, ended(state, known, 'CANCELED', reason), emit)
}

/**
 * The reply if a refusal waits for a second person or is not possible; undefined if it can be carried out at
 * once. A single person cannot return money that may have been paid. That is so if the claim needed two
 * people, or would need them today.
 */
function refusalWaits(
  state: ExchangeState,
  { operator: { actor, note }, reference, reason }: WithdrawalRefusal,
  known: Withdrawal,
  emit: EventSink,
): Reply | undefined {
  const waiting = waitingApproval(state, reference)
  if (waiting !== undefined && waiting.kind !== 'RefuseWithdrawal') return refused('APPROVAL_WAITS')
  if (!isAsked(known) || known.asked.claimedAt === undefined) return undefined
  const { accountId, assetId, amount } = known
  const asset = state.registry.asset(assetId)
  invariant(asset !== undefined, () => `asset ${assetId} of withdrawal ${reference} must be listed`)
  const tookTwo = handlingOf(state, reference).approvedBy.length > 0
  const request = { reference, kind: 'RefuseWithdrawal', actor, note, accountId, assetId, amount } as const
  const wanted = reason === '' ? request : { ...request, reason }
  return approvalNeeded(state, wanted, asset, emit, tookTwo || isMuch(asset, amount))
}

/** A withdrawal that an operator has ended. */
function ended(
  { time }: ExchangeState,
  known: Withdrawal,
  state: 'COMPLETED' | 'CANCELED',
  reason: string,
): Withdrawal {
  if (!isAsked(known)) return { ...known, state }
  const canceledBy = state === 'CANCELED' ? 'OPERATOR' : undefined
  return { ...known, state, asked: { ...known.asked, end: { at: time, canceledBy, reason } } }
}

function finished(known: Withdrawal, wanted: Withdrawal['state']): Reply {
  return known.state === wanted ? { kind: 'Done', repeated: true } : refused('WITHDRAWAL_FINISHED')
}

function changed(state: ExchangeState, withdrawal: Withdrawal, emit: EventSink): Reply {
  if (isAsked(withdrawal)) state.withdrawalRequests.asked.change(withdrawal)
  else state.backOffice.withdrawals.put(withdrawal)
  if (withdrawal.state !== 'PENDING') forgetHandling(state, withdrawal.reference)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return DONE
}
