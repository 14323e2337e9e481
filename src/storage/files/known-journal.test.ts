import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { KnownJournalFile } from './known-journal.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-known-journal-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('the name of the journal is read as it was written, and the last one counts', () => {
  const file = path.join(directory, 'journal.json')
  const known = new KnownJournalFile(file)
  expect(known.read()).toBeUndefined()
  for (const name of ['a'.repeat(32), 'b'.repeat(32)]) {
    known.write(name)
    expect(new KnownJournalFile(file).read()).toBe(name)
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ journal: 'b'.repeat(32) })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each(['', '{', 'null', '[]', '{"journal":7}', '{"journal":"a"}', `{"journal":"${'A'.repeat(32)}"}`])(
  'a file that holds %p names no journal',
  (text) => {
    const file = path.join(directory, 'journal.json')
    writeFileSync(file, text)
    expect(new KnownJournalFile(file).read()).toBeUndefined()
  },
)
