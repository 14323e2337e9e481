/**
 * Applies an operator's command about a withdrawal: held in `freeze`, then out of the exchange or free again.
 */
import type { Operator } from '../../src/core/commands/operator.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { WithdrawalHandling } from '../../src/core/questions/view.ts'
import { bigintOf } from '../../src/units/whole.ts'
import {
  type Administered,
  type Emit,
  type Of,
  OUTSIDE,
  type Place,
  put,
  type Transfer,
} from './administered.ts'
import { assetOf } from './listings.ts'
import { countMove, isOverLimit } from './roles.ts'
import { answerAtOnce, carryOut, emitExternal } from './transfers.ts'
import { askApproval, drop, waitingFor } from './waiting.ts'

export function holdWithdrawal(state: Administered, command: Of<'HoldWithdrawal'>, emit: Emit): Reply {
  const asset = assetOf(state, command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { accountId, reference, amount } = command
  const [from, to]: [Place, Place] = [
    [accountId, 'free'],
    [accountId, 'freeze'],
  ]
  const wanted: Transfer = { assetId: asset.id, from, to, units: bigintOf(amount) }
  const answer = answerAtOnce(state, command, wanted)
  if (answer !== undefined) {
    const isWithdrawal = state.withdrawals.some((one) => one.reference === reference)
    return answer.kind === 'Done' && !isWithdrawal ? refused('REFERENCE_CONFLICT') : answer
  }
  if (waitingFor(state, reference) !== undefined) return refused('REFERENCE_CONFLICT')
  if (!asset.isWithdraw) return refused('ASSET_NOT_WITHDRAWABLE')
  if (state.accounts[accountId]?.restrictions?.includes('WITHDRAW')) return refused('ACCOUNT_RESTRICTED')
  const reply = carryOut(state, wanted, reference, asset, emit)
  if (reply !== DONE) return reply
  const facts = { reference, accountId, assetId: asset.id, amount }
  const withdrawal: Withdrawal = { ...facts, state: 'PENDING', requestedAt: state.time }
  state.withdrawals.push(withdrawal)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return DONE
}

export function completeWithdrawal(
  state: Administered,
  { kind, reference, operator }: Of<'CompleteWithdrawal'>,
  emit: Emit,
  isApproved = false,
): Reply {
  const before = state.withdrawals.find((one) => one.reference === reference)
  const isUnclaimed = before?.asked !== undefined && before.asked.claimedAt === undefined
  if (before?.state === 'PENDING' && isUnclaimed) return refused('WITHDRAWAL_NOT_CLAIMED')
  const asset = before === undefined ? undefined : state.assets[before.assetId]
  const { actor } = operator
  if (before?.state !== 'PENDING' || asset === undefined)
    return endWithdrawal(state, reference, 'COMPLETED', emit)
  const { accountId, assetId, amount } = before
  const isNew = isApproved || waitingFor(state, reference) === undefined
  if (isNew && isOverLimit(state, actor, assetId, 'out', amount)) return refused('ROLE_LIMIT')
  const handling = state.handlings.find((one) => one.reference === reference)
  if (!isApproved && (handling?.approvedBy ?? []).length === 0) {
    const asks = askApproval(state, { reference, kind, ...operator, accountId, assetId, amount }, asset, emit)
    if (asks !== undefined) return asks
  }
  const count = () => countMove(state, actor, assetId, 'out', amount, emit)
  return endWithdrawal(state, reference, 'COMPLETED', emit, undefined, count)
}

/**
 * Returns the money. If two people claimed the withdrawal, or if two would have to claim it today, two people
 * must agree.
 */
export function refuse(
  state: Administered,
  operator: Operator,
  reference: string,
  reason: string,
  emit: Emit,
): Reply {
  const known = state.withdrawals.find((one) => one.reference === reference)
  const isWaiting = known?.state === 'PENDING'
  const asset = known && state.assets[known.assetId]
  if (isWaiting && asset !== undefined) {
    const asked = waitingFor(state, reference)
    if (asked !== undefined && asked.kind !== 'RefuseWithdrawal') return refused('APPROVAL_WAITS')
    if (known.asked?.claimedAt !== undefined) {
      const { accountId, assetId, amount } = known
      const wanted = { reference, kind: 'RefuseWithdrawal', ...operator, accountId, assetId, amount } as const
      const hadTwo = state.handlings.some((one) => one.reference === reference && one.approvedBy.length > 0)
      const isMuch = asset.approvalAbove !== undefined && amount > asset.approvalAbove
      const told = reason === '' ? wanted : { ...wanted, reason }
      const waits = askApproval(state, told, asset, emit, hadTwo || isMuch)
      if (waits !== undefined) return waits
    }
  }
  return endWithdrawal(state, reference, 'CANCELED', emit, { by: 'OPERATOR', reason })
}

/** Transfers a withdrawal to another operator. */
export function handle(state: Administered, handling: WithdrawalHandling, emit: Emit): void {
  put(state.handlings, (one) => one.reference === handling.reference, handling)
  emit({ kind: 'WithdrawalHandled', handling })
}

export function endWithdrawal(
  state: Administered,
  reference: string,
  end: 'COMPLETED' | 'CANCELED',
  emit: Emit,
  canceled: Canceled = { by: 'OPERATOR', reason: '' },
  count = () => {},
): Reply {
  const index = state.withdrawals.findIndex((one) => one.reference === reference)
  const before = state.withdrawals[index]
  if (before === undefined) return refused('UNKNOWN_WITHDRAWAL')
  if (before.state === end) return { kind: 'Done', repeated: true }
  if (before.state !== 'PENDING') return refused('WITHDRAWAL_FINISHED')
  const { accountId, assetId } = before
  const units = bigintOf(before.amount)
  const asked = waitingFor(state, reference)
  if (end === 'CANCELED' && asked !== undefined && !canceled.hasAgreement)
    drop(state, asked, 'REJECTED', emit)
  const owner = end === 'COMPLETED' ? OUTSIDE : accountId
  state.moveUnits(assetId, [accountId, 'freeze'], [owner, 'free'], units)
  if (end === 'COMPLETED') emitExternal(emit, accountId, assetId, -units, reference)
  count()
  const withdrawal: Withdrawal = { ...before, state: end, ...askedEnd(state, before, end, canceled) }
  state.withdrawals[index] = withdrawal
  const inHand = state.handlings.findIndex((one) => one.reference === reference)
  if (inHand >= 0) state.handlings.splice(inHand, 1)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return DONE
}

/** The operator who cancels a withdrawal that a trader requested, and the reason. */
type Canceled = {
  readonly by: 'TRADER' | 'OPERATOR'
  readonly reason: string
  /** Whether a second person approved. */
  readonly hasAgreement?: boolean
}

/** The end of a requested withdrawal, as it is reported to its trader. */
function askedEnd(
  state: Administered,
  { reference, asked }: Withdrawal,
  to: 'COMPLETED' | 'CANCELED',
  { by, reason }: Canceled,
): Pick<Withdrawal, 'asked'> {
  if (asked === undefined) return {}
  state.endedWithdrawals.push(reference)
  const at = state.time
  const end = to === 'COMPLETED' ? { at, canceledBy: undefined, reason: '' } : { at, canceledBy: by, reason }
  return { asked: { ...asked, end } }
}
