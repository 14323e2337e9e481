/**
 * Messages on the connections between engines, and between gateways and engines. They have the same meanings
 * as the real messages in src/transport/link, but not their form.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import type { EngineFaultKind } from '../../src/engine/port/fault.ts'
import type { JournalPosition, RememberedPlace } from '../../src/engine/port/journal.ts'
import type { AccountState, EngineQuery, QueryAnswer } from '../../src/engine/port/queries.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { Seq } from '../../src/units/quantities.ts'

/** To an engine. The first message of each connection is a greeting. */
export type UpMessage =
  | {
      readonly kind: 'HELLO'
      readonly role: 'gateway' | 'replica'
      /** The highest confirmed journal position that the sender received. */
      readonly remembered: RememberedPlace | undefined
    }
  | {
      readonly kind: 'COMMAND'
      readonly number: number
      readonly command: Command
      readonly frame: Uint8Array
    }
  | { readonly kind: 'QUERY'; readonly number: number; readonly query: EngineQuery }
  | { readonly kind: 'PULL'; readonly number: number; readonly pull: Pull }

/** Requests of a follower. */
export type Pull =
  | { readonly kind: 'BATCHES'; readonly afterSeq: Seq; readonly maxBytes: number }
  | { readonly kind: 'QUARANTINED' }
  | { readonly kind: 'SNAPSHOT' }

/** From an engine. */
export type DownMessage =
  | { readonly kind: 'WELCOME'; readonly journal: string; readonly mark: JournalPosition }
  | { readonly kind: 'NOT_LEADER' }
  | { readonly kind: 'REPLY'; readonly number: number; readonly reply: Reply; readonly mark: JournalPosition }
  | {
      readonly kind: 'ANSWER'
      readonly number: number
      readonly answer: QueryAnswer
      readonly mark: JournalPosition
    }
  | { readonly kind: 'FAULT'; readonly number: number; readonly fault: EngineFaultKind }
  | { readonly kind: 'PULLED'; readonly number: number; readonly value: unknown }
  /** The leader is alive. */
  | { readonly kind: 'PING'; readonly mark: JournalPosition }

/** Outcomes that a gateway reports to its client. */
export type Outcome =
  | { readonly kind: 'REPLY'; readonly reply: Reply; readonly mark: JournalPosition }
  | { readonly kind: 'STATE'; readonly state: AccountState }
  /** The command was certainly not done. */
  | { readonly kind: 'NOT_DONE'; readonly fault: EngineFaultKind | 'NO_LEADER' }
  | { readonly kind: 'UNKNOWN' }

export type Ask =
  | { readonly command: Command; readonly frame: Uint8Array }
  | { readonly accountId: AccountId }
