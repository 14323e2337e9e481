/**
 * A historian as a process: it has every batch that any leader confirmed, across a change of leaders, and
 * answers questions about it.
 */
import { afterAll, expect, test } from 'bun:test'
import { limit } from '../../src/engine/writer/commands.fixture.ts'
import { openLink } from '../../src/transport/link/asking/link-client.ts'
import { openReaderLink, type ReaderLink } from '../../src/transport/link/asking/reader-link.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { eventually } from '../postgres/support/eventually.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { ClusterProcesses, LINK_SECRET } from './support/cluster-processes.ts'
import { list } from './support/drill.ts'

let cluster: ClusterProcesses | undefined
afterAll(async () => {
  await cluster?.discard()
  await discardServers()
}, 300_000)

/** Places an order with the leader; if its outcome is unknown, places another one. */
async function place({ addresses }: ClusterProcesses): Promise<void> {
  await eventually('an order is placed', async () => {
    for (const address of addresses) {
      const link = await openLink({ address, secret: LINK_SECRET, name: 'test' }).catch(() => undefined)
      const reply = await link?.engine.submit(limit(3, 'BUY', 100, 10)).catch(() => undefined)
      link?.close()
      if (reply?.kind === 'OrderAccepted') return true
    }
    return false
  })
}

async function orders({ history }: ReaderLink): Promise<number> {
  const all = { symbolId: undefined, from: undefined, to: undefined, before: undefined, limit: 100 }
  const page = await history.orders({ ...all, accountId: 3 as AccountId, atLeast: 0 as never })
  return page.orders.length
}

test('a historian shows what each leader has confirmed, and one that comes back continues where it was', async () => {
  cluster = await ClusterProcesses.create(await PostgresServer.start())
  await cluster.start('one')
  await list(cluster)
  await cluster.start('two')
  await cluster.start('historian')
  const address = { socketPath: cluster.historianSocket }
  const reader = await openReaderLink({ address, secret: LINK_SECRET, name: 'test' })
  expect(reader.welcome).toMatchObject({
    leader: 'historian',
    journal: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  await place(cluster)
  await cluster.end('one', 'SIGKILL')
  await place(cluster)
  // Orders are in the history of orders once they have ended.
  await cluster.admin('order/cancel-all', { account: 'alice' })
  await eventually('it has both orders', async () => (await orders(reader)) >= 2)
  const before = await orders(reader)
  reader.close()
  expect(await cluster.end('historian', 'SIGTERM')).toBe(0)
  await place(cluster)
  await cluster.start('historian')
  const again = await openReaderLink({ address, secret: LINK_SECRET, name: 'test' })
  await cluster.admin('order/cancel-all', { account: 'alice' })
  await eventually('it has one more', async () => (await orders(again)) > before)
  const all = await orders(again)
  again.close()
  // The socket that a killed process leaves does not prevent a restart.
  await cluster.end('historian', 'SIGKILL')
  await cluster.start('historian')
  const last = await openReaderLink({ address, secret: LINK_SECRET, name: 'test' })
  await eventually('it has all of them again', async () => (await orders(last)) === all)
  last.close()
}, 300_000)
