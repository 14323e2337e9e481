/**
 * Actions of the payer on withdrawals requested by traders, and their limits per asset
 * (docs/reference/withdrawals.md#paying).
 */

import type {
  HandleWithdrawal,
  SetWithdrawalTerms,
  WithdrawalRequestCommand,
} from '../commands/withdrawals.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { isReason, type Operations } from '../operators/operations.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import { isTextWithin } from '../registry/terms.ts'
import { setAccountAddress } from './addresses.ts'
import { claimWithdrawal } from './claim.ts'
import { freeWithdrawal } from './hold.ts'

export const WITHDRAWAL_REQUEST_OPERATIONS: Operations<WithdrawalRequestCommand['kind']> = {
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
