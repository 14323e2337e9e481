/** Journals of format 1, which no release has written: their directories are refused, and not touched. */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage } from '../../../src/storage/sqlite/storage.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-format-1-'))
afterAll(() => rmSync(root, { recursive: true }))

test('the directory of a journal of format 1 is refused by a sentence that names its format, and not touched', () => {
  const directory = join(root, 'first')
  cpSync(join(import.meta.dir, 'first'), directory, { recursive: true })
  const journal = join(directory, 'journal.sqlite')
  const before = readFileSync(journal)
  expect(() => openStorage({ directory })).toThrow(
    `${journal} has format 1, this version reads 2 and 3: it was written by a program from before the first release. Nothing was changed`,
  )
  expect(readFileSync(journal).equals(before)).toBe(true)
})
