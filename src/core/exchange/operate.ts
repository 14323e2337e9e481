/** The effect of each kind of command. Those of operators' commands are in tables beside their subjects. */
import type { Command, CommandKind, CommandOf } from '../commands/command.ts'
import type { EventSink } from '../events/event.ts'
import { ACCOUNT_OPERATIONS } from '../operators/accounts.ts'
import { KEY_OPERATIONS } from '../operators/keys.ts'
import { LISTING_OPERATIONS } from '../operators/listings.ts'
import { moveBetweenBuckets, moveSavings, payOutCommission, transfer } from '../operators/money.ts'
import type { Operation, Operations } from '../operators/operations.ts'
import { enterPhase, PHASE_OPERATIONS } from '../operators/phases.ts'
import { RIGHTS_OPERATIONS } from '../operators/roles.ts'
import { SAFETY_OPERATIONS } from '../operators/safety.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import { amendOrder } from '../trading/amend-order.ts'
import { cancelAnyOrder, cancelOrders } from '../trading/cancel-orders.ts'
import { cancelClientList, cancelList } from '../trading/lists/cancel-list.ts'
import { placeList } from '../trading/lists/place-list.ts'
import { placePending } from '../trading/lists/place-pending.ts'
import { replaceOrder } from '../trading/replace-order.ts'
import {
  cancelAllOrders,
  continueCancelAll,
  fireCountdown,
  setCountdown,
} from '../trading/timers/cancel-all.ts'
import { expireOrder } from '../trading/timers/expire-order.ts'
import { disconnectSession, endSession, openSession } from '../trading/timers/session-commands.ts'
import { cancelOrder } from '../trading/trading.ts'
import { triggerOrder } from '../trading/triggers/trigger-order.ts'
import { setOwnAddress } from '../withdrawals/addresses.ts'
import { askWithdrawal, retractWithdrawal } from '../withdrawals/ask.ts'
import { WITHDRAWAL_REQUEST_OPERATIONS } from '../withdrawals/handle.ts'
import { cancelWithdrawal, completeWithdrawal, holdWithdrawal } from '../withdrawals/hold.ts'
import { beginEpoch } from './epoch.ts'
import { RULES_VERSION } from './rules.ts'
import type { ExchangeState } from './state.ts'

/**
 * The journal was written under rules that this program does not have: it must neither continue nor skip the
 * command.
 */
export class UnknownRulesFault extends Error {
  override readonly name = 'UnknownRulesFault'
}

/** All kinds except those that `Exchange` carries out itself. */
type Kind = Exclude<CommandKind, 'PlaceOrder' | 'CancelOrder' | 'DisconnectSessions'>

const OPERATIONS: Operations<Kind> = {
  CancelClientOrder: cancelOrder,
  AmendOrder: amendOrder,
  ReplaceOrder: replaceOrder,
  MarkTime: () => DONE,
  TriggerOrder: triggerOrder,
  ExpireOrder: expireOrder,
  CancelAllOrders: cancelAllOrders,
  ContinueCancelAll: continueCancelAll,
  SetCountdown: setCountdown,
  FireCountdown: fireCountdown,
  PlaceList: placeList,
  CancelList: cancelList,
  CancelClientList: cancelClientList,
  PlacePending: placePending,
  OpenSession: openSession,
  DisconnectSession: disconnectSession,
  EndSession: endSession,
  EnterPhase: (state, _, emit) => enterPhase(state, emit),
  BeginEpoch: beginEpoch,
  AskWithdrawal: askWithdrawal,
  RetractWithdrawal: retractWithdrawal,
  SetOwnAddress: setOwnAddress,
  SetRulesVersion: setRulesVersion,
  ...LISTING_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...KEY_OPERATIONS,
  ...SAFETY_OPERATIONS,
  ...PHASE_OPERATIONS,
  ...RIGHTS_OPERATIONS,
  ...WITHDRAWAL_REQUEST_OPERATIONS,
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

/** Carries out a command of one of these kinds. */
export function operate(
  state: ExchangeState,
  command: Extract<Command, { readonly kind: Kind }>,
  emit: EventSink,
): Reply {
  // The compiler cannot infer that a kind's operation accepts that kind's commands.
  return (OPERATIONS[command.kind] as Operation<Kind>)(state, command, emit)
}

/** Rules change by a command, so that earlier commands are always replayed under the rules of their time. */
function setRulesVersion(
  state: ExchangeState,
  { version }: CommandOf<'SetRulesVersion'>,
  emit: EventSink,
): Reply {
  if (!Number.isSafeInteger(version) || version < state.rulesVersion) {
    return refused('UNKNOWN_RULES_VERSION')
  }
  if (version > RULES_VERSION) {
    throw new UnknownRulesFault(`expected rules ${RULES_VERSION} or older, found ${version}`)
  }
  if (version !== state.rulesVersion) emit({ kind: 'RulesVersionChanged', version })
  state.rulesVersion = version
  return DONE
}
