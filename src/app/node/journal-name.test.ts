import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { JOURNAL_NAME_FILE, nameJournal } from './journal-name.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function newDirectory(): { readonly directory: string; readonly file: string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-name-'))
  directories.push(directory)
  return { directory, file: path.join(directory, JOURNAL_NAME_FILE) }
}

test('a journal keeps its name, which belongs to its directory alone', () => {
  const { directory, file } = newDirectory()
  const name = nameJournal(directory, false)
  expect(name).toMatch(/^[0-9a-f]{32}$/)
  expect([nameJournal(directory, false), readFileSync(file, 'utf8')]).toEqual([name, `${name}\n`])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(nameJournal(newDirectory().directory, false)).not.toBe(name)
})

test('another journal in the same directory has another name, and keeps it', () => {
  const { directory } = newDirectory()
  const name = nameJournal(directory, false)
  const another = nameJournal(directory, true)
  expect(another).not.toBe(name)
  expect(nameJournal(directory, false)).toBe(another)
})

test('a file without a valid name is replaced', () => {
  const { directory, file } = newDirectory()
  for (const text of ['', 'f'.repeat(31), `${'f'.repeat(33)}\n`]) {
    writeFileSync(file, text)
    expect(nameJournal(directory, false)).toMatch(/^[0-9a-f]{32}$/)
    expect(readFileSync(file, 'utf8')).not.toBe(text)
  }
})
