/**
 * The journal in PostgreSQL passes the contract of every journal. The end of a process is an unclean end of
 * the complete server.
 */
import { afterAll } from 'bun:test'
import { journalContract } from '../../src/engine/port/journal.contract.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { discardServers, PostgresServer } from './support/server.ts'

afterAll(discardServers)
const server = await PostgresServer.start()

journalContract('a journal in PostgreSQL', () => {
  let database: Promise<string> | undefined
  return {
    isClaimed: true,
    open: async () => {
      database ??= server.newDatabase()
      return PostgresJournal.open(journalOn(server, SINGLE, await database))
    },
    endProcess: async () => {
      await server.kill()
      await server.run()
    },
  }
})
