/**
 * Operations on the phase of the whole exchange, at once or planned
 * (docs/reference/admin.md#phases-of-the-exchange).
 */

import type { AdminRequests } from '../../../contract/admin/admin.ts'
import type { AdminExchange, AdminPhase } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { PhaseStep } from '../../../core/commands/phases.ts'
import type { PhaseChange } from '../../../core/registry/records.ts'
import { PHASE_AHEAD_MAX_MS } from '../../../units/limits.ts'
import { EXCHANGE_PHASES, type ExchangePhase } from '../../../units/order-enums.ts'
import { type TimeMs, timeMs } from '../../../units/quantities.ts'
import { type AdminContext, invalid } from '../context.ts'
import { operatorOf, submit } from '../submit.ts'

const EXPECTED = 'expected a phase and its time, such as CLOSED@2026-12-01T02:00:00Z or CLOSED@+30m'
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/
const WAIT = /^\+(\d{1,6})([smhd])$/
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export async function showExchange(context: AdminContext): Promise<AdminExchange> {
  return shown(context)
}

/** Puts the exchange into a phase at once and drops all planned phases; a repeat is not an error. */
export function enterPhase(phase: ExchangePhase) {
  return async (context: AdminContext, request: AdminRequests['exchange/halt']): Promise<AdminExchange> => {
    await submit(context, { kind: 'SetPhase', operator: operatorOf(context, request), phase })
    return shown(context)
  }
}

/** Plans phases in place of those planned before. */
export async function planPhases(
  context: AdminContext,
  request: AdminRequests['exchange/plan'],
): Promise<AdminExchange> {
  const now = context.now()
  const steps = request.steps.map((text) => stepOf(text, now))
  checkMoments(steps, request.steps, now)
  await submit(context, { kind: 'PlanPhases', operator: operatorOf(context, request), steps })
  return shown(context)
}

/** Drops all planned phases; the phase in force stays. */
export async function unplanPhases(
  context: AdminContext,
  request: AdminRequests['exchange/unplan'],
): Promise<AdminExchange> {
  await submit(context, { kind: 'PlanPhases', operator: operatorOf(context, request), steps: [] })
  return shown(context)
}

function stepOf(text: string, now: TimeMs): PhaseStep {
  const [word = '', moment = '', ...more] = text.split('@')
  const phase = EXCHANGE_PHASES.find((each) => each === word.toUpperCase().replaceAll('-', '_'))
  if (phase === undefined || more.length > 0)
    throw invalid('steps', `${EXPECTED}, with one of ${EXCHANGE_PHASES.join(', ')}; found ${text}`)
  return { phase, at: momentOf(moment, text, now) }
}

/** A time with its offset from UTC, or a duration from now. */
function momentOf(moment: string, text: string, now: TimeMs): TimeMs {
  const [, count, unit] = WAIT.exec(moment) ?? []
  if (count !== undefined) return timeMs(now + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS])
  const time = MOMENT.test(moment) ? Date.parse(moment) : Number.NaN
  if (Number.isNaN(time)) throw invalid('steps', `${EXPECTED}; found ${text}`)
  return Math.max(0, time) as TimeMs
}

/** Throws the refusal that the exchange would return, with the step that causes it. */
function checkMoments(steps: readonly PhaseStep[], texts: readonly string[], now: TimeMs): void {
  let before: TimeMs = now
  for (const [place, { at }] of steps.entries()) {
    const found = `found ${texts[place]}`
    if (at <= before) {
      const least = place === 0 ? `the node's time, ${isoTime(now)}` : "the previous step's time"
      throw invalid('steps', `expected a time after ${least}; ${found}`)
    }
    if (at - now > PHASE_AHEAD_MAX_MS) throw invalid('steps', `expected a time within 366 days; ${found}`)
    before = at
  }
}

function shown({ registry: { phases } }: Pick<AdminContext, 'registry'>): AdminExchange {
  const { phase, at, actor, note } = phases.current
  const since = at === 0 ? null : isoTime(at)
  return { phase, since, by: actor, note, planned: phases.planned.map(shownStep) }
}

function shownStep({ phase, at, actor, note }: PhaseChange): AdminPhase {
  return { phase, at: isoTime(at), by: actor, note }
}
