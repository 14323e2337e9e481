/**
 * The claimant of a pending withdrawal, and the last rejected request for it
 * (docs/reference/withdrawals.md#paying).
 */
import type { Operator } from '../commands/operator.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { Approval, WithdrawalHandling } from '../questions/view.ts'

/** The stored state of a pending one: if there is none, it is not claimed and no request was rejected. */
export function handlingOf({ backOffice }: ExchangeState, reference: string): WithdrawalHandling {
  return backOffice.handlings.get(reference) ?? untouched(reference)
}

function untouched(reference: string): WithdrawalHandling {
  return { reference, claimedBy: undefined, approvedBy: [], rejected: undefined }
}

/** `claimedBy` has claimed it; `approvedBy` approved that. An earlier rejection is void. */
export function noteClaim(
  state: ExchangeState,
  claim: Pick<WithdrawalHandling, 'reference' | 'claimedBy' | 'approvedBy'>,
  emit: EventSink,
): void {
  put(state, { ...untouched(claim.reference), ...claim }, emit)
}

/** A request for a pending withdrawal was rejected: the withdrawal stays pending as before. */
export function noteRejection(
  state: ExchangeState,
  { reference, kind, actor: askedBy }: Approval,
  { actor: rejectedBy, note }: Operator,
  emit: EventSink,
): void {
  if (state.backOffice.withdrawals.get(reference)?.state !== 'PENDING') return
  const rejected = { kind, askedBy, rejectedBy, note, at: state.time }
  put(state, { ...handlingOf(state, reference), rejected }, emit)
}

/** It has ended: the journal and the history know the rest. */
export function forgetHandling({ backOffice }: ExchangeState, reference: string): void {
  backOffice.handlings.delete(reference)
}

function put(state: ExchangeState, handling: WithdrawalHandling, emit: EventSink): void {
  state.backOffice.handlings.put(handling)
  emit({ kind: 'WithdrawalHandled', handling })
}
