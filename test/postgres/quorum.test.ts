/** A primary with one synchronous standby: nothing is acknowledged that the standby does not have. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { StandbyWatch } from '../../src/app/cluster/engine/standby-watch.ts'
import { missingFrom } from '../../src/app/node/storage/cluster-database.ts'
import type { Doubt } from '../../src/engine/leadership/claimed-journal.ts'
import { batchAfter, fill } from '../../src/engine/port/journal.contract.ts'
import { addCluster } from '../../src/server/monitoring/cluster-metrics.ts'
import { metricsOf } from '../../src/server/monitoring/metric-kinds.ts'
import type { Durability } from '../../src/storage/postgres/durability.ts'
import { confirmation } from '../../src/storage/postgres/durability-probe.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { faultOf, named, verified } from './support/appended.ts'
import { eventually } from './support/eventually.ts'
import { journalOn } from './support/journals.ts'
import { discardServers, ENGINE, PostgresServer } from './support/server.ts'

afterAll(discardServers)

/** Missing declared standbys, as Prometheus scrapes them. */
function standbysMissing(): { look(): Promise<string>; readonly alarms: unknown[] } {
  const alarms: unknown[] = []
  let next: (() => unknown) | undefined
  const watch = new StandbyWatch({
    look: () => missingFrom(primary.where(ENGINE), QUORUM),
    declared: QUORUM.kind === 'quorum' ? QUORUM.standbys : [],
    leads: () => true,
    log: { info: () => {}, error: (fields: object) => alarms.push(fields) },
    scheduler: {
      soon: () => {},
      later: (task) => {
        next = task
        return () => {}
      },
    },
  })
  const registry = new Registry()
  const metrics = metricsOf(registry, (fault) => {
    throw fault
  })
  const seen = { role: 'LEADING', leader: 'engine', epoch: 1, leadingSinceMs: 0 } as const
  const others = { refusals: [], gateways: 0, replicas: [] }
  addCluster(metrics, () => ({ ...seen, ...others, databaseStandbysMissing: watch.missing }))
  const look = async (): Promise<string> => {
    await next?.()
    return /^bourse_database_standbys_missing (.*)$/m.exec(await registry.metrics())?.[1] ?? 'absent'
  }
  return { look, alarms }
}

/** Longer than most pauses of a machine. */
const QUICK_MS = 4_000
const NAMES = 'ANY 1 ("east")'
const QUORUM: Durability = { kind: 'quorum', standbys: ['east'], confirmations: 1 }

let primary: PostgresServer
let standby: PostgresServer

beforeAll(async () => {
  primary = await PostgresServer.start()
  standby = await primary.startStandby('east')
  await follows()
  await primary.set('synchronous_standby_names', NAMES)
})

function options() {
  return journalOn(primary, QUORUM)
}

/** Waits until the standby follows, and is synchronous where required. */
async function follows(): Promise<void> {
  const text = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND application_name = 'east'"
  await eventually('the standby follows', async () => (await primary.sql(text)).length === 1)
}

/** Waits until the journal's session waits for the standby. */
async function waits(): Promise<number> {
  const text = "SELECT pid FROM pg_stat_activity WHERE usename = $1 AND wait_event = 'SyncRep'"
  let pid = 0
  await eventually('a commit waits for the standby', async () => {
    pid = Number((await primary.sql(text, [ENGINE]))[0]?.pid ?? 0)
    return pid > 0
  })
  return pid
}

async function positions(server: PostgresServer): Promise<unknown[]> {
  return (await server.sql('SELECT position FROM bourse.batch ORDER BY position')).map((row) => row.position)
}

/** Opens a journal whose last batch was in doubt, once the standby is available again. */
async function settled(doubt: Doubt | undefined): Promise<PostgresJournal> {
  if (doubt === undefined) throw new Error('expected a doubt')
  const { journal, isStored } = await PostgresJournal.resolve(options(), doubt)
  const stored = named(await verified(journal))
  expect(stored.filter((hash) => hash === named([doubt.batch])[0]).length).toBe(isStored ? 1 : 0)
  return journal
}

test('acknowledged commands are on the standby’s disk', async () => {
  const journal = await PostgresJournal.open(options())
  await fill(journal, [1, 2, 3])
  await standby.kill()
  await primary.set('synchronous_standby_names', '')
  await standby.run()
  expect(await positions(standby)).toEqual(await positions(primary))
  await primary.set('synchronous_standby_names', NAMES)
  await follows()
  await journal.close()
})

test('a batch waits while the standby is gone, is not acknowledged in the end, and the doubt is settled afterwards', async () => {
  const quick = options()
  const journal = await PostgresJournal.open({
    ...quick,
    connection: { ...quick.connection, timeoutMs: QUICK_MS },
  })
  await fill(journal, [1])
  await standby.stop()
  const begun = performance.now()
  const fault = await faultOf(journal.append(batchAfter(journal.tail, 1)))
  expect(fault?.kind).toBe('FAILED')
  expect(performance.now() - begun).toBeGreaterThan(QUICK_MS - 50)
  await standby.run()
  await follows()
  const next = await settled(journal.doubt)
  await fill(next, [1])
  await next.close()
})

test('a wait for the standby that an administrator cancels acknowledges nothing', async () => {
  const journal = await PostgresJournal.open(options())
  await standby.stop()
  const appending = faultOf(journal.append(batchAfter(journal.tail, 1)))
  await primary.sql('SELECT pg_cancel_backend($1)', [await waits()])
  expect((await appending)?.message).toMatch(/WARNING 01000/)
  await standby.run()
  await follows()
  await (await settled(journal.doubt)).close()
})

test('standbys that are no longer required acknowledge nothing, though the commit succeeds without an error', async () => {
  const journal = await PostgresJournal.open(options())
  await standby.stop()
  const appending = faultOf(journal.append(batchAfter(journal.tail, 1)))
  await waits()
  await primary.set('synchronous_standby_names', '')
  const fault = await appending
  expect(fault?.kind).toBe('FAILED')
  expect(fault?.message).toContain('it is not known whether the batch counts')
  await standby.run()
  await follows()
  const refused = await faultOf(PostgresJournal.open(options()))
  expect([refused?.kind, refused?.message]).toEqual([
    'UNSUPPORTED',
    expect.stringContaining('synchronous_standby_names is nothing'),
  ])
  await primary.set('synchronous_standby_names', NAMES)
  await (await settled(journal.doubt)).close()
})

test('a commit that no standby has is not confirmed, though every setting is as declared by the time it is checked', async () => {
  await standby.stop()
  await primary.set('synchronous_standby_names', '')
  const session = await primary.connect(ENGINE)
  await session.run({ text: 'UPDATE bourse.leader SET beat_at = NULL' })
  await primary.set('synchronous_standby_names', NAMES)
  const text = "SELECT current_setting('synchronous_standby_names') AS names"
  await eventually('the session has it', async () => (await session.run({ text })).rows[0]?.names === NAMES)
  expect(await confirmation(session, QUORUM, 100)).toBe(
    '0 of the named standbys have confirmed it, expected 1',
  )
  const late = confirmation(session, QUORUM, 30_000)
  await standby.run()
  expect(await late).toBeUndefined()
  await follows()
  await session.close()
})

test('a standby that is not among the declared ones confirms nothing', async () => {
  await primary.set('synchronous_standby_names', 'ANY 1 ("east", "west")')
  const fault = await faultOf(PostgresJournal.open(options()))
  expect(fault?.kind).toBe('UNSUPPORTED')
  expect(fault?.message).toContain('only declared standbys (east)')
  await primary.set('synchronous_standby_names', NAMES)
})

test('a missing standby is reported before anything is claimed', async () => {
  await standby.stop()
  const before = await positions(primary)
  const fault = await faultOf(PostgresJournal.open(options()))
  expect([fault?.kind, fault?.message]).toEqual([
    'UNSUPPORTED',
    expect.stringContaining('standbys is nothing'),
  ])
  expect(await positions(primary)).toEqual(before)
  await standby.run()
  await follows()
})

test('a missing standby of the database is in the gauge and the log until it follows again, and so is a database that does not answer', async () => {
  const { look, alarms } = standbysMissing()
  expect(await look()).toBe('0')
  await standby.stop()
  await eventually('it is missed', async () => (await look()) === '1')
  expect(alarms).toEqual([{ alarm: 'DATABASE_STANDBY_LOST', standbys: ['east'], problem: undefined }])
  await standby.run()
  await follows()
  expect(await look()).toBe('0')
  await primary.stop()
  expect(await look()).toBe('1')
  expect(alarms.at(-1)).toMatchObject({ standbys: ['east'], problem: expect.any(String) })
  await primary.run()
  await follows()
  expect(await look()).toBe('0')
})
