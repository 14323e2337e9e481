/** Damage of the history of every kind is found and reported; intact data is not reported. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PublicTrade } from '../../../core/questions/view.ts'
import type { HistoryTrade } from '../../../engine/history/history.ts'
import type { EndedOrder } from '../../../engine/history/order-history.ts'
import type { TradeRecord } from '../../../engine/port/ports.ts'
import { writeEnds } from '../../../storage/sqlite/history/lists/ends.ts'
import type { Place } from '../../../storage/sqlite/history/lists/record.ts'
import {
  addPosition,
  dropPositions,
  type LinkedTrade,
  rewriteEnds,
  rewriteOrders,
  rewritePositions,
  rewriteTrades,
  rewriteTransfers,
  rewriteUpdates,
} from '../../../storage/sqlite/history/tamper.fixture.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import type { AccountId, OrderNumber, TradeNumber } from '../../../units/ids.ts'
import { amount, type Lots, type Seq } from '../../../units/quantities.ts'
import { soundDirectories, writeDirectory } from './directory.fixture.ts'
import { batchInTheMiddle, change, findings, rows, verify } from './verify.fixture.ts'

const { root, sound: SOUND, copy } = soundDirectories()

beforeAll(() => writeDirectory(SOUND))
afterAll(() => rmSync(root, { recursive: true }))

/** Replaces the stored trades by the result of `change`; they are numbered from 1. Returns their number. */
function rewrite(directory: string, change: (trades: LinkedTrade[]) => LinkedTrade[]): number {
  return rewriteTrades(path.join(directory, 'history.sqlite'), change)
}

/** Stores the trades with one changed. */
function forge(directory: string, number: number, change: (linked: LinkedTrade) => LinkedTrade): void {
  rewrite(directory, (trades) =>
    trades.map((linked) => (linked.record.trade.tradeNumber === number ? change(linked) : linked)),
  )
}

/** Changes the taker's record and its account. */
const withTaker =
  (record: Partial<TradeRecord>, accountId?: AccountId) =>
  (linked: LinkedTrade): LinkedTrade => {
    const { record: trade } = linked
    const taker = {
      accountId: accountId ?? trade.taker.accountId,
      record: { ...trade.taker.record, ...record },
      after: trade.taker.after,
    }
    return { ...linked, record: { ...trade, taker } }
  }

/** Changes the public data of the trade. */
const withTrade =
  (fields: Partial<PublicTrade & Pick<HistoryTrade, 'seq'>>) =>
  (linked: LinkedTrade): LinkedTrade => {
    const { record: stored } = linked
    const { seq, ...trade } = { seq: stored.seq, ...stored.trade, ...fields }
    const record = { ...stored.maker.record, tradeNumber: trade.tradeNumber, time: trade.time }
    const maker = { ...stored.maker, record }
    const taker = {
      ...stored.taker,
      record: { ...stored.taker.record, tradeNumber: trade.tradeNumber },
    }
    return { ...linked, record: { ...stored, seq, trade, maker, taker } }
  }

/**
 * Records that history reaches command `at`, with a matching checksum; ends of lists are stored up to trade
 * `endsTo`.
 */
function movePosition(directory: string, at: number, hash: Uint8Array, endsTo: number, after: number): void {
  // The ends of transfers and of orders stay, and so does the number of markets.
  const [besides] = rows<{ [column: string]: number }>(
    directory,
    'history',
    'SELECT transfer_ends_to, transfers_after, order_ends_to, orders_after, ended_to, ended_after, markets FROM position',
  )
  const check = Bun.hash.crc32([at, hash, endsTo, after, ...Object.values(besides ?? {})].join())
  change(
    directory,
    'history',
    'UPDATE position SET seq = ?, journal_hash = ?, trade_ends_to = ?, trades_after = ?, row_check = ?',
    at,
    hash,
    endsTo,
    after,
    check,
  )
}

test('a history that is behind, as after a kill, is sound; the existing part is compared', async () => {
  const directory = copy()
  const { last_seq: behind, hash } = batchInTheMiddle(directory)
  const kept = rewrite(directory, (trades) => trades.filter(({ record }) => record.seq <= behind))
  change(directory, 'history', 'DELETE FROM candle')
  change(directory, 'history', 'DELETE FROM trade_end')
  change(directory, 'history', 'DELETE FROM trade_step WHERE number > ?', kept)
  const orders = rewriteOrders(path.join(directory, 'history.sqlite'), behind)
  change(directory, 'history', 'DELETE FROM order_end')
  change(directory, 'history', 'DELETE FROM order_step')
  change(directory, 'history', 'UPDATE position SET order_ends_to = 0, orders_after = ?', orders)
  rewriteUpdates(path.join(directory, 'history.sqlite'), behind as Seq)
  dropPositions(path.join(directory, 'history.sqlite'))
  movePosition(directory, behind, hash, 0, kept)
  const report = await verify(directory)
  expect(report).toMatchObject({ sound: true, history: { seq: behind, trades: kept } })
  expect(report.replayedSeq).toBeGreaterThan(behind)
  change(directory, 'history', 'DELETE FROM trade_block WHERE first = 2')
  expect(await findings(directory)).toHaveLength(1)
})

test('a changed figure is found although the checksum of its row is valid', async () => {
  const directory = copy()
  forge(directory, 5, withTaker({ total: amount(1n) }))
  forge(directory, 9, withTrade({ quantity: 1 as Lots }))
  const found = (await findings(directory)).join('\n')
  expect(found).toMatch(/HISTORY: record \d+ of \w+ \(trade 5\): total is 1, the ledger has \d+/)
  expect(found).toMatch(/HISTORY: trade 9 of BTC\/USDT \(command \d+\): quantity is 1, the ledger has \d+/)
  expect(await findings(directory)).toHaveLength(2)
})

test('a position that was changed, removed or added is found although every row has a valid checksum', async () => {
  const directory = copy()
  const file = path.join(directory, 'history.sqlite')
  let seen = 0
  rewritePositions(file, (_account, _asset, position) => {
    seen++
    if (seen === 1) return undefined
    return seen === 2 ? { ...position, cost: position.cost + 1n } : position
  })
  expect(seen).toBeGreaterThan(2)
  addPosition(file, 999 as AccountId)
  const found = (await findings(directory)).join('\n')
  expect(found).toMatch(/the position of .* in asset \d+ is missing/)
  expect(found).toMatch(/the position of .* in asset \d+: cost is \d+, the ledger has \d+/)
  expect(found).toMatch(/the position of .*999.* is in history, but the journal has no such position/)
  expect(await findings(directory)).toHaveLength(3)
})

test('a transfer that was changed, removed or added is found although every row has a valid checksum', async () => {
  const directory = copy()
  const before = rows<{ first: number }>(directory, 'history', 'SELECT first FROM transfer_block').length
  expect(before).toBeGreaterThan(0)
  rewriteTransfers(path.join(directory, 'history.sqlite'), ([first, second, ...rest]) => [
    ...(first === undefined ? [] : [{ ...first, record: { ...first.record, spot: amount(5n) } }]),
    ...rest,
    ...(second === undefined
      ? []
      : [{ ...second, record: { ...second.record, seq: 100_000 as typeof second.record.seq } }]),
  ])
  const found = (await findings(directory)).join('\n')
  expect(found).toMatch(/HISTORY: transfer of \w+ \(command \d+\): spot is 5, the ledger has \d+/)
  expect(found).toMatch(/HISTORY: transfer of \w+ \(command \d+\) is missing/)
  expect(found).toMatch(/HISTORY: transfer of \w+ \(command 100000\) is in history/)
})

test('a damaged row is found by its checksum', async () => {
  const directory = copy()
  rewrite(directory, (trades) => trades)
  change(directory, 'history', 'UPDATE trade_block SET data = zeroblob(60) WHERE first IN (1, 3)')
  change(directory, 'history', 'UPDATE trade_end SET data = zeroblob(20) WHERE owner = 4')
  const found = await findings(directory)
  expect(found[0]).toMatch(/HISTORY: trade 1 and those stored with it: a row has check/)
  expect(found[1]).toMatch(/HISTORY: trade 3 and those stored with it: a row has check/)
  expect(found[2]).toMatch(/HISTORY: the ends of the lists of account 4: a row has check/)
  expect(found.slice(3).every((each) => each.includes(' of bob') && each.endsWith('is missing'))).toBe(true)
})

test('the first of several damaged trades is named, and those after them are compared', async () => {
  const directory = copy()
  const sql = 'SELECT first FROM trade_block ORDER BY first LIMIT 3'
  const [, second, third] = rows<{ first: number }>(directory, 'history', sql)
  change(
    directory,
    'history',
    'UPDATE trade_block SET data = zeroblob(60) WHERE first = ?',
    second?.first ?? 0,
  )
  change(directory, 'history', 'DELETE FROM trade_block WHERE first = ?', third?.first ?? 0)
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

test('a trade that never happened is named', async () => {
  const directory = copy()
  const never = { tradeNumber: 5_000 as TradeNumber, seq: 9_999 as Seq }
  rewrite(directory, (trades) => [...trades, withTrade(never)(trades[1] as LinkedTrade)])
  expect(await findings(directory)).toEqual([
    expect.stringMatching(
      /HISTORY: trade 5000 of \S+ \(command 9999\) is in history, but the journal has no such trade/,
    ),
  ])
})

test('a record of another account, or in another place of its list, is found', async () => {
  const directory = copy()
  forge(directory, 3, withTaker({}, 6 as AccountId))
  forge(directory, 4, (linked) => {
    const [ofSymbol, ...others] = linked.places
    return { ...linked, places: [{ ...(ofSymbol as Place), inAll: { n: 900, before: 1 } }, ...others] }
  })
  expect(await findings(directory)).toEqual([
    expect.stringMatching(/HISTORY: record \d+ of \w+ \(trade 3\): accountId is 6, the ledger has \d/),
    expect.stringContaining('its place in the trade list of BTC/USDT: n is 900, the ledger has 4'),
    expect.stringContaining('its place in the trade list of BTC/USDT: before is 1, the ledger has 3'),
  ])
})

test('an end or a step of a list that is missing, wrong or superfluous is found', async () => {
  const directory = copy()
  const check = (...values: number[]): number => Bun.hash.crc32(values.join())
  const sql = 'SELECT owner, number AS trade FROM trade_step WHERE owner > 0 AND part = -1 AND n = 64'
  const [step, other] = rows<{ owner: number; trade: number }>(directory, 'history', sql)
  if (step === undefined || other === undefined) throw new Error('two accounts must have a step')
  change(directory, 'history', 'DELETE FROM trade_step WHERE owner = ? AND part = -1', other.owner)
  change(
    directory,
    'history',
    'UPDATE trade_step SET number = 1, row_check = ? WHERE owner = ? AND part = -1 AND n = 64',
    check(step.owner, -1, 64, 1),
    step.owner,
  )
  const ends = writeEnds(new ByteWriter(), 6, [0, 1, 1])
  change(directory, 'history', 'INSERT INTO trade_end VALUES (6, ?)', ends.slice())
  change(directory, 'history', 'DELETE FROM trade_end WHERE owner = -1')
  const found = (await findings(directory)).join('\n')
  expect(found).toMatch(/HISTORY: step 64 of the trade list of \w+ is missing/)
  expect(found).toContain(`is trade 1, the ledger has trade ${step.trade}`)
  expect(found).toContain('the trade list of carol ends with record 1 (trade 1), expected 0 (trade 0)')
  expect(found).toContain('the end of the trade list of BTC/USDT is missing')
  expect(found).toMatch(/its lists have \d+ steps, expected \d+/)
})

test('the end of an order that is missing, changed, damaged or superfluous is found', async () => {
  const file = (directory: string): string => path.join(directory, 'history.sqlite')
  const missing = copy()
  rewriteEnds(file(missing), ([, ...others]) => others)
  expect(await findings(missing)).toEqual([
    expect.stringMatching(/HISTORY: the end of order \d+ \(command \d+\) is missing/),
  ])
  const changed = copy()
  rewriteEnds(file(changed), ([first, ...others]) => [
    { ...(first as EndedOrder), executedQuantity: 77 as Lots },
    ...others,
  ])
  expect(await findings(changed)).toEqual([
    expect.stringMatching(
      /HISTORY: the end of order \d+ \(command \d+\): executedQuantity is 77, the ledger/,
    ),
  ])
  const extra = copy()
  rewriteEnds(file(extra), (ends) => [
    ...ends,
    { ...(ends[0] as EndedOrder), orderNumber: 5_000 as OrderNumber },
  ])
  expect(await findings(extra)).toEqual([
    expect.stringContaining('HISTORY: 1 ended orders are in history, but the journal does not have them'),
  ])
  const damaged = copy()
  change(damaged, 'history', 'UPDATE ended_page SET data = zeroblob(60) WHERE page = 0')
  expect(await findings(damaged)).toEqual([
    expect.stringContaining('HISTORY: page 0 of the ended orders: a row has check'),
  ])
})

test('a position of another journal, or in the middle of a batch, is found', async () => {
  const directory = copy()
  const { seq: end } = await verify(directory)
  const [stored] = rows<{ to: number }>(directory, 'history', 'SELECT trade_ends_to AS "to" FROM position')
  movePosition(directory, end, new Uint8Array(32), stored?.to ?? 0, 0)
  expect((await findings(directory)).join()).toMatch(
    new RegExp(`WITNESS: history has hash 0+ at command ${end}`),
  )
  movePosition(directory, end + 1, new Uint8Array(32), stored?.to ?? 0, 0)
  expect((await findings(directory)).join()).toContain(
    `WITNESS: history is at command ${end + 1}, but the journal ends at ${end}`,
  )
})

test('a damaged file is a finding, and the rest is still verified', async () => {
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
  // The last byte of a page belongs to an entry: the first one that was stored there.
  const at = (index?.rootpage ?? 0) * 4096 - 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
  expect((await findings(directory)).join()).toContain('HISTORY: its file: ')
})

test('a candle with a changed byte and a missing one are named, with symbol, width and time', async () => {
  const directory = copy()
  const sql = 'SELECT symbol_id, start_ms FROM candle WHERE width_s = 1 ORDER BY symbol_id, start_ms LIMIT 1'
  const [second] = rows<{ symbol_id: number; start_ms: number }>(directory, 'history', sql)
  const at = [second?.symbol_id ?? 0, second?.start_ms ?? 0]
  const damage = "UPDATE candle SET data = CAST(substr(data, 1, 4) || x'00' || substr(data, 6) AS BLOB)"
  change(directory, 'history', `${damage} WHERE width_s = 1 AND symbol_id = ? AND start_ms = ?`, ...at)
  change(directory, 'history', 'DELETE FROM candle WHERE width_s = 86400 AND symbol_id = ?', at[0] as number)
  const found = (await findings(directory)).toSorted()
  expect(found).toHaveLength(2)
  expect(found[0]).toMatch(/^HISTORY: the 1d candle of \w+\/\w+ from \d+ is missing$/)
  expect(found[1]).toMatch(
    new RegExp(`^HISTORY: the 1s candle of \\w+/\\w+ from ${at[1]}: a row has checksum `),
  )
})
