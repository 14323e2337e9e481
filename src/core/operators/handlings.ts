/**
 * The claimant of a pending withdrawal, and its last rejected request (docs/reference/withdrawals.md#paying).
 */
import type { Operator } from '../commands/operator.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { Approval, WithdrawalHandling } from '../questions/view.ts'

/**
 * The handling of a pending withdrawal. If none is stored, the withdrawal is not claimed and no request was
 * rejected.
 */
export function handlingOf({ backOffice }: ExchangeState, reference: string): WithdrawalHandling {
  return backOffice.handlings.get(reference) ?? untouched(reference)
}

function untouched(reference: string): WithdrawalHandling {
  return { reference, claimedBy: undefined, approvedBy: [], rejected: undefined }
}

/**
 * Records that `claimedBy` has claimed a withdrawal, with the approval of `approvedBy`. An earlier rejection
 * is void.
 */
export function noteClaim(
  state: ExchangeState,
  claim: Pick<WithdrawalHandling, 'reference' | 'claimedBy' | 'approvedBy'>,
  emit: EventSink,
): void {
  put(state, { ...untouched(claim.reference), ...claim }, emit)
}

/** Records that a request for a pending withdrawal was rejected: the withdrawal stays pending as before. */
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

/** Removes the handling of a withdrawal that has ended; the journal and the history still have it. */
export function forgetHandling({ backOffice }: ExchangeState, reference: string): void {
  backOffice.handlings.delete(reference)
}

function put(state: ExchangeState, handling: WithdrawalHandling, emit: EventSink): void {
  state.backOffice.handlings.put(handling)
  emit({ kind: 'WithdrawalHandled', handling })
}
