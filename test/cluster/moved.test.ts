/**
 * An exchange that was moved into a cluster is led by its engines, and one that was moved out is led by none
 * of them; and the guide's procedure after a database was rolled back.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readMetrics } from '../../src/app/cluster/engine-status.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { BourseProcess, type Credentials, readSandbox, sandbox, signed } from '../support/bourse-process.ts'
import { until } from '../support/until.ts'
import { ClusterProcesses } from './support/cluster-processes.ts'

let server: PostgresServer
let cluster: ClusterProcesses

beforeAll(async () => {
  server = await PostgresServer.start()
  cluster = await ClusterProcesses.create(server)
})
afterAll(async () => {
  await cluster.discard()
  await discardServers()
})

async function bourse(...args: string[]) {
  const command = new BourseProcess(args)
  const code = await command.exited()
  return { code, out: command.out, err: command.err }
}

const status = async () =>
  JSON.parse((await bourse('cluster', 'status', '--config', cluster.file, '--json')).out)

/** Starts an engine that cannot start; returns its output. */
async function refusal(): Promise<string> {
  const engine = new BourseProcess(['engine', '--config', cluster.file, '--name', 'one'])
  expect(await engine.exited()).toBe(1)
  return engine.err
}

test('an exchange goes into a cluster, is led by an engine, and comes back with what it had', async () => {
  const directory = path.join(cluster.directory, 'from')
  const node = await sandbox(directory)
  const { baseUrl, accounts } = readSandbox(directory)
  const alice = accounts[0] as Credentials
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', price: '10.00', quantity: '1' }
  expect((await signed(baseUrl, alice, 'POST', 'order', order)).status).toBe(200)
  const openOrders = async (url: string) => (await signed(url, alice, 'GET', 'openOrders')).text()
  const before = await openOrders(baseUrl)
  expect(await node.end('SIGTERM')).toBe(0)

  const moved = await bourse(
    ...[
      'cluster',
      'import',
      directory,
      '--config',
      cluster.file,
      '--engine-data',
      cluster.dataOf('one'),
      '--json',
    ],
  )
  expect([moved.code, moved.err]).toEqual([0, ''])
  expect((await status()).lead).toBe('UNCLAIMED')
  cpSync(path.join(directory, 'master.key'), path.join(cluster.directory, 'master.key'))
  await cluster.start('one')
  expect(await status()).toMatchObject({ lead: 'LED', leader: 'one', epoch: 1, claims: 1 })
  const [, monitoring] = /health and metrics at (\S+)/.exec(cluster.process('one').out) ?? []
  const metrics = readMetrics(await (await fetch(`${monitoring}/metrics`)).text())
  expect(metrics).toMatchObject({ isLeader: true, epoch: 1, leaderSince: expect.any(Number) })
  // The engine started from the snapshot of the move: only its own claim came after that.
  await until('the log says so', () => cluster.process('one').err.includes('"caughtUpCommands":1,'))
  expect(await cluster.end('one', 'SIGTERM')).toBe(0)
  const verified = await bourse('verify', '--config', cluster.file, '--data', cluster.dataOf('one'))
  expect([verified.code, verified.err]).toEqual([0, ''])

  const back = path.join(cluster.directory, 'back')
  expect((await bourse('cluster', 'export', back, '--config', cluster.file)).code).toBe(0)
  expect(await refusal()).toContain('moved the exchange to the data directory')
  cpSync(path.join(directory, 'master.key'), path.join(back, 'master.key'))
  const served = new BourseProcess(['serve', '--data', back, '--port', '0'])
  expect(await openOrders(await served.ready)).toBe(before)
  expect(await served.end('SIGTERM')).toBe(0)
  expect((await bourse('cluster', 'import', back, '--config', cluster.file)).code).toBe(0)
}, 300_000)

test('after the database was rolled back an engine halts, and goes on in a new epoch once its directory was moved away', async () => {
  await server.sql(`CREATE DATABASE earlier TEMPLATE ${cluster.database}`)
  await cluster.start('one')
  const { epoch } = await status()
  expect(await cluster.end('one', 'SIGTERM')).toBe(0)
  const file = readFileSync(cluster.file, 'utf8')
  writeFileSync(cluster.file, file.replace(`"${cluster.database}"`, '"earlier"'))
  expect(await refusal()).toContain('is remembered')
  const asked = await bourse('verify', '--config', cluster.file, '--data', cluster.dataOf('one'))
  expect([asked.code, asked.out]).toEqual([
    1,
    expect.stringContaining('WITNESS: the witness file is at command'),
  ])

  const data = cluster.dataOf('one')
  renameSync(data, `${data}.before`)
  mkdirSync(data, { mode: 0o700 })
  await cluster.start('one')
  expect(await status()).toMatchObject({ lead: 'LED', leader: 'one', epoch })
  expect(await cluster.end('one', 'SIGTERM')).toBe(0)
  expect((await bourse('verify', '--config', cluster.file, '--data', data)).code).toBe(0)
  rmSync(`${data}.before`, { recursive: true })
}, 300_000)
