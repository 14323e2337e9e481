/** Commands on the phase of the whole exchange (docs/reference/admin.md#phases-of-the-exchange). */
import { EXCHANGE_PHASES } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { listOf, type ObjectOf, object, uint, word } from '../../units/shapes/shape.ts'
import { type CommandIn, commandRows, operatorRows } from './row.ts'

const PHASE_STEP = { phase: word(EXCHANGE_PHASES), at: uint<TimeMs>() }

/** A phase, and the moment from which on it is in force. */
export interface PhaseStep extends ObjectOf<typeof PHASE_STEP> {}

export const PHASE_ROWS = operatorRows({
  SetPhase: { code: 60, fields: { phase: word(EXCHANGE_PHASES) } },
  PlanPhases: { code: 61, fields: { steps: listOf(object(PHASE_STEP)) } },
})

export const PHASE_ENGINE_ROWS = commandRows({ EnterPhase: { code: 62 } })

type In<Kind extends keyof typeof PHASE_ROWS> = CommandIn<typeof PHASE_ROWS, Kind>

/**
 * Puts the exchange into a phase at once. All planned phases are dropped, since an operator has taken over.
 */
export interface SetPhase extends In<'SetPhase'> {}

/**
 * Plans phases in place of those that were planned: `PLANNED_PHASES_MAX` of them, in the order of their
 * moments; none: nothing is planned.
 */
export interface PlanPhases extends In<'PlanPhases'> {}

/**
 * The exchange's own: a planned phase has begun. It has been in force since its time; this command announces
 * it.
 */
export interface EnterPhase extends CommandIn<typeof PHASE_ENGINE_ROWS> {
  readonly orderNumber?: undefined
}

export type PhaseCommand = CommandIn<typeof PHASE_ROWS>
