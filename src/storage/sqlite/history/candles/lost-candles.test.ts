/** Missing or changed candle rows are never taken for a time without trades. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CandleWidth } from '../../../../engine/history/candles/base-widths.ts'
import { at, tradeAt } from '../../../../engine/history/history-trades.fixture.ts'
import type { SymbolId } from '../../../../units/ids.ts'
import { timeMs, UNITS_MAX } from '../../../../units/quantities.ts'
import { SqliteHistory } from '../store.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-candles-'))
afterAll(() => rmSync(root, { recursive: true }))

const DAY_MS = 86_400_000
const START = 1_700_006_400_000
let files = 0

/** Writes a trade on each of five days, closes the file, runs `sql` on it, and opens it again. */
async function opened(sql: string, ...values: number[]): Promise<SqliteHistory> {
  const path = join(root, `${++files}.sqlite`)
  const written = SqliteHistory.open(path, () => {})
  await written.append(
    [0, 1, 2, 3, 4].map((day) => tradeAt(START + day * DAY_MS, { number: day + 1 })),
    at(5),
  )
  await written.flush()
  await written.close()
  const db = new Database(path)
  expect(db.run(sql, values).changes).toBe(1)
  db.close(true)
  return SqliteHistory.open(path, () => {})
}

function ask(store: SqliteHistory, width: CandleWidth, from = 0, before = UNITS_MAX) {
  const range = { symbolId: 0 as SymbolId, width, from: timeMs(from), before: timeMs(before), limit: 10 }
  return store.candles(range)
}

const LOSE = 'DELETE FROM candle WHERE width_s = ? AND start_ms = ?'

test.each([0, 1, 2, 3, 4])(
  'a lost day is damage for every question that includes it: day %d',
  async (day) => {
    const store = await opened(LOSE, 86_400, START + day * DAY_MS)
    await expect(ask(store, '1d')).rejects.toThrow('is damaged')
    const [from, next] = [START + day * DAY_MS, START + (day + 1) * DAY_MS]
    await expect(ask(store, '1d', from, next)).rejects.toThrow('is damaged')
    await expect(ask(store, '1d', from + 1, next)).rejects.toThrow('is damaged')
    await store.close()
  },
)

test('candles of other lists can still be read', async () => {
  const store = await opened(LOSE, 60, START + DAY_MS)
  expect((await ask(store, '1d')).candles).toHaveLength(5)
  await expect(ask(store, '1m')).rejects.toThrow('before that of')
  await store.close()
})

test('a lost newest second is noticed by means of the newest trade', async () => {
  const store = await opened(LOSE, 1, START + 4 * DAY_MS)
  const gone = `the newest 1s candle of symbol 0 begins at ${START + 3 * DAY_MS}, expected ${START + 4 * DAY_MS}`
  await expect(ask(store, '1d')).rejects.toThrow(gone)
  const next = tradeAt(START + 5 * DAY_MS, { number: 6 })
  await expect(store.append([next], at(6))).rejects.toThrow(gone)
  await store.close()
})

test('a candle of another time or with another byte is damage', async () => {
  const moved = await opened(
    'UPDATE candle SET start_ms = start_ms + 1 WHERE width_s = 900 AND start_ms = ?',
    START,
  )
  await expect(ask(moved, '15m')).rejects.toThrow(`is stored as that of symbol 0, 15m from ${START + 1}`)
  await moved.close()
  const cut = await opened(
    'UPDATE candle SET data = substr(data, 1, 20) WHERE width_s = 900 AND start_ms = ?',
    START,
  )
  await expect(ask(cut, '15m')).rejects.toThrow('a row has check')
  await cut.close()
})
