/**
 * A machine that reports what it did: every command that it applied, and every answer that it read from its
 * state.
 */
import type { Command, EngineCommand } from '../../src/core/commands/command.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import type { Balance, OpenOrdersPage, OpenOrdersQuery } from '../../src/core/questions/view.ts'
import type { StateMachine, StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { Seq, TimeMs } from '../../src/units/quantities.ts'

export interface MachineObserver {
  /** `command` is undefined when the command was quarantined. */
  applied(
    seq: Seq,
    time: TimeMs,
    command: Command | undefined,
    reply: Reply,
    events: readonly ExchangeEvent[],
    /** The quarantined command, if it was an engine command. */
    own?: EngineCommand,
  ): void
  readOrders(seq: Seq, query: OpenOrdersQuery, page: OpenOrdersPage): void
  readBalances(seq: Seq, accountId: AccountId, balances: readonly Balance[]): void
  encoded(seq: Seq, payload: Uint8Array): void
}

/** Changes every machine that a factory creates. */
export function changedFactory(
  factory: StateMachineFactory,
  change: (machine: StateMachine) => StateMachine,
): StateMachineFactory {
  return {
    empty: () => change(factory.empty()),
    fromSnapshot: (payload) => change(factory.fromSnapshot(payload)),
  }
}

export function observed(machine: StateMachine, observer: MachineObserver): StateMachine {
  const apply = machine.apply.bind(machine)
  const refuse = machine.refuse.bind(machine)
  const openOrdersPage = machine.openOrdersPage.bind(machine)
  const balances = machine.balances.bind(machine)
  machine.apply = (command, time, emit) => {
    const events: ExchangeEvent[] = []
    const reply = apply(command, time, (event) => {
      events.push(event)
      emit(event)
    })
    observer.applied(machine.seq, time, command, reply, events)
    return reply
  }
  machine.refuse = (time, own) => {
    const reply = refuse(time, own)
    observer.applied(machine.seq, time, undefined, reply, [], own)
    return reply
  }
  machine.openOrdersPage = (query) => {
    const page = openOrdersPage(query)
    observer.readOrders(machine.seq, query, page)
    return page
  }
  machine.balances = (accountId) => {
    const found = balances(accountId)
    observer.readBalances(machine.seq, accountId, found)
    return found
  }
  const encodeSnapshot = machine.encodeSnapshot.bind(machine)
  machine.encodeSnapshot = () => {
    const payload = encodeSnapshot()
    observer.encoded(machine.seq, payload)
    return payload
  }
  return machine
}
