/** Damage that SQLite itself finds in a journal, reported from the engine thread to the follower. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryHistory } from '../../../sim/memory/history.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { Follower } from '../../engine/follower/follower.ts'
import { JournaledExchange, openMarkets } from '../../engine/follower/journaled-exchange.fixture.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../engine/follower/limits.ts'
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { BatchFeed } from '../../engine/port/feed.ts'
import { ANY_EXCHANGES } from '../../engine/port/machines.fixture.ts'
import { limit } from '../../engine/writer/commands.fixture.ts'
import { sha256 } from '../../storage/sha256.ts'
import { SqliteJournal } from '../../storage/sqlite/journal.ts'
import { JournalCopy } from '../../storage/sqlite/journal-copy.ts'
import type { Seq } from '../../units/quantities.ts'
import { FeedClient, serveBatches } from './follower-feed.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-damaged-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Batches of about 400 bytes each: they fill several pages, and none needs a page of its own. */
async function writtenExchange(): Promise<JournaledExchange> {
  const source = new JournaledExchange()
  await source.write(openMarkets())
  for (let batch = 0; batch < 60; batch++)
    await source.write(Array.from({ length: 30 }, (_, i) => limit(3, 'SELL', 200 + i, 1_000)))
  return source
}

/** Overwrites the header of the first page that contains batches. */
function breakFirstPage(path: string): void {
  const db = new Database(path)
  const { size, root } = db
    .query<{ size: number; root: number }, []>(
      "SELECT page_size AS size, rootpage AS root FROM pragma_page_size, sqlite_schema WHERE name = 'batch'",
    )
    .get() as { size: number; root: number }
  db.close(true)
  const file = readFileSync(path)
  // The root is an inner page: a header of twelve bytes, then the offset of each cell; a cell begins with its
  // page's number.
  const start = (root - 1) * size
  const first = file.readUInt32BE(start + file.readUInt16BE(start + 12))
  file.fill(0xff, (first - 1) * size, (first - 1) * size + 8)
  writeFileSync(path, file)
}

test('a page of the old part that SQLite cannot read is reported by a follower as damage to the journal', async () => {
  const source = await writtenExchange()
  const copy = JournalCopy.create(directory)
  await copy.write(await source.journal.read(0 as Seq, 1 << 20))
  await copy.close()
  breakFirstPage(join(directory, 'journal.sqlite'))
  const journal = SqliteJournal.open({ directory })
  const notes: FollowerNote[] = []
  const open = (feed: BatchFeed): Promise<Follower> =>
    Follower.open({
      ...stores,
      feed,
      factory: ANY_EXCHANGES,
      digest: sha256,
      limits: DEFAULT_FOLLOWER_LIMITS,
      journalEnd: journal.tail.seq,
      acceptJournalTail: false,
      untilRetry: async () => {},
      onAdvance: () => {},
      onNote: (note) => notes.push(note),
    })
  const stores = { history: new MemoryHistory(), snapshots: new MemorySnapshots() }
  const first = await open(source.feed())
  first.finish(journal.tail.seq)
  await first.run()
  notes.length = 0

  const { port1, port2 } = new MessageChannel()
  serveBatches(port2, { ...source.feed(), next: (afterSeq, maxBytes) => journal.read(afterSeq, maxBytes) })
  const follower = await open(new FeedClient(port1))
  while (await follower.checkChain()) {
    // One piece at a time, as in the follower's host.
  }
  for (const port of [port1, port2]) port.close()
  await journal.close()
  expect(notes).toEqual([{ kind: 'JournalDamaged', message: expect.stringContaining('SQLITE_CORRUPT') }])
})
