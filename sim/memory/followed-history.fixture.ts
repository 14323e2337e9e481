/** A history in memory as a follower makes it, by a replay of its own that goes as far as a question asks for. */

import { HistoryProjection } from '../../src/engine/history/history-projection.ts'
import type { BatchFeed } from '../../src/engine/port/feed.ts'
import type { HistoryPort } from '../../src/engine/port/ports.ts'
import { EXCHANGE_FACTORY } from '../../src/engine/port/state-machine.ts'
import { replayCommands } from '../../src/engine/writer/recovery/replay.ts'
import type { Seq } from '../../src/units/quantities.ts'
import { MemoryHistory } from './history.ts'

const PULL_BYTES = 1024 * 1024

export function followedHistory(feed: BatchFeed): HistoryPort {
  const store = new MemoryHistory()
  const machine = EXCHANGE_FACTORY.empty()
  const projection = new HistoryProjection(machine)
  let pulls: Promise<void> = Promise.resolve()
  const pull = async (atLeast: Seq): Promise<void> => {
    while (machine.seq < atLeast) {
      const batches = await feed.next(machine.seq, PULL_BYTES)
      for (const batch of batches) {
        for (const replayed of replayCommands(machine, batch, new Set(), projection.sink))
          projection.note(replayed)
      }
      const { trades, ...besides } = projection.drain()
      await store.append(trades, { seq: machine.seq, hash: new Uint8Array(32) }, besides)
    }
  }
  const reach = (atLeast: Seq): Promise<void> => {
    pulls = pulls.then(() => pull(atLeast))
    return pulls
  }
  return {
    trades: async (query) => reach(query.atLeast).then(() => store.page(query)),
    fills: async (query) => reach(query.atLeast).then(() => store.fills(query)),
    ledger: async (query) => reach(query.atLeast).then(() => store.ledger(query)),
    positions: async (query) => reach(query.atLeast).then(() => store.positions(query)),
    orders: async (query) => reach(query.atLeast).then(() => store.orders(query)),
    numberedOrders: async ({ orderNumbers, atLeast }) =>
      reach(atLeast).then(() => store.numberedOrders(orderNumbers)),
    operatorActions: async (query) => reach(query.atLeast).then(() => store.operatorActions(query)),
    events: async (query) => reach(query.upTo).then(() => store.events(query)),
    pastEvents: async (query) => reach(query.atLeast).then(() => store.pastEvents(query)),
    recentTrades: async (symbolId, limit, upTo) =>
      reach(upTo).then(() => store.recentTrades(symbolId, limit, upTo)),
    updates: async (query) => reach(query.atLeast).then(() => store.updates(query)),
    candles: async (query) => reach(query.atLeast).then(() => store.candles(query)),
  }
}
