import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { MemoryHistory } from '../../../../sim/memory/history.ts'
import type { PublicTrade } from '../../../core/questions/view.ts'
import { historyAuditContract } from '../../../engine/audit/history.contract.ts'
import { historyStoreContract } from '../../../engine/history/history.contract.ts'
import { HistoryFault } from '../../../engine/history/history.ts'
import { aTrade, at } from '../../../engine/history/history-trades.fixture.ts'
import type { AccountId, SymbolId, TradeNumber } from '../../../units/ids.ts'
import type { Seq } from '../../../units/quantities.ts'
import { listSql } from './lists/tables.ts'
import { HistoryReader } from './reader.ts'
import { SQL } from './rows.ts'
import { HISTORY_SCHEMA_VERSION } from './schema.ts'
import { SqliteHistory } from './store.ts'
import { rewriteCandle, rewriteTrades } from './tamper.fixture.ts'
import { TRADES } from './trades.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-history-'))
afterAll(() => rmSync(root, { recursive: true }))

/** The offset in a database file of the schema format number (SQLite's file format, 1.3). */
const SCHEMA_FORMAT_AT = 44

let files = 0
const newPath = (): string => join(root, `${++files}.sqlite`)

function neverDropped(reason: string): void {
  throw new Error(`history must not be dropped: ${reason}`)
}

historyStoreContract('sqlite', async () => SqliteHistory.open(newPath(), neverDropped))

historyStoreContract('sqlite, which commits where a question needs it', async () =>
  SqliteHistory.open(newPath(), neverDropped, { commitSoon: () => {} }),
)

historyAuditContract('sqlite', async () => {
  const path = newPath()
  return {
    store: SqliteHistory.open(path, neverDropped),
    audited: () => HistoryReader.open(path, false) as HistoryReader,
    tamper: (number, becomes) => {
      rewriteTrades(path, (trades) =>
        trades.flatMap((linked) =>
          (linked.record.trade.tradeNumber as number) === number
            ? becomes.map((record) => ({ ...linked, record }))
            : [linked],
        ),
      )
    },
    tamperCandle: (symbolId, width, start, becomes) =>
      rewriteCandle(path, { symbolId, width }, start, becomes),
  }
})

const allOf = (account: number) => ({
  accountId: account as AccountId,
  symbolId: undefined,
  page: 0,
  size: 10,
  before: undefined,
})

test('records, numbering and position survive closing and opening', async () => {
  const path = newPath()
  const first = SqliteHistory.open(path, neverDropped)
  await first.append([aTrade({ number: 1 })], at(3))
  await first.close()
  const second = SqliteHistory.open(path, neverDropped)
  expect(await second.position()).toEqual(at(3))
  await second.append([aTrade({ number: 2, seq: 4 })], at(4))
  const page = await second.trades(allOf(10))
  expect(page.items.map((item) => item.tradeNumber as number)).toEqual([2, 1])
  expect(page.total).toBe(2)
  await second.close()
})

/** Enough trades that lists have steps, between few accounts or many. */
const longRun = fc.record({
  trades: fc.array(
    fc.record({
      maker: fc.nat(40),
      taker: fc.nat(2),
      symbol: fc.nat(1),
      gap: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 300, maxLength: 500 },
  ),
  sizes: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 9 }),
  limits: fc.record({
    recordsBetweenEnds: fc.constantFrom(1, 50, 10_000),
    listsMax: fc.constantFrom(1, 20, 300_000),
  }),
  /** The appends before which the file is closed and opened again, and those after which it is flushed. */
  reopened: fc.array(fc.nat(60)),
  flushed: fc.array(fc.nat(60)),
})

test('long lists are those of a history in memory, however ends are stored and whenever it is opened again', async () => {
  await fc.assert(
    fc.asyncProperty(longRun, async ({ trades, sizes, limits, reopened, flushed }) => {
      const path = newPath()
      const model = new MemoryHistory()
      let store = SqliteHistory.open(path, neverDropped, limits)
      let number = 0
      const all = trades.map(({ gap, maker, taker, symbol }) => {
        number += gap
        return aTrade({ number, seq: number - (number % 5), symbol, maker: maker + 10, taker: taker + 10 })
      })
      for (let i = 0, turn = 0; i < all.length; turn++) {
        const some = all.slice(i, i + (sizes[turn % sizes.length] ?? 1))
        i += some.length
        const end = at((some.at(-1)?.trade.tradeNumber ?? 0) + 1)
        if (reopened.includes(turn)) {
          await store.close()
          store = SqliteHistory.open(path, neverDropped, limits)
        }
        await store.append(some, end)
        await model.append(some, end)
        if (flushed.includes(turn)) await store.flush()
      }
      for (const account of [10, 11, 12, 30]) {
        for (const symbolId of [undefined, 0 as SymbolId, 1 as SymbolId]) {
          const query = { ...allOf(account), symbolId, size: 7 }
          for (let page = 0; page * 7 < 520; page += 3) {
            expect(await store.trades({ ...query, page })).toEqual(await model.trades({ ...query, page }))
          }
          for (let before = 1; before < number + 60; before += 29) {
            const cut = { ...query, before: before as TradeNumber }
            expect(await store.trades(cut)).toEqual(await model.trades(cut))
          }
        }
      }
      for (let upTo = 0; upTo < number + 60; upTo += 31) {
        for (const symbol of [0, 1] as SymbolId[]) {
          const found = await store.recentTrades({ symbolId: symbol, limit: 5, upTo: upTo as Seq })
          expect(found).toEqual(
            (await model.recentTrades({ symbolId: symbol, limit: 5, upTo: upTo as Seq })) as PublicTrade[],
          )
        }
      }
      await store.close()
    }),
    { numRuns: 12 },
  )
})

test('an append that fails half-way leaves neither records nor position', async () => {
  const store = SqliteHistory.open(newPath(), neverDropped)
  await store.append([aTrade({ number: 1 })], at(1))
  const twice = aTrade({ number: 2, seq: 2 })
  await expect(store.append([twice, twice], at(2))).rejects.toThrow('trade 2 must come after trade 2')
  expect(await store.position()).toEqual(at(1))
  expect((await store.trades(allOf(10))).total).toBe(1)
  await store.append([twice], at(2))
  expect((await store.trades(allOf(10))).items.map((item) => item.tradeNumber as number)).toEqual([2, 1])
  await store.close()
})

test('a file of another schema version is dropped, with the reason', async () => {
  const path = newPath()
  const old = SqliteHistory.open(path, neverDropped)
  await old.append([aTrade({ number: 1 })], at(1))
  await old.close()
  const db = new Database(path)
  db.run('PRAGMA user_version = 77')
  db.close()
  const reasons: string[] = []
  const store = SqliteHistory.open(path, (reason) => reasons.push(reason))
  expect(reasons).toEqual([`of schema version 77, expected ${HISTORY_SCHEMA_VERSION}`])
  expect(await store.position()).toEqual(at(0))
  expect((await store.trades(allOf(10))).total).toBe(0)
  await store.close()
})

test('a file that is no database is dropped, with the reason', async () => {
  const path = newPath()
  writeFileSync(path, 'x'.repeat(8192))
  const reasons: string[] = []
  const store = SqliteHistory.open(path, (reason) => reasons.push(reason))
  expect(reasons).toHaveLength(1)
  expect(reasons[0]).toStartWith('damaged')
  expect(await store.position()).toEqual(at(0))
  await store.close()
})

test('a file whose head is damaged is dropped, with the reason', async () => {
  const path = newPath()
  const old = SqliteHistory.open(path, neverDropped)
  await old.append([aTrade({ number: 1 })], at(1))
  await old.close()
  const bytes = readFileSync(path)
  bytes.writeUInt32BE(0x5a5a5a5a, SCHEMA_FORMAT_AT)
  writeFileSync(path, bytes)
  const reasons: string[] = []
  const store = SqliteHistory.open(path, (reason) => reasons.push(reason))
  expect(reasons).toEqual([`damaged (unsupported file format); it is kept as ${path}.damaged`])
  expect(await store.position()).toEqual(at(0))
  await store.close()
})

test('storage that is full is STORAGE_FULL, changes nothing, and works again when there is room', async () => {
  const path = newPath()
  const store = SqliteHistory.open(path, neverDropped)
  const many = Array.from({ length: 5_000 }, (_, i) => aTrade({ number: i + 1 }))
  await store.append(many.slice(0, 10), at(10))
  await store.close()
  const full = SqliteHistory.open(path, neverDropped, { pagesMax: 20 })
  const fault = await full.append(many.slice(10), at(5_000)).catch((cause: unknown) => cause)
  expect((fault as HistoryFault).kind).toBe('STORAGE_FULL')
  expect(await full.position()).toEqual(at(10))
  expect((await full.trades(allOf(10))).total).toBe(10)
  await full.append(many.slice(10, 12), at(12))
  expect((await full.trades(allOf(10))).total).toBe(12)
  await full.close()
})

test('a flipped bit is reported, dropped or harmless: never a wrong record', async () => {
  const path = newPath()
  const first = SqliteHistory.open(path, neverDropped)
  await first.append(
    Array.from({ length: 60 }, (_, i) => aTrade({ number: i + 1 })),
    at(60),
  )
  const query = { ...allOf(10), size: 60 }
  const whole = await first.trades(query)
  await first.close()
  const sound = readFileSync(path)
  await fc.assert(
    fc.asyncProperty(fc.nat(sound.length * 8 - 1), async (bit) => {
      const bytes = Buffer.from(sound)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      writeFileSync(path, bytes)
      try {
        let dropped = false
        const store = SqliteHistory.open(path, () => {
          dropped = true
        })
        try {
          const found = await store.trades(query)
          const lost = found.items.length < whole.items.length
          if (!dropped && !lost) expect(found).toEqual(whole)
          for (const item of found.items) expect(whole.items).toContainEqual(item)
        } finally {
          await store.close()
        }
      } catch (fault) {
        if (!(fault instanceof HistoryFault)) throw fault
        if (isOfApplicationId(bit >> 3)) {
          // The changed header marks the file as another program's, so it is neither used nor changed.
          expect(fault.kind).toBe('UNUSABLE')
          expect(readFileSync(path)).toEqual(bytes)
          return
        }
        expect(fault.kind).toBe('DAMAGED')
        const reasons: string[] = []
        const again = SqliteHistory.open(path, (reason) => reasons.push(reason))
        expect(reasons).toHaveLength(1)
        expect(await again.position()).toEqual(at(0))
        await again.close()
      }
    }),
    { numRuns: 300, examples: [[544]] },
  )
})

/** SQLite's file format: the application's own number is in bytes 68 to 71 of the header. */
function isOfApplicationId(at: number): boolean {
  return at >= 68 && at <= 71
}

const RESERVED_BYTES_AT = 20

test('a damaged file is set aside at the next start, in one copy, and rebuilt', async () => {
  const path = newPath()
  for (let round = 1; round <= 2; round++) {
    const old = SqliteHistory.open(path, neverDropped)
    await old.append([aTrade({ number: round })], at(round))
    await old.close()
    const bytes = readFileSync(path)
    bytes[RESERVED_BYTES_AT] = (bytes[RESERVED_BYTES_AT] ?? 0) ^ 0x10
    writeFileSync(path, bytes)
    const reasons: string[] = []
    const store = SqliteHistory.open(path, (reason) => reasons.push(reason))
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).toEndWith(`it is kept as ${path}.damaged`)
    expect(readFileSync(`${path}.damaged`).equals(bytes)).toBe(true)
    await store.append([aTrade({ number: 1 })], at(1))
    expect((await store.trades(allOf(10))).total).toBe(1)
    await store.clear()
    await store.close()
    expect(readdirSync(root).filter((name) => name.startsWith(`${basename(path)}.`))).toEqual([
      `${basename(path)}.damaged`,
    ])
  }
})

test('damage found while the file is in use is reported once, with its consequences, and handled by the next start', async () => {
  const path = newPath()
  const reported: string[] = []
  const store = SqliteHistory.open(path, neverDropped, {}, (message) => reported.push(message))
  await store.append([aTrade({ number: 1 })], at(1))
  const hand = new Database(path)
  hand.run('UPDATE trade_block SET data = zeroblob(length(data))')
  hand.close()
  for (let asked = 0; asked < 2; asked++) {
    const fault = await store.trades(allOf(10)).catch((cause: unknown) => cause)
    expect((fault as HistoryFault).kind).toBe('DAMAGED')
    expect((fault as HistoryFault).message).toBe(reported.join())
  }
  expect(reported).toHaveLength(1)
  expect(reported[0]).toContain(`the next start puts it aside as ${path}.damaged and rebuilds it`)
  await store.append([aTrade({ number: 2, seq: 2 })], at(2))
  await store.close()
  const reasons: string[] = []
  const next = SqliteHistory.open(path, (reason) => reasons.push(reason))
  expect(reasons).toHaveLength(1)
  expect(reasons[0]).toContain('a row has check')
  expect(await next.position()).toEqual(at(0))
  await next.close()
  await SqliteHistory.open(path, neverDropped).close()
})

test('a start that was interrupted while it set a damaged file aside is completed by the next', async () => {
  const path = newPath()
  const old = SqliteHistory.open(path, neverDropped)
  await old.append([aTrade({ number: 1 })], at(1))
  await old.close()
  renameSync(path, `${path}.damaged`)
  writeFileSync(`${path}-wal`, 'of the damaged file')
  writeFileSync(`${path}.unfit`, 'found damaged\n')
  const reasons: string[] = []
  const store = SqliteHistory.open(path, (reason) => reasons.push(reason))
  expect(reasons).toEqual([`damaged (found damaged); it is kept as ${path}.damaged`])
  expect(await store.position()).toEqual(at(0))
  await store.close()
  await SqliteHistory.open(path, neverDropped).close()
})

test('a reader that stays keeps a flush from counting as done, and appends continue', async () => {
  const path = newPath()
  const store = SqliteHistory.open(path, neverDropped, { busyTimeoutMs: 0 })
  const reader = new Database(path, { readonly: true })
  reader.run('BEGIN')
  reader.query('SELECT * FROM position').get()
  await store.append([aTrade({ number: 1 })], at(1))
  const fault = await store.flush().catch((cause: unknown) => cause)
  expect((fault as HistoryFault).kind).toBe('BUSY')
  await store.append([aTrade({ number: 2, seq: 2 })], at(2))
  reader.close()
  await store.flush()
  expect(statSync(`${path}-wal`).size).toBe(0)
  await store.close()
})

test('the file and its log are for their owner alone', async () => {
  const path = newPath()
  const store = SqliteHistory.open(path, neverDropped)
  await store.append([aTrade({ number: 1 })], at(1))
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600)
  await store.close()
})

test('a path where no file can be created is a fault that names it', () => {
  const path = join(root, 'missing', 'history.sqlite')
  expect(() => SqliteHistory.open(path, neverDropped)).toThrow(`cannot open ${path}`)
})

test('the log stays short: a commit of the journal waits for only what one sync of it writes to the disk', async () => {
  const path = newPath()
  const store = SqliteHistory.open(path, neverDropped)
  let logBytes = 0
  let writtenBytes = 0
  for (let commit = 0; commit < 400; commit++) {
    const trades = Array.from({ length: 20 }, (_, i) => aTrade({ number: commit * 20 + i + 1 }))
    await store.append(trades, at(commit * 20 + 20))
    const bytes = statSync(`${path}-wal`).size
    writtenBytes += Math.max(0, bytes - logBytes)
    logBytes = bytes
  }
  await store.close()
  expect(writtenBytes).toBeGreaterThan(2_000_000)
  expect(logBytes).toBeLessThan(3_000_000)
})

test("another application's database is left alone", () => {
  const path = newPath()
  const db = new Database(path)
  db.run('CREATE TABLE customer (name TEXT)')
  db.close()
  const before = readFileSync(path)
  expect(() => SqliteHistory.open(path, neverDropped)).toThrow(
    'belongs to another application: it has application_id 0 and 1 tables',
  )
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('every lookup is a search in a B-tree: no scan, no sorting', async () => {
  const path = newPath()
  await SqliteHistory.open(path, neverDropped).close()
  const db = new Database(path)
  for (const [name, sql] of Object.entries({ ...SQL, ...listSql(TRADES.word) })) {
    if (!sql.startsWith('SELECT') || name === 'position') continue
    const plan = db.query(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
    for (const { detail } of plan) {
      expect(`${name}: ${detail}`).toMatch(/: SEARCH (?:trade_block|trade_end|trade_step|ended|action)/)
    }
  }
  db.close()
})
