import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
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

test('a file of many pieces contains what was written, to the byte', () => {
  const path = join(root, 'long')
  const parts = [3, 5_000_000, 0, 2 * 1024 * 1024].map((length, seed) =>
    Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 12) + seed) % 251),
  )
  writeWhole(path, `${path}.tmp`, parts)
  expect(readFileSync(path).equals(Buffer.concat(parts))).toBe(true)
  rmSync(path)
})

test('an error that already has a kind keeps it, and is not reported twice', () => {
  const full = fileFault(Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'cannot write a')
  expect([full.kind, full.message]).toEqual(['STORAGE_FULL', 'cannot write a: no space'])
  expect(fileFault(full, 'cannot save a')).toBe(full)
})

test.each(['EMFILE', 'ENFILE'])('%s says that no descriptor is left, and nothing about the disk', (code) => {
  const fault = fileFault(Object.assign(new Error('too many open files'), { code }), 'cannot write a')
  expect([fault.kind, fault.message]).toEqual(['NO_DESCRIPTORS', 'cannot write a: too many open files'])
})
