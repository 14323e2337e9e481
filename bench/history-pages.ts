/**
 * What does a page of an account's history cost, the newest and the oldest, as the list grows? Measures the
 * time to read a page of 100 records, each checked, in one thread, and the time to add a record.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aTrade, at } from '../src/engine/history/history-trades.fixture.ts'
import type { TradePage } from '../src/engine/port/ports.ts'
import { SqliteHistory } from '../src/storage/sqlite/history/store.ts'
import type { AccountId } from '../src/units/ids.ts'
import { median } from '../test/support/median.ts'
import { cpuNanoseconds, table } from './support/conditions.ts'

export type PagesSize = {
  /** Ascending lengths of the list at which pages are read. */
  readonly records: readonly number[]
  readonly reads: number
}

const ACCOUNT = 10 as AccountId
const PAGE_SIZE = 100
/** The page for which there is a target; for a shorter list its oldest page. */
const DEEP_PAGE = 10_000
/** Trades per append: the number that the follower stores at once when it is behind. */
const TRADES_AT_ONCE = 2_000

/** Prints the table; returns a digest of each oldest page. */
export async function pages({ records, reads }: PagesSize): Promise<string[]> {
  if (records.length === 0) return []
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const file = path.join(directory, 'history.sqlite')
  const store = SqliteHistory.open(file, () => {})
  const list = new GrowingList(store)
  const rows = [['records', 'file MB', 'added us', 'page 0 ms', `page ${DEEP_PAGE} ms`, 'ratio', 'oldest ms']]
  const digests: string[] = []
  try {
    for (const count of records) {
      const addedUs = await list.growTo(count)
      const oldest = Math.ceil(count / PAGE_SIZE) - 1
      const asked = [0, Math.min(DEEP_PAGE, oldest), oldest]
      const [newestMs = 0, deepMs = 0, oldestMs = 0] = await readTimes(store, asked, reads)
      const megabytes = statSync(file).size / 1e6
      rows.push([
        String(count),
        megabytes.toFixed(0),
        addedUs.toFixed(2),
        newestMs.toFixed(2),
        deepMs.toFixed(2),
        `${(deepMs / newestMs).toFixed(2)}x`,
        oldestMs.toFixed(2),
      ])
      digests.push(`page ${oldest} of ${count} records: ${digestOf(await pageOf(store, oldest))}`)
    }
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
  console.log(`pages of ${PAGE_SIZE} records, medians of ${reads} alternating reads; one account, one symbol`)
  console.log(table(rows))
  return digests
}

/** One account that trades with itself: each trade adds two records to its list. */
class GrowingList {
  readonly #store: SqliteHistory
  #trades = 0

  constructor(store: SqliteHistory) {
    this.#store = store
  }

  /** Returns the microseconds of CPU time per record. */
  async growTo(records: number): Promise<number> {
    const before = this.#trades
    let cpu = 0
    while (this.#trades * 2 < records) {
      const count = Math.min(TRADES_AT_ONCE, Math.ceil(records / 2) - this.#trades)
      const trades = Array.from({ length: count }, (_, i) =>
        aTrade({ number: this.#trades + i + 1, maker: ACCOUNT, taker: ACCOUNT }),
      )
      this.#trades += count
      const start = cpuNanoseconds()
      await this.#store.append(trades, at(this.#trades))
      cpu += cpuNanoseconds() - start
    }
    await this.#store.flush()
    return cpu / 1_000 / (2 * (this.#trades - before))
  }
}

function pageOf(store: SqliteHistory, page: number): Promise<TradePage> {
  return store.trades({ accountId: ACCOUNT, symbolId: undefined, page, size: PAGE_SIZE, before: undefined })
}

/** Median milliseconds to read each of `pages`. */
async function readTimes(store: SqliteHistory, pages: readonly number[], reads: number): Promise<number[]> {
  const times = pages.map((): number[] => [])
  for (let read = 0; read < reads; read++) {
    for (const [i, page] of pages.entries()) {
      const start = performance.now()
      await pageOf(store, page)
      times[i]?.push(performance.now() - start)
    }
  }
  return times.map(median)
}

function digestOf({ items, total }: TradePage): string {
  const text = items.map((item) => Object.values(item).join()).join(';')
  return `${Bun.hash.crc32(text).toString(16)} of ${total}`
}
