import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
import type { StoredWebhook } from '../../engine/port/webhook-store.ts'
import { SqliteWebhooks } from './webhooks.ts'

const BOOKS: StoredWebhook = {
  ...{ name: 'books', url: 'https://books.example/', kinds: ['FILL', 'CREDIT'], account: 'alice' },
  ...{
    journal: 'one',
    position: 9_007_199_254_740_991,
    sealedSecret: new Uint8Array([1, 2, 3]),
    paused: undefined,
  },
}

let directory: string
let file: string
let store: SqliteWebhooks
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-webhooks-'))
  file = path.join(directory, 'webhooks.sqlite')
  store = new SqliteWebhooks(file)
})
afterEach(() => {
  store.close()
  rmSync(directory, { recursive: true })
})

function again(): SqliteWebhooks {
  store.close()
  store = new SqliteWebhooks(file)
  return store
}

test('stored webhooks are there when the file is opened again, by name', () => {
  const every = { ...BOOKS, name: 'a', kinds: undefined, account: undefined, paused: 'OPERATOR' as const }
  store.add(BOOKS)
  store.add(every)
  expect(again().all()).toEqual([every, BOOKS])
  store.move('books', 7)
  store.pause('a', undefined)
  store.reseal('a', new Uint8Array([9]))
  store.moveTo('a', 'two', 5)
  expect(again().all()).toEqual([
    { ...every, paused: undefined, sealedSecret: new Uint8Array([9]), journal: 'two', position: 5 },
    { ...BOOKS, position: 7 },
  ])
})

test('an event that is given up moves the position with it, and is removed with its webhook', () => {
  store.add({ ...BOOKS, position: 0 })
  store.bury('books', { number: 32, problem: 'status 500', timeMs: 5 })
  store.bury('books', { number: 48, problem: 'status 501', timeMs: 6 })
  expect(again().all()[0]?.position).toBe(48)
  expect([store.deadCount('books'), store.nextAwaited('books')]).toEqual([2, undefined])
  expect([store.await('books', 48), store.await('books', 1), store.nextAwaited('books')]).toEqual([1, 0, 48])
  store.stay('books', 48, 'status 502')
  expect(store.dead('books')).toEqual([
    { number: 32, problem: 'status 500', timeMs: 5, isAwaited: false },
    { number: 48, problem: 'status 502', timeMs: 6, isAwaited: false },
  ])
  expect([store.await('books', undefined), store.nextAwaited('books')]).toEqual([2, 32])
  store.raise('books', 32)
  expect(store.dead('books').map(({ number }) => number)).toEqual([48])
  store.remove('books')
  store.add(BOOKS)
  expect(store.dead('books')).toEqual([])
})

test('the file is for its owner alone', () => {
  store.add(BOOKS)
  for (const name of [file, `${file}-wal`]) expect([name, statSync(name).mode & 0o777]).toEqual([name, 0o600])
})

test('an address that is no longer valid is damage', () => {
  store.add(BOOKS)
  store.close()
  const database = new Database(file)
  database.run("UPDATE webhook SET url = 'books'")
  database.close()
  store = new SqliteWebhooks(file)
  expect(() => store.all()).toThrow(JournalFault)
})

test('webhooks of another version than this one, later or earlier, are refused and left as they are', () => {
  store.add(BOOKS)
  store.close()
  const pragma = (sql: string) => {
    const database = new Database(file)
    const rows = database.query(sql).values()
    database.close()
    return rows
  }
  const [[version]] = pragma('PRAGMA user_version') as [[number]]
  for (const other of [version + 1, version + 100, version - 1, -1]) {
    pragma(`PRAGMA user_version = ${other}`)
    expect(() => new SqliteWebhooks(file)).toThrow(`found format ${other}`)
    expect(pragma('PRAGMA user_version')).toEqual([[other]])
  }
  pragma(`PRAGMA user_version = ${version}`)
  store = new SqliteWebhooks(file)
  expect(store.all()).toEqual([BOOKS])
})

test('a file of another program, or of a later version, is refused and left as it is', () => {
  const other = path.join(directory, 'other.sqlite')
  const database = new Database(other, { create: true })
  database.run('PRAGMA user_version = 2')
  database.close()
  expect(() => new SqliteWebhooks(other)).toThrow(JournalFault)
  const text = path.join(directory, 'text')
  writeFileSync(text, 'no database at all, but long enough to be looked at as one')
  expect(() => new SqliteWebhooks(text)).toThrow(JournalFault)
})
