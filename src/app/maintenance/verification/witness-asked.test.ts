/**
 * If a journal lost its end, the witnesses of that end are checked: by a backup, which would otherwise hide
 * the loss, and by a start.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ANY_EXCHANGES } from '../../../engine/port/machines.fixture.ts'
import { recover } from '../../../engine/writer/recovery/recovery.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import { audit, newRoot, writeDirectory } from './directory.fixture.ts'

const root = newRoot()
const SHORT = path.join(root, 'short')
let names = 0

beforeAll(async () => {
  await writeDirectory(SHORT)
  using db = new Database(path.join(SHORT, 'journal.sqlite'))
  db.run('DELETE FROM batch WHERE position = (SELECT max(position) FROM batch)')
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
})
afterAll(() => rmSync(root, { recursive: true }))

function without(...removed: readonly string[]): string {
  const directory = path.join(root, `directory-${++names}`)
  cpSync(SHORT, directory, { recursive: true })
  for (const name of ['history.sqlite', ...removed]) rmSync(path.join(directory, name), { recursive: true })
  return directory
}

async function expectRefused(directory: string, who: RegExp): Promise<void> {
  const target = `${directory}-backup`
  const { code, out, err } = await audit('backup', '--data', directory, '--to', target)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(who)
  expect(existsSync(target)).toBe(false)
}

test('a backup asks the witness when nothing else remembers the end', async () => {
  await expectRefused(without('snapshots'), /the witness file is at command \d+, but the journal ends at/)
})

test('a backup asks the remaining slot of the witness when one is damaged', async () => {
  for (const slot of [0, 1]) {
    const directory = without('snapshots')
    const file = path.join(directory, 'journal.witness')
    const bytes = readFileSync(file)
    // A clean stop leaves the mark in both slots only after a reset: here the same end is put into both.
    const newest = bytes.readUInt32LE(12) > bytes.readUInt32LE(65_536 + 12) ? 0 : 1
    bytes.copyWithin(slot === 0 ? 65_536 : 0, newest * 65_536, newest * 65_536 + 100)
    bytes[slot * 65_536 + 20] = (bytes[slot * 65_536 + 20] as number) ^ 1
    writeFileSync(file, bytes)
    await expectRefused(directory, /the witness file is at command \d+, but the journal ends at/)
  }
})

test('a backup asks the snapshots when the witness is gone', async () => {
  await expectRefused(without('journal.witness'), /snapshot \d+ is at command \d+, but the journal ends at/)
})

/** Starts on the directory, up to the recovery of its state. */
async function start(directory: string): Promise<void> {
  const storage = openStorage({ directory })
  try {
    await recover({ ...storage, digest: sha256, machines: ANY_EXCHANGES, acceptJournalTail: false })
  } finally {
    storage.witness.close()
    await storage.journal.close()
  }
}

function spoilSlots(directory: string, ...slots: readonly number[]): void {
  const file = path.join(directory, 'journal.witness')
  const bytes = readFileSync(file)
  for (const slot of slots) bytes[slot * 65_536 + 20] = (bytes[slot * 65_536 + 20] as number) ^ 1
  writeFileSync(file, bytes)
}

test('a start with both slots of the witness damaged halts and names the witness', async () => {
  const directory = without('snapshots')
  spoilSlots(directory, 0, 1)
  await expect(start(directory)).rejects.toThrow(
    /the checksums of both slots of .*journal\.witness are wrong/,
  )
})

test('a start with one damaged slot still halts where the journal lost more than the other slot remembers', async () => {
  for (const slot of [0, 1]) {
    const directory = without('snapshots')
    {
      using db = new Database(path.join(directory, 'journal.sqlite'))
      db.run('DELETE FROM batch WHERE last_seq > 20')
    }
    spoilSlots(directory, slot)
    await expect(start(directory)).rejects.toThrow(
      /the witness file is at command \d+, but the journal ends at/,
    )
  }
})
