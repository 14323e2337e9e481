/**
 * The content of the engine's inbox and its output: plain values, so that any driver can transmit them.
 * Requests are numbered by their sender, and answers repeat that number.
 */
import type { Command } from '../../core/commands/command.ts'
import type { EventBatch } from '../../core/events/event.ts'
import type { Reply } from '../../core/questions/reply.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { EngineFaultKind } from './fault.ts'
import type { EngineQuery, QueryAnswer } from './queries.ts'
import type { RequestNumber } from './request-client.ts'

/** A request on its sender's side: not numbered, and the command not encoded yet. */
export type OutgoingRequest =
  | {
      readonly kind: 'command'
      readonly command: Command
      /** The command is refused if its batch would have a later time; undefined for no limit. */
      readonly deadline: TimeMs | undefined
      /** Undefined if the order is not counted, or was counted before. */
      readonly charge?: OrderCharge | undefined
    }
  | { readonly kind: 'query'; readonly query: EngineQuery }

export type CommandRequest = {
  readonly kind: 'command'
  readonly request: RequestNumber
  readonly command: Command
  /** The same command as the journal stores it (frames.ts). */
  readonly frame: Uint8Array
  readonly deadline: TimeMs | undefined
  /** Undefined if the order is not counted, or was counted before. */
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

/**
 * The output of one flush, in one piece: first the events, then the answers; or only the time, if there are
 * neither.
 */
export type EngineOutput = {
  /** Undefined when the flush made no command durable. */
  readonly events: EventBatch | undefined
  readonly answers: readonly EngineAnswer[]
  /**
   * No later command has a time before this, and all earlier ones have been delivered; batches with events
   * carry their own time.
   */
  readonly passed?: TimeMs
}
