/** Damage of the history of every kind is found and named; what is sound is not suspected. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Block, BlockWriter } from '../../drivers/sqlite/history/lists/blocks.ts'
import { writeEnds } from '../../drivers/sqlite/history/lists/ends.ts'
import type { HistoryTrade } from '../../engine/history.ts'
import type { LinkedTrade } from '../../engine/history-links.ts'
import type { PublicTrade, TradeRecord } from '../../engine/ports.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { AccountId, TradeNumber } from '../../units/ids.ts'
import type { Amount, Lots, Seq } from '../../units/quantities.ts'
import { newRoot, writeDirectory } from './directory.contract.ts'
import { batchInTheMiddle, change, findings, rows, verify } from './verify.contract.ts'

const root = newRoot()
const SOUND = path.join(root, 'sound')
let copies = 0

beforeAll(() => writeDirectory(SOUND))
afterAll(() => rmSync(root, { recursive: true }))

function copy(): string {
  const directory = path.join(root, `copy-${++copies}`)
  cpSync(SOUND, directory, { recursive: true })
  return directory
}

/**
 * Stores the trades that `change` makes of those stored, each in a row of its own, as someone would who knows how rows are
 * checked. Answers how many there are; they are numbered from 1.
 */
function rewrite(directory: string, change: (trades: LinkedTrade[]) => LinkedTrade[]): number {
  const db = new Database(path.join(directory, 'history.sqlite'), { safeIntegers: true })
  const stored = db.query('SELECT first, data FROM block ORDER BY first').values() as [bigint, Uint8Array][]
  const trades = change(stored.flatMap(([first, data]) => new Block(Number(first), data).trades()))
  db.run('DELETE FROM block')
  const block = new BlockWriter()
  for (const linked of trades) {
    block.add(linked)
    db.run('INSERT INTO block VALUES (?, ?)', [block.first ?? 0, block.end()])
  }
  db.close(true)
  return trades.length
}

/** The same, with one trade changed. */
function forge(directory: string, number: number, change: (linked: LinkedTrade) => LinkedTrade): void {
  rewrite(directory, (trades) =>
    trades.map((linked) => (linked.trade.trade.tradeNumber === number ? change(linked) : linked)),
  )
}

/** Changes what the taker's record says, and which account's it is. */
const withTaker =
  (record: Partial<TradeRecord>, accountId?: AccountId) =>
  (linked: LinkedTrade): LinkedTrade => {
    const { trade } = linked
    const taker = {
      accountId: accountId ?? trade.taker.accountId,
      record: { ...trade.taker.record, ...record },
    }
    return { ...linked, trade: { ...trade, taker } }
  }

/** Changes what the trade says in public. */
const withTrade =
  (fields: Partial<PublicTrade & Pick<HistoryTrade, 'seq'>>) =>
  (linked: LinkedTrade): LinkedTrade => {
    const { seq, ...trade } = { seq: linked.trade.seq, ...linked.trade.trade, ...fields }
    const record = { ...linked.trade.maker.record, tradeNumber: trade.tradeNumber, time: trade.time }
    const maker = { ...linked.trade.maker, record }
    const taker = {
      ...linked.trade.taker,
      record: { ...linked.trade.taker.record, tradeNumber: trade.tradeNumber },
    }
    return { ...linked, trade: { ...linked.trade, seq, trade, maker, taker } }
  }

/** Says that history reaches command `at`, with a fitting check; ends of lists are stored up to trade `endsTo`. */
function movePosition(directory: string, at: number, hash: Uint8Array, endsTo: number, after: number): void {
  const check = Bun.hash.crc32([at, hash, endsTo, after].join())
  change(
    directory,
    'history',
    'UPDATE position SET seq = ?, journal_hash = ?, ends_to = ?, trades_after = ?, row_check = ?',
    at,
    hash,
    endsTo,
    after,
    check,
  )
}

test('may have a history that is behind, as a kill leaves it; what is there is compared', async () => {
  const directory = copy()
  const { seq: behind, hash } = batchInTheMiddle(directory)
  const kept = rewrite(directory, (trades) => trades.filter(({ trade }) => trade.seq <= behind))
  change(directory, 'history', 'DELETE FROM list_end')
  change(directory, 'history', 'DELETE FROM step WHERE trade_number > ?', kept)
  movePosition(directory, behind, hash, 0, kept)
  const report = await verify(directory)
  expect(report).toMatchObject({ sound: true, history: { seq: behind, trades: kept } })
  expect(report.replayedSeq).toBeGreaterThan(behind)
  change(directory, 'history', 'DELETE FROM block WHERE first = 2')
  expect(await findings(directory)).toHaveLength(1)
})

test('a changed figure is found although its row has a fitting check', async () => {
  const directory = copy()
  forge(directory, 5, withTaker({ total: 1n as Amount }))
  forge(directory, 9, withTrade({ quantity: 1 as Lots }))
  const found = (await findings(directory)).join('\n')
  expect(found).toMatch(/HISTORY: record \d+ of \w+ \(trade 5\): total is 1, the ledger has \d+/)
  expect(found).toMatch(/HISTORY: trade 9 of BTC\/USDT \(command \d+\): quantity is 1, the ledger has \d+/)
  expect(await findings(directory)).toHaveLength(2)
})

test('a damaged row is found by its check', async () => {
  const directory = copy()
  rewrite(directory, (trades) => trades)
  change(directory, 'history', 'UPDATE block SET data = zeroblob(60) WHERE first IN (1, 3)')
  change(directory, 'history', 'UPDATE list_end SET data = zeroblob(20) WHERE owner = 4')
  const found = await findings(directory)
  expect(found[0]).toMatch(/HISTORY: trade 1 and those stored with it: a row has check/)
  expect(found[1]).toMatch(/HISTORY: trade 3 and those stored with it: a row has check/)
  expect(found[2]).toMatch(/HISTORY: the ends of the lists of account 4: a row has check/)
  expect(found.slice(3).every((each) => each.includes(' of bob') && each.endsWith('is missing'))).toBe(true)
})

test('of trades that are damaged together the first is named, and those after them are compared', async () => {
  const directory = copy()
  const sql = 'SELECT first FROM block ORDER BY first LIMIT 3'
  const [, second, third] = rows<{ first: number }>(directory, 'history', sql)
  change(directory, 'history', 'UPDATE block SET data = zeroblob(60) WHERE first = ?', second?.first ?? 0)
  change(directory, 'history', 'DELETE FROM block WHERE first = ?', third?.first ?? 0)
  const [only, ...others] = await findings(directory)
  expect(only).toContain(`HISTORY: trade ${second?.first} and those stored with it: a row has check`)
  expect(others).toEqual([])
})

test('missing trades are named', async () => {
  const directory = copy()
  rewrite(directory, (trades) => trades.filter((_, i) => i !== 0 && i !== 9))
  const found = await findings(directory)
  expect(found[0]).toMatch(/HISTORY: trade 1 of \S+ \(command \d+\) is missing/)
  expect(found[1]).toMatch(/HISTORY: trade 10 of \S+ \(command \d+\) is missing/)
  expect(found).toHaveLength(2)
})

test('a trade that never was is named', async () => {
  const directory = copy()
  const never = { tradeNumber: 5_000 as TradeNumber, seq: 9_999 as Seq }
  rewrite(directory, (trades) => [...trades, withTrade(never)(trades[1] as LinkedTrade)])
  expect(await findings(directory)).toEqual([
    expect.stringMatching(
      /HISTORY: trade 5000 of \S+ \(command 9999\) stands in history, the journal caused no such trade/,
    ),
  ])
})

test('a record of another account, or in another place of its list, is found', async () => {
  const directory = copy()
  forge(directory, 3, withTaker({}, 6 as AccountId))
  forge(directory, 4, (linked) => ({ ...linked, ofSymbol: { n: 900, before: 1 } }))
  expect(await findings(directory)).toEqual([
    expect.stringMatching(/HISTORY: record \d+ of \w+ \(trade 3\): accountId is 6, the ledger has \d/),
    expect.stringContaining('its place in the list of the symbol: n is 900, the ledger has 4'),
    expect.stringContaining('its place in the list of the symbol: before is 1, the ledger has 3'),
  ])
})

test('an end or a step of a list that is missing, wrong or too many is found', async () => {
  const directory = copy()
  const check = (...values: number[]): number => Bun.hash.crc32(values.join())
  const sql = 'SELECT owner, trade_number AS trade FROM step WHERE owner > 0 AND symbol = -1 AND n = 64'
  const [step, other] = rows<{ owner: number; trade: number }>(directory, 'history', sql)
  if (step === undefined || other === undefined) throw new Error('two accounts must have a step')
  change(directory, 'history', 'DELETE FROM step WHERE owner = ? AND symbol = -1', other.owner)
  change(
    directory,
    'history',
    'UPDATE step SET trade_number = 1, row_check = ? WHERE owner = ? AND symbol = -1 AND n = 64',
    check(step.owner, -1, 64, 1),
    step.owner,
  )
  const ends = writeEnds(new ByteWriter(), 6, [0, 1, 1])
  change(directory, 'history', 'INSERT INTO list_end VALUES (6, ?)', ends.slice())
  change(directory, 'history', 'DELETE FROM list_end WHERE owner = -1')
  const found = (await findings(directory)).join('\n')
  expect(found).toMatch(/HISTORY: step 64 of the list of \w+ is missing/)
  expect(found).toContain(`is trade 1, the ledger has trade ${step.trade}`)
  expect(found).toContain('the list of carol ends with record 1 (trade 1), the journal caused 0 (trade 0)')
  expect(found).toContain('the end of the list of BTC/USDT is missing')
  expect(found).toMatch(/its lists have \d+ steps, expected \d+/)
})

test('a position of another journal, or in the middle of a batch, is found', async () => {
  const directory = copy()
  const { seq: end } = await verify(directory)
  const [stored] = rows<{ to: number }>(directory, 'history', 'SELECT ends_to AS "to" FROM position')
  movePosition(directory, end, new Uint8Array(32), stored?.to ?? 0, 0)
  expect((await findings(directory)).join()).toMatch(
    new RegExp(`WITNESS: history remembers hash 0+ at command ${end}`),
  )
  movePosition(directory, end + 1, new Uint8Array(32), stored?.to ?? 0, 0)
  expect((await findings(directory)).join()).toContain(
    `WITNESS: history remembers command ${end + 1}, the journal ends at ${end}`,
  )
})

test('a damaged file is a finding, and the rest is verified all the same', async () => {
  const directory = copy()
  const file = path.join(directory, 'history.sqlite')
  const bytes = readFileSync(file)
  bytes.fill(0xff, 4096)
  writeFileSync(file, bytes)
  const report = await verify(directory)
  expect(report.findings[0]?.check).toBe('HISTORY')
  expect(report.replayedSeq).toBe(report.seq)
})

test('an index that does not agree with its rows is found', async () => {
  const directory = copy()
  const sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'action_of_actor'"
  const [index] = rows<{ rootpage: number }>(directory, 'history', sql)
  const file = path.join(directory, 'history.sqlite')
  const bytes = readFileSync(file)
  // The last byte of a page belongs to an entry, the first one that was put there.
  const at = (index?.rootpage ?? 0) * 4096 - 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
  expect((await findings(directory)).join()).toContain('HISTORY: its file: ')
})
