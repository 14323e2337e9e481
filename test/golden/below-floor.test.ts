/**
 * A journal that begins under rules below the floor is refused and left unchanged, in each form in which it
 * is stored. The message states its version, the floor and the last commit that replays it
 * (docs/decisions/0051-rules-floor.md).
 */
import { afterAll, expect, test } from 'bun:test'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MemoryTablePlace } from '../../sim/memory/leadership-table.ts'
import { MemorySnapshots } from '../../sim/memory/snapshots.ts'
import { MemoryWitness } from '../../sim/memory/witness.ts'
import { audit } from '../../src/app/maintenance/verification/directory.fixture.ts'
import type { Command } from '../../src/core/commands/command.ts'
import { FIRST_RULES_VERSION, LAST_COMMIT_BELOW_MIN, RULES_MIN } from '../../src/core/exchange/rules.ts'
import { ClaimedJournal } from '../../src/engine/leadership/claimed-journal.ts'
import { writeFrame } from '../../src/engine/port/frames.ts'
import { type Batch, EMPTY_TAIL, sealed } from '../../src/engine/port/journal.ts'
import type { SnapshotStore } from '../../src/engine/port/snapshots.ts'
import { EXCHANGE_FACTORY } from '../../src/engine/port/state-machine.ts'
import { StandbyJournal } from '../../src/engine/standby/standby-journal.ts'
import { recover } from '../../src/engine/writer/recovery/recovery.ts'
import { verifiedBatches } from '../../src/engine/writer/recovery/verified-batches.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { SqliteJournal } from '../../src/storage/sqlite/journal.ts'
import { openSnapshots } from '../../src/storage/sqlite/storage.ts'
import { ByteWriter } from '../../src/units/bytes.ts'

/** The journal below the floor that is kept for this test, and the version under which it begins. */
const [OLD, VERSION] = ['journal-2026-11-floor', 12] as const

const root = mkdtempSync(path.join(tmpdir(), 'bourse-floor-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const fresh = (): string => path.join(root, `${++count}`)

/** A data directory: the journal of a folder, or its archived form, with the snapshots of a folder. */
function directoryOf(name: string, snapshotsOf = name): string {
  const directory = fresh()
  cpSync(path.join(import.meta.dir, name), directory, { recursive: true })
  mkdirSync(path.join(directory, 'snapshots'))
  const source = path.join(import.meta.dir, snapshotsOf)
  for (const file of readdirSync(source).filter((one) => one.endsWith('.snapshot'))) {
    copyFileSync(path.join(source, file), path.join(directory, 'snapshots', file))
  }
  return directory
}

/** Every file with its bytes, except the note of a backup that failed. */
function contents(directory: string): Readonly<Record<string, string>> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = files
    .map((one) => path.join(one.parentPath, one.name))
    .filter((one) => !/-(wal|shm)$|last-backup.json$/.test(one))
  return Object.fromEntries(paths.sort().map((file) => [file, readFileSync(file).toString('base64')]))
}

const namesAll = (version: number): readonly string[] => [
  `under rules ${version},`,
  `rules ${RULES_MIN} or newer`,
  `Nothing was changed: the last commit that replays it is ${LAST_COMMIT_BELOW_MIN}`,
]

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was refused',
    (cause: Error) => cause.message,
  )
}

function mustName(message: string, version: number): void {
  for (const part of namesAll(version)) expect(message).toContain(part)
}

/** Recovers as a node does at its start. */
async function start(directory: string, snapshots: SnapshotStore): Promise<string> {
  const journal = SqliteJournal.open({ directory })
  const parts = { witness: new MemoryWitness(), digest: sha256, machines: EXCHANGE_FACTORY }
  try {
    return await refusalOf(recover({ journal, snapshots, ...parts, acceptJournalTail: true }))
  } finally {
    await journal.close()
  }
}

async function batchesOf(directory: string): Promise<Batch[]> {
  const journal = SqliteJournal.open({ directory })
  const batches: Batch[] = []
  for await (const read of verifiedBatches(journal, sha256, EMPTY_TAIL)) batches.push(...read.batches)
  await journal.close()
  return batches
}

test('a node starts on no journal that begins below the floor, neither from a snapshot nor without', async () => {
  const directory = directoryOf(OLD)
  const before = contents(directory)
  mustName(await start(directory, openSnapshots(directory)), VERSION)
  mustName(await start(directory, new MemorySnapshots()), VERSION)
  expect(contents(directory)).toEqual(before)
})

test('a journal whose first command chooses the version just below the floor, or none, is refused; the floor is not', async () => {
  const [first] = await batchesOf(directoryOf(OLD))
  const startOn = async (command: Command): Promise<string> => {
    const directory = fresh()
    const journal = SqliteJournal.open({ directory })
    const data = new ByteWriter(64)
    writeFrame(data, command)
    await journal.append(sealed(sha256, { ...(first as Batch), count: 1, data: data.take() }))
    await journal.close()
    return start(directory, new MemorySnapshots())
  }
  const choice = (version: number): Command => ({
    kind: 'SetRulesVersion',
    operator: { actor: 'a', note: '' },
    version,
  })
  mustName(await startOn({ kind: 'MarkTime' }), FIRST_RULES_VERSION)
  for (const version of [FIRST_RULES_VERSION, RULES_MIN - 1])
    mustName(await startOn(choice(version)), version)
  expect(await startOn(choice(RULES_MIN))).toBe('nothing was refused')
})

test('a journal whose beginning is in an archive is refused by its beginning', async () => {
  const directory = directoryOf('archived-2026-11-floor', OLD)
  const before = contents(directory)
  mustName(await start(directory, openSnapshots(directory)), VERSION)
  expect(contents(directory)).toEqual(before)
})

test('every snapshot of such a journal is refused on its own', async () => {
  const snapshots = openSnapshots(directoryOf(OLD))
  const { heads } = await snapshots.list()
  expect(heads.length).toBeGreaterThan(1)
  for (const head of heads) {
    const loaded = await snapshots.load(head)
    if ('problem' in loaded) throw new Error(loaded.problem)
    const read = (): unknown => EXCHANGE_FACTORY.fromSnapshot(loaded.payload)
    for (const part of namesAll(VERSION)) expect(read).toThrow(part)
  }
})

test('every maintenance command refuses such a directory, and an archive of it on its own', async () => {
  const directory = directoryOf(OLD)
  const archived = directoryOf('archived-2026-11-floor', OLD)
  const before = [contents(directory), contents(archived)]
  const [copy, reports] = [fresh(), fresh()]
  const lines: readonly (readonly [string, ...string[]])[] = [
    ['verify', '--data', directory],
    ['verify', '--archive', path.join(archived, 'archive')],
    ['replay', '--data', directory],
    ['journal', '--data', directory, '--to', '9'],
    ['backup', '--data', directory, '--to', copy],
    ['archive', '--data', directory, '--keep-days', '0', '--to', reports],
    ['rebuild', '--data', directory],
  ]
  for (const [name, ...line] of lines) {
    const { code, err, out } = await audit(name, ...line)
    expect([name, code]).toEqual([name, 2])
    for (const part of namesAll(VERSION)) expect(`${name}: ${err}${out}`).toContain(part)
  }
  expect([contents(directory), contents(archived)]).toEqual(before)
  expect(existsSync(path.join(copy, 'journal.sqlite'))).toBe(false)
})

test('a backup of such a journal is not restored, and nothing is left where it was to be', async () => {
  const backup = directoryOf('backup-2026-11-floor', OLD)
  copyFileSync(path.join(import.meta.dir, OLD, 'journal.sqlite'), path.join(backup, 'journal.sqlite'))
  const before = contents(backup)
  const data = fresh()
  const { code, err } = await audit('restore', '--from', backup, '--data', data)
  expect(code).toBe(2)
  mustName(err, VERSION)
  expect(contents(backup)).toEqual(before)
  expect(existsSync(path.join(data, 'journal.sqlite'))).toBe(false)
})

test('a standby neither follows with such a journal nor accepts the first batch of one', async () => {
  const old = directoryOf(OLD)
  const [first] = await batchesOf(old)
  const standby = (
    directory: string,
  ): { readonly journal: StandbyJournal; readonly store: SqliteJournal } => {
    const store = SqliteJournal.open({ directory })
    const parts = { store, witness: new MemoryWitness(), digest: sha256, machines: EXCHANGE_FACTORY }
    const nodeStateHash = async (): Promise<undefined> => undefined
    return { store, journal: new StandbyJournal({ ...parts, recentBytesMax: 1_000, nodeStateHash }) }
  }
  const stored = standby(old)
  mustName(await refusalOf(stored.journal.requireFloor()), VERSION)
  await stored.store.close()
  const empty = standby(fresh())
  mustName(await refusalOf(empty.journal.take([first as Batch])), VERSION)
  expect(empty.store.tail.seq as number).toBe(0)
  await empty.store.close()
})

test("no engine of a cluster claims the lead of such a cluster's journal", async () => {
  const place = new MemoryTablePlace(() => 0)
  const table = await place.open()
  const claiming = {
    openTable: () => place.open(),
    digest: sha256,
    scheduler: { later: () => () => {} },
    name: 'a',
  }
  const times = { nonce: () => new Uint8Array(16), silenceMs: 700, heartbeatMs: 150 }
  const before = await ClaimedJournal.open({ ...claiming, ...times })
  const [first] = await batchesOf(directoryOf(OLD))
  const { position, epoch, seq, hash: previousHash } = before.tail
  const next = {
    ...(first as Batch),
    position: position + 1,
    epoch,
    firstSeq: (seq + 1) as typeof seq,
    previousHash,
  }
  await before.append(sealed(sha256, next))
  await before.close()
  const end = await table.readTail()
  mustName(
    await refusalOf(ClaimedJournal.open({ ...claiming, ...times, machines: EXCHANGE_FACTORY })),
    VERSION,
  )
  expect(await table.readTail()).toEqual(end)
})
