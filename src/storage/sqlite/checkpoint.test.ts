import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyLog } from './checkpoint.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-checkpoint-'))
afterAll(() => rmSync(root, { recursive: true }))

test('a checkpoint that a reader prevents from emptying the log does not count as done', () => {
  const path = join(root, 'read.sqlite')
  const db = new Database(path)
  db.run('PRAGMA journal_mode = WAL')
  db.run('CREATE TABLE t (x)')
  const reader = new Database(path, { readonly: true })
  reader.run('BEGIN')
  reader.query('SELECT count(*) FROM t').get()
  db.run('INSERT INTO t VALUES (1)')
  expect(emptyLog(db)).toBe(false)
  reader.run('COMMIT')
  expect(emptyLog(db)).toBe(true)
  expect(statSync(`${path}-wal`).size).toBe(0)
  expect(emptyLog(db)).toBe(true)
  for (const each of [reader, db]) each.close()
})

test('a file without a log has nothing to empty', () => {
  const db = new Database(join(root, 'rollback.sqlite'))
  db.run('CREATE TABLE t (x)')
  expect(emptyLog(db)).toBe(false)
  db.close()
})
