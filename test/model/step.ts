/** A step of a run of the model. */
import type { Command, EngineCommand } from '../../src/core/exchange/command.ts'

/** What happens next; `afterMs` later than what came before. */
export type Step =
  | { readonly kind: 'apply'; readonly command: Command; readonly afterMs: number }
  /** A command was quarantined; `own`: what it was, where it was one of the engine's own. */
  | { readonly kind: 'refuse'; readonly afterMs: number; readonly own?: EngineCommand }
  /** The core goes on from its own snapshot. */
  | { readonly kind: 'reload' }
