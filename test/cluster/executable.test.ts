/**
 * A cluster of the one-file executable, on a real database and without a checkout, packages or Bun: tables,
 * engines with their threads, a historian and gateways all come from it.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openReaderLink } from '../../src/transport/link/asking/reader-link.ts'
import { eventually } from '../postgres/support/eventually.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { BourseProcess, signed } from '../support/bourse-process.ts'
import { buildExecutable } from '../support/builds.ts'
import { ClusterProcesses, LINK_SECRET } from './support/cluster-processes.ts'
import { list } from './support/drill.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-cluster-executable-'))
const executable = path.join(directory, 'bourse')
/** In an empty directory, and with no other programs in PATH. */
const PROGRAM = ['/bin/sh', '-c', 'cd "$0" && PATH=/nowhere exec "$@"', directory, executable]

let cluster: ClusterProcesses | undefined
beforeAll(() => buildExecutable(executable))
afterAll(async () => {
  await cluster?.discard()
  await discardServers()
  rmSync(directory, { recursive: true, force: true })
}, 300_000)

/** Runs a command to its end; returns its exit code and output. */
async function run(...words: string[]): Promise<[number, string]> {
  const command = new BourseProcess(words, {}, [], PROGRAM)
  const code = await command.exited()
  return [code, command.out + command.err]
}

test('the executable runs a cluster: engines, a historian and a gateway that continues when the leader is killed, and its journal is sound', async () => {
  cluster = await ClusterProcesses.create(await PostgresServer.start())
  const { file } = cluster
  expect(await run('cluster', 'check', '--config', file)).toEqual([0, expect.any(String)])
  for (const name of ['one', 'two', 'historian', 'gateway-1'] as const) await cluster.start(name, PROGRAM)
  await list(cluster)
  const added = await cluster.admin('key/add', { account: 'alice', permissions: ['TRADE', 'USER_DATA'] })
  const key = { apiKey: added.apiKey, secret: added.secret ?? '' }
  const url = cluster.urlOf('gateway-1')
  const place = (price: string) =>
    signed(url, key, 'POST', 'order', {
      symbol: 'BTC/USDT',
      side: 'BUY',
      type: 'LIMIT',
      quantity: '1',
      price,
    })
  expect((await place('100')).status).toBe(200)
  const page = await fetch(`${url}/`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])

  await cluster.end(cluster.role('one') === 'LEADING' ? 'one' : 'two', 'SIGKILL')
  await eventually('an order is placed with the other', async () => (await place('101')).status === 200)
  const open = await (await signed(url, key, 'GET', 'openOrders', { symbol: 'BTC/USDT' })).text()
  for (const price of ['100', '101']) expect(open).toContain(`"price":"${price}"`)
  const status = await run('cluster', 'status', '--config', file)
  expect(status).toEqual([0, expect.stringMatching(/leads\s+(one|two)/)])

  // History is served by another thread, the historian's, which is in the executable too.
  await cluster.admin('order/cancel-all', { account: 'alice' })
  const address = { socketPath: cluster.historianSocket }
  const reader = await openReaderLink({ address, secret: LINK_SECRET, name: 'test' })
  const all = { symbolId: undefined, from: undefined, to: undefined, before: undefined, limit: 100 }
  const ended = () => reader.history.orders({ ...all, accountId: 3 as never, atLeast: 0 as never })
  await eventually('the historian has both orders', async () => (await ended()).orders.length >= 2)
  reader.close()
  expect(await cluster.stop()).toEqual([0, 0, 0])
  expect(await run('verify', '--config', file)).toEqual([0, expect.stringContaining('Sound.')])
}, 300_000)
