/**
 * Effects on a journal of a server that crashes, freezes or is full: nothing acknowledged is lost, nothing is
 * stored twice.
 */
import { afterAll, expect, test } from 'bun:test'
import { batchAfter, fill } from '../../src/engine/port/journal.contract.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import type { Seq } from '../../src/units/quantities.ts'
import { until } from '../support/until.ts'
import { appendUntilRefused, faultOf, named, verified } from './support/appended.ts'
import { eventually } from './support/eventually.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { ADMINISTRATOR, discardServers, ENGINE, PostgresServer } from './support/server.ts'

afterAll(discardServers)
const server = await PostgresServer.start()

/** Longer than most pauses of a machine. */
const QUICK_MS = 4_000

async function options() {
  return journalOn(server, SINGLE, await server.newDatabase())
}

/** Times of a kill after the first batches were acknowledged, in ms. */
const KILLS = [3, 9, 17, 26, 41, 60]

test('a server killed in the middle of commits loses nothing acknowledged and stores nothing twice', async () => {
  const where = await options()
  let journal = await PostgresJournal.open(where)
  const expected: string[] = []
  for (const [round, afterMs] of KILLS.entries()) {
    const { tail } = journal
    const appending = appendUntilRefused(journal, round % 2 === 0 ? 200 : 60_000)
    await until('two are acknowledged', () => journal.tail.position > tail.position + 1)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    await server.kill()
    expected.push(...named(await appending))
    const { doubt } = journal
    await server.run()
    if (doubt === undefined) journal = await PostgresJournal.open(where)
    else {
      const resolved = await PostgresJournal.resolve(where, doubt)
      journal = resolved.journal
      if (resolved.isStored) expected.push(...named([doubt.batch]))
    }
    const given = (await verified(journal)).filter(({ kind }) => kind === 'COMMANDS')
    expect(named(given)).toEqual(expected)
  }
  expect(new Set(expected).size).toBe(expected.length)
  expect(expected.length).toBeGreaterThan(KILLS.length)
  await journal.close()
})

/** The server process of the journal's session in this database. */
async function backendOf(database: string): Promise<number> {
  const text = 'SELECT pid FROM pg_stat_activity WHERE usename = $1 AND datname = $2'
  const rows = await server.sql(text, [ENGINE, database])
  expect(rows.length).toBe(1)
  return Number(rows[0]?.pid)
}

test('a batch that a frozen server process did not answer is not acknowledged, and is not stored later', async () => {
  const where = await options()
  const quick = { ...where, connection: { ...where.connection, timeoutMs: QUICK_MS } }
  const first = await PostgresJournal.open(quick)
  await fill(first, [1])
  const pid = await backendOf(where.connection.database)
  process.kill(pid, 'SIGSTOP')
  const batch = batchAfter(first.tail, 1)
  const fault = await faultOf(first.append(batch))
  expect(fault?.kind).toBe('FAILED')
  expect(fault?.message).toContain('timeout')
  expect(first.doubt?.batch).toEqual(batch)
  const { journal, isStored } = await PostgresJournal.resolve(
    where,
    first.doubt as NonNullable<typeof first.doubt>,
  )
  expect(isStored).toBe(false)
  process.kill(pid, 'SIGCONT')
  const text = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1'
  await eventually('the process has ended', async () => (await server.sql(text, [pid])).length === 0)
  expect((await verified(journal)).map(({ kind }) => kind)).toEqual(['CLAIM', 'COMMANDS', 'CLAIM'])
  await fill(journal, [1])
  await journal.close()
})

test('a batch that was stored without an answer counts once the next position is claimed', async () => {
  const where = await options()
  const first = await PostgresJournal.open(where)
  const [batch] = await fill(first, [2])
  const before = (await verified(first))[0] as NonNullable<typeof batch>
  const doubt = {
    before: { ...first.tail, position: 1, seq: 1 as Seq, hash: before.hash },
    batch: batch as typeof before,
  }
  const { journal, isStored } = await PostgresJournal.resolve(where, doubt)
  expect(isStored).toBe(true)
  expect((await verified(journal)).map(({ epoch }) => epoch)).toEqual([1, 1, 2])
  await journal.close()
})

test('a doubt that another’s claim has settled deposes the engine that had it', async () => {
  const where = await options()
  const first = await PostgresJournal.open(where)
  const doubt = { before: first.tail, batch: batchAfter(first.tail, 1) }
  const second = await PostgresJournal.open({ ...where, name: 'west' })
  const fault = await faultOf(PostgresJournal.resolve(where, doubt))
  expect(fault?.kind).toBe('IN_USE')
  expect(fault?.message).toContain('west leads epoch 2')
  await fill(second, [1])
  await second.close()
})

test('a batch of the engine’s own epoch that it did not write stops it', async () => {
  const where = await options()
  const first = await PostgresJournal.open(where)
  const doubt = { before: first.tail, batch: batchAfter(first.tail, 5) }
  await fill(first, [1])
  await first.close()
  const fault = await faultOf(PostgresJournal.resolve(where, doubt))
  expect(fault?.kind).toBe('DAMAGED')
  expect(fault?.message).toContain('position 2 has a batch of epoch 1 that its leader did not write')
})

test('a full disk is reported, nothing is written, and the same batch is accepted when there is space', async () => {
  const where = await options()
  const journal = await PostgresJournal.open(where)
  await fill(journal, [1])
  const { tail } = journal
  const administrator = await server.connect(ADMINISTRATOR, where.connection.database)
  for (const text of [
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: no space left' USING ERRCODE = 'disk_full'; END $$`,
    'CREATE TRIGGER refuse BEFORE INSERT ON bourse.batch FOR EACH ROW EXECUTE FUNCTION refuse()',
  ])
    await administrator.run({ text })
  const batch = batchAfter(tail, 2)
  expect((await faultOf(journal.append(batch)))?.kind).toBe('STORAGE_FULL')
  expect(journal.tail).toEqual(tail)
  await administrator.run({ text: 'DROP TRIGGER refuse ON bourse.batch' })
  await journal.append(batch)
  expect(named(await verified(journal)).at(-1)).toBe(named([batch])[0] as string)
  await administrator.close()
  await journal.close()
})

test('a kind of batch that this version does not know is refused, and the journal is not claimed', async () => {
  const where = await options()
  const journal = await PostgresJournal.open(where)
  await journal.close()
  const administrator = await server.connect(ADMINISTRATOR, where.connection.database)
  await administrator.run({ text: 'UPDATE bourse.batch SET kind = 5' })
  const fault = await faultOf(PostgresJournal.open(where))
  expect([fault?.kind, fault?.message.includes('a batch is of kind 5')]).toEqual(['UNSUPPORTED', true])
  expect((await administrator.run({ text: 'SELECT 1 FROM bourse.batch' })).count).toBe(1)
  await administrator.close()
})

test('a database without a journal is refused with the command that makes one', async () => {
  await server.sql('CREATE DATABASE empty')
  const fault = await faultOf(PostgresJournal.open(journalOn(server, SINGLE, 'empty')))
  expect(fault?.message).toContain('create it with bourse cluster init')
})
