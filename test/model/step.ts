/** A step of a run of the model. */
import type { Command, EngineCommand } from '../../src/core/commands/command.ts'
import { isBuyByQuantity } from '../../src/core/commands/orders.ts'

/** The next step; `afterMs` after the previous one. */
export type Step =
  | { readonly kind: 'apply'; readonly command: Command; readonly afterMs: number }
  /** A command was quarantined; `own` is its content if it was an engine command. */
  | { readonly kind: 'refuse'; readonly afterMs: number; readonly own?: EngineCommand }
  /** The core continues from its own snapshot. */
  | { readonly kind: 'reload' }

/** The kind of a step, as the coverage counts it: orders by type, side and time in force. */
export function kindOf(step: Step): string {
  if (step.kind === 'refuse' && step.own !== undefined) return `refuse ${step.own.kind}`
  if (step.kind !== 'apply') return step.kind
  const { command } = step
  if (command.kind === 'PlaceList') return `PlaceList ${command.list}`
  if (command.kind !== 'PlaceOrder') return command.kind
  const { type, side, timeInForce } = command
  if (isBuyByQuantity(command)) return 'MARKET BUY by quantity'
  return type === 'LIMIT' ? `LIMIT ${side} ${timeInForce}` : `${type} ${side}`
}
