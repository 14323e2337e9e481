/** Who has a withdrawal that waits in hand, and the last request about it that was rejected (docs/reference/withdrawals.md#paying). */
import type { Operator } from '../commands/operator.ts'
import type { EventSink } from '../event.ts'
import type { ExchangeState } from '../state.ts'
import type { Approval, WithdrawalHandling } from '../view.ts'

/** What is kept of one that waits: where nothing is, that nobody has claimed it and nothing was rejected. */
export function handlingOf({ backOffice }: ExchangeState, reference: string): WithdrawalHandling {
  return backOffice.handlings.get(reference) ?? untouched(reference)
}

function untouched(reference: string): WithdrawalHandling {
  return { reference, claimedBy: undefined, approvedBy: [], rejected: undefined }
}

/** `claimedBy` has it in hand; `approvedBy` agreed to that. What was rejected before is over. */
export function noteClaim(
  state: ExchangeState,
  claim: Pick<WithdrawalHandling, 'reference' | 'claimedBy' | 'approvedBy'>,
  emit: EventSink,
): void {
  put(state, { ...untouched(claim.reference), ...claim }, emit)
}

/** What was asked of a withdrawal that waits was rejected: it waits on as it did before it was asked. */
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
