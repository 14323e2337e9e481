import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batchAfter, fill, journalContract } from '../../engine/port/journal.contract.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { SqliteJournal } from './journal.ts'
import { openJournalFile, requireVersion, sqliteFault } from './journal-file.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-journal-'))
afterAll(() => rmSync(root, { recursive: true }))

let directories = 0
function newDirectory(): string {
  return join(root, `${++directories}`, 'data')
}

function open(directory: string): SqliteJournal {
  return SqliteJournal.open({ directory, checkpointBytes: 0, idleCheckpointBytes: 0 })
}

function faultOf(work: () => unknown): JournalFault {
  try {
    work()
  } catch (cause) {
    if (cause instanceof JournalFault) return cause
    throw cause
  }
  throw new Error('expected a fault')
}

/**
 * After a process was killed the operating system still has its writes; `test/faults` shows that each commit
 * is synced.
 */
journalContract('a journal in SQLite', () => {
  let directory = newDirectory()
  return {
    open: async () => open(directory),
    endProcess: async () => {
      const left = newDirectory()
      cpSync(directory, left, { recursive: true })
      directory = left
    },
  }
})

test('a row whose key became an earlier one is damage, and does not send a reader into a loop', async () => {
  const directory = newDirectory()
  const first = open(directory)
  await fill(first, [1, 1, 1, 1, 1])
  await first.close()
  setRowKey(join(directory, 'journal.sqlite'), 3, 2)
  const second = open(directory)
  const refused = await second.read(0 as Seq, 1 << 20).catch((cause) => cause)
  expect(refused).toBeInstanceOf(JournalFault)
  expect([refused.kind, refused.message]).toEqual([
    'DAMAGED',
    `cannot read commands after 0 from the journal in ${directory}: expected a batch after position 3 and command 3, found position 2, which ends at 4`,
  ])
  await second.close()
})

/** Overwrites the key of a row, counted from 0, in a file so small that one page holds all batches. */
function setRowKey(path: string, row: number, key: number): void {
  const db = new Database(path)
  const size = db.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size as number
  const root = db
    .query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_master WHERE name = 'batch'")
    .get()?.rootpage as number
  db.close(true)
  const file = readFileSync(path)
  // A leaf page has a header of eight bytes, then the offset of each cell; a cell has its length, its key,
  // its record.
  const page = file.subarray((root - 1) * size, root * size)
  let at = page.readUInt16BE(8 + row * 2)
  while ((page[at] as number) >= 0x80) at++
  page[at + 1] = key
  writeFileSync(path, file)
}

test('data that a killed process left in the log is durable before anything is built on it', async () => {
  const directory = newDirectory()
  const killed = open(directory)
  const batches = await fill(killed, [3, 1])
  const left = newDirectory()
  cpSync(directory, left, { recursive: true })
  const next = open(left)
  expect(statSync(join(left, 'journal.sqlite-wal')).size).toBe(0)
  // Only the file, without the log: it can contain only data synced before that point.
  const file = newDirectory()
  mkdirSync(file, { recursive: true })
  cpSync(join(left, 'journal.sqlite'), join(file, 'journal.sqlite'))
  const reader = open(file)
  expect(await reader.read(0 as Seq, 1 << 20)).toEqual(batches)
  for (const journal of [reader, next, killed]) await journal.close()
})

test('another process is refused, by name, and the holder goes on', async () => {
  const directory = newDirectory()
  const journal = open(directory)
  await fill(journal, [1])
  const script = `
    import { SqliteJournal } from ${JSON.stringify(join(import.meta.dir, 'journal.ts'))}
    try { SqliteJournal.open({ directory: ${JSON.stringify(directory)} }) } catch (fault) { console.log(fault.kind, fault.message) }
  `
  const other = Bun.spawnSync([process.execPath, '-e', script])
  expect(other.stdout.toString().trim()).toBe(`IN_USE ${directory} is in use by process ${process.pid}`)
  await fill(journal, [1])
  expect(journal.tail.seq as number).toBe(2)
  await journal.close()
  expect(existsSync(join(directory, 'journal.pid'))).toBe(false)
})

test('a full disk is reported, nothing is written, and the same batch is accepted when there is space', async () => {
  const directory = newDirectory()
  const db = openJournalFile(directory)
  const journal = SqliteJournal.over(db, { directory })
  await fill(journal, [1])
  const { tail } = journal
  db.run('PRAGMA max_page_count = 1')
  const batch = batchAfter(tail, 2, 200_000)
  const kind = await journal.append(batch).catch((cause: unknown) => (cause as JournalFault).kind)
  expect(kind).toBe('STORAGE_FULL')
  expect(journal.tail).toEqual(tail)
  db.run('PRAGMA max_page_count = 100000')
  await journal.append(batch)
  expect(await journal.read(1 as Seq, 1)).toEqual([batch])
  await journal.close()
})

test('after any other failure the journal accepts no more', async () => {
  const directory = newDirectory()
  const db = openJournalFile(directory)
  const journal = SqliteJournal.over(db, { directory })
  db.run("CREATE TRIGGER broken BEFORE INSERT ON batch BEGIN SELECT RAISE(ABORT, 'broken'); END")
  const kindOf = (work: Promise<void>) => work.catch((cause: unknown) => (cause as JournalFault).kind)
  expect(await kindOf(journal.append(batchAfter(journal.tail, 1)))).toBe('FAILED')
  db.run('DROP TRIGGER broken')
  expect(await kindOf(journal.append(batchAfter(journal.tail, 1)))).toBe('FAILED')
  await journal.close()
})

test('a commit into files that have lost their names is not acknowledged, and the journal accepts no more', async () => {
  const ways: readonly ((directory: string) => void)[] = [
    (directory) => rmSync(directory, { recursive: true }),
    (directory) => rmSync(join(directory, 'journal.sqlite-wal')),
    (directory) => renameSync(directory, `${directory}.lost`),
    (directory) => {
      renameSync(directory, `${directory}.lost`)
      cpSync(`${directory}.lost`, directory, { recursive: true })
    },
  ]
  for (const lose of ways) {
    const directory = newDirectory()
    const journal = open(directory)
    await fill(journal, [1])
    lose(directory)
    const { tail } = journal
    for (let attempt = 0; attempt < 2; attempt++) {
      const fault = await journal.append(batchAfter(tail, 1)).catch((cause: unknown) => cause as JournalFault)
      expect(fault).toMatchObject({ kind: 'FAILED' })
    }
    expect(journal.tail).toEqual(tail)
    await journal.close().catch(() => {})
  }
})

test('every commit is synced, and no checkpoint happens by itself', () => {
  const db = openJournalFile(newDirectory())
  const setting = (pragma: string) => {
    using statement = db.prepare(`PRAGMA ${pragma}`)
    return String(statement.values()[0]?.[0])
  }
  expect(setting('synchronous')).toBe('2')
  expect(setting('fullfsync')).toBe('1')
  expect(setting('journal_mode')).toBe('wal')
  expect(setting('locking_mode')).toBe('exclusive')
  expect(setting('wal_autocheckpoint')).toBe('0')
  db.close(true)
})

test('a checkpoint keeps the log from growing', async () => {
  const directory = newDirectory()
  const journal = open(directory)
  for (let i = 0; i < 20; i++) {
    await fill(journal, [1], 50_000)
    await journal.maintain(false)
  }
  const log = Bun.file(join(directory, 'journal.sqlite-wal')).size
  expect(log).toBeLessThan(200_000)
  await journal.close()
})

test('a file that is not a journal, or of another format, is refused and left alone', () => {
  const stranger = newDirectory()
  mkdirSync(stranger, { recursive: true })
  const path = join(stranger, 'journal.sqlite')
  const db = new Database(path)
  db.run('CREATE TABLE mine (x)')
  db.close(true)
  const before = readFileSync(path)
  expect(faultOf(() => open(stranger)).kind).toBe('UNSUPPORTED')
  expect(readFileSync(path).equals(before)).toBe(true)

  const newer = newDirectory()
  const file = openJournalFile(newer)
  file.run('PRAGMA user_version = 99')
  file.close(true)
  expect(faultOf(() => open(newer)).message).toContain('has format 99, this version reads 2')

  const text = newDirectory()
  mkdirSync(text, { recursive: true })
  writeFileSync(
    join(text, 'journal.sqlite'),
    'no database at all, and long enough to have a header '.repeat(20),
  )
  expect(faultOf(() => open(text)).kind).toBe('DAMAGED')
})

test('an SQLite with the WAL-reset bug is refused', () => {
  expect(faultOf(() => requireVersion('3.51.2')).kind).toBe('UNSUPPORTED')
  expect(faultOf(() => requireVersion('2.99.9')).kind).toBe('UNSUPPORTED')
  expect(faultOf(() => requireVersion('?')).kind).toBe('UNSUPPORTED')
  expect(faultOf(() => requireVersion('3.43.2', 'darwin')).message).toContain('brew install sqlite')
  for (const version of ['3.51.3', '3.52.0', '4.0.0']) requireVersion(version)
})

test('an error of the file system has its kind', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  expect(sqliteFault(full, 'x', root).kind).toBe('STORAGE_FULL')
  expect(sqliteFault(Object.assign(new Error('io'), { code: 'EIO' }), 'x', root).kind).toBe('FAILED')
})
