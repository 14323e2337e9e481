/** The customer store in PostgreSQL passes the contract of every store. */
import { afterAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { storeContract } from '../../src/customers/store/store.contract.ts'
import type { Store } from '../../src/customers/store/store.ts'
import { NOW, ORIGIN } from '../../src/customers/store/store-values.fixture.ts'
import { emptyCustomers, makeCustomers, openStore } from './support/customers.ts'
import { discardServers, PostgresServer } from './support/server.ts'

afterAll(discardServers)
const server = await PostgresServer.start()
await makeCustomers(server)

storeContract('a store in PostgreSQL', async () => {
  await emptyCustomers(server)
  return { open: (rpId) => openStore(server, rpId === undefined ? {} : { rpId }), discard: () => {} }
})

test('an event whose transaction another process was in the way of is stored and counted once', async () => {
  await emptyCustomers(server)
  const [one, other] = [openStore(server), openStore(server)]
  const owner = addJo(one)
  let runs = 0
  one.atOnce(() => {
    one.records.head()
    if (++runs === 1) other.records.note(owner, 'KEY_ENDED', ORIGIN, NOW)
    one.records.note(owner, 'SIGNED_IN', ORIGIN, NOW)
  })
  expect([runs, one.records.counts.SIGNED_IN, other.records.counts.KEY_ENDED]).toEqual([2, 1, 1])
  expect(one.records.historyOf(owner, 9).map(({ kind }) => kind)).toEqual(['SIGNED_IN', 'KEY_ENDED'])
  for (const store of [one, other]) store.close()
})

test('a process that runs while its tables gain a column reads and writes them, within a transaction too', async () => {
  await emptyCustomers(server)
  const store = openStore(server)
  const owner = addJo(store)
  const note = () => store.records.note(owner, 'SIGNED_IN', ORIGIN, NOW)
  note()
  expect(store.people.byOwner(owner)?.account).toBe('c-jo')
  for (const column of ['later', 'much_later']) {
    for (const table of ['person', 'trail'])
      await server.sql(`ALTER TABLE bourse_customers.${table} ADD COLUMN ${column} text`)
    expect(store.atOnce(() => [note(), store.people.byOwner(owner)?.account])).toEqual([true, 'c-jo'])
    for (const table of ['person', 'trail'])
      await server.sql(`ALTER TABLE bourse_customers.${table} DROP COLUMN ${column}`)
    expect(store.people.byOwner(owner)?.account).toBe('c-jo')
    expect(store.records.historyOf(owner, 9)).toHaveLength(column === 'later' ? 2 : 3)
  }
  store.close()
})

function addJo({ keys, people }: Store): string {
  const made = keys.newOwner()
  const fields = { account: 'c-jo', handle: new Uint8Array(randomBytes(32)), created_ms: NOW }
  const details = { language: 'en', termsVersion: 1, mail: 'jo@example.org' } as const
  people.add(fields, keys.mailIndex(details.mail), details, made)
  return made.owner
}
