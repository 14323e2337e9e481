/**
 * A bug on purpose: it breaks one rule from outside, by standing between the production code and a port or in front of
 * the machine. A simulator that does not find it is of no use.
 */
import type { Command } from '../../src/core/exchange/command.ts'
import type { EventBatch, ExchangeEvent } from '../../src/core/exchange/event.ts'
import type { OrderBook } from '../../src/core/market/order-book.ts'
import type { EngineStorage } from '../../src/drivers/sqlite/storage.ts'
import type { HistoryStore } from '../../src/engine/history.ts'
import type { StateMachine, StateMachineFactory } from '../../src/engine/state-machine.ts'
import type { Replica } from '../checkers/replicas.ts'
import { MACHINES, machinesWith } from '../node/machines.ts'
import { changedFactory } from '../node/observed-machine.ts'

/** Where a bug can stand; each answers with what it was given unless it is the bug's place. */
export type Canary = {
  storage(storage: EngineStorage): EngineStorage
  history(history: HistoryStore): HistoryStore
  factory(who: Replica): StateMachineFactory
  batch(batch: EventBatch): EventBatch
  /** Whether a journal is synced when it is opened. */
  readonly syncsAtOpen: boolean
}

/** Everything as it is. */
export const NO_CANARY: Canary = {
  storage: (storage) => storage,
  history: (history) => history,
  factory: () => MACHINES,
  batch: (batch) => batch,
  syncsAtOpen: true,
}

/** A canary, and within how many seeds it must be found. */
export type CanaryTest = { readonly canary: Canary; readonly seeds: number; readonly rule: string }

export function withMachine(change: (machine: StateMachine) => StateMachine): Canary {
  return { ...NO_CANARY, factory: () => changedFactory(MACHINES, change) }
}

export function withEvents(change: (event: ExchangeEvent) => ExchangeEvent): Canary {
  return withMachine((machine) => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => apply(command, time, (event) => emit(change(event)))
    return machine
  })
}

/** The machine applies another command than it was given. */
export function withCommands(change: (command: Command) => Command): Canary {
  return withMachine((machine) => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => apply(change(command), time, emit)
    return machine
  })
}

export function withBook(change: (book: OrderBook) => OrderBook): Canary {
  const factory = machinesWith(change)
  return { ...NO_CANARY, factory: () => factory }
}
