/**
 * The numbered feed of events in a cluster: the leader serves it, and the next leader continues with the same
 * numbers.
 */
import { afterAll, expect, test } from 'bun:test'
import type { AdminEventRequest } from '../../src/contract/admin/admin.ts'
import type { AdminEvent, AdminEventPage } from '../../src/contract/admin/events.ts'
import { eventually } from '../postgres/support/eventually.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { ClusterProcesses } from './support/cluster-processes.ts'
import { list } from './support/drill.ts'

let cluster: ClusterProcesses | undefined
afterAll(async () => {
  await cluster?.discard()
  await discardServers()
}, 300_000)

test('a reader of events continues with the next leader, where the same ones have the same numbers', async () => {
  const engines = await ClusterProcesses.create(await PostgresServer.start())
  cluster = engines
  /** Reads events from the leader. */
  const read = (request: AdminEventRequest): Promise<AdminEventPage> => engines.admin('event/list', request)
  await engines.start('one')
  await list(engines)
  await engines.start('two')
  await eventually('the other one follows', async () => engines.role('two') === 'FOLLOWING')
  const first = await read({ limit: 1_000 })
  expect(first.events.map(({ kind }) => kind)).toContain('CREDIT')
  await engines.end('one', 'SIGKILL')
  const again = await read({ limit: 1_000, journal: first.journal })
  expect(again.events.slice(0, first.events.length)).toEqual(first.events as AdminEvent[])
  const credit = { account: 'alice', asset: 'BTC', amount: '1', reference: 'after the change' }
  await engines.admin('money/credit', credit)
  const { events } = await read({ after: first.next, journal: first.journal, kinds: ['CREDIT'] })
  expect(events.map(({ fields }) => fields.reference)).toEqual(['after the change'])
}, 300_000)
