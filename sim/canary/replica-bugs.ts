/**
 * Bugs in the copies and views derived from the engine's commands: a replay, the follower, history, the
 * stream.
 */
import { EngineFault } from '../../src/engine/port/fault.ts'
import { amount, type Price } from '../../src/units/quantities.ts'
import { MACHINES } from '../node/machines.ts'
import {
  FOLLOWER,
  NO_CANARY,
  passOver,
  withCommands,
  withHistory,
  withMachine,
  withStreamed,
} from './canary.ts'
import type { CanaryTest } from './canary-test.ts'

export const REPLICA_BUGS = {
  'follower-skips': {
    rule: 'every replica comes to the same state',
    seeds: 5,
    canary: withMachine((machine) => passOver(machine, ({ kind }) => kind === 'Debit'), FOLLOWER),
  },
  // As if the batches kept in memory began one batch after the requested ones.
  'gap-in-feed': {
    rule: 'a follower is given every batch',
    seeds: 5,
    canary: { ...NO_CANARY, feed: (batches) => (batches.length > 1 ? batches.slice(1) : batches) },
  },
  // As if the codec omitted the field: a reader of the journal applies a different command from the writer's.
  'lossy-codec': {
    rule: 'what is stored is the very command that was applied',
    seeds: 10,
    canary: withCommands(
      (command) => (command.kind === 'PlaceOrder' ? { ...command, selfTradeMode: undefined } : command),
      FOLLOWER,
    ),
  },
  'lose-at-restart': {
    rule: 'a replay does what the first run did',
    seeds: 20,
    canary: {
      ...NO_CANARY,
      factory: () => ({
        empty: () => MACHINES.empty(),
        fromSnapshot: (payload) => {
          const machine = MACHINES.fromSnapshot(payload)
          passOver(machine, ({ kind }) => kind === 'CancelOrder')
          return machine
        },
      }),
    },
  },
  'lossy-snapshot': {
    rule: 'a snapshot holds the whole state',
    seeds: 20,
    canary: {
      ...NO_CANARY,
      factory: () => ({
        empty: () => MACHINES.empty(),
        fromSnapshot: (payload) => {
          const machine = MACHINES.fromSnapshot(payload)
          const balances = machine.balances.bind(machine)
          machine.balances = (accountId) =>
            balances(accountId).map((each) => ({ ...each, savings: amount(0n) }))
          return machine
        },
      }),
    },
  },
  'lose-history': {
    rule: 'history is what the events say',
    seeds: 30,
    canary: withHistory((history) => {
      const append = history.append.bind(history)
      history.append = (trades, end, besides) =>
        append(
          trades.filter(({ trade }) => trade.tradeNumber % 11 !== 0),
          end,
          besides,
        )
    }),
  },
  'history-twice': {
    rule: 'history shows every trade once',
    seeds: 10,
    canary: withHistory((history) => {
      const append = history.append.bind(history)
      history.append = (trades, end, besides) =>
        append(
          trades.flatMap((each) => (each.trade.tradeNumber % 7 === 0 ? [each, each] : [each])),
          end,
          besides,
        )
    }),
  },
  'lose-transfer': {
    rule: 'a ledger comes to the balances',
    seeds: 10,
    canary: withHistory((history) => {
      const append = history.append.bind(history)
      history.append = (trades, end, { transfers = [], ...besides } = {}) =>
        append(trades, end, { ...besides, transfers: transfers.filter(({ seq }) => seq % 5 !== 0) })
    }),
  },
  'lose-end': {
    rule: 'an order that has ended is not open in history',
    seeds: 10,
    canary: withHistory((history) => {
      const append = history.append.bind(history)
      history.append = (trades, end, { ends = [], ...besides } = {}) =>
        append(trades, end, { ...besides, ends: ends.filter(({ seq }) => seq % 7 !== 0) })
    }),
  },
  'lose-candle': {
    rule: 'candles are what the trades come to',
    seeds: 10,
    canary: withHistory((history) => {
      const candles = history.candles.bind(history)
      history.candles = async (range) => {
        const page = await candles(range)
        return { ...page, candles: page.candles.filter(({ count }) => count !== 2) }
      }
    }),
  },
  // The read models repeat the request while the answer is OVERLOADED.
  'endless-question': {
    rule: 'a run that hangs is a broken rule like any other',
    seeds: 1,
    canary: withHistory((history) => {
      history.recentTrades = async () => {
        throw new EngineFault('OVERLOADED', 'always')
      }
    }),
  },
  'drop-update': {
    rule: 'the stream publishes the book',
    seeds: 10,
    canary: withStreamed((events) =>
      events.filter((event) => event.kind !== 'LevelChanged' || event.price % 13 !== 0),
    ),
  },
  'stream-loses-trade': {
    rule: 'the stream publishes every trade',
    seeds: 30,
    canary: withStreamed((events) =>
      events.filter((event) => event.kind !== 'OrdersMatched' || event.tradeNumber % 7 !== 0),
    ),
  },
  'stream-wrong-price': {
    rule: 'the stream publishes trades as they were',
    seeds: 30,
    canary: withStreamed((events) =>
      events.map((event) =>
        event.kind === 'OrdersMatched' && event.tradeNumber % 7 === 0
          ? { ...event, price: (event.price + 1) as Price }
          : event,
      ),
    ),
  },
} as const satisfies Readonly<Record<string, CanaryTest>>
