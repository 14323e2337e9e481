/**
 * An engine recognizes its database: another database, a former primary and a connection through a pooler are
 * refused on a real server, each with the remedy.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCluster } from '../../src/app/cluster/run.ts'
import { openClusterStorage } from '../../src/app/node/storage/cluster-storage.ts'
import { ClaimedJournal } from '../../src/engine/leadership/claimed-journal.ts'
import type { OpenTable } from '../../src/engine/leadership/leadership-table.ts'
import { JournalFault } from '../../src/engine/port/journal.ts'
import { KnownDatabaseFile } from '../../src/storage/files/known-database.ts'
import { identityOf, KnownDatabase } from '../../src/storage/postgres/identity.ts'
import { PostgresTable } from '../../src/storage/postgres/table.ts'
import { runtimeScheduler } from '../../src/storage/scheduler.ts'
import { freePort } from '../support/free-port.ts'
import { eventually } from './support/eventually.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { ADMINISTRATOR, DATABASE, discardServers, ENGINE, PostgresServer } from './support/server.ts'

const root = mkdtempSync(path.join(tmpdir(), 'bourse-identity-'))
let directories = 0
let server: PostgresServer
let proxy: Server | undefined

beforeAll(async () => {
  server = await PostgresServer.start()
})
afterEach(() => {
  proxy?.close()
  proxy = undefined
})
afterAll(async () => {
  await discardServers()
  rmSync(root, { recursive: true, force: true })
})

function newDirectory(): string {
  const directory = path.join(root, `engine-${++directories}`)
  mkdirSync(directory, { mode: 0o700 })
  return directory
}

const fileOf = (directory: string): string => path.join(directory, 'database.json')

/**
 * Claims the journal as an engine does and closes it again; returns the fault, undefined if there is none.
 */
async function claim(openTable: OpenTable): Promise<string | undefined> {
  const { connection: _, durability: _durability, ...claiming } = journalOn(server)
  try {
    const journal = await ClaimedJournal.open({ ...claiming, openTable, scheduler: runtimeScheduler })
    await journal.close()
    return undefined
  } catch (cause) {
    if (!(cause instanceof JournalFault)) throw cause
    return `${cause.kind}: ${cause.message}`
  }
}

/** The same for an engine of this directory, as a started process. */
function lead(directory: string, connection = server.where(), accepts = false): Promise<string | undefined> {
  const known = new KnownDatabase(new KnownDatabaseFile(fileOf(directory)), accepts)
  return claim(() => PostgresTable.open({ connection, durability: SINGLE, known }))
}

const known = (directory: string) => JSON.parse(readFileSync(fileOf(directory), 'utf8'))

async function cluster(command: string, port: number, directory: string, database = DATABASE) {
  let out = ''
  const print = (text: string) => {
    out += `${text}\n`
  }
  const file = path.join(root, 'cluster.json')
  const place = { host: '127.0.0.1', port, name: database, tls: 'off' }
  const engines = [{ name: 'one', link: path.join(root, 'one.sock'), data: directory }]
  const secretFile = path.join(root, 'link.secret')
  writeFileSync(
    file,
    JSON.stringify({ database: place, durability: SINGLE, engines, link: { secretFile, tls: 'off' } }),
  )
  const host = {
    print,
    printError: print,
    terminal: undefined,
    operator: 'anna',
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    monotonicMs: () => 0,
    nowMs: () => 0,
  }
  const code = await runCluster([command, '--config', file, '--json'], host)
  return { code, ...JSON.parse(out) }
}

test('an engine keeps the identity of the database that it leads on, and check and status show it', async () => {
  const directory = newDirectory()
  expect(await lead(directory)).toBeUndefined()
  const [row] = await server.sql('SELECT system_identifier::text AS system FROM pg_control_system()')
  const identity = { systemIdentifier: row?.system, timeline: 1 }
  expect(known(directory)).toEqual(identity)
  const checked = await cluster('check', server.port, directory)
  expect(checked).toMatchObject({ code: 0, ...identity })
  expect(await cluster('status', server.port, directory)).toMatchObject(identity)
  expect(await lead(directory)).toBeUndefined()
})

test('another database is refused with both identifiers, until an operator accepts it once', async () => {
  const directory = newDirectory()
  writeFileSync(fileOf(directory), '{"systemIdentifier":"7","timeline":1}')
  const found = (await identityOf(await server.connect()))?.systemIdentifier
  const refused = await lead(directory)
  expect(refused).toStartWith('UNSUPPORTED: ')
  expect(refused).toContain(
    `the database has system identifier ${found}, expected 7, on which this engine has led`,
  )
  expect(refused).toContain('start each engine once with --accept-database')
  const checked = await cluster('check', server.port, directory)
  expect([checked.code, checked.findings]).toEqual([
    1,
    expect.arrayContaining([
      expect.objectContaining({
        severity: 'STOPS',
        about: 'identity',
        expected: expect.stringContaining(
          `system 7, timeline 1 or a later timeline, on which the engine in ${directory}`,
        ),
      }),
    ]),
  ])
  expect(await lead(directory, server.where(), true)).toBeUndefined()
  expect(known(directory).systemIdentifier).toBe(found)
  expect(await lead(directory)).toBeUndefined()
})

test('the storage of an engine compares its database with the record in its directory', async () => {
  for (const acceptsDatabase of [false, true]) {
    const dataDirectory = newDirectory()
    writeFileSync(fileOf(dataDirectory), '{"systemIdentifier":"7","timeline":1}')
    const settings = { dataDirectory, database: server.where(), durability: SINGLE, acceptsDatabase }
    const { openTable, witness } = openClusterStorage(settings)
    const refused = await claim(openTable)
    witness.close()
    if (acceptsDatabase) expect(refused).toBeUndefined()
    else expect(refused).toContain('expected 7')
  }
})

test('an unreadable record is damage, and names the file', async () => {
  const directory = newDirectory()
  for (const text of [
    '',
    '{"systemIdentifier":7,"timeline":1}',
    '{"systemIdentifier":"7","timeline":0}',
    '[]',
  ]) {
    writeFileSync(fileOf(directory), text)
    const expected = `${fileOf(directory)}: expected {"systemIdentifier":"...","timeline":N}`
    expect(() => new KnownDatabaseFile(fileOf(directory)).read()).toThrow(expected)
  }
})

test('a former primary is refused after another was promoted, and that one is known by its later timeline at once', async () => {
  const primary = await PostgresServer.start({ wal_level: 'replica' })
  const standby = await primary.startStandby('east')
  const directory = newDirectory()
  expect(await lead(directory, primary.where())).toBeUndefined()
  await eventually(
    'the standby has it',
    async () => (await standby.sql('SELECT 1 FROM bourse.batch')).length === 1,
  )
  const watching = await standby.connect()
  expect((await identityOf(watching))?.timeline).toBe(1)
  await standby.sql('SELECT pg_promote()')
  expect((await identityOf(watching))?.timeline).toBe(2)
  await watching.close()
  expect(await lead(directory, standby.where())).toBeUndefined()
  expect(known(directory).timeline).toBe(2)
  const refused = await lead(directory, primary.where())
  expect(refused).toContain(
    'the database is on timeline 1, expected 2 or later, on which this engine has led: it is a former primary, or was rolled back',
  )
  expect(known(directory).timeline).toBe(2)
})

test('a database that does not show its identity weakens a safeguard, and is still used', async () => {
  const database = await server.newDatabase()
  const administrator = await server.connect(ADMINISTRATOR, database)
  await administrator.run({ text: 'REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC' })
  await administrator.close()
  const directory = newDirectory()
  expect(await lead(directory, server.where(ENGINE, database))).toBeUndefined()
  const checked = await cluster('check', server.port, directory, database)
  expect(checked).toMatchObject({ code: 0, systemIdentifier: null, timeline: null })
  expect(checked.findings).toContainEqual(expect.objectContaining({ severity: 'WEAKENS', about: 'identity' }))
})

/** A pooler reports a process of its own: this proxy changes only that message of the server. */
async function pooler(): Promise<number> {
  const port = freePort()
  proxy = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1')
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
    client.on('close', () => upstream.destroy())
    client.pipe(upstream)
    upstream.on('data', (data) => {
      // `BackendKeyData`: K, its length, which is 12, the process, the key.
      const bytes = Buffer.from(data as Uint8Array)
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
      if (at >= 0) bytes.writeUInt32BE(0x12345, at + 5)
      client.write(bytes)
    })
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => proxy?.listen(port, '127.0.0.1', resolve))
  return port
}

test('a pooler between the engine and the database is found, and no engine leads through it', async () => {
  const port = await pooler()
  const directory = newDirectory()
  const checked = await cluster('check', port, directory)
  expect(checked.code).toBe(1)
  expect(checked.findings).toContainEqual(
    expect.objectContaining({
      severity: 'STOPS',
      about: 'connection',
      found: expect.stringMatching(
        /^process \d+ answers, but 74565 was announced: there is a pooler in between$/,
      ),
    }),
  )
  expect(await lead(directory, { ...server.where(), port })).toContain('connection is process')
})
