/**
 * A canary is a deliberate bug: it breaks one rule from outside, by a change between the production code and
 * a port, or in front of the machine. A simulator that does not find it is useless.
 */
import type { Command, EngineCommand } from '../../src/core/commands/command.ts'
import type { EventBatch, ExchangeEvent } from '../../src/core/events/event.ts'
import type { OrderBook } from '../../src/core/market/order-book.ts'
import type { HistoryStore } from '../../src/engine/history/history.ts'
import type { Batch } from '../../src/engine/port/journal.ts'
import type { StateMachine, StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import type { EngineStorage } from '../../src/engine/port/storage.ts'
import type { ClockLimits } from '../../src/engine/writer/journal-clock.ts'
import type { Replica } from '../checkers/replicas.ts'
import { MACHINES, machinesWith } from '../node/machines.ts'
import { changedFactory } from '../node/observed-machine.ts'

/** Places where a bug can be inserted; each returns its argument unchanged unless the bug is there. */
export type Canary = {
  storage(storage: EngineStorage): EngineStorage
  history(history: HistoryStore): HistoryStore
  factory(who: Replica): StateMachineFactory
  batch(batch: EventBatch): EventBatch
  /** The batches of the journal that a follower receives. */
  feed(batches: readonly Batch[]): readonly Batch[]
  /** Whether a journal is synced when it is opened. */
  readonly syncsAtOpen: boolean
  readonly clockLimits: ClockLimits
}

/** Small compared with the clock faults, so that clock faults of every size have an effect. */
export const CLOCK_LIMITS: ClockLimits = { jumpMaxMs: 10_000, startJumpMaxMs: 3_600_000 }

/** No bug. */
export const NO_CANARY: Canary = {
  storage: (storage) => storage,
  history: (history) => history,
  factory: () => MACHINES,
  batch: (batch) => batch,
  feed: (batches) => batches,
  syncsAtOpen: true,
  clockLimits: CLOCK_LIMITS,
}

type Who = (replica: Replica) => boolean

const ALL: Who = () => true
/** All replicas that replay after the engine. */
export const FOLLOWER: Who = (replica) => replica !== 'engine'

/** Changes the machines of some replicas. */
export function withMachine(change: (machine: StateMachine) => void, who: Who = ALL): Canary {
  const changed = changedFactory(MACHINES, (machine) => {
    change(machine)
    return machine
  })
  return { ...NO_CANARY, factory: (replica) => (who(replica) ? changed : MACHINES) }
}

/** Changes the machines that start from a snapshot. */
export function withRestored(change: (machine: StateMachine) => void): Canary {
  const changed: StateMachineFactory = {
    empty: MACHINES.empty,
    fromSnapshot: (payload) => {
      const machine = MACHINES.fromSnapshot(payload)
      change(machine)
      return machine
    },
  }
  return { ...NO_CANARY, factory: () => changed }
}

/** The machine requests engine commands other than those that are due. */
export function changeDue(
  machine: StateMachine,
  change: (commands: readonly EngineCommand[]) => readonly EngineCommand[],
): void {
  const due = machine.due.bind(machine)
  machine.due = (max, time) => [...change(due(max, time))]
}

/** The machine applies a different command from the one it was given. */
export function withCommands(change: (command: Command, seq: number) => Command, who: Who = ALL): Canary {
  return withMachine((machine) => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => apply(change(command, machine.seq), time, emit)
  }, who)
}

/** Makes the machine skip some commands, as if they were quarantined. */
export function passOver(machine: StateMachine, isPassed: (command: Command) => boolean): void {
  const apply = machine.apply.bind(machine)
  machine.apply = (command, time, emit) =>
    isPassed(command) ? machine.refuse(time) : apply(command, time, emit)
}

export function withEvents(change: (event: ExchangeEvent) => ExchangeEvent): Canary {
  return withMachine((machine) => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => apply(command, time, (event) => emit(change(event)))
  })
}

export function withBook(change: (book: OrderBook) => OrderBook): Canary {
  const factory = machinesWith(change)
  return { ...NO_CANARY, factory: () => factory }
}

export function withStorage(change: (storage: EngineStorage) => void): Canary {
  return {
    ...NO_CANARY,
    storage: (storage) => {
      change(storage)
      return storage
    },
  }
}

/** A store whose calls can be replaced. */
type ChangedHistory = { -readonly [Name in keyof HistoryStore]: HistoryStore[Name] }

export function withHistory(change: (history: ChangedHistory) => void): Canary {
  return {
    ...NO_CANARY,
    history: (history) => {
      change(history)
      return history
    },
  }
}

/** The gateway's stream receives different events from those that the engine published. */
export function withStreamed(change: (events: readonly ExchangeEvent[]) => readonly ExchangeEvent[]): Canary {
  return { ...NO_CANARY, batch: (batch) => ({ ...batch, events: change(batch.events) }) }
}
