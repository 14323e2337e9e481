import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from './database.ts'
import { StoreFault } from './sql.ts'

const FIRST = 'CREATE TABLE pet (name TEXT) STRICT'
const form = (...steps: readonly string[]) => ({ applicationId: 7, isErasing: false, steps })

test('a file whose next migration fails, or that is of another program, is left as it is', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-customers-file-'))
  const file = join(directory, 'pets.sqlite')
  openDatabase(file, form(FIRST)).close()
  const broken = 'CREATE TABLE more (name TEXT) STRICT; SELECT * FROM no_such_table'
  expect(() => openDatabase(file, form(FIRST, broken))).toThrow(StoreFault)
  expect(() => openDatabase(file, { ...form(FIRST), applicationId: 8 })).toThrow(StoreFault)
  const kept = openDatabase(file, form(FIRST, 'CREATE TABLE more (age INTEGER) STRICT'))
  expect(kept.query('SELECT * FROM more').all()).toEqual([])
  kept.close()
  rmSync(directory, { recursive: true })
})
