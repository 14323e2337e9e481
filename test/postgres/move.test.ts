/**
 * `bourse cluster import` and `export` on a real server, and a move whose process is killed at each of its
 * steps.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { soundDirectories, writeDirectory } from '../../src/app/maintenance/verification/directory.fixture.ts'
import { fill } from '../../src/engine/port/journal.contract.ts'
import { hashOfQuarantined, hexOf, type Journal, JournalFault } from '../../src/engine/port/journal.ts'
import type { JournalHome } from '../../src/engine/writer/seal.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { SqliteJournal } from '../../src/storage/sqlite/journal.ts'
import type { Seq } from '../../src/units/quantities.ts'
import { BourseProcess, type Credentials, readSandbox, sandbox, signed } from '../support/bourse-process.ts'
import { faultOf, named, verified } from './support/appended.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { discardServers, ENGINE, PostgresServer } from './support/server.ts'

const { root, sound, copy, fresh } = soundDirectories()
let server: PostgresServer

beforeAll(async () => {
  server = await PostgresServer.start()
  await writeDirectory(sound)
})
afterAll(async () => {
  await discardServers()
  rmSync(root, { recursive: true, force: true })
})

/** The cluster file for that database. */
function configOf(database: string): string {
  const file = path.join(root, `${database}.json`)
  const place = { host: '127.0.0.1', port: server.port, name: database, tls: 'off' }
  // On a shared machine a leader must not exceed its timeout.
  const leadership = { silenceMs: 60_000 }
  writeFileSync(file, JSON.stringify({ database: place, durability: SINGLE, leadership }))
  return file
}

async function bourse(...args: string[]) {
  const command = new BourseProcess(args)
  const code = await command.exited()
  return { code, out: command.out, err: command.err, all: command.out + command.err }
}

const cluster = (database: string, ...args: string[]) =>
  bourse('cluster', ...args, '--config', configOf(database))
const openCluster = (database: string): Promise<Journal> =>
  PostgresJournal.open(journalOn(server, SINGLE, database))

/** Batches of a directory without a running node. */
async function batchesIn(directory: string) {
  const journal = SqliteJournal.openToMove({ directory })
  const batches = await verified(journal)
  await journal.close()
  return batches
}

async function stateHash(directory: string): Promise<string> {
  const { code, out } = await bourse('verify', '--data', directory, '--json')
  const report = JSON.parse(out)
  expect([code, report.findings]).toEqual([0, []])
  return report.stateHash
}

test('an exchange moves into a cluster and back, to the same state, and starts only where it is', async () => {
  const database = await server.newDatabase()
  const directory = copy()
  const before = named(await batchesIn(directory))
  const engineData = fresh()

  const imported = await cluster(database, 'import', directory, '--engine-data', engineData, '--json')
  expect([imported.err, imported.code]).toEqual(['', 0])
  const result = JSON.parse(imported.out)
  expect(result).toMatchObject({ result: 'MOVED', batchesCopied: before.length + 1, resumed: false })
  expect(await stateHash(directory)).toBe(result.stateHash)
  expect(readdirSync(engineData).sort()).toEqual(['journal.witness', 'snapshots'])
  const refused = await bourse('serve', '--data', directory, '--port', '0')
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toMatch(
    /the journal is sealed: [^:]+@\S+ moved the exchange to the cluster on 127\.0\.0\.1:/,
  )
  expect(refused.err).toContain('If the move was interrupted, finish it: bourse cluster import')
  for (const words of [['sandbox'], ['serve']])
    expect((await bourse(...words, '--data', directory, '--port', '0')).err).toContain(
      'the journal is sealed',
    )
  const backup = await bourse('backup', '--data', directory, '--to', fresh())
  expect([backup.code, backup.err]).toEqual([0, ''])
  const seal = await bourse('journal', '--data', directory, '--kind', 'Seal')
  expect(seal.out).toMatch(
    /^\d+ {2}\S+ {2}Seal {2}to=CLUSTER name=127\.0\.0\.1:\d+\/\S+ by=.* at=\S+ {2}=> result=done\n$/,
  )

  const again = await cluster(database, 'import', directory)
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringContaining('everything was already there, including the seal'),
  ])
  const other = await server.newDatabase()
  const elsewhere = await cluster(other, 'import', directory)
  expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('Finish the move there')])

  const lost = await server.newDatabase()
  const replaced = await cluster(lost, 'import', directory, '--destination-lost', '--dry-run')
  expect([replaced.code, replaced.err]).toEqual([0, ''])

  const leader = await openCluster(database)
  const stored = named(await verified(leader))
  expect(stored.slice(0, before.length)).toEqual(before)
  const back = fresh()
  const led = await cluster(database, 'export', back)
  expect([led.code, led.err]).toEqual([2, expect.stringContaining('engine leads the journal in epoch 1')])
  await leader.close()
  expect(existsSync(back)).toBe(false)

  const exported = await cluster(database, 'export', back, '--json')
  expect([exported.err, exported.code]).toEqual(['', 0])
  expect(await stateHash(back)).toBe(JSON.parse(exported.out).stateHash)
  const sealed = await faultOf(openCluster(database))
  expect([sealed?.kind, sealed?.message]).toEqual([
    'SEALED',
    expect.stringContaining('to the data directory'),
  ])
  expect((await cluster(database, 'export', back)).out).toContain('everything was already there')
  // Imported once more, into the database from which it came.
  const third = await cluster(database, 'import', back, '--json')
  expect([third.err, third.code]).toEqual(['', 0])
  const last = await openCluster(database)
  expect(last.tail.epoch).toBe(3)
  await last.close()
}, 300_000)

test('a node that was moved into a cluster and back serves its data, with the master key that was copied by hand', async () => {
  const database = await server.newDatabase()
  const [directory, back] = [fresh(), fresh()]
  const first = await sandbox(directory)
  const { baseUrl, accounts } = readSandbox(directory)
  const alice = accounts[0] as Credentials
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', price: '10.00', quantity: '1' }
  expect((await signed(baseUrl, alice, 'POST', 'order', order)).status).toBe(200)
  const openOrders = async (url: string) => (await signed(url, alice, 'GET', 'openOrders')).text()
  const before = await openOrders(baseUrl)
  expect(before).toContain('"price":"10"')
  const running = await cluster(database, 'import', directory)
  expect([running.code, running.err]).toEqual([2, expect.stringContaining('is in use by process')])
  expect(await first.end('SIGTERM')).toBe(0)
  expect((await cluster(database, 'import', directory)).code).toBe(0)
  expect((await cluster(database, 'export', back)).out).toContain(
    `Next: put the master key in ${back}/master.key`,
  )
  cpSync(path.join(directory, 'master.key'), path.join(back, 'master.key'))
  const node = new BourseProcess(['serve', '--data', back, '--port', '0'])
  expect(await openOrders(await node.ready)).toBe(before)
  expect(await node.end('SIGTERM')).toBe(0)
}, 300_000)

test('a dry run checks both ends, says what would be done, and changes nothing', async () => {
  const database = await server.newDatabase()
  const directory = copy()
  const before = named(await batchesIn(directory))
  const dry = await cluster(database, 'import', directory, '--dry-run')
  expect([dry.err, dry.code]).toEqual(['', 0])
  expect(dry.out).toContain('Nothing was changed: run it without --dry-run to move the exchange.')
  expect(named(await batchesIn(directory))).toEqual(before)
  const journal = await openCluster(database)
  expect((await verified(journal)).length).toBe(1)
  await journal.close()
})

test('a journal that another process has begun, or that lacks what is remembered of it, is not moved', async () => {
  const database = await server.newDatabase()
  const journal = await openCluster(database)
  await fill(journal, [1])
  await journal.close()
  const directory = copy()
  const taken = await cluster(database, 'import', directory)
  expect([taken.code, taken.err]).toEqual([
    2,
    expect.stringContaining('an exchange cannot be moved to this database'),
  ])
  const empty = await server.newDatabase()
  const nothing = await cluster(empty, 'export', fresh())
  expect([nothing.code, nothing.err]).toEqual([
    2,
    expect.stringContaining('the database contains no exchange'),
  ])
  const occupied = await cluster(database, 'export', directory)
  expect([occupied.code, occupied.err]).toEqual([
    2,
    expect.stringContaining('contains an exchange of its own'),
  ])
  expect((await bourse('verify', '--data', directory)).code).toBe(0)
})

/** The places in which a moved exchange can be started. */
async function livingIn(directory: string, database: string): Promise<JournalHome[]> {
  const homes: JournalHome[] = []
  if (existsSync(path.join(directory, 'journal.sqlite'))) {
    try {
      await SqliteJournal.open({ directory }).close()
      homes.push('DIRECTORY')
    } catch (cause) {
      if (!(cause instanceof JournalFault)) throw cause
    }
  }
  // A claim leaves a row, so it is tried on a copy.
  const trial = `trial_${++trials}`
  await server.sql(`CREATE DATABASE ${trial} TEMPLATE ${database}`)
  const fault = await faultOf(openCluster(trial).then((journal) => journal.close()))
  // A claim on an empty journal does not count as a moved exchange.
  if (fault === undefined && (await rowsOf(database)) > 0) homes.push('CLUSTER')
  return homes
}
let trials = 0

async function rowsOf(database: string): Promise<number> {
  const connection = await server.connect(ENGINE, database)
  const { count } = await connection.run({ text: 'SELECT 1 FROM bourse.batch' })
  await connection.close()
  return count
}

/** Moves in a process that is killed at a step; returns true if the move completed before that. */
async function moveUntil(
  to: JournalHome,
  directory: string,
  database: string,
  endAt: number,
): Promise<boolean> {
  const place = JSON.stringify({ database: server.where(ENGINE, database), durability: SINGLE })
  const program = path.join(import.meta.dir, 'support/move-process.fixture.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', program, to, directory, place, String(endAt)], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (child.signalCode === 'SIGKILL') return false
  expect([err, code, out]).toEqual(['', 0, expect.stringMatching(/^done MOVED(_BEFORE)?\n$/)])
  return true
}

async function movedThroughKills(to: JournalHome, directory: string, database: string): Promise<number> {
  let kills = 0
  for (let endAt = 1; ; endAt++) {
    const isDone = await moveUntil(to, directory, database, endAt)
    const living = await livingIn(directory, database)
    expect([endAt, living.length <= 1]).toEqual([endAt, true])
    if (isDone) {
      expect(living).toEqual([to])
      return kills
    }
    kills++
  }
}

test('a move whose process is killed at each of its steps, one after another, ends in one exchange with everything', async () => {
  const database = await server.newDatabase()
  const directory = copy()
  const journal = SqliteJournal.open({ directory })
  const [batch] = await journal.read((journal.tail.seq - 1) as Seq, 1)
  const entry = {
    seq: journal.tail.seq,
    check: hashOfQuarantined(sha256, batch?.hash as Uint8Array, journal.tail.seq),
  }
  await journal.quarantine(entry)
  await journal.close()
  const before = named(await batchesIn(directory))

  expect(await movedThroughKills('CLUSTER', directory, database)).toBeGreaterThan(10)
  const leader = await openCluster(database)
  expect(named(await verified(leader)).slice(0, before.length)).toEqual(before)
  expect(await leader.quarantined()).toEqual([entry])
  await leader.close()

  const back = fresh()
  expect(await movedThroughKills('DIRECTORY', back, database)).toBeGreaterThan(10)
  const home = SqliteJournal.open({ directory: back })
  expect(named(await verified(home)).slice(0, before.length)).toEqual(before)
  expect(await home.quarantined()).toEqual([entry])
  expect(hexOf(home.tail.hash)).toHaveLength(64)
  await home.close()
  expect((await bourse('verify', '--data', back)).out).toContain('Sound.')
}, 300_000)
