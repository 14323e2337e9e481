/** What whoever pays does with withdrawals that traders have asked for, and what of assets bounds them (docs/reference/withdrawals.md#paying). */
import { type AskedWithdrawal, isAsked } from '../../ledger/asked-withdrawals.ts'
import { isTextWithin } from '../../registry/terms.ts'
import type { HandleWithdrawal, SetWithdrawalTerms, WithdrawalDeskCommand } from '../commands/withdrawals.ts'
import type { EventSink } from '../event.ts'
import { isReason, type Operations } from '../operators/operations.ts'
import { isBeyondLimit } from '../operators/role-limits.ts'
import { freeWithdrawal } from '../operators/withdrawals.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { setAccountAddress } from './addresses.ts'
import { payingRefusal } from './ask.ts'

export const WITHDRAWAL_DESK_OPERATIONS: Operations<WithdrawalDeskCommand['kind']> = {
  SetAccountAddress: setAccountAddress,
  SetWithdrawalTerms: setWithdrawalTerms,
  HandleWithdrawal: handleWithdrawal,
}

function handleWithdrawal(state: ExchangeState, command: HandleWithdrawal, emit: EventSink): Reply {
  const { operator, reference, step, reason } = command
  if (!isTextWithin(reason, step === 'REFUSE' ? 1 : 0)) return refused('INVALID_COMMAND')
  if (step === 'REFUSE') return freeWithdrawal(state, reference, reason, emit)
  return reason === '' ? claim(state, operator.actor, reference, emit) : refused('INVALID_COMMAND')
}

/**
 * One that an operator holds is in nobody else's hands: there is nothing to claim. What is beyond the limit of the role of whoever claims
 * is not claimed, so that nobody pays what he may not complete; it counts when it is completed.
 */
function claim(state: ExchangeState, actor: string, reference: string, emit: EventSink): Reply {
  const known = state.backOffice.withdrawals.get(reference)
  if (known === undefined) return refused('UNKNOWN_WITHDRAWAL')
  if (known.state === 'CANCELED') return refused('WITHDRAWAL_FINISHED')
  if (!isAsked(known) || known.asked.claimedAt !== undefined) return { kind: 'Done', repeated: true }
  const reason = payingRefusal(state, known, state.registry.asset(known.assetId))
  if (reason !== undefined) return refused(reason)
  const { assetId, amount } = known
  if (isBeyondLimit(state, actor, { assetId, way: 'out', amount })) return refused('ROLE_LIMIT')
  const withdrawal: AskedWithdrawal = { ...known, asked: { ...known.asked, claimedAt: state.time } }
  state.desk.asked.change(withdrawal)
  emit({ kind: 'WithdrawalChanged', withdrawal })
  return DONE
}

function setWithdrawalTerms(
  { registry }: ExchangeState,
  command: SetWithdrawalTerms,
  emit: EventSink,
): Reply {
  const asset = registry.setWithdrawalTerms(command.code, command)
  if (isReason(asset)) return refused(asset)
  emit({ kind: 'AssetChanged', asset })
  return DONE
}
