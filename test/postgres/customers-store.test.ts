/** The store of customers in PostgreSQL passes the contract of every store. */
import { afterAll } from 'bun:test'
import { storeContract } from '../../src/customers/store/store.contract.ts'
import { emptyCustomers, makeCustomers, openStore } from './support/customers.ts'
import { discardServers, PostgresServer } from './support/server.ts'

afterAll(discardServers)
const server = await PostgresServer.start()
await makeCustomers(server)

storeContract('a store in PostgreSQL', async () => {
  await emptyCustomers(server)
  return { open: (rpId) => openStore(server, rpId === undefined ? {} : { rpId }), discard: () => {} }
})
