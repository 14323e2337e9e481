/**
 * The phase of the whole exchange for traders (docs/reference/extensions.md#rules-of-symbols). The actor and
 * the note are for operators only.
 */

import { EXCHANGE_PHASES, type ExchangePhase } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { component, listOf, object, optional, timeMs, type ValueOf, word } from '../../units/shapes/shape.ts'

type ShownPhase = { readonly phase: ExchangePhase; readonly at: TimeMs }

export type ShownPhases = { readonly current: ShownPhase; readonly planned: readonly ShownPhase[] }

const phase = word(EXCHANGE_PHASES)

/** Planned phases are in the order of their times; each is in force from its own time on. */
export const EXCHANGE_PHASES_SHAPE = component(
  'ExchangePhases',
  'The phase of all symbols together, now and as planned.',
  {
    phase,
    since: optional(timeMs('When the phase began; absent if it began with the exchange.')),
    planned: listOf(object({ phase, at: timeMs() })),
  },
)
export type PhasesBody = ValueOf<typeof EXCHANGE_PHASES_SHAPE>

export function phasesBody({ current: { phase, at }, planned }: ShownPhases): PhasesBody {
  const since = at > 0 ? { since: at } : {}
  return { phase, ...since, planned: planned.map((step) => ({ phase: step.phase, at: step.at })) }
}
