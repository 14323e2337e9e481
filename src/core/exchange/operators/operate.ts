/** What each of the operator's commands does; the tables stand with their subjects. */
import type { OperatorCommand } from '../command.ts'
import type { EventSink } from '../event.ts'
import type { Reply } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { cancelAnyOrder, cancelOrders } from '../trading/cancel-orders.ts'
import { WITHDRAWAL_DESK_OPERATIONS } from '../withdrawals/handle.ts'
import { ACCOUNT_OPERATIONS } from './accounts.ts'
import { KEY_OPERATIONS } from './keys.ts'
import { LISTING_OPERATIONS } from './listings.ts'
import { moveBetweenBuckets, moveSavings, payOutCommission, transfer } from './money.ts'
import type { Operation, Operations } from './operations.ts'
import { PHASE_OPERATIONS } from './phases.ts'
import { RIGHTS_OPERATIONS } from './roles.ts'
import { SAFETY_OPERATIONS } from './safety.ts'
import { cancelWithdrawal, completeWithdrawal, holdWithdrawal } from './withdrawals.ts'

/** All but the one that changes the rules, which is the exchange's own. */
type Kind = Exclude<OperatorCommand['kind'], 'SetRulesVersion'>

const OPERATIONS: Operations<Kind> = {
  ...LISTING_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...KEY_OPERATIONS,
  ...SAFETY_OPERATIONS,
  ...PHASE_OPERATIONS,
  ...RIGHTS_OPERATIONS,
  ...WITHDRAWAL_DESK_OPERATIONS,
  Credit: transfer,
  Debit: transfer,
  MoveBetweenBuckets: moveBetweenBuckets,
  MoveSavings: moveSavings,
  PayOutCommission: payOutCommission,
  HoldWithdrawal: holdWithdrawal,
  CompleteWithdrawal: completeWithdrawal,
  CancelWithdrawal: cancelWithdrawal,
  CancelOrders: cancelOrders,
  CancelAnyOrder: cancelAnyOrder,
}

/** Carries out one of these commands. */
export function operate(
  state: ExchangeState,
  command: Extract<OperatorCommand, { readonly kind: Kind }>,
  emit: EventSink,
): Reply {
  // The compiler does not follow that a kind's operation is for that kind's commands.
  return (OPERATIONS[command.kind] as Operation<Kind>)(state, command, emit)
}
