/**
 * `bourse verify`, `journal`, `replay` and `report` on the journal of a cluster, and `bourse cluster status`,
 * on a real server.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { soundDirectories, writeDirectory } from '../../src/app/maintenance/verification/directory.fixture.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { BourseProcess } from '../support/bourse-process.ts'
import { eventually } from './support/eventually.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { ADMINISTRATOR, discardServers, PostgresServer } from './support/server.ts'

const { root, sound, copy, fresh } = soundDirectories()
let server: PostgresServer

beforeAll(async () => {
  server = await PostgresServer.start()
  await writeDirectory(sound)
})
afterAll(async () => {
  await discardServers()
  rmSync(root, { recursive: true, force: true })
})

function configOf(database: string): string {
  const file = path.join(root, `${database}.json`)
  const place = { host: '127.0.0.1', port: server.port, name: database, tls: 'off' }
  // On a shared machine a leader must not exceed its timeout.
  const leadership = { silenceMs: 60_000 }
  writeFileSync(file, JSON.stringify({ database: place, durability: SINGLE, leadership }))
  return file
}

async function bourse(...args: string[]) {
  const command = new BourseProcess(args)
  const code = await command.exited()
  return { code, out: command.out, err: command.err }
}

const status = async (database: string) => {
  const { code, out } = await bourse('cluster', 'status', '--config', configOf(database), '--json')
  return { code, ...JSON.parse(out) }
}

/**
 * A cluster with the exchange of the auditor's tests, claimed twice; and the directory of its first engine.
 */
async function movedCluster() {
  const database = await server.newDatabase()
  const engineData = fresh()
  const moved = await bourse(
    'cluster',
    'import',
    copy(),
    '--config',
    configOf(database),
    '--engine-data',
    engineData,
  )
  expect([moved.code, moved.err]).toEqual([0, ''])
  for (let i = 0; i < 2; i++) await (await PostgresJournal.open(journalOn(server, SINGLE, database))).close()
  return { database, config: configOf(database), engineData }
}

test('the journal of a cluster is verified from its database, with the files that an engine keeps beside it', async () => {
  const { config, engineData } = await movedCluster()
  const json = await bourse('verify', '--config', config, '--data', engineData, '--json')
  expect([json.err, json.code]).toEqual(['', 0])
  const report = JSON.parse(json.out)
  expect(report).toMatchObject({ sound: true, epoch: 2, claims: 2, sealedTo: null, findings: [] })
  expect(report.witnessSeq).toBe(report.snapshots[0])
  const text = await bourse('verify', '--config', config)
  expect(text.out).toMatch(/leadership +ok +epoch 2, 2 claims, the last by engine, 0 quarantines, 1 seals\n/)
  const own = await bourse('journal', '--config', config, '--kind', 'Claim,Seal')
  expect(
    own.out
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[2]),
  ).toEqual(['Seal', 'Claim', 'Claim'])
  const replayed = await bourse('replay', '--config', config, '--json')
  expect(JSON.parse(replayed.out).stateHash).toBe(report.stateHash)
  const rows = async (...line: string[]): Promise<string[]> => {
    const { code, out, err } = await bourse('report', 'statements', ...line)
    expect([code, err]).toEqual([0, ''])
    return out.trimEnd().split('\r\n').slice(0, -1)
  }
  expect(await rows('--config', config)).toEqual(await rows('--data', copy()))
})

test('a batch that was changed in the database is found, and so is a journal that lacks what an engine remembers', async () => {
  const { database, config, engineData } = await movedCluster()
  const administrator = await server.connect(ADMINISTRATOR, database)
  await administrator.run({ text: 'DELETE FROM bourse.batch WHERE kind <> 1' })
  const lost = await bourse('verify', '--config', config, '--data', engineData)
  expect(lost.code).toBe(1)
  expect(lost.out).toContain('WITNESS: the witness file is at command')
  await administrator.run({ text: 'UPDATE bourse.batch SET time = time + 1 WHERE position = 3' })
  const changed = await bourse('verify', '--config', config)
  expect([changed.code, changed.out]).toEqual([
    1,
    expect.stringContaining('JOURNAL: batch 3 to 3 of the journal'),
  ])
  await administrator.close()
})

test('the status of a cluster says who leads, who led, and why nobody can', async () => {
  const database = await server.newDatabase()
  expect(await status(database)).toMatchObject({
    code: 1,
    lead: 'UNCLAIMED',
    epoch: 0,
    leader: null,
    position: 0,
  })
  const leader = await PostgresJournal.open({ ...journalOn(server, SINGLE, database), heartbeatMs: 20 })
  expect(await status(database)).toMatchObject({
    code: 0,
    lead: 'LED',
    leader: 'engine',
    epoch: 1,
    claims: 1,
  })
  const shown = await bourse('cluster', 'status', '--config', configOf(database))
  expect(shown.out).toMatch(/^leads +engine, in epoch 1, last heartbeat \d+ ms ago\n/)
  expect(shown.out).toContain('The database has no standbys.')
  await leader.close()
  expect(await status(database)).toMatchObject({ code: 1, lead: 'RESIGNED', heardMsAgo: null })
  const administrator = await server.connect(ADMINISTRATOR, database)
  await administrator.run({ text: "UPDATE bourse.leader SET beat_at = now() - interval '1 hour'" })
  expect(await status(database)).toMatchObject({ code: 1, lead: 'SILENT', leader: 'engine' })
  await administrator.run({ text: 'UPDATE bourse.leader SET epoch = -1' })
  expect(await status(database)).toMatchObject({ code: 1, lead: 'RECEIVING' })
  await administrator.close()
  const moved = await movedCluster()
  const back = fresh()
  const exported = await bourse('cluster', 'export', back, '--config', moved.config)
  expect([exported.code, exported.err]).toEqual([0, ''])
  const sealed = await bourse('cluster', 'status', '--config', moved.config)
  expect([sealed.code, sealed.out]).toEqual([
    1,
    expect.stringContaining('moved the exchange to the data directory'),
  ])
})

test('a standby of the database that is behind what an engine remembers is not reported as having lost it, and one that has caught up is verified', async () => {
  const standby = await server.startStandby('behind')
  const { database, engineData } = await movedCluster()
  const onStandby = path.join(root, 'standby.json')
  const asked = () => bourse('verify', '--config', onStandby, '--data', engineData)
  const place = { host: '127.0.0.1', port: standby.port, name: database, tls: 'off' }
  writeFileSync(onStandby, JSON.stringify({ database: place, durability: SINGLE }))
  const shown = async () => {
    const connection = await standby.connect(ADMINISTRATOR, database)
    const { rows } = await connection.run({ text: 'SELECT count(*)::int AS n FROM bourse.batch' })
    await connection.close()
    return Number(rows[0]?.n)
  }
  const administrator = await server.connect(ADMINISTRATOR, database)
  const { rows } = await administrator.run({ text: 'SELECT count(*)::int AS n FROM bourse.batch' })
  const all = Number(rows[0]?.n)
  await eventually('the standby has all', async () => (await shown().catch(() => 0)) === all)
  expect((await asked()).code).toBe(0)

  await administrator.run({ text: 'CREATE TABLE kept AS SELECT * FROM bourse.batch WHERE kind <> 1' })
  await administrator.run({ text: 'DELETE FROM bourse.batch WHERE kind <> 1' })
  await eventually('the standby lacks some', async () => (await shown()) < all)
  await standby.sql('SELECT pg_wal_replay_pause()')
  await administrator.run({ text: 'INSERT INTO bourse.batch SELECT * FROM kept' })
  await administrator.close()
  const behind = await asked()
  expect([behind.code, behind.out]).toEqual([2, ''])
  expect(behind.err).toMatch(
    /is a standby and has the journal up to command \d+, but command \d+ was stored before/,
  )
  await standby.sql('SELECT pg_wal_replay_resume()')
  await eventually('the standby has all again', async () => (await shown()) === all)
  expect((await asked()).code).toBe(0)
})
