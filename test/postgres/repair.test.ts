/**
 * `bourse cluster repair` and `accept-tail` on a real server: a journal that lost its end, or was damaged, is
 * restored from another copy or continues without it, and a refusal changes nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runCluster } from '../../src/app/cluster/run.ts'
import {
  audit,
  START_MS,
  soundDirectories,
  writeDirectory,
} from '../../src/app/maintenance/verification/directory.fixture.ts'
import { UsageError } from '../../src/cli/arguments.ts'
import { fill } from '../../src/engine/port/journal.contract.ts'
import { journalName } from '../../src/engine/port/journal.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { faultOf } from './support/appended.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { ADMINISTRATOR, discardServers, PostgresServer } from './support/server.ts'

const { root, sound, copy, fresh } = soundDirectories()
/** Number of batches that remain after the exchange's journal loses its end. */
const KEPT = 40
const ORDERED = ['--yes', '--admin-user', ADMINISTRATOR, '--reason', 'both disks were lost'] as const
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
  writeFileSync(
    file,
    JSON.stringify({ database: place, durability: SINGLE, leadership: { silenceMs: 60_000 } }),
  )
  return file
}

async function cluster(command: string, database: string, ...line: string[]) {
  let out = ''
  let err = ''
  const host = {
    print: (text: string) => {
      out += `${text}\n`
    },
    printError: (text: string) => {
      err += `${text}\n`
    },
    ...{
      terminal: undefined,
      operator: 'anna@east',
      version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
      monotonicMs: () => 0,
      nowMs: () => START_MS,
    },
  }
  const code = await runCluster([command, '--config', configOf(database), ...line], host)
  return { code, out, err }
}

/** A database with the exchange of the auditor's tests, and its copy, like a former primary's. */
async function twoCopies(): Promise<{
  readonly database: string
  readonly former: string
  readonly data: string
}> {
  const database = await server.newDatabase()
  const data = copy()
  const moved = await cluster('import', database, data)
  expect([moved.code, moved.err]).toEqual([0, ''])
  await (await PostgresJournal.open(journalOn(server, SINGLE, database))).close()
  const former = `${database}_former`
  await server.sql(`CREATE DATABASE ${former} TEMPLATE ${database}`)
  return { database, former, data }
}

async function inside(database: string, text: string) {
  const connection = await server.connect(ADMINISTRATOR, database)
  try {
    return (await connection.run({ text })).rows
  } finally {
    await connection.close()
  }
}

const loseTail = (database: string) => inside(database, `DELETE FROM bourse.batch WHERE position > ${KEPT}`)

/** The complete contents of the journal's tables. */
const contents = (database: string) =>
  inside(
    database,
    'SELECT md5(string_agg(batch::text, chr(10) ORDER BY position)) AS rows, (SELECT leader::text FROM bourse.leader) AS leader FROM bourse.batch',
  )

async function rowsOf(database: string) {
  const text = 'SELECT position::int, encode(hash, $$hex$$) AS hash FROM bourse.batch ORDER BY position'
  return [...(await inside(database, text))]
}

function reportFile(): string {
  return path.join(root, `report-${Math.random()}.json`)
}

describe('cluster repair', () => {
  test('restores what the database lost, then a claim that says who and why, and engines continue from there', async () => {
    const { database, former, data } = await twoCopies()
    const whole = await rowsOf(database)
    await loseTail(database)
    const before = await contents(database)
    const shown = await cluster('repair', database, '--from', configOf(former), '--data', data)
    expect(shown.code).toBe(1)
    expect(shown.out).toContain(`position ${KEPT + 1} is missing`)
    expect(shown.out).toContain(
      `${whole.length - KEPT} of ${whole.length} batches up to position ${whole.length}`,
    )
    expect(await contents(database)).toEqual(before)

    const report = reportFile()
    const done = await cluster(
      'repair',
      database,
      '--from',
      configOf(former),
      '--data',
      data,
      '--report',
      report,
      ...ORDERED,
    )
    expect([done.code, done.err]).toEqual([0, ''])
    const rows = await rowsOf(database)
    expect(rows.slice(0, whole.length)).toEqual(whole)
    expect(rows.length).toBe(whole.length + 1)
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      state: 'DONE',
      by: 'anna@east',
      reason: 'both disks were lost',
      stored: whole.length - KEPT,
      claim: { position: whole.length + 1, epoch: 2 },
    })
    const verified = await audit('verify', '--config', configOf(database), '--data', data)
    expect([verified.code, verified.out]).toEqual([
      0,
      expect.stringContaining('the last by repair by anna@east: both disks were lost'),
    ])
    const again = await cluster('repair', database, '--from', configOf(former))
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing to repair')])
    const next = await PostgresJournal.open(journalOn(server, SINGLE, database))
    expect(next.tail.epoch).toBe(3)
    await next.close()
  })

  test('replaces damaged rows and claims without acknowledged commands, and keeps them beside the journal', async () => {
    const { database, former } = await twoCopies()
    const whole = await rowsOf(database)
    await loseTail(database)
    await inside(
      database,
      `UPDATE bourse.batch SET data = data || 'x'::bytea WHERE position = 7; UPDATE bourse.batch SET kind = 77 WHERE position = 9; DELETE FROM bourse.batch WHERE position = 12`,
    )
    // An engine that remembered less claimed the remaining journal.
    await inside(
      database,
      `INSERT INTO bourse.batch SELECT ${KEPT + 1}, 1, 3, 1, 1, 0, hash, hash, data FROM bourse.batch WHERE position = 1`,
    )
    const torn = await cluster('repair', database, '--from', configOf(former), '--json')
    expect([torn.code, JSON.parse(torn.out).problems.slice(0, 3)]).toEqual([
      1,
      [
        expect.stringContaining('position 7: batch'),
        expect.stringContaining('position 9 cannot be read'),
        'position 12 is missing',
      ],
    ])
    const done = await cluster(
      'repair',
      database,
      '--from',
      configOf(former),
      '--report',
      reportFile(),
      ...ORDERED,
    )
    expect([done.code, done.err]).toEqual([0, ''])
    expect((await rowsOf(database)).slice(0, whole.length)).toEqual(whole)
    const kept = await inside(
      database,
      'SELECT position::int, by_whom FROM bourse.given_up ORDER BY position',
    )
    expect(kept.map(({ position }) => position)).toEqual([7, 9, KEPT + 1])
    expect(kept[0]?.by_whom).toBe('repair by anna@east: both disks were lost')
  })

  test('takes over what a late claimant had begun', async () => {
    const { database, former } = await twoCopies()
    const whole = await rowsOf(database)
    await loseTail(database)
    await (await PostgresJournal.open(journalOn(server, SINGLE, database))).close()
    const done = await cluster(
      'repair',
      database,
      '--from',
      configOf(former),
      '--report',
      reportFile(),
      ...ORDERED,
    )
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringContaining('1 claims without acknowledged commands are replaced'),
    ])
    expect((await rowsOf(database)).slice(0, whole.length)).toEqual(whole)
    // The replaced claim began an epoch; the following one is later.
    expect((await inside(database, 'SELECT max(epoch)::int AS epoch FROM bourse.batch'))[0]?.epoch).toBe(2)
  })

  test('is refused, and changes nothing, where the copy does not fit or an engine is running', async () => {
    const { database, former, data } = await twoCopies()
    await loseTail(database)
    const refused = async (sentence: string, code: number, ...line: string[]) => {
      const before = await contents(database)
      for (const more of [[], [...ORDERED, '--report', reportFile()]]) {
        const found = await cluster('repair', database, ...line, ...more)
        expect([sentence, found.code, found.err]).toEqual([sentence, code, expect.stringContaining(sentence)])
      }
      expect(await contents(database)).toEqual(before)
    }
    await refused('expected a cluster file or a directory, found nothing', 2, '--from', fresh())

    const other = await server.newDatabase()
    const journal = await PostgresJournal.open(journalOn(server, SINGLE, other))
    await fill(journal, [1, 2])
    await journal.close()
    await refused('the copy is of another exchange, or of another fork', 1, '--from', configOf(other))

    const shorter = `${database}_shorter`
    await server.sql(`CREATE DATABASE ${shorter} TEMPLATE ${former}`)
    await inside(shorter, `DELETE FROM bourse.batch WHERE position > ${KEPT + 2}`)
    await refused(
      'would lack commands recorded in the data directory',
      1,
      '--from',
      configOf(shorter),
      '--data',
      data,
    )

    await inside(shorter, `UPDATE bourse.batch SET time = time + 1 WHERE position = 5`)
    await refused('batch', 1, '--from', configOf(shorter))
    await inside(shorter, `DELETE FROM bourse.batch WHERE position >= 5`)
    await inside(database, `UPDATE bourse.batch SET time = time + 1 WHERE position = 9`)
    await refused('the copy ends at position 4', 1, '--from', configOf(shorter))
    await inside(database, `UPDATE bourse.batch SET time = time - 1 WHERE position = 9`)

    await inside(database, "UPDATE bourse.leader SET name = 'one', beat_at = clock_timestamp()")
    await refused('one leads epoch 1', 2, '--from', configOf(former))
    await inside(database, 'UPDATE bourse.leader SET beat_at = NULL')
    const engine = await server.connect(undefined, database)
    const before = await contents(database)
    const connected = await cluster(
      'repair',
      database,
      '--from',
      configOf(former),
      ...ORDERED,
      '--report',
      reportFile(),
    )
    await engine.close()
    expect([connected.code, connected.err]).toEqual([
      2,
      expect.stringContaining('found sessions of bourse_engine: 1, from 127.0.0.1. Stop every engine first'),
    ])
    expect(await contents(database)).toEqual(before)
  })

  test('asks for actor and reason before anything is read', async () => {
    for (const [line, sentence] of [
      [[], 'expected another copy of the journal: --from COPY'],
      [['--from', 'x', '--yes'], 'expected a database role that may change the tables: --admin-user NAME'],
      [
        ['--from', 'x', '--yes', '--admin-user', 'a'],
        'expected a reason of 1 to 200 characters: --reason TEXT; found 0',
      ],
    ] as const) {
      const refused = await cluster('repair', 'absent', ...line).catch((cause) => cause)
      expect(refused).toBeInstanceOf(UsageError)
      expect(refused.message).toBe(sentence)
    }
  })
})

describe('cluster accept-tail', () => {
  test('lists what an engine’s history has and the journal lost, continues in a later epoch, and informs engines that remember more', async () => {
    const { database, former, data } = await twoCopies()
    await (await PostgresJournal.open(journalOn(server, SINGLE, former))).close()
    const lost = await PostgresJournal.open(journalOn(server, SINGLE, former))
    const { tail: remembered } = lost
    await lost.close()
    await loseTail(database)
    const before = await contents(database)
    const shown = await cluster('accept-tail', database, '--data', data, '--json')
    expect([shown.code, shown.err]).toEqual([1, ''])
    const plan = JSON.parse(shown.out)
    expect(plan).toMatchObject({ position: KEPT, rowsGivenUp: 0, done: false })
    expect(await contents(database)).toEqual(before)

    const report = reportFile()
    const missing = await cluster('accept-tail', database, '--data', data, ...ORDERED).catch((cause) => cause)
    expect(missing.message).toBe('expected the end shown by the run without --yes: --end POSITION')
    const line = ['--data', data, '--end', String(KEPT), '--report', report, ...ORDERED]
    const done = await cluster('accept-tail', database, ...line)
    expect([done.code, done.err]).toEqual([0, ''])
    const written = JSON.parse(readFileSync(report, 'utf8'))
    const placed = await audit(
      'journal',
      '--config',
      configOf(former),
      '--from',
      String(plan.seq + 1),
      '--kind',
      'PlaceOrder',
      '--json',
    )
    const accepted = placed.out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
      .filter(({ answer }) => answer.order !== undefined)
    const orders = written.lost.filter(({ kind }: { kind: string }) => kind === 'Order')
    expect(orders.map(({ seq, order, account }: Record<string, unknown>) => [seq, order, account])).toEqual(
      accepted.map(({ seq, answer, account }) => [seq, answer.order, account]),
    )
    expect(orders.length).toBeGreaterThan(10)
    expect(written.lost.some(({ kind }: { kind: string }) => kind === 'Trade')).toBe(true)

    const refused = await faultOf(
      PostgresJournal.open({
        ...journalOn(server, SINGLE, database),
        remembered: { ...remembered, epoch: 0 },
      }),
    )
    expect([refused?.kind, refused?.message]).toEqual([
      'WITNESS',
      expect.stringContaining('was given up: accept-tail by anna@east'),
    ])
    // A position that another process presents does not prevent leading once an operator has accepted its
    // loss.
    const firsts = await inside(
      database,
      "SELECT encode(hash, 'hex') AS hash FROM bourse.batch WHERE position = 1",
    )
    const journal = journalName(Buffer.from(String(firsts[0]?.hash), 'hex'))
    const next = await PostgresJournal.open({
      ...journalOn(server, SINGLE, database),
      presented: { ...remembered, epoch: 0, journal },
    })
    expect(next.givenUp({ ...remembered, epoch: 0 })?.name).toStartWith('accept-tail by anna@east')
    expect(next.tail.epoch).toBe(3)
    await next.close()
    const verified = await audit('verify', '--config', configOf(database))
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('accept-tail by anna@east')])
  })

  test('lists for unreadable rows what an engine’s history has of them', async () => {
    const { database, data } = await twoCopies()
    await inside(database, `UPDATE bourse.batch SET data = '\\xff' WHERE position > ${KEPT} AND kind = 1`)
    const report = reportFile()
    const line = ['--data', data, '--end', String(KEPT), '--report', report, ...ORDERED]
    const done = await cluster('accept-tail', database, ...line)
    expect([done.code, done.err]).toEqual([0, ''])
    const { lost } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly lost: { readonly kind: string }[]
    }
    expect(lost.filter(({ kind }) => kind === 'Order').length).toBeGreaterThan(10)
    expect(lost.some(({ kind }) => kind === 'Trade')).toBe(true)
    // The rows themselves are reported too.
    expect(lost.some(({ kind }) => kind === 'Unreadable')).toBe(true)
  })

  test('gives up what follows damage, keeps it beside the journal, and names its commands', async () => {
    const { database, former } = await twoCopies()
    const whole = await rowsOf(database)
    await inside(database, `UPDATE bourse.batch SET time = time + 1 WHERE position = ${KEPT + 1}`)
    const shown = await cluster('accept-tail', database)
    expect(shown.code).toBe(1)
    expect(shown.out).toContain(`position ${KEPT + 1}: batch`)
    expect(shown.out).toContain(`${whole.length - KEPT} rows after it would be given up`)
    expect(shown.out).toMatch(/PlaceOrder {2}account=\w+ symbol=/)
    const wrong = await cluster(
      'accept-tail',
      database,
      '--end',
      String(KEPT + 1),
      ...ORDERED,
      '--report',
      reportFile(),
    )
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining(`--end ${KEPT + 1}: the journal is intact up to position ${KEPT}`),
    ])
    const done = await cluster(
      'accept-tail',
      database,
      '--end',
      String(KEPT),
      ...ORDERED,
      '--report',
      reportFile(),
    )
    expect([done.code, done.err]).toEqual([0, ''])
    expect((await inside(database, 'SELECT count(*)::int AS count FROM bourse.given_up'))[0]?.count).toBe(
      whole.length - KEPT,
    )
    // The epoch is later than that of the abandoned claim.
    expect(
      (
        await inside(
          database,
          'SELECT max(epoch)::int AS epoch, max(position)::int AS position FROM bourse.batch',
        )
      )[0],
    ).toEqual({ epoch: 2, position: KEPT + 2 })
    expect((await audit('verify', '--config', configOf(database))).code).toBe(0)
    // Before another batch follows the end, the lost batches can still be restored from another copy.
    const back = await cluster(
      'repair',
      database,
      '--from',
      configOf(former),
      ...ORDERED,
      '--report',
      reportFile(),
    )
    expect([back.code, (await rowsOf(database)).slice(0, whole.length)]).toEqual([0, whole])
  })

  test('has nothing to give up in a sound journal, and is refused while an engine is running or the end is another', async () => {
    const { database } = await twoCopies()
    const nothing = await cluster('accept-tail', database)
    expect([nothing.code, nothing.out]).toEqual([0, expect.stringContaining('Nothing is lost')])
    const before = await contents(database)
    for (const end of ['0', '1.5', 'x'])
      expect(
        (await cluster('accept-tail', database, '--end', end).catch((cause) => cause)).message,
      ).toContain('expected a journal position, 1 or more')
    const ordered = ['--end', '5', ...ORDERED, '--report', reportFile()]
    await inside(database, 'UPDATE bourse.leader SET beat_at = clock_timestamp()')
    const led = await cluster('accept-tail', database, ...ordered)
    expect([led.code, led.err]).toEqual([2, expect.stringContaining('Stop every engine first')])
    await inside(database, 'UPDATE bourse.leader SET beat_at = NULL')
    const engine = await server.connect(undefined, database)
    const connected = await cluster('accept-tail', database, ...ordered)
    await engine.close()
    expect([connected.code, connected.err]).toEqual([
      2,
      expect.stringContaining('found sessions of bourse_engine: 1'),
    ])
    const denied = await cluster(
      'accept-tail',
      database,
      ...ordered.map((word) => (word === ADMINISTRATOR ? 'bourse_engine' : word)),
    )
    expect([denied.code, denied.err]).toEqual([2, expect.stringContaining('permission denied')])
    expect(await contents(database)).toEqual(before)
  })
})
