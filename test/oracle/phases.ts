/**
 * The phase of the exchange, from docs/reference/admin.md#phases-of-the-exchange: one list of all phases that
 * have begun or are planned; the first ones are announced.
 */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { PhaseChange } from '../../src/core/registry/records.ts'
import type { ExchangePhase } from '../../src/units/order-enums.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { Administered, Emit, Of } from './administered.ts'

const PLANNED_MOST = 4
const AHEAD_MOST_MS = 366 * 86_400_000

const START: PhaseChange = { phase: 'TRADING', at: 0 as TimeMs, actor: '', note: '' }

/** The phases that have begun, starting with the initial one of every exchange, and the planned ones. */
export class PhaseList {
  changes: PhaseChange[] = [START]
  /** Number of announced phases. */
  announced = 1

  /** A phase is in force from its start time on, announced or not. */
  at(time: number): ExchangePhase {
    return this.#begun(time).at(-1)?.phase ?? 'TRADING'
  }

  isDue(time: number): boolean {
    return this.#begun(time).length > this.announced
  }

  announce(time: number): void {
    this.announced = this.#begun(time).length
  }

  /** Replaces the phases still ahead at `time` by the planned ones. */
  replan(time: number, planned: readonly PhaseChange[]): void {
    this.changes = [...this.#begun(time), ...planned]
    this.announce(time)
  }

  /** The published records. */
  get records() {
    const current = this.changes[this.announced - 1] as PhaseChange
    return { current, planned: this.changes.slice(this.announced) }
  }

  #begun(time: number): PhaseChange[] {
    return this.changes.filter(({ at }, place) => place < this.announced || at <= time)
  }
}

export function changePhases(
  { phases, time }: Administered,
  command: Of<'SetPhase' | 'PlanPhases'>,
  emit: Emit,
): Reply {
  const wanted = command.kind === 'SetPhase' ? [{ phase: command.phase, at: time }] : command.steps
  if (wanted.length > PLANNED_MOST) return refused('INVALID_COMMAND')
  const words = [phases.at(time), ...wanted.map(({ phase }) => phase)].join(' ')
  // Checked step by step.
  for (const [place, { at }] of wanted.entries()) {
    const before = wanted[place - 1]?.at ?? time
    const isAhead = command.kind === 'SetPhase' || (at > before && at <= time + AHEAD_MOST_MS)
    if (!isAhead) return refused('PHASE_TIME_OUT_OF_RANGE')
    const upTo = words
      .split(' ')
      .slice(0, place + 2)
      .join(' ')
    if (upTo.includes('CLOSED TRADING')) return refused('PHASE_SEQUENCE')
  }
  const changes = wanted.map((step) => ({ ...step, ...command.operator }))
  const isNew = command.kind === 'PlanPhases' || phases.at(time) !== command.phase
  phases.replan(time, isNew ? changes : [])
  emit({ kind: 'PhasesChanged', phases: phases.records })
  return DONE
}

/** The engine announces the phases that have begun, and nothing else. */
export function enterPhase({ phases, time }: Administered, emit: Emit): Reply {
  if (!phases.isDue(time)) return refused('INVALID_COMMAND')
  phases.announce(time)
  emit({ kind: 'PhasesChanged', phases: phases.records })
  return DONE
}

/**
 * While the exchange is closed, traders cannot change orders: these commands are answered with
 * EXCHANGE_CLOSED.
 */
export const CLOSED_TO: readonly string[] = [
  'CancelOrder',
  'CancelClientOrder',
  'AmendOrder',
  'CancelAllOrders',
  'CancelList',
  'CancelClientList',
  'AskWithdrawal',
  'RetractWithdrawal',
  'SetOwnAddress',
]
