/** Appended records are found before they are committed, and a failed commit loses none of them. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aTrade, at } from '../../../engine/history/history-trades.fixture.ts'
import { anEnd, anOrder } from '../../../engine/history/orders.contract.ts'
import { UpdateWriter } from '../../../engine/history/update-codec.ts'
import type { AccountUpdates } from '../../../engine/port/ports.ts'
import type { AccountId, OrderNumber, TradeNumber } from '../../../units/ids.ts'
import { seq, timeMs } from '../../../units/quantities.ts'
import type { HistoryFileLimits } from './file.ts'
import { KEPT_RECORDS } from './pending.ts'
import { SqliteHistory } from './store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'bourse-pending-'))
afterAll(() => rmSync(root, { recursive: true }))

const PAGE_BYTES = 4_096
const ACCOUNT = 10 as AccountId
const ORDER = 3 as OrderNumber
const LOST_AT_ONCE = 1_000
/** Everything that belongs to account 10: its order, the trade that ended it, and the balance updates. */
const EVERYTHING = { accountId: ACCOUNT, symbolId: undefined, page: 0, size: 10, before: undefined }

let files = 0
function opened(limits: HistoryFileLimits = {}) {
  const file = path.join(root, `${++files}.sqlite`)
  const asked: (() => void)[] = []
  const commitSoon = (commit: () => void): void => void asked.push(commit)
  const open = (more: HistoryFileLimits) =>
    SqliteHistory.open(file, () => {}, { busyTimeoutMs: 0, commitSoon, ...limits, ...more })
  return { file, asked, open, store: open({}) }
}

function blockOf(command: number, write: (writer: UpdateWriter) => void) {
  const writer = new UpdateWriter()
  writer.begin(seq(command), timeMs(command), ACCOUNT)
  write(writer)
  writer.count(0)
  writer.end()
  return writer.take()
}

/** Command 1 places an order; command 2 trades and ends it. */
async function appendBoth(store: SqliteHistory): Promise<void> {
  const placed = blockOf(1, (writer) => {
    writer.count(1)
    writer.placed(ORDER)
    writer.count(0)
  })
  await store.append([], at(1), { orders: [anOrder({ number: ORDER, seq: 1 })], updates: placed })
  const traded = blockOf(2, (writer) => {
    writer.count(1)
    writer.ended(ORDER)
    writer.count(1)
    writer.trade(1 as TradeNumber)
  })
  const ends = [{ orderNumber: ORDER, ...anEnd(ORDER, 2, 2) }]
  await store.append([aTrade({ number: 1, seq: 2 })], at(2), { ends, updates: traded })
}

const after = (command: number) => ({ accounts: [{ accountId: ACCOUNT, after: seq(command) }] })

function committed(file: string): number {
  using db = new Database(file, { readonly: true })
  return Number(db.query<{ seq: number }, []>('SELECT seq FROM position').get()?.seq)
}

async function kindOf(done: Promise<unknown>): Promise<unknown> {
  return done.then(
    () => undefined,
    ({ kind }: { kind: unknown }) => kind,
  )
}

test('a follower gets what was appended, with its orders and trades, before any of it is committed', async () => {
  const { store, file, asked } = opened()
  await appendBoth(store)
  const [answer] = await store.updates(after(0))
  if (answer === undefined || answer === 'TOO_OLD') throw new Error('both commands have just been appended')
  expect(answer.upTo).toBe(seq(2))
  expect(answer.updates.map((each) => each.open.map(({ orderNumber }) => orderNumber))).toEqual([[ORDER], []])
  expect(answer.updates[1]?.ended[0]?.end?.seq).toBe(seq(2))
  expect(answer.updates[1]?.fills.map(({ tradeNumber }) => tradeNumber)).toEqual([1 as TradeNumber])
  expect([(await store.position()).seq, committed(file), asked.length]).toEqual([seq(2), 0, 1])
  for (const commit of asked) commit()
  expect(committed(file)).toBe(2)
  expect(await store.updates(after(0))).toEqual([answer])
  await store.close()
})

test('committed data stays in memory while it is being read, and is released after that', async () => {
  const { store, file, asked } = opened()
  await appendBoth(store)
  const before = await store.updates(after(1))
  let appends = 0
  /** Appends more trades than are kept in memory with any list; none of them is in the file. */
  const appendLostTrades = async (trades: number): Promise<void> => {
    for (const until = appends + trades / LOST_AT_ONCE; appends < until; appends++) {
      const [seq, number] = [3 + appends, 2 + appends * LOST_AT_ONCE]
      await store.append(
        Array.from({ length: LOST_AT_ONCE }, (_, i) => aTrade({ number: number + i, seq })),
        at(seq),
      )
      for (const commit of asked.splice(0)) commit()
    }
    using other = new Database(file)
    other.run('DELETE FROM trade_block')
  }
  await appendLostTrades(KEPT_RECORDS / 2)
  const [answer] = await store.updates(after(1))
  expect(answer).toMatchObject({ updates: (before[0] as AccountUpdates).updates })
  await appendLostTrades(3 * KEPT_RECORDS)
  expect(store.updates(after(1))).rejects.toThrow('trade 1, which history does not have')
  await store.close()
})

test('any other question is answered with all that was appended, and commits it', async () => {
  const { store, file } = opened()
  await appendBoth(store)
  expect((await store.trades(EVERYTHING)).total).toBe(1)
  expect(committed(file)).toBe(2)
  await store.close()
})

test('a store that is closed leaves what was appended, and a commit that was asked for does nothing more', async () => {
  const { store, asked, open } = opened()
  await appendBoth(store)
  await store.close()
  for (const commit of asked) commit()
  const again = open({})
  expect((await again.position()).seq).toBe(seq(2))
  await again.close()
})

test('a commit that another program blocks is reported, and retried by the next question or append', async () => {
  const { store, file, asked } = opened()
  const told: string[] = []
  store.watch(({ kind }) => told.push(kind))
  await appendBoth(store)
  {
    using holder = new Database(file)
    holder.run('BEGIN IMMEDIATE')
    for (const commit of asked) commit()
    expect(told).toEqual(['UNUSABLE'])
    expect(await kindOf(store.trades(EVERYTHING))).toBe('UNUSABLE')
    const [answer] = await store.updates(after(1))
    expect(answer).toMatchObject({ upTo: 2 })
    holder.run('ROLLBACK')
  }
  await store.append([aTrade({ number: 2, seq: 3 })], at(3))
  expect((await store.trades(EVERYTHING)).total).toBe(2)
  expect(committed(file)).toBe(3)
  await store.close()
})

test('a store that has no room for what was appended reports it to each caller, and closes without it', async () => {
  const { store, file, open } = opened()
  await store.append([], at(1))
  await store.flush()
  await store.close()
  const told: string[] = []
  const commits: (() => void)[] = []
  const full = open({
    pagesMax: statSync(file).size / PAGE_BYTES,
    commitSoon: (commit) => void commits.push(commit),
  })
  full.watch(({ kind }) => told.push(kind))
  const trades = Array.from({ length: 900 }, (_, i) => aTrade({ number: i + 1, seq: 2 }))
  await full.append(trades, at(2))
  expect(await kindOf(full.trades(EVERYTHING))).toBe('OVERLOADED')
  for (const commit of commits.splice(0)) commit()
  // The failure is reported, and the commit will be tried again.
  expect([told, commits.length]).toEqual([['STORAGE_FULL'], 1])
  await full.close()
  expect(committed(file)).toBe(1)
})
