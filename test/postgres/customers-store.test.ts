/** The store of customers in PostgreSQL passes the contract of every store. */
import { afterAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { storeContract } from '../../src/customers/store/store.contract.ts'
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
  const made = one.keys.newOwner()
  const fields = { account: 'c-jo', handle: new Uint8Array(randomBytes(32)), created_ms: NOW }
  const details = { language: 'en', termsVersion: 1, mail: 'jo@example.org' } as const
  one.people.add(fields, one.keys.mailIndex(details.mail), details, made)
  let runs = 0
  one.atOnce(() => {
    one.records.head()
    if (++runs === 1) other.records.note(made.owner, 'KEY_ENDED', ORIGIN, NOW)
    one.records.note(made.owner, 'SIGNED_IN', ORIGIN, NOW)
  })
  expect([runs, one.records.counts.SIGNED_IN, other.records.counts.KEY_ENDED]).toEqual([2, 1, 1])
  expect(one.records.historyOf(made.owner, 9).map(({ kind }) => kind)).toEqual(['SIGNED_IN', 'KEY_ENDED'])
  for (const store of [one, other]) store.close()
})
