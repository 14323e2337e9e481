import { afterAll, expect, test } from 'bun:test'
import { constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from '../../engine/port/journal.contract.ts'
import type { FileAccess } from '../files/readable.ts'
import { SqliteJournal } from './journal.ts'
import { JournalReader } from './journal-reader.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-reader-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** The file system for a user who may read everything and write nothing. */
const READ_ONLY: FileAccess = {
  check: (path, mode) => {
    if ((mode & constants.W_OK) !== 0) throw Object.assign(new Error(path), { code: 'EACCES' })
  },
  user: () => 'dora',
}

test('a damaged journal is reported as damaged to a user who may not write beside it', async () => {
  const journal = SqliteJournal.open({ directory })
  await fill(journal, [1, 2])
  await journal.close()
  await JournalReader.open(directory, READ_ONLY).close()
  const path = join(directory, 'journal.sqlite')
  const bytes = readFileSync(path)
  bytes[0] = (bytes[0] as number) ^ 1
  writeFileSync(path, bytes)
  expect(() => JournalReader.open(directory, READ_ONLY)).toThrow(
    expect.objectContaining({ name: 'JournalFault', kind: 'DAMAGED' }),
  )
})
