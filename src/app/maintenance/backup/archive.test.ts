/**
 * archive: the journal as every reader sees it afterwards, the remains of an interrupted run, and the
 * refusals.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startMemoryEngine } from '../../../../sim/memory/engine.ts'
import { MemoryTablePlace } from '../../../../sim/memory/leadership-table.ts'
import { Follower } from '../../../engine/follower/follower.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../../engine/follower/limits.ts'
import { type Batch, hashOfQuarantined, lastSeqOf } from '../../../engine/port/journal.ts'
import { ANY_EXCHANGES } from '../../../engine/port/machines.fixture.ts'
import { takeSnapshot } from '../../../engine/port/snapshots.ts'
import { ClusterTarget } from '../../../engine/standby/memory-targets.fixture.ts'
import { moveJournal } from '../../../engine/standby/move.ts'
import { credit } from '../../../engine/writer/commands.fixture.ts'
import { recover } from '../../../engine/writer/recovery/recovery.ts'
import { ArchiveFile } from '../../../storage/files/archive-file.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { SqliteHistory } from '../../../storage/sqlite/history/store.ts'
import { JournalReader } from '../../../storage/sqlite/journal-reader.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import { type Seq, timeMs } from '../../../units/quantities.ts'
import { leftOver, openArchivable } from '../../node/storage/archived-exchange.ts'
import { openLeavingDirectory } from '../../node/storage/moving-exchange.ts'
import {
  audit,
  START_MS,
  STEP_MS,
  soundDirectories,
  writeDirectory,
} from '../verification/directory.fixture.ts'
import type { AuditHost } from '../verification/host.ts'
import { type ArchiveStep, archiveDirectory } from './archive.ts'

const { root, sound: SOUND, fresh, copy } = soundDirectories()
let batches: readonly Batch[]
let stateHash: string

beforeAll(async () => {
  await writeDirectory(SOUND)
  batches = await allBatches(SOUND)
  stateHash = JSON.parse((await audit('verify', '--data', SOUND, '--json')).out).stateHash
})
afterAll(() => rmSync(root, { recursive: true }))

const iso = (ms: number): string => new Date(ms).toISOString()
/** After the last command. */
const LATE = '2030-01-01'
const HOST: AuditHost = {
  print: () => {},
  printError: () => {},
  terminal: undefined,
  defaultData: undefined,
  version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
  monotonicMs: () => 0,
  nowMs: () => START_MS,
}
/** In the middle of the journal: before the newest snapshot. */
const MIDDLE = iso(START_MS + 40 * STEP_MS)

async function allBatches(directory: string): Promise<Batch[]> {
  const reader = JournalReader.open(directory)
  try {
    const found: Batch[] = []
    while ((found.at(-1)?.firstSeq ?? 0) + (found.at(-1)?.count ?? 1) - 1 < reader.tail.seq) {
      const last = found.at(-1)
      const after = last === undefined ? 0 : last.firstSeq + last.count - 1
      found.push(...(await reader.read(after as Seq, 7_000)))
    }
    return found
  } finally {
    await reader.close()
  }
}

/** Batches that the journal's own file has. */
function rowsIn(directory: string): number {
  const db = new Database(path.join(directory, 'journal.sqlite'), { readonly: true })
  try {
    return (db.query('SELECT count(*) AS n FROM batch').get() as { n: number }).n
  } finally {
    db.close()
  }
}

async function archived(...line: string[]): Promise<string> {
  const directory = copy()
  const { code, err } = await audit('archive', '--data', directory, ...line)
  expect([code, err]).toEqual([0, ''])
  return directory
}

async function start(directory: string) {
  const { journal, witness, snapshots } = openStorage({ directory })
  try {
    return await recover({
      journal,
      witness,
      snapshots,
      digest: sha256,
      machines: ANY_EXCHANGES,
      acceptJournalTail: false,
    })
  } finally {
    witness.close()
    await journal.close()
  }
}

describe('every reader of the journal reads what is archived', () => {
  const same = async (directory: string, name: string, ...line: string[]) => {
    const before = await audit(name, '--data', SOUND, ...line)
    const after = await audit(name, '--data', directory, ...line)
    expect(before.code).toBe(0)
    expect(after).toEqual(before)
  }

  test('batches are the same to the byte, and archived rows are gone', async () => {
    const directory = await archived('--before', MIDDLE)
    expect(rowsIn(SOUND)).toBe(batches.length)
    expect(rowsIn(directory)).toBe(1 + batches.filter(({ time }) => iso(time) >= MIDDLE).length)
    expect(await allBatches(directory)).toEqual([...batches])
  })

  test('verify, replay, journal and report give the same output as before', async () => {
    const directory = await archived('--before', MIDDLE)
    await same(directory, 'verify', '--json')
    await same(directory, 'replay', '--orders', '--json')
    await same(directory, 'replay', '--until', '30', '--json')
    await same(directory, 'journal', '--events')
    await same(directory, 'journal', '--account', 'alice', '--to', '60')
    const days = ['--from', '2023-11-14', '--to', '2023-11-14']
    for (const kind of ['statements', 'trades', 'fees']) await same(directory, 'report', kind, ...days)
    await same(directory, 'report', 'balances')
  })

  test('history is rebuilt from the archive, and a backup contains all of it and is restored', async () => {
    const directory = await archived('--before', MIDDLE)
    expect((await audit('rebuild', '--data', directory)).code).toBe(0)
    const verified = JSON.parse((await audit('verify', '--data', directory, '--json')).out)
    expect(verified).toMatchObject({ sound: true, stateHash })
    expect(verified.history.trades).toBeGreaterThan(50)
    const backup = fresh()
    expect((await audit('backup', '--data', directory, '--to', backup)).code).toBe(0)
    renameSync(path.join(directory, 'archive'), path.join(directory, 'away'))
    const restored = fresh()
    expect((await audit('restore', '--from', backup, '--data', restored)).code).toBe(0)
    expect(await allBatches(restored)).toEqual([...batches])
  })

  test('a second archive continues where the first ends, in another directory', async () => {
    const directory = await archived('--before', MIDDLE)
    const to = fresh()
    const { code, out } = await audit('archive', '--data', directory, '--before', LATE, '--to', to, '--json')
    expect(code).toBe(0)
    const result = JSON.parse(out)
    expect(result).toMatchObject({ archived: true, removedBatches: expect.any(Number) })
    expect(path.dirname(result.file)).toBe(to)
    expect(result.journalBytesAfter).toBeLessThan(result.journalBytesBefore)
    expect(rowsIn(directory)).toBeGreaterThan(0)
    expect(await allBatches(directory)).toEqual([...batches])
    await same(directory, 'verify', '--json')
  })

  test('a start reads none of the archive, which may be absent', async () => {
    const directory = await archived('--before', MIDDLE)
    renameSync(path.join(directory, 'archive'), path.join(directory, 'away'))
    const { machine, report } = await start(directory)
    const reader = JournalReader.open(directory)
    expect((await reader.read(0 as Seq, 1))[0]).toEqual(batches[0])
    await reader.close()
    expect(machine.seq).toBe(batches.reduce((sum, { count }) => sum + count, 0) as Seq)
    expect(report.snapshotSeq).toBeGreaterThan(0)
  })

  test('a start without any snapshot replays the archive', async () => {
    const directory = await archived('--before', MIDDLE)
    rmSync(path.join(directory, 'snapshots'), { recursive: true })
    const { machine, report } = await start(directory)
    expect([report.snapshotSeq, Buffer.from(sha256([machine.encodeSnapshot()])).toString('hex')]).toEqual([
      0 as Seq,
      stateHash,
    ])
  })
})

describe('a node whose older commands are archived', () => {
  const LIMITS = { ...DEFAULT_FOLLOWER_LIMITS, pullBytesMax: 4_000 }
  const run = async (directory: string) => {
    const storage = openStorage({ directory })
    const engine = await startMemoryEngine({ ...storage, clock: () => timeMs(Date.parse(LATE)) })
    const history = SqliteHistory.open(path.join(directory, 'made-again.sqlite'), () => {})
    const follower = await Follower.open({
      ...{
        feed: engine.feed,
        history,
        snapshots: storage.snapshots,
        factory: ANY_EXCHANGES,
        digest: sha256,
      },
      ...{ limits: LIMITS, journalEnd: storage.journal.tail.seq, acceptJournalTail: false },
      ...{ untilRetry: async () => {}, onAdvance: () => {}, onNote: () => {} },
    })
    const stop = async () => {
      await history.close()
      await engine.stop()
    }
    return { engine, follower, stop, end: storage.journal.tail.seq }
  }

  test('gives a new standby every batch, and rebuilds history', async () => {
    const { engine, follower, stop, end } = await run(await archived('--before', MIDDLE))
    const given: Batch[] = []
    for (let after = 0 as Seq; after < end; after = lastSeqOf(given.at(-1) as Batch))
      given.push(...(await engine.feed.next(after, 9_000)))
    expect(given).toEqual([...batches])
    follower.finish(end)
    expect(await follower.run()).toBe(end)
    await stop()
  })

  test('keeps trading without the archive, while a rebuild of history names the missing file', async () => {
    const directory = await archived('--before', MIDDLE)
    renameSync(path.join(directory, 'archive'), path.join(directory, 'away'))
    const { engine, follower, stop } = await run(directory)
    await expect(follower.run()).rejects.toThrow(
      /are archived: the archive .*\.archive is missing: put it back/,
    )
    expect(await engine.port.submit(credit(3, 'USDT', 5n, 'without the archive'))).toMatchObject({
      kind: 'Done',
    })
    await stop()
  })

  test('moves into a cluster with everything that is archived', async () => {
    const directory = await archived('--before', MIDDLE)
    const source = openLeavingDirectory(directory)
    const cluster = new MemoryTablePlace(() => 0)
    const time = timeMs(Date.parse(LATE))
    const moved = await moveJournal({
      source,
      target: new ClusterTarget(cluster),
      ...{ digest: sha256, factory: ANY_EXCHANGES, marks: [], isDestinationLost: false, isDryRun: false },
      seal: () => ({ to: 'CLUSTER', name: 'there', identity: 'one', by: 'test', time }),
      beforeFinish: async () => {},
      onProgress: () => {},
      untilTurn: async () => {},
    })
    expect(moved).toMatchObject({ kind: 'MOVED', copied: batches.length + 1 })
    await source.close()
  })
})

describe('a run that is cut short leaves each batch in the journal, in the file, or in both', () => {
  const STEPS: readonly ArchiveStep[] = ['WRITTEN', 'RECORDED', 'TRIMMED', 'COMPACTED']
  for (const step of STEPS) {
    test(`after ${step}, and the next run completes it`, async () => {
      const directory = copy()
      const to = path.join(directory, 'archive')
      const cutMs = START_MS + 40 * STEP_MS
      const cut = archiveDirectory({
        directory,
        to,
        cutMs,
        host: HOST,
        trimBatches: 7,
        at: (done) => {
          if (done === step) throw new Error('the power is cut')
        },
      })
      await expect(cut).rejects.toThrow('the power is cut')
      expect(await allBatches(directory)).toEqual([...batches])
      expect((await audit('verify', '--data', directory)).code).toBe(0)
      const again = await archiveDirectory({ directory, to, cutMs, host: HOST })
      const isRecorded = step !== 'WRITTEN'
      expect(again.archive === undefined).toBe(isRecorded)
      expect(rowsIn(directory)).toBe(1 + batches.filter(({ time }) => time >= cutMs).length)
      expect(readdirSync(to)).toHaveLength(1)
      expect(await allBatches(directory)).toEqual([...batches])
    })
  }
})

describe('what is missing or damaged is reported', () => {
  const fileIn = (directory: string): string => {
    const to = path.join(directory, 'archive')
    return path.join(to, readdirSync(to)[0] ?? '')
  }

  test('a missing file: which commands, and where it should be', async () => {
    const directory = await archived('--before', MIDDLE)
    const file = fileIn(directory)
    renameSync(file, `${file}.away`)
    const { code, out } = await audit('verify', '--data', directory)
    expect(code).toBe(1)
    expect(out).toMatch(/commands 1 to \d+ are archived: the archive .*\.archive is missing: put it back/)
    renameSync(`${file}.away`, file)
    expect((await audit('verify', '--data', directory)).code).toBe(0)
  })

  test('any changed byte of a file is found, and nothing is read from there on', async () => {
    const directory = await archived('--before', MIDDLE)
    const file = fileIn(directory)
    const bytes = readFileSync(file)
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      rmSync(file)
      writeFileSync(file, changed)
      const { code, out, err } = await audit('verify', '--archive', file)
      expect([at, code]).toEqual([at, 1])
      expect(out + err).toContain('the archive')
    }
  })

  test('rows that differ from the file are never removed', async () => {
    const directory = copy()
    const to = path.join(directory, 'archive')
    const cutMs = START_MS + 40 * STEP_MS
    const cut = archiveDirectory({
      directory,
      to,
      cutMs,
      host: HOST,
      at: (step) => {
        if (step === 'RECORDED') throw new Error('the power is cut')
      },
    })
    await expect(cut).rejects.toThrow('the power is cut')
    const db = new Database(path.join(directory, 'journal.sqlite'))
    db.run('UPDATE batch SET hash = zeroblob(32) WHERE position = 5')
    db.close()
    const before = rowsIn(directory)
    const { code, err } = await audit('archive', '--data', directory)
    expect([code, err]).toEqual([1, expect.stringContaining('differ at position 5: nothing was removed')])
    expect(rowsIn(directory)).toBe(before)
  })

  test('a file that disappears while rows are removed keeps the other rows', async () => {
    const directory = copy()
    const to = path.join(directory, 'archive')
    const cutMs = START_MS + 40 * STEP_MS
    const at = (step: ArchiveStep): void => {
      if (step === 'TRIMMED' && readdirSync(to).length > 0) renameSync(fileIn(directory), `${directory}.away`)
    }
    const cut = archiveDirectory({ directory, to, cutMs, host: HOST, trimBatches: 7, at })
    await expect(cut).rejects.toThrow('is missing: put it back')
    expect(rowsIn(directory)).toBe(batches.length - 7)
    renameSync(`${directory}.away`, path.join(to, 'journal.archive'))
  })

  test('two runs that record and remove the same commands at once damage neither each other nor the journal', async () => {
    const directory = copy()
    const to = path.join(directory, 'archive')
    const at = (): never => {
      throw new Error('the power is cut')
    }
    const cutMs = START_MS + 40 * STEP_MS
    await expect(archiveDirectory({ directory, to, cutMs, host: HOST, at })).rejects.toThrow('the power')
    const journal = openArchivable(directory)
    const file = leftOver(directory, to, undefined, batches[0]?.hash ?? new Uint8Array())
    if (file === undefined) throw new Error('a complete file is left')
    const recorded = await Promise.allSettled([journal.record(file), journal.record(file)])
    expect(recorded.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await journal.archives()).toHaveLength(1)
    const trimmed = await Promise.all([journal.trim(7), journal.trim(7)])
    expect(trimmed.map(({ removed }) => removed)).toEqual([7, 7])
    await journal.close()
    expect(await allBatches(directory)).toEqual([...batches])
  })

  test('leftovers of a killed run are removed, and nothing of a running one', async () => {
    const directory = copy()
    const to = path.join(directory, 'archive')
    mkdirSync(to)
    const { pid, exited } = Bun.spawn(['true'])
    await exited
    const [killed, running] = [`archive-${pid}.tmp`, `archive-${process.ppid}.tmp`]
    for (const name of [killed, running, 'archive-notes.tmp']) writeFileSync(path.join(to, name), '')
    expect((await audit('archive', '--data', directory, '--before', MIDDLE)).code).toBe(0)
    const left = readdirSync(to).filter((name) => name.endsWith('.tmp'))
    expect(left.toSorted()).toEqual([running, 'archive-notes.tmp'].toSorted())
  })

  test('a snapshot whose state the replay does not reach proves nothing: nothing is archived', async () => {
    const directory = copy()
    const { journal, snapshots, witness } = openStorage({ directory })
    const [head] = (await snapshots.list()).heads
    if (head === undefined) throw new Error('the fixture has snapshots')
    const loaded = await snapshots.load(head)
    const other = (await snapshots.list()).heads.at(-1)
    if ('problem' in loaded || other === undefined) throw new Error('the fixture has sound snapshots')
    await snapshots.save({ ...loaded, journalHash: other.journalHash })
    witness.close()
    await journal.close()
    const { code, err } = await audit('archive', '--data', directory, '--before', MIDDLE)
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`the snapshot of command ${head.seq} was saved with`),
    ])
    expect([rowsIn(directory), readdirSync(path.join(directory, 'archive')).length > 0]).toEqual([
      batches.length,
      false,
    ])
  })

  test('a program from before archives refuses the journal by its format', async () => {
    const directory = await archived('--before', MIDDLE)
    const db = new Database(path.join(directory, 'journal.sqlite'), { readonly: true })
    expect(db.query('PRAGMA user_version').get()).toEqual({ user_version: 3 })
    db.close()
    const untouched = new Database(path.join(SOUND, 'journal.sqlite'), { readonly: true })
    expect(untouched.query('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    untouched.close()
  })
})

/** The first and the last command of an archived batch that has several. */
const PLACES = [
  ['first', (batch: Batch) => batch.firstSeq],
  ['last', (batch: Batch) => lastSeqOf(batch)],
] as const

test.each(PLACES)(
  'an archived quarantined command stays quarantined, also at a start without the archive: the %s of its batch',
  async (_, of) => {
    const directory = copy()
    const { journal } = openStorage({ directory })
    const batch = batches.find(({ count, firstSeq }) => count > 1 && firstSeq > 1) as Batch
    const seq = of(batch)
    await journal.quarantine({ seq, check: hashOfQuarantined(sha256, batch.hash, seq) })
    await journal.close()
    // The snapshots are of a state in which the command was applied.
    rmSync(path.join(directory, 'snapshots'), { recursive: true })
    const { machine } = await start(directory)
    const storage = openStorage({ directory })
    await storage.snapshots.save(takeSnapshot(machine, storage.journal.tail, sha256))
    storage.witness.close()
    await storage.journal.close()
    expect((await audit('archive', '--data', directory, '--before', MIDDLE)).code).toBe(0)
    // The file alone is also enough to replay to the same state.
    const [name = ''] = readdirSync(path.join(directory, 'archive')).filter((each) => !each.startsWith('.'))
    const file = ArchiveFile.open(path.join(directory, 'archive', name))
    expect(file.contents.quarantined).toEqual([{ seq, check: hashOfQuarantined(sha256, batch.hash, seq) }])
    file.close()
    const alone = await audit('verify', '--archive', path.join(directory, 'archive'))
    expect([alone.code, alone.out]).toEqual([0, expect.stringContaining('Sound.')])
    renameSync(path.join(directory, 'archive'), path.join(directory, 'away'))
    const { report } = await start(directory)
    expect([...report.quarantined]).toEqual([seq])
  },
)

test('an invalid or impossible command to archive is refused with the reason', async () => {
  const directory = copy()
  const problem = async (...line: string[]) => {
    const { code, err } = await audit('archive', '--data', directory, ...line)
    return [code, err.split('\n')[0]]
  }
  expect(await problem('--keep-days', 'many')).toEqual([
    2,
    expect.stringContaining('--keep-days needs a number from 0 to 36500, found many'),
  ])
  expect(await problem('--before', '2026-01-31', '--keep-days', '3')).toEqual([
    2,
    expect.stringContaining('only one of --before and --keep-days'),
  ])
  expect(await problem('--before', '17')).toEqual([2, expect.stringContaining('--before needs a time')])
  const old = await audit('archive', '--data', directory, '--before', '2001-01-01')
  expect([old.code, old.out]).toEqual([0, expect.stringContaining('nothing is old enough')])
  rmSync(path.join(directory, 'snapshots'), { recursive: true })
  const none = await audit('archive', '--data', directory, '--before', MIDDLE)
  expect([none.code, none.out]).toEqual([0, expect.stringContaining('no usable snapshot')])
  const { journal, witness } = openStorage({ directory })
  expect((await problem())[0]).toBe(2)
  witness.close()
  await journal.close()
  expect(rowsIn(directory)).toBe(batches.length)
})

test('an archive is checked by itself, without the journal: its chain, and a replay to the state at its end', async () => {
  const directory = await archived('--before', MIDDLE)
  expect((await audit('archive', '--data', directory, '--before', LATE)).code).toBe(0)
  const alone = fresh()
  mkdirSync(alone)
  cpSync(path.join(directory, 'archive'), alone, { recursive: true })
  const { code, out } = await audit('verify', '--archive', alone)
  expect(code).toBe(0)
  expect(out).toContain('Sound.')
  const [first, second] = readdirSync(alone).sort()
  expect((await audit('verify', '--archive', path.join(alone, second ?? ''))).out).toContain('begins after')
  rmSync(path.join(alone, first ?? ''))
  expect((await audit('verify', '--archive', alone)).out).toContain('begins after')
})
