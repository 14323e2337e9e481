/** Commands on the phase of the whole exchange (docs/reference/admin.md#phases-of-the-exchange). */
import type { ExchangePhase } from '../../../units/order-words.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { Operator } from './operator.ts'

/** Puts the exchange into a phase at once. What was planned is not planned any more: whoever acts by hand has taken over. */
export type SetPhase = {
  readonly kind: 'SetPhase'
  readonly operator: Operator
  readonly phase: ExchangePhase
}

/** A phase, and the moment from which on it is in force. */
export type PhaseStep = { readonly phase: ExchangePhase; readonly at: TimeMs }

/** Plans phases in place of those that were planned: `PLANNED_PHASES_MAX` of them, in the order of their moments; none: nothing is planned. */
export type PlanPhases = {
  readonly kind: 'PlanPhases'
  readonly operator: Operator
  readonly steps: readonly PhaseStep[]
}

/**
 * The exchange's own: the moment of a planned phase has come. It has been in force since that moment; from this command on everybody
 * is told.
 */
export type EnterPhase = { readonly kind: 'EnterPhase'; readonly orderNumber?: undefined }

export type PhaseCommand = SetPhase | PlanPhases
