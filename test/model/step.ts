/** A step of a run of the model. */
import type { Command, EngineCommand } from '../../src/core/exchange/command.ts'

/** What happens next; `afterMs` later than what came before. */
export type Step =
  | { readonly kind: 'apply'; readonly command: Command; readonly afterMs: number }
  /** A command was quarantined; `own`: what it was, where it was one of the engine's own. */
  | { readonly kind: 'refuse'; readonly afterMs: number; readonly own?: EngineCommand }
  /** The core goes on from its own snapshot. */
  | { readonly kind: 'reload' }

/** What it is, as the coverage counts it: orders by type, side and time in force. */
export function kindOf(step: Step): string {
  if (step.kind === 'refuse' && step.own !== undefined) return `refuse ${step.own.kind}`
  if (step.kind !== 'apply') return step.kind
  const { command } = step
  if (command.kind === 'PlaceList') return `PlaceList ${command.list}`
  if (command.kind !== 'PlaceOrder') return command.kind
  const { type, side, timeInForce } = command
  return type === 'LIMIT' ? `LIMIT ${side} ${timeInForce}` : `${type} ${side}`
}
