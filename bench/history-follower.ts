/**
 * What does an order cost in the follower, including its half of a trade in history.sqlite? It is compared,
 * alternately, with the same replay without a history, so that the difference is the cost of the history.
 * Batches are as large as when the follower is behind, and as small as when it keeps up.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MemorySnapshots } from '../sim/memory/snapshots.ts'
import { Follower } from '../src/engine/follower/follower.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../src/engine/follower/limits.ts'
import { EMPTY_POSITION, type HistoryStore } from '../src/engine/history/history.ts'
import { ANY_EXCHANGES } from '../src/engine/port/machines.fixture.ts'
import { sha256 } from '../src/storage/sha256.ts'
import { SqliteHistory } from '../src/storage/sqlite/history/store.ts'
import type { AccountId } from '../src/units/ids.ts'
import { median } from '../test/support/median.ts'
import { cpuNanoseconds, short, table } from './support/conditions.ts'
import { JournaledOrders } from './support/journaled-orders.ts'

export type FollowersSize = { readonly orders: number; readonly rounds: number }

/** Commands per commit under load. */
const BATCH_COMMANDS = 64
/** Bytes per pull: one commit, and the maximum. */
const PULLS = [1, DEFAULT_FOLLOWER_LIMITS.pullBytesMax]

/** A history that stores nothing. */
const NO_HISTORY: HistoryStore = {
  position: async () => EMPTY_POSITION,
  append: async () => {},
  flush: async () => {},
  trades: async () => ({ items: [], total: 0 }),
  fills: async () => ({ fills: [], lookedAt: 0, next: undefined }),
  ledger: async () => ({ records: [], lookedAt: 0, next: undefined }),
  positions: async () => ({ positions: [], next: undefined }),
  orders: async () => ({ orders: [], next: undefined }),
  numberedOrders: async () => [],
  recentTrades: async () => [],
  symbolTrades: async () => [],
  aggregateTrades: async () => [],
  candles: async () => ({ candles: [], earlier: undefined, first: undefined, seq: EMPTY_POSITION.seq }),
  updates: async () => [],
  operatorActions: async () => [],
  events: async ({ after }) => ({ kind: 'PAGE', events: [], next: after, end: after }),
  pastEvents: async () => ({ events: [], next: undefined }),
  clear: async () => {},
  close: async () => {},
}

/** Prints the table; returns a digest of the history's content. */
export async function followers({ orders, rounds }: FollowersSize): Promise<string> {
  const journal = new JournaledOrders(orders, BATCH_COMMANDS)
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const digests = new Set<string>()
  console.log(`follower: ${orders} orders a round, half of them trade, commits of ${BATCH_COMMANDS};`)
  console.log(`CPU per order, medians of ${rounds} alternating rounds, after one to warm up`)
  const rows = [['pulls of', 'with history us', 'without us', 'history us', 'orders/s of CPU']]
  try {
    for (const pullBytesMax of PULLS) {
      const withHistory: number[] = []
      const without: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const file = path.join(directory, `${pullBytesMax}-${round}.sqlite`)
        const history = SqliteHistory.open(file, () => {})
        const ours = await follow(journal, history, pullBytesMax)
        digests.add(await digestOf(history))
        await history.close()
        rmSync(file)
        const bare = await follow(journal, NO_HISTORY, pullBytesMax)
        if (round === 0) continue
        withHistory.push(ours / orders)
        without.push(bare / orders)
      }
      const [ours, bare] = [median(withHistory), median(without)]
      const size = pullBytesMax === 1 ? 'one commit' : `${pullBytesMax / 1024} KiB`
      rows.push([size, ...[ours, bare, ours - bare].map((us) => us.toFixed(2)), short(1e6 / ours)])
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  console.log(table(rows))
  return `history: ${[...digests].join()}`
}

/** Microseconds of CPU time to follow the complete journal. */
async function follow(
  journal: JournaledOrders,
  history: HistoryStore,
  pullBytesMax: number,
): Promise<number> {
  const follower = await Follower.open({
    feed: journal.feed(),
    history,
    snapshots: new MemorySnapshots(),
    factory: ANY_EXCHANGES,
    digest: sha256,
    limits: { ...DEFAULT_FOLLOWER_LIMITS, pullBytesMax },
    journalEnd: journal.end,
    acceptJournalTail: false,
    untilRetry: async () => {},
    onAdvance: () => {},
    onNote: () => {},
  })
  follower.finish(journal.end)
  const before = cpuNanoseconds()
  await follower.run()
  return (cpuNanoseconds() - before) / 1_000
}

async function digestOf(history: HistoryStore): Promise<string> {
  const { items, total } = await history.trades({
    accountId: 3 as AccountId,
    symbolId: undefined,
    page: 0,
    size: 1_000,
    before: undefined,
  })
  const text = items.map((item) => Object.values(item).join()).join(';')
  return `${total} records, the newest ${items.length} ${Bun.hash.crc32(text).toString(16)}`
}
