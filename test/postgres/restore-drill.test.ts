/**
 * The drill of the guide (docs/cluster-operations.md#back-up-and-restore): a cluster's database is restored
 * to an earlier time from a base backup and the archived log, verified, and served from a data directory with
 * the master key.
 */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { soundDirectories } from '../../src/app/maintenance/verification/directory.fixture.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { BourseProcess, type Credentials, readSandbox, sandbox, signed } from '../support/bourse-process.ts'
import { faultOf } from './support/appended.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { DATABASE, discardServers, PostgresServer } from './support/server.ts'

const { root, fresh } = soundDirectories()
afterAll(async () => {
  await discardServers()
  rmSync(root, { recursive: true, force: true })
})

async function bourse(...args: string[]) {
  const command = new BourseProcess(args)
  const code = await command.exited()
  return { code, out: command.out, err: command.err }
}

function configOf(server: PostgresServer): string {
  const file = path.join(root, `cluster-${server.port}.json`)
  const place = { host: '127.0.0.1', port: server.port, name: DATABASE, tls: 'off' }
  writeFileSync(file, JSON.stringify({ database: place, durability: SINGLE }))
  return file
}

test('a database that was restored to a moment has the exchange of that moment, and a part that remembers more is refused', async () => {
  const server = await PostgresServer.start({ wal_level: 'replica' })
  const archive = server.newArchive()
  await server.archiveTo(archive)
  const base = await server.copyBase()

  const directory = fresh()
  const node = await sandbox(directory)
  const { baseUrl, accounts } = readSandbox(directory)
  const alice = accounts[0] as Credentials
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', price: '10.00', quantity: '1' }
  expect((await signed(baseUrl, alice, 'POST', 'order', order)).status).toBe(200)
  const openOrders = async (url: string) => (await signed(url, alice, 'GET', 'openOrders')).text()
  const before = await openOrders(baseUrl)
  expect(await node.end('SIGTERM')).toBe(0)
  const engineData = fresh()
  const moved = await bourse(
    'cluster',
    'import',
    directory,
    '--config',
    configOf(server),
    '--engine-data',
    engineData,
  )
  expect([moved.code, moved.err]).toEqual([0, ''])
  const wanted = JSON.parse((await bourse('verify', '--config', configOf(server), '--json')).out)
  await server.sql("SELECT pg_create_restore_point('the_moment')")

  // A batch that is acknowledged after that time, and remembered by its engine.
  const leader = await PostgresJournal.open(journalOn(server))
  const { tail: remembered } = leader
  await leader.close()
  await server.sql('SELECT pg_switch_wal()')
  await server.archived()
  await server.kill()

  const restored = await PostgresServer.restore(base, archive, 'the_moment')
  const config = configOf(restored)
  const verified = await bourse('verify', '--config', config, '--data', engineData, '--json')
  expect([verified.code, JSON.parse(verified.out).findings]).toEqual([0, []])
  expect(JSON.parse(verified.out)).toMatchObject({ seq: wanted.seq, stateHash: wanted.stateHash, claims: 0 })
  const refused = await faultOf(PostgresJournal.open({ ...journalOn(restored), remembered }))
  expect(refused?.kind).toBe('WITNESS')

  const back = fresh()
  const exported = await bourse('cluster', 'export', back, '--config', config)
  expect([exported.code, exported.err]).toEqual([0, ''])
  mkdirSync(back, { recursive: true })
  cpSync(path.join(directory, 'master.key'), path.join(back, 'master.key'))
  const served = new BourseProcess(['serve', '--data', back, '--port', '0'])
  expect(await openOrders(await served.ready)).toBe(before)
  expect(await served.end('SIGTERM')).toBe(0)
}, 300_000)
