/**
 * What waits in the engine's inbox and what comes out: plain values, so that any driver can carry them. Requests
 * are numbered by whoever sends them, and answers name that number.
 */
import type { Command } from '../../core/exchange/command.ts'
import type { EventBatch } from '../../core/exchange/event.ts'
import type { Reply } from '../../core/exchange/reply.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { EngineFaultKind } from './fault.ts'
import type { EngineQuery, QueryAnswer } from './queries.ts'
import type { RequestNumber } from './request-client.ts'

/** A request as its sender has it: not numbered, and the command not encoded yet. */
export type OutgoingRequest =
  | {
      readonly kind: 'command'
      readonly command: Command
      /** The command is refused where its batch would be dated later; undefined: it may come at any time. */
      readonly deadline: TimeMs | undefined
      /** Undefined: it counts nowhere, or was counted before. */
      readonly charge?: OrderCharge | undefined
    }
  | { readonly kind: 'query'; readonly query: EngineQuery }

export type CommandRequest = {
  readonly kind: 'command'
  readonly request: RequestNumber
  readonly command: Command
  /** The same command as the journal will keep it (frames.ts). */
  readonly frame: Uint8Array
  readonly deadline: TimeMs | undefined
  /** Undefined: it counts nowhere, or was counted before. */
  readonly charge?: OrderCharge | undefined
}

export type QueryRequest = {
  readonly kind: 'query'
  readonly request: RequestNumber
  readonly query: EngineQuery
}

export type EngineRequest = CommandRequest | QueryRequest

export type EngineAnswer =
  | { readonly kind: 'reply'; readonly request: RequestNumber; readonly reply: Reply }
  | { readonly kind: 'answer'; readonly request: RequestNumber; readonly answer: QueryAnswer }
  | { readonly kind: 'fault'; readonly request: RequestNumber; readonly fault: EngineFaultKind }

/** What one flush gives out, in one piece: first what happened, then who is answered. Or, where there is none, what time it is. */
export type EngineOutput = {
  /** Undefined when the flush made no command durable. */
  readonly events: EventBatch | undefined
  readonly answers: readonly EngineAnswer[]
  /** No later command is dated before this, and all earlier ones have been given out; with events their own time says so. */
  readonly passed?: TimeMs
}
