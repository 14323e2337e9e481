/** Commands on the phase of the whole exchange (docs/reference/admin.md#phases-of-the-exchange). */
import { EXCHANGE_PHASES } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { listOf, type ObjectOf, object, uint, word } from '../../units/shapes/shape.ts'
import { type CommandIn, commandRows, operatorRows } from './row.ts'

const PHASE_STEP = { phase: word(EXCHANGE_PHASES), at: uint<TimeMs>() }

/** A phase, and the time from which it is in force. */
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
 * Replaces the planned phases: at most `PLANNED_PHASES_MAX`, in the order of their times; an empty list
 * leaves nothing planned.
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
