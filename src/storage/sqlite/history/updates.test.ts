/**
 * Updates of accounts in the file, compared with plain lists, for appends of any size and starts at any time.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { MemoryHistory } from '../../../../sim/memory/history.ts'
import { arbitraryBalance, arbitraryOpenOrder } from '../../../core/events/message.arbitraries.ts'
import { UPDATE_PARTS_MAX, UPDATES_KEPT_COMMANDS } from '../../../engine/history/account-updates.ts'
import { HistoryFault } from '../../../engine/history/history.ts'
import { type StoredUpdate, type UpdateBlock, UpdateWriter } from '../../../engine/history/update-codec.ts'
import type { AccountUpdate } from '../../../engine/port/ports.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import { amount, type Seq, seq, timeMs } from '../../../units/quantities.ts'
import { HistoryReader } from './reader.ts'
import { SqliteHistory } from './store.ts'
import { UPDATE_TABLE, UpdateBlocks } from './updates.ts'

let directory: string
let files = 0
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-updates-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const newFile = (): string => path.join(directory, `${files++}.sqlite`)
const ACCOUNTS = [3, 4, 300, 70_000] as readonly number[] as readonly AccountId[]
const HASH = new Uint8Array(32)

/** An asset's id is its place in the order of listing, and the exchange lists only a few. */
const balance = fc
  .tuple(arbitraryBalance, fc.nat(2 ** 31 - 1))
  .map(([each, id]) => ({ ...each, assetId: id as AssetId }))

const update = fc.record({
  account: fc.nat(ACCOUNTS.length - 1),
  time: fc.nat(2 ** 31).map(timeMs),
  changed: fc.array(arbitraryOpenOrder, { maxLength: 2 }),
  balances: fc.array(balance, { maxLength: 3 }),
})
type Update = Pick<StoredUpdate, 'seq' | 'time' | 'accountId' | 'changed' | 'balances'>

function blockOf(updates: readonly Update[]): UpdateBlock | undefined {
  if (updates.length === 0) return undefined
  const writer = new UpdateWriter()
  const time = timeMs(Math.min(...updates.map((each) => each.time)))
  // The first update has the block's time, from which all others are counted.
  for (const each of updates) {
    writer.begin(each.seq, updates[0] === each ? time : each.time, each.accountId)
    writer.count(each.changed.length)
    for (const order of each.changed) writer.changed(order)
    writer.count(0)
    writer.count(each.balances.length)
    for (const balance of each.balances) writer.balance(balance)
    writer.end()
  }
  return writer.take()
}

/** The changes of some commands, each possibly empty. */
const append = fc.record({
  commands: fc.array(fc.uniqueArray(update, { maxLength: 3, selector: ({ account }) => account }), {
    minLength: 1,
    maxLength: 4,
  }),
  isReopened: fc.boolean(),
  /** When the store commits, from its opening on. */
  commits: fc.constantFrom('AT_ONCE', 'LATER'),
})
const limitsOf = (commits: string) => (commits === 'LATER' ? { commitSoon: () => {} } : {})

async function all(store: SqliteHistory | MemoryHistory, accountId: AccountId, after: Seq) {
  const updates: AccountUpdate[] = []
  for (let at = after; ; ) {
    const [answer] = await store.updates({ accounts: [{ accountId, after: at }] })
    if (answer === undefined || answer === 'TOO_OLD') return answer
    updates.push(...answer.updates)
    if (answer.upTo === at) return updates
    at = answer.upTo
  }
}

test('an account is given its updates after any command, and no others, whatever was appended together and whenever the file was opened', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(append, { minLength: 1, maxLength: 12 }), async (appends) => {
      const file = newFile()
      let store = SqliteHistory.open(file, () => {})
      const memory = new MemoryHistory()
      let last = 0
      try {
        for (const { commands, isReopened, commits } of appends) {
          const updates = commands.flatMap((concerned, i) =>
            concerned.map(({ account, ...each }): Update => {
              const accountId = ACCOUNTS[account] as AccountId
              return { ...each, seq: seq(last + 1 + i), accountId }
            }),
          )
          last += commands.length
          const end = { seq: seq(last), hash: HASH }
          await store.append([], end, { updates: blockOf(updates) })
          await memory.append([], end, { updates: blockOf(updates) })
          if (!isReopened) continue
          await store.close()
          store = SqliteHistory.open(file, () => {}, limitsOf(commits))
        }
        for (const accountId of ACCOUNTS) {
          for (let after = 0; after <= last; after++) {
            const expected = await all(memory, accountId, seq(after))
            expect(await all(store, accountId, seq(after))).toEqual(expected as never)
          }
        }
      } finally {
        await store.close()
        rmSync(file, { force: true })
      }
    }),
    { numRuns: 40 },
  )
})

function plain(command: number, accountId: AccountId, parts = 0): Update {
  const [free, locked, freeze, savings] = [amount(1n), amount(0n), amount(0n), amount(0n)]
  const balances = Array.from({ length: parts }, () => ({
    assetId: 0 as AssetId,
    free,
    locked,
    freeze,
    savings,
  }))
  return { seq: seq(command), time: timeMs(command), accountId, changed: [], balances }
}

test('an account that is far behind gets everything answer by answer, from memory or from the file, whatever fits in either', async () => {
  const bounds = fc.record({
    rowsMax: fc.integer({ min: 1, max: 6 }),
    readBytesMax: fc.integer({ min: 1, max: 400 }),
    recentBytesMax: fc.integer({ min: 0, max: 400 }),
  })
  /** Each command changes one account, or none; each append has several commands. */
  const commands = fc.array(fc.option(fc.nat(ACCOUNTS.length - 1), { nil: undefined }), { maxLength: 40 })
  await fc.assert(
    fc.property(commands, fc.integer({ min: 1, max: 4 }), bounds, (accounts, step, limits) => {
      const db = new Database(':memory:')
      db.run(UPDATE_TABLE)
      const blocks = new UpdateBlocks(db, limits)
      const updates = accounts.map((account, i) =>
        account === undefined ? undefined : plain(i + 1, ACCOUNTS[account] as AccountId, i % 3),
      )
      for (let at = 0; at < updates.length; at += step) {
        const some = updates.slice(at, at + step)
        const block = blockOf(some.filter((each) => each !== undefined))
        const last = seq(at + some.length)
        blocks.add(block, last)
        blocks.added(block, seq(at), last)
      }
      const end = seq(updates.length)
      for (const accountId of ACCOUNTS) {
        for (let start = 0; start <= end; start++) {
          const given: number[] = []
          for (let after = seq(start); after < end; ) {
            const asked = { accountId, after }
            const found = blocks.reader([asked], end)(asked)
            given.push(...found.updates.map((each) => each.seq))
            expect(found.upTo).toBeGreaterThan(after)
            after = found.upTo
          }
          const own = updates.filter((each) => each?.accountId === accountId && each.seq > start)
          expect(given).toEqual(own.map((each) => each?.seq as number))
        }
      }
      blocks.close()
      db.close()
    }),
    { numRuns: 200 },
  )
})

test('updates no longer in memory are read from the file, and others are not', () => {
  const db = new Database(':memory:')
  db.run(UPDATE_TABLE)
  const [alice] = ACCOUNTS as [AccountId]
  const length = blockOf([plain(1, alice)])?.data.length as number
  const blocks = new UpdateBlocks(db, { rowsMax: 10, readBytesMax: 10_000, recentBytesMax: 2 * length })
  for (let command = 1; command <= 5; command++) {
    const block = blockOf([plain(command, alice)])
    blocks.add(block, seq(command))
    blocks.added(block, seq(command - 1), seq(command))
  }
  const areRecent = (after: number) => blocks.areRecent([{ accountId: alice, after: seq(after) }])
  expect([0, 1, 2, 3, 4, 5].map(areRecent)).toEqual([false, false, false, true, true, true])
  const asked = { accountId: alice, after: seq(0) }
  expect(
    blocks
      .reader(
        [asked],
        seq(5),
      )(asked)
      .updates.map((each) => each.seq as number),
  ).toEqual([1, 2, 3, 4, 5])
  blocks.close()
  db.close()
})

test('an answer ends with a whole update, once it has as much as one may have, and says how far it goes', async () => {
  const store = SqliteHistory.open(newFile(), () => {})
  const [alice, bob] = ACCOUNTS as [AccountId, AccountId]
  const half = UPDATE_PARTS_MAX / 2
  const updates = [1, 2, 3].map((command) => plain(command, alice, half)).concat(plain(4, bob))
  await store.append([], { seq: seq(4), hash: HASH }, { updates: blockOf(updates) })
  const [first, second] = await store.updates({
    accounts: [
      { accountId: alice, after: seq(0) },
      { accountId: bob, after: seq(1) },
    ],
  })
  expect(first).toMatchObject({ upTo: 2, updates: [{ seq: 1 }, { seq: 2 }] })
  expect(second).toEqual({ upTo: seq(1), updates: [] })
  expect(await all(store, alice, seq(0))).toHaveLength(3)
  await store.close()
})

test('a position further back than the kept updates is reported, and its rows are deleted', async () => {
  const file = newFile()
  const store = SqliteHistory.open(file, () => {})
  const [alice] = ACCOUNTS as [AccountId]
  await store.append([], { seq: seq(5), hash: HASH }, { updates: blockOf([plain(5, alice)]) })
  const last = seq(UPDATES_KEPT_COMMANDS + 6)
  await store.append([], { seq: last, hash: HASH }, { updates: blockOf([plain(last, alice)]) })
  expect(await all(store, alice, seq(5))).toBe('TOO_OLD')
  expect(await all(store, alice, seq(6))).toMatchObject([{ seq: last }])
  await store.close()
  const db = new Database(file)
  expect(db.query('SELECT last_seq FROM update_block').values()).toEqual([[last]])
  db.close()
})

test('a row whose accounts or updates differ from what was written is damage, not an account without updates', async () => {
  for (const column of ['accounts', 'data']) {
    const file = newFile()
    const written = SqliteHistory.open(file, () => {})
    const [alice] = ACCOUNTS as [AccountId]
    await written.append([], { seq: seq(1), hash: HASH }, { updates: blockOf([plain(1, alice, 1)]) })
    await written.close()
    const db = new Database(file)
    db.run(`UPDATE update_block SET ${column} = CAST(${column} || x'00' AS BLOB)`)
    db.close()
    const store = SqliteHistory.open(file, () => {})
    await expect(all(store, alice, seq(0))).rejects.toBeInstanceOf(HistoryFault)
    await store.close()
  }
})

test('dropped updates are not answered from memory', async () => {
  const store = SqliteHistory.open(newFile(), () => {})
  const [alice] = ACCOUNTS as [AccountId]
  await store.append([], { seq: seq(1), hash: HASH }, { updates: blockOf([plain(1, alice)]) })
  await store.clear()
  await store.append([], { seq: seq(3), hash: HASH })
  expect(await all(store, alice, seq(0))).toEqual([])
  await store.close()
})

test('a comparison with a replay names exactly the updates that are missing, changed, not caused, or damaged', async () => {
  const file = newFile()
  const [alice, bob] = ACCOUNTS as [AccountId, AccountId]
  const store = SqliteHistory.open(file, () => {})
  const appends = [[plain(1, alice, 1), plain(2, bob, 1)], [plain(4, alice, 2)], [plain(5, bob, 1)]]
  for (const updates of appends) {
    await store.append([], { seq: updates.at(-1)?.seq as Seq, hash: HASH }, { updates: blockOf(updates) })
  }
  await store.close()
  const all = appends.flat()
  const findings = (caused: readonly Update[]): string[] => {
    const reader = HistoryReader.open(file, true) as HistoryReader
    const found: string[] = []
    const names = { account: (id: AccountId) => `account ${id}`, symbolName: String }
    const audit = reader.audit(names, ({ kind, sentence }) => found.push(`${kind}: ${sentence}`))
    for (const each of caused) audit.compareUpdates(blockOf([each]) as UpdateBlock)
    audit.finish()
    reader.close()
    return found
  }
  expect(findings(all)).toEqual([])
  expect(findings(all.slice(1))).toEqual([
    'EXTRA: the update of account 3 (command 1) is in history, but the journal has no such update',
  ])
  expect(findings([...all, plain(6, alice)])).toEqual([
    'MISSING: the update of account 3 (command 6) is missing',
  ])
  expect(findings(all.with(2, plain(4, alice, 1)))).toEqual([
    'CHANGED: the update of account 3 (command 4) differs from the journal',
  ])
  const db = new Database(file)
  db.run("UPDATE update_block SET data = CAST(data || x'00' AS BLOB) WHERE last_seq = 4")
  db.close()
  expect(findings(all)).toEqual([
    expect.stringMatching(/^DAMAGED: the updates of accounts up to command 4: /),
  ])
})
