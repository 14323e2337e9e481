import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { MemorySnapshots } from '../../../../sim/memory/snapshots.ts'
import { Follower } from '../../../engine/follower/follower.ts'
import {
  anyBatches,
  JournaledExchange,
  openMarkets,
  TRADERS,
} from '../../../engine/follower/journaled-exchange.fixture.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../../engine/follower/limits.ts'
import { plainList } from '../../../engine/history/history.contract.ts'
import { ANY_EXCHANGES } from '../../../engine/port/machines.fixture.ts'
import type { AccountId } from '../../../units/ids.ts'
import type { Seq } from '../../../units/quantities.ts'
import { sha256 } from '../../sha256.ts'
import { SqliteHistory } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-history-'))
afterAll(() => rmSync(root, { recursive: true }))

async function followTo(
  source: JournaledExchange,
  path: string,
  snapshots: MemorySnapshots,
  seq: Seq,
): Promise<void> {
  const history = SqliteHistory.open(path, () => {})
  const follower = await Follower.open({
    feed: source.feed(),
    history,
    snapshots,
    factory: ANY_EXCHANGES,
    digest: sha256,
    limits: { ...DEFAULT_FOLLOWER_LIMITS, pullBytesMax: 4_000, snapshotCommands: 7 },
    journalEnd: source.journal.tail.seq,
    acceptJournalTail: false,
    untilRetry: async () => {},
    onAdvance: () => {},
    onNote: () => {},
  })
  follower.finish(seq)
  await follower.run()
  await history.close()
}

/**
 * Stops at `at`; before the next start history.sqlite is kept, deleted, or replaced by a file of an older
 * version.
 */
const stop = fc.record({ at: fc.nat(100), file: fc.constantFrom('kept', 'deleted', 'older') })

/** The tables of schema version 5, which had other names. */
function makeOlder(path: string): void {
  using db = new Database(path)
  for (const table of ['block', 'end', 'step']) db.run(`ALTER TABLE trade_${table} RENAME TO ${table}_5`)
  db.run('PRAGMA user_version = 5')
}

test('history.sqlite, stopped anywhere, deleted or of an older version, always reaches the history of the live exchange', async () => {
  let files = 0
  await fc.assert(
    fc.asyncProperty(anyBatches, fc.array(stop, { maxLength: 4 }), async (batches, stops) => {
      const source = new JournaledExchange()
      await source.write(openMarkets())
      for (const batch of batches) await source.write(batch)
      const end = source.journal.tail.seq
      const path = join(root, `${++files}.sqlite`)
      const snapshots = new MemorySnapshots()
      for (const { at, file } of stops) {
        await followTo(source, path, snapshots, Math.min(at, end) as Seq)
        if (file === 'older') makeOlder(path)
        if (file === 'deleted')
          for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
      }
      await followTo(source, path, snapshots, end)
      const history = SqliteHistory.open(path, () => {})
      for (const account of TRADERS) {
        const items = plainList(source.trades, account)
        const query = {
          accountId: account as AccountId,
          symbolId: undefined,
          page: 0,
          size: 1000,
          before: undefined,
        }
        expect(await history.trades(query)).toEqual({ items, total: items.length })
      }
      await history.close()
    }),
    { numRuns: 15 },
  )
})
