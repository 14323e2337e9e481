import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JournalFault } from '../../engine/journal.ts'
import { fileFault, writeWhole } from './directory.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-directory-'))
afterAll(() => rmSync(root, { recursive: true }))

test('a file that cannot be written is a fault that names it, and nothing temporary is left', () => {
  const taken = join(root, 'taken')
  mkdirSync(join(taken, 'by a directory'), { recursive: true })
  const write = () => writeWhole(taken, join(root, 'temporary'), [new Uint8Array(1)])
  expect(write).toThrow(JournalFault)
  expect(write).toThrow(`cannot write ${taken}: `)
  expect(readdirSync(root)).toEqual(['taken'])
})

test('what has its kind keeps it, and is not told twice', () => {
  const full = fileFault(Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'cannot write a')
  expect([full.kind, full.message]).toEqual(['STORAGE_FULL', 'cannot write a: no space'])
  expect(fileFault(full, 'cannot save a')).toBe(full)
})
