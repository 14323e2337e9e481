/** What whoever pays does with withdrawals that traders have asked for, and what of assets bounds them (docs/reference/withdrawals.md#paying). */
import { isTextWithin } from '../../registry/terms.ts'
import type { HandleWithdrawal, SetWithdrawalTerms, WithdrawalDeskCommand } from '../commands/withdrawals.ts'
import type { EventSink } from '../event.ts'
import { isReason, type Operations } from '../operators/operations.ts'
import { freeWithdrawal } from '../operators/withdrawals.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { setAccountAddress } from './addresses.ts'
import { claimWithdrawal } from './claim.ts'

export const WITHDRAWAL_DESK_OPERATIONS: Operations<WithdrawalDeskCommand['kind']> = {
  SetAccountAddress: setAccountAddress,
  SetWithdrawalTerms: setWithdrawalTerms,
  HandleWithdrawal: handleWithdrawal,
}

function handleWithdrawal(state: ExchangeState, command: HandleWithdrawal, emit: EventSink): Reply {
  const { operator, reference, step, reason } = command
  if (!isTextWithin(reason, step === 'REFUSE' ? 1 : 0)) return refused('INVALID_COMMAND')
  if (step === 'REFUSE') return freeWithdrawal(state, { operator, reference, reason }, emit)
  return reason === '' ? claimWithdrawal(state, { operator, reference }, emit) : refused('INVALID_COMMAND')
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
