/**
 * One leader at a time: which engine may claim, which is deposed, and why a journal that has lost data is
 * refused.
 */
import { afterAll, expect, test } from 'bun:test'
import { batchAfter, fill } from '../../src/engine/port/journal.contract.ts'
import { endOf } from '../../src/engine/port/journal.ts'
import { claimOf } from '../../src/engine/writer/own-batches.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { faultOf, named, verified } from './support/appended.ts'
import { eventually } from './support/eventually.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { discardServers, ENGINE, PostgresServer } from './support/server.ts'

afterAll(discardServers)
const server = await PostgresServer.start()

async function options() {
  return journalOn(server, SINGLE, await server.newDatabase())
}

test('a leader is not deposed while its heartbeats arrive, and its name is reported', async () => {
  const where = { ...(await options()), heartbeatMs: 50, silenceMs: 30_000 }
  const first = await PostgresJournal.open({ ...where, name: 'east' })
  const refused = await faultOf(PostgresJournal.open({ ...where, name: 'west' }))
  expect(refused?.kind).toBe('IN_USE')
  expect(refused?.message).toContain('east leads the journal in epoch 1')
  await fill(first, [1])
  await first.close()
})

test('a leader that closes is followed at once, by the next epoch', async () => {
  const where = { ...(await options()), silenceMs: 30_000 }
  const first = await PostgresJournal.open(where)
  const batches = await fill(first, [2])
  await first.close()
  const second = await PostgresJournal.open({ ...where, name: 'west' })
  expect(second.tail).toMatchObject({ epoch: 2, position: 3, seq: 4 })
  const stored = await verified(second)
  expect(stored.map(({ kind }) => kind)).toEqual(['CLAIM', 'COMMANDS', 'CLAIM'])
  expect(named(stored.slice(1, 2))).toEqual(named(batches))
  expect(claimOf(stored[2] as (typeof stored)[0]).name).toBe('west')
  await second.close()
})

test('a leader without heartbeats is deposed, and accepts nothing more when it comes back', async () => {
  const where = await options()
  const first = await PostgresJournal.open({ ...where, name: 'east' })
  await fill(first, [1])
  const second = await PostgresJournal.open({ ...where, name: 'west' })
  const late = await faultOf(first.append(batchAfter(first.tail, 1)))
  expect(late?.kind).toBe('FAILED')
  expect(late?.message).toContain('another engine has taken it, and leads')
  expect(await faultOf(first.append(batchAfter(first.tail, 1)))).toBe(late as never)
  await fill(second, [1])
  expect((await verified(second)).map(({ epoch }) => epoch)).toEqual([1, 1, 2, 2])
  await second.close()
})

test('a leader without orders notices by its heartbeat that it was deposed', async () => {
  const where = { ...(await options()), heartbeatMs: 20 }
  const first = await PostgresJournal.open(where)
  const second = await PostgresJournal.open({ ...where, heartbeatMs: 60_000 })
  await eventually('the first is deposed', async () => (await faultOf(first.maintain())) !== undefined)
  expect((await faultOf(first.maintain()))?.message).toContain('epoch 1 is over')
  await second.close()
})

test('one of several claimants at one moment leads, and the others learn which one', async () => {
  const where = await options()
  const claims = ['a', 'b', 'c', 'd', 'e'].map((name) => PostgresJournal.open({ ...where, name }))
  const outcomes = await Promise.allSettled(claims)
  const journals = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  // Claims stored after another claim have deposed it, so only the last epoch leads.
  const last = journals.reduce((a, b) => (a.tail.epoch > b.tail.epoch ? a : b))
  for (const journal of journals) {
    const fault = await faultOf(journal.append(batchAfter(journal.tail, 1)))
    expect(fault === undefined).toBe(journal === last)
  }
  const lost = outcomes.filter(({ status }) => status === 'rejected').length
  expect((await verified(last)).map(({ epoch }) => epoch)).toEqual([
    ...Array.from({ length: 5 - lost }, (_, i) => i + 1),
    last.tail.epoch,
  ])
  await last.close()
})

test('a journal that lacks what is remembered is not claimed', async () => {
  const where = await options()
  const first = await PostgresJournal.open(where)
  const [batch] = await fill(first, [1, 1])
  await first.close()
  const remembered = endOf(batch as NonNullable<typeof batch>)
  await (await PostgresJournal.open({ ...where, remembered })).close()
  const stored = async () =>
    (await server.connect(ENGINE, where.connection.database)).run({ text: 'SELECT 1 FROM bourse.batch' })
  const { count } = await stored()
  for (const wrong of [
    { ...remembered, position: 900 },
    { ...remembered, hash: new Uint8Array(32) },
  ]) {
    const fault = await faultOf(PostgresJournal.open({ ...where, remembered: wrong }))
    expect(fault?.kind).toBe('WITNESS')
    expect(fault?.message).toContain(`position ${wrong.position} of the journal is remembered`)
  }
  expect((await stored()).count).toBe(count)
})

test('the engine’s role changes no row that was written', async () => {
  const where = await options()
  await (await PostgresJournal.open(where)).close()
  for (const text of [
    "UPDATE bourse.batch SET data = ''",
    'DELETE FROM bourse.batch',
    'TRUNCATE bourse.batch',
    'DROP TABLE bourse.batch',
    "INSERT INTO bourse.leader VALUES (false, 9, '', NULL)",
    'UPDATE bourse.format SET version = 2',
  ]) {
    const connection = await server.connect(ENGINE, where.connection.database)
    const refused = await connection.run({ text }).catch((cause) => cause.code)
    expect([text, refused]).toEqual([text, '42501'])
    await connection.close()
  }
})
