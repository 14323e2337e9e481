/** An engine's port with some of its calls replaced. */
import type { EnginePort, PortQuery } from '../port/ports.ts'
import type { QueryFields, QueryValue } from '../port/queries.ts'

export type EngineChange = {
  /** Also replaces `hand`. */
  readonly submit?: EnginePort['submit']
  readonly follow?: EnginePort['follow']
  readonly subscribe?: EnginePort['subscribe']
  /** By name of the query. */
  readonly ask?: { readonly [Name in PortQuery]?: (fields: QueryFields<Name>) => Promise<QueryValue<Name>> }
}

/** Functions not replaced go to `engine`. */
export function changedEngine(engine: EnginePort, change: EngineChange): EnginePort {
  const { submit } = change
  return {
    submit: submit ?? ((...command) => engine.submit(...command)),
    hand: (command, receiver, deadline) => {
      if (submit === undefined) engine.hand(command, receiver, deadline)
      else
        void submit(command, deadline).then(
          (reply) => receiver.replied(reply),
          (fault: unknown) => receiver.failed(fault),
        )
    },
    follow: change.follow ?? ((...listeners) => engine.follow(...listeners)),
    subscribe: change.subscribe ?? ((subscriber) => engine.subscribe(subscriber)),
    ask: (name, fields) => change.ask?.[name]?.(fields) ?? engine.ask(name, fields),
  }
}
