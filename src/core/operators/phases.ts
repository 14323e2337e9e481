/** Commands on the phase of the exchange, and the engine's announcement of a planned phase. */
import { PHASE_AHEAD_MAX_MS, PLANNED_PHASES_MAX } from '../../units/limits.ts'
import type { ExchangePhase } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { PhaseCommand, PhaseStep, PlanPhases, SetPhase } from '../commands/phases.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { DONE, type Done, type Refused, refused } from '../questions/reply.ts'
import type { Operations } from './operations.ts'

export const PHASE_OPERATIONS: Operations<PhaseCommand['kind']> = {
  SetPhase: setPhase,
  PlanPhases: planPhases,
}

function setPhase(state: ExchangeState, { operator, phase }: SetPhase, emit: EventSink): Done | Refused {
  const { phases, time } = state
  const refusal = sequenceRefusal(phases.at(time), phase)
  if (refusal !== undefined) return refused(refusal)
  phases.enter(time)
  phases.set({ phase, at: time, ...operator })
  return announced(state, emit)
}

function planPhases(state: ExchangeState, { operator, steps }: PlanPhases, emit: EventSink): Done | Refused {
  const { phases, time } = state
  const refusal = planRefusal(steps, phases.at(time), time)
  if (refusal !== undefined) return refused(refusal)
  phases.enter(time)
  phases.plan(steps.map(({ phase, at }) => ({ phase, at, ...operator })))
  return announced(state, emit)
}

/** Announces a planned phase that has begun; refused, without an effect, if there is none. */
export function enterPhase(state: ExchangeState, emit: EventSink): Done | Refused {
  if (!state.phases.isDue(state.time)) return refused('INVALID_COMMAND')
  state.phases.enter(state.time)
  return announced(state, emit)
}

/** For when announcing phases is a known bug: phases that have begun are in force, but are not announced. */
export function setPhaseAside({ phases }: ExchangeState, time: TimeMs): void {
  if (phases.isDue(time)) phases.enter(time)
}

function announced({ phases }: ExchangeState, emit: EventSink): Done {
  emit({ kind: 'PhasesChanged', phases: phases.records })
  return DONE
}

/**
 * The reason why a phase cannot follow another: after it was closed, the exchange lets traders cancel before
 * they trade. Undefined if it can.
 */
export function sequenceRefusal(before: ExchangePhase, next: ExchangePhase): CoreReason | undefined {
  return before === 'CLOSED' && next === 'TRADING' ? 'PHASE_SEQUENCE' : undefined
}

/** The reason why a plan is refused at `time`, when `phase` is in force; undefined if it is not. */
export function planRefusal(
  steps: readonly PhaseStep[],
  phase: ExchangePhase,
  time: TimeMs,
): CoreReason | undefined {
  if (steps.length > PLANNED_PHASES_MAX) return 'INVALID_COMMAND'
  let before: PhaseStep = { phase, at: time }
  for (const step of steps) {
    const isAhead = Number.isSafeInteger(step.at) && step.at > before.at
    if (!isAhead || step.at - time > PHASE_AHEAD_MAX_MS) return 'PHASE_TIME_OUT_OF_RANGE'
    const refusal = sequenceRefusal(before.phase, step.phase)
    if (refusal !== undefined) return refusal
    before = step
  }
  return undefined
}
