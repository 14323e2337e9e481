/**
 * The type of commands' effects. For operators' commands each subject has a table of them in its own file.
 */
import type { CoreReason } from '../../units/reasons.ts'
import type { CommandKind, CommandOf } from '../commands/command.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { Reply } from '../questions/reply.ts'

export type Operation<K extends CommandKind> = (
  state: ExchangeState,
  command: CommandOf<K>,
  emit: EventSink,
) => Reply

/** One effect for each kind: a new command does not compile without its effect. */
export type Operations<K extends CommandKind> = { readonly [One in K]: Operation<One> }

/** Whether the registry's answer is a refusal. */
export function isReason(answer: CoreReason | object): answer is CoreReason {
  return typeof answer === 'string'
}
