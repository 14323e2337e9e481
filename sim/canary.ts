/**
 * Bugs on purpose: each breaks one rule from outside, by standing between the production code and a port or in front
 * of the machine. A simulator that does not find them is of no use.
 */
import type { EngineStorage } from '../src/drivers/sqlite/storage.ts'
import type { HistoryStore } from '../src/engine/history.ts'
import type { EventBatch } from '../src/engine/ports.ts'
import { EXCHANGE_FACTORY, type StateMachineFactory } from '../src/engine/state-machine.ts'
import type { Replica } from './checkers/replicas.ts'

/** Where a bug can stand; each answers with what it was given unless it is the bug's place. */
export type Canary = {
  storage(storage: EngineStorage): EngineStorage
  history(history: HistoryStore): HistoryStore
  factory(who: Replica): StateMachineFactory
  batch(batch: EventBatch): EventBatch
}

/** Everything as it is. */
export const NO_CANARY: Canary = {
  storage: (storage) => storage,
  history: (history) => history,
  factory: () => EXCHANGE_FACTORY,
  batch: (batch) => batch,
}
