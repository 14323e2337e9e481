/**
 * A history in memory as a follower builds it, by its own replay up to the command that a question requires.
 */

import { HistoryProjection } from '../../src/engine/history/history-projection.ts'
import type { BatchFeed } from '../../src/engine/port/feed.ts'
import { type HistoryPort, reachedHistory } from '../../src/engine/port/history-questions.ts'
import { ANY_EXCHANGES } from '../../src/engine/port/machines.fixture.ts'
import { replayCommands } from '../../src/engine/writer/recovery/replay.ts'
import type { Seq } from '../../src/units/quantities.ts'
import { MemoryHistory } from './history.ts'

const PULL_BYTES = 1024 * 1024

export function followedHistory(feed: BatchFeed): HistoryPort {
  const store = new MemoryHistory()
  const machine = ANY_EXCHANGES.empty()
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
  return reachedHistory(store, (atLeast) => {
    pulls = pulls.then(() => pull(atLeast))
    return pulls
  })
}
