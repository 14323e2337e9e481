/**
 * docs/reference/orders.md#csv: its program writes the complete ledger of an account, page after page, as one
 * table.
 */
import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openFixture } from '../src/server/public/gateway.fixture.ts'

const PAGE = readFileSync(path.join(import.meta.dir, '../docs/reference/orders.md'), 'utf8')
const ORDER = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '0.01', price: '100' }
/** Each trade has three entries in the ledger. */
const TRADES = 400

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

test('the program on the page writes the whole ledger into one table', async () => {
  const [, text = ''] = /<!-- snippet: ledger-csv.mjs -->\n```js\n([\s\S]*?)```/.exec(PAGE) ?? []
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-csv-'))
  cleanups.push(() => rmSync(directory, { recursive: true }))
  writeFileSync(path.join(directory, 'ledger-csv.mjs'), text)
  const f = await openFixture()
  cleanups.push(() => f.stop())
  // The program signs with the machine's clock, at any time.
  Object.defineProperty(f.clock, 'time', { get: () => Date.now() })
  for (let i = 0; i < TRADES; i++) {
    await f.place(f.bob, { ...ORDER, side: 'SELL' })
    await f.place(f.alice, { ...ORDER, side: 'BUY' })
  }
  const env = { BOURSE_URL: f.url, BOURSE_KEY: f.alice.apiKey, BOURSE_SECRET: f.alice.secret }
  const program = Bun.spawn([process.execPath, 'ledger-csv.mjs'], {
    cwd: directory,
    env: { ...process.env, ...env },
    stderr: 'inherit',
  })
  expect(await program.exited).toBe(0)
  const [header, ...rows] = readFileSync(path.join(directory, 'ledger.csv'), 'utf8').trimEnd().split('\r\n')
  expect(header).toStartWith('id,time,')
  expect(rows.length).toBeGreaterThan(TRADES * 3)
  const ids = rows.map((row) => row.split(',')[0])
  expect(new Set(ids).size).toBe(rows.length)
  expect(rows.at(-1)).toContain('CREDIT')
}, 300_000)
