/**
 * Bugs on purpose: each breaks one rule from outside, by standing between the production code and a port or in front
 * of the machine. A simulator that does not find them is of no use.
 */

import type { EventBatch, ExchangeEvent } from '../src/core/exchange/event.ts'
import { Exchange } from '../src/core/exchange/exchange.ts'
import { FastBook } from '../src/core/market/fast-book.ts'
import type { OrderBook } from '../src/core/market/order-book.ts'
import { sha256 } from '../src/drivers/crypto/sha256.ts'
import type { EngineStorage } from '../src/drivers/sqlite/storage.ts'
import type { HistoryStore } from '../src/engine/history.ts'
import { type Batch, hashOfBatch, JournalFault } from '../src/engine/journal.ts'
import { EXCHANGE_FACTORY, type StateMachine, type StateMachineFactory } from '../src/engine/state-machine.ts'
import type { Amount } from '../src/units/quantities.ts'
import type { Replica } from './checkers/replicas.ts'
import { changedFactory } from './node/observed-machine.ts'

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
  factory: () => EXCHANGE_FACTORY,
  batch: (batch) => batch,
  syncsAtOpen: true,
}

/** A canary, and within how many seeds it must be found. */
export type CanaryTest = { readonly canary: Canary; readonly seeds: number; readonly rule: string }

type Change = (machine: StateMachine) => StateMachine

export const CANARIES = {
  'ack-before-append': {
    rule: 'a command is durable before it is answered',
    seeds: 5,
    canary: {
      ...NO_CANARY,
      storage: (storage) => {
        const { journal } = storage
        const append = journal.append.bind(journal)
        let last: Promise<void> = Promise.resolve()
        let tail = journal.tail
        Object.defineProperty(journal, 'tail', { get: () => tail })
        journal.append = async (batch) => {
          tail = { seq: (batch.firstSeq + batch.count - 1) as never, time: batch.time, hash: batch.hash }
          last = last.then(() => append(batch)).catch(() => {})
        }
        return storage
      },
    },
  },
  'skip-witness': {
    rule: 'what the journal has lost is noticed at the next start',
    seeds: 20,
    canary: {
      ...NO_CANARY,
      storage: (storage) => {
        storage.witness.recall = () => ({
          kind: 'MARK',
          mark: { ...storage.journal.tail },
          damage: undefined,
        })
        storage.snapshots.list = async () => ({ heads: [], damaged: [] })
        return storage
      },
    },
  },
  'skip-hashes': {
    rule: 'a flipped bit is never silently accepted',
    seeds: 100,
    canary: {
      ...NO_CANARY,
      storage: (storage) => {
        const read = storage.journal.read.bind(storage.journal)
        // Hashes are made to fit whatever is there: as good as not looking at them.
        storage.journal.read = async (...range) => refitted(await read(...range))
        return storage
      },
    },
  },
  'unsynced-recovery': {
    rule: 'what a start finds is durable before anything is built on it',
    seeds: 100,
    canary: { ...NO_CANARY, syncsAtOpen: false },
  },
  'ack-when-full': {
    rule: 'a full disk takes no command',
    seeds: 20,
    canary: {
      ...NO_CANARY,
      storage: (storage) => {
        const { journal } = storage
        const append = journal.append.bind(journal)
        journal.append = async (batch) => {
          try {
            await append(batch)
          } catch (cause) {
            if (!(cause instanceof JournalFault) || cause.kind !== 'STORAGE_FULL') throw cause
          }
        }
        return storage
      },
    },
  },
  rounding: {
    rule: 'every unit of money is accounted for',
    seeds: 10,
    canary: withEvents((event) =>
      event.kind === 'OrdersMatched' && event.quantity % 3 === 0
        ? { ...event, maker: { ...event.maker, total: (event.maker.total + 1n) as Amount } }
        : event,
    ),
  },
  mint: {
    rule: 'each asset sums to zero',
    seeds: 5,
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      machine.apply = (command, time, emit) =>
        apply(
          command.kind === 'Credit' ? { ...command, amount: (command.amount + 1n) as Amount } : command,
          time,
          emit,
        )
      return machine
    }),
  },
  'drop-cancel': {
    rule: 'a cancel that was acknowledged is done',
    seeds: 5,
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      const refuse = machine.refuse.bind(machine)
      machine.apply = (command, time, emit) => {
        if (command.kind !== 'CancelOrder' || command.orderNumber % 5 !== 0) return apply(command, time, emit)
        refuse(time)
        return { kind: 'Done', repeated: false }
      }
      return machine
    }),
  },
  'repeat-reference': {
    rule: 'a repeated reference has one effect',
    seeds: 10,
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      machine.apply = (command, time, emit) =>
        apply(
          'reference' in command && command.reference.length > 0
            ? { ...command, reference: `${command.reference.slice(0, 150)} ${machine.seq}` }
            : command,
          time,
          emit,
        )
      return machine
    }),
  },
  'last-in-first-out': {
    rule: 'at one price the oldest order trades first',
    seeds: 10,
    canary: withBook((book) => {
      const best = book.best.bind(book)
      book.best = (side) => {
        const first = best(side)
        if (first < 0) return first
        let chosen = first
        for (const slot of book.slots(side)) if (book.price(slot) === book.price(first)) chosen = slot
        return chosen
      }
      return book
    }),
  },
  'worse-price-first': {
    rule: 'the best price trades first',
    seeds: 10,
    canary: withBook((book) => {
      const best = book.best.bind(book)
      book.best = (side) => {
        const slots = [...book.slots(side)]
        return slots.length > 3 ? (slots[3] as (typeof slots)[number]) : best(side)
      }
      return book
    }),
  },
  'follower-skips': {
    rule: 'every replica comes to the same state',
    seeds: 5,
    canary: {
      ...NO_CANARY,
      factory: (who) =>
        who === 'engine'
          ? EXCHANGE_FACTORY
          : changedFactory(EXCHANGE_FACTORY, (machine) => {
              const apply = machine.apply.bind(machine)
              const refuse = machine.refuse.bind(machine)
              machine.apply = (command, time, emit) =>
                command.kind === 'Debit' ? refuse(time) : apply(command, time, emit)
              return machine
            }),
    },
  },
  'lose-history': {
    rule: 'history is what the events say',
    seeds: 10,
    canary: {
      ...NO_CANARY,
      history: (history) => {
        const append = history.append.bind(history)
        history.append = (trades, end) =>
          append(
            trades.filter(({ trade }) => trade.tradeNumber % 11 !== 0),
            end,
          )
        return history
      },
    },
  },
  'drop-update': {
    rule: 'the stream tells the book',
    seeds: 10,
    canary: {
      ...NO_CANARY,
      batch: (batch) => ({
        ...batch,
        events: batch.events.filter((event) => event.kind !== 'LevelChanged' || event.price % 13 !== 0),
      }),
    },
  },
  'lose-at-restart': {
    rule: 'a replay does what the first run did',
    seeds: 20,
    canary: {
      ...NO_CANARY,
      factory: () => ({
        empty: () => EXCHANGE_FACTORY.empty(),
        fromSnapshot: (payload) =>
          changed(EXCHANGE_FACTORY.fromSnapshot(payload), (machine) => {
            const apply = machine.apply.bind(machine)
            const refuse = machine.refuse.bind(machine)
            machine.apply = (command, time, emit) =>
              command.kind === 'CancelOrder' ? refuse(time) : apply(command, time, emit)
            return machine
          }),
      }),
    },
  },
} as const satisfies Readonly<Record<string, CanaryTest>>

export type CanaryName = keyof typeof CANARIES

function withMachine(change: Change): Canary {
  return { ...NO_CANARY, factory: () => changedFactory(EXCHANGE_FACTORY, change) }
}

function withEvents(change: (event: ExchangeEvent) => ExchangeEvent): Canary {
  return withMachine((machine) => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => apply(command, time, (event) => emit(change(event)))
    return machine
  })
}

function withBook(change: (book: OrderBook) => OrderBook): Canary {
  const options = { createBook: () => change(new FastBook()) }
  const factory: StateMachineFactory = {
    empty: () => new Exchange(options),
    fromSnapshot: (payload) => Exchange.decodeSnapshot(payload, options),
  }
  return { ...NO_CANARY, factory: () => factory }
}

/** The same batches, each with the hash that its contents have now. */
function refitted(batches: readonly Batch[]): Batch[] {
  let previousHash = batches[0]?.previousHash
  return batches.map((batch) => {
    const unsealed = { ...batch, previousHash: previousHash ?? batch.previousHash }
    previousHash = hashOfBatch(sha256, unsealed)
    return { ...unsealed, hash: previousHash }
  })
}

function changed(machine: StateMachine, change: Change): StateMachine {
  return change(machine)
}
