/** The phase of the whole exchange as traders read it (docs/reference/extensions.md#rules-of-symbols). Who ordered it, and why, is for operators. */
import type { ExchangePhase } from '../units/order-words.ts'
import type { TimeMs } from '../units/quantities.ts'

type ShownPhase = { readonly phase: ExchangePhase; readonly at: TimeMs }

export type ShownPhases = { readonly current: ShownPhase; readonly planned: readonly ShownPhase[] }

/** Times are whole milliseconds since 1970. */
export type PhasesBody = {
  readonly phase: ExchangePhase
  /** Absent of the phase that every exchange begins in. */
  readonly since?: number
  /** In the order of their moments; each is in force from its own on. */
  readonly planned: readonly { readonly phase: ExchangePhase; readonly at: number }[]
}

export function phasesBody({ current: { phase, at }, planned }: ShownPhases): PhasesBody {
  const since = at > 0 ? { since: at } : {}
  return { phase, ...since, planned: planned.map((step) => ({ phase: step.phase, at: step.at })) }
}
