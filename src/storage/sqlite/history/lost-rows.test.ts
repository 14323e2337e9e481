/** Missing rows, older rows and rows of another type: damage that a row's own checksum cannot detect. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aTrade, at } from '../../../engine/history/history-trades.fixture.ts'
import type { TradePage } from '../../../engine/port/ports.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import type { AccountId, TradeNumber } from '../../../units/ids.ts'
import { checked, DamagedRowFault, seal, unsealed } from './check.ts'
import { Block } from './lists/blocks.ts'
import { SqliteHistory } from './store.ts'
import { TRADES } from './trades.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-history-'))
afterAll(() => rmSync(root, { recursive: true }))

const [MAKER, TAKER] = [10, 20]
let files = 0

function open(path: string, dropped: string[] = []): SqliteHistory {
  return SqliteHistory.open(path, (reason) => dropped.push(reason))
}

/** A file with trades 1 to `flushed`, whose list ends were stored, and later ones up to `last`. */
async function written(flushed: number, last: number): Promise<string> {
  const path = join(root, `${++files}.sqlite`)
  const store = open(path)
  const trades = Array.from({ length: last }, (_, i) => aTrade({ number: i + 1, maker: MAKER, taker: TAKER }))
  if (flushed > 0) await store.append(trades.slice(0, flushed), at(flushed))
  await store.flush()
  if (last > flushed) await store.append(trades.slice(flushed), at(last))
  await store.close()
  return path
}

function change(path: string, sql: string, ...values: (number | Uint8Array)[]): void {
  const db = new Database(path)
  expect(db.run(sql, values).changes).toBe(1)
  db.close(true)
}

function pageOf(store: SqliteHistory, account: number, before?: number): Promise<TradePage> {
  return store.trades({
    accountId: account as AccountId,
    symbolId: undefined,
    page: 0,
    size: 10,
    before: before as TradeNumber | undefined,
  })
}

test('a list whose end cannot be found any more is damage, neither empty nor restarted', async () => {
  const path = await written(100, 100)
  change(path, 'DELETE FROM trade_end WHERE owner = ?', MAKER)
  const store = open(path)
  await expect(pageOf(store, MAKER)).rejects.toThrow('the ends of the lists of 10 are missing')
  await expect(store.append([aTrade({ number: 101, maker: MAKER })], at(101))).rejects.toThrow('are missing')
  expect((await pageOf(store, TAKER)).total).toBe(100)
  expect((await pageOf(store, 30)).total).toBe(0)
  await store.close()
})

test.each(['min', 'max'])('missing newer trades are found by a start: %s', async (which) => {
  const path = await written(10, 100)
  change(
    path,
    `DELETE FROM trade_block WHERE first = (SELECT ${which}(first) FROM trade_block WHERE first > 10)`,
  )
  const dropped: string[] = []
  const store = open(path, dropped)
  expect(dropped).toEqual([expect.stringMatching(/^damaged \(\d+ trades come after trade 10, expected 90\)/)])
  expect(await store.position()).toEqual(at(0))
  await store.close()
})

test('an earlier end of a list is damage when newer trades continue from another', async () => {
  const path = await written(20, 20)
  const db = new Database(path)
  const [row] = db.query('SELECT data FROM trade_end WHERE owner = 10').values() as [[Uint8Array]]
  db.close()
  const store = open(path)
  await store.append([aTrade({ number: 21 })], at(21))
  await store.flush()
  await store.append([aTrade({ number: 22 })], at(22))
  await store.close()
  change(path, 'UPDATE trade_end SET data = ? WHERE owner = 10', row[0])
  const again = open(path)
  await expect(again.position()).rejects.toThrow('trade 22 is record 22 of a list that has 20')
  await again.close()
})

test('steps of trades whose ends are not stored yet are not damage', async () => {
  const store = open(await written(0, 130))
  expect((await pageOf(store, MAKER)).total).toBe(130)
  await store.append([aTrade({ number: 131 })], at(131))
  expect((await pageOf(store, MAKER)).total).toBe(131)
  await store.close()
})

test('a step of another trade than its record is damage: a search does not go on to the first record', async () => {
  const path = await written(100, 100)
  const step = checked([MAKER, -1, 64, 1])
  change(
    path,
    'UPDATE trade_step SET number = 1, row_check = ? WHERE owner = 10 AND part = -1',
    step.at(-1) ?? 0,
  )
  const store = open(path)
  await expect(pageOf(store, MAKER, 30)).rejects.toThrow('step 64 of list 10 refers to another trade')
  expect((await pageOf(store, TAKER, 30)).total).toBe(29)
  await store.close()
})

test('a row of another type, or of a block without trades, is damage', () => {
  for (const value of [null, 'text', 7n, new Uint8Array(3)])
    expect(() => unsealed(value)).toThrow(DamagedRowFault)
  const empty = new ByteWriter()
  for (const base of [5, 1, 1]) empty.uint(base)
  expect(() => new Block(TRADES, 5, seal(empty))).toThrow('the block of trade 5 does not contain it')
})
