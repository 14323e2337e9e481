/** The form of what operators' commands do: each subject has a table of it in a file of its own. */

import type { CoreReason } from '../../../units/reasons.ts'
import type { CommandOf, OperatorCommand } from '../command.ts'
import type { EventSink } from '../event.ts'
import type { Reply } from '../reply.ts'
import type { ExchangeState } from '../state.ts'

export type Operation<K extends OperatorCommand['kind']> = (
  state: ExchangeState,
  command: CommandOf<K>,
  emit: EventSink,
) => Reply

/** One for each kind: a new command does not compile before it is said what it does. */
export type Operations<K extends OperatorCommand['kind']> = { readonly [One in K]: Operation<One> }

/** True for the registry's answer that it has refused. */
export function isReason(answer: CoreReason | object): answer is CoreReason {
  return typeof answer === 'string'
}
