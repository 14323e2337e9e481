import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { CONFIG, Rig } from '../../customers.fixture.ts'
import { answerOperator } from '../../operators/answer-operator.ts'
import type { SoftPasskey } from '../../soft-passkey.fixture.ts'
import { openDatabase } from '../database.ts'
import { KEYS_FILE, KeyFile } from '../key-file.ts'
import { STORE_FILE, STORE_FORM } from '../schema.ts'
import { StoreFault } from '../sql.ts'
import { standbyCopy } from '../store-copies.ts'
import { ChangeLog } from './change-log.ts'
import { changePage } from './change-pages.ts'
import { keyOfTable, UNLOGGED_TABLES } from './log-schema.ts'
import { readAsked, writePage } from './page.ts'
import type { StoreChanges } from './store-changes.ts'
import { StoreCopy } from './store-copy.ts'

const MAIL = 'jo.doe@example.org'
const DAY_MS = 86_400_000

const directories: string[] = []
const rigs: Rig[] = []
const copies: StoreCopy[] = []
afterEach(() => {
  for (const copy of copies.splice(0)) copy.close()
  for (const rig of rigs.splice(0)) rig.close()
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

const random = (size: number) => new Uint8Array(randomBytes(size))

function newRig(): Rig {
  const rig = new Rig()
  rigs.push(rig)
  return rig
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-copy-'))
  directories.push(directory)
  return directory
}

function newCopy(directory = newDirectory()) {
  const copy = new StoreCopy({ directory, randomBytes: random, syncDirectory: () => {} })
  copies.push(copy)
  return { copy, directory }
}

function changesOf(rig: Rig): StoreChanges {
  const { changes } = rig.context.store
  if (changes === undefined) throw new Error('a store in a file has a log of changes')
  return changes
}

/** One page of the node's store. */
const step = (rig: Rig, copy: StoreCopy): boolean =>
  copy.take(writePage(changesOf(rig).page(readAsked(copy.asked()), rig.nowMs)))

/** Copies until the copy has everything; returns the number of pages. */
function pull(rig: Rig, copy: StoreCopy): number {
  for (let pages = 1; ; pages++) if (step(rig, copy)) return pages
}

function link(i: number, rig: Rig) {
  const [person] = rig.context.store.people.after('', 1)
  const digest = new Uint8Array(32)
  new DataView(digest.buffer).setUint32(0, i)
  const times = { created_ms: rig.nowMs, expires_ms: rig.nowMs }
  return { token_digest: digest, owner: person?.owner ?? '', kind: 'FREEZE' as const, ...times }
}

const carryKeys = (rig: Rig, directory: string) =>
  cpSync(join(rig.directory, KEYS_FILE), join(directory, KEYS_FILE))

function tablesOf(db: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
  return db
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name)
}

/** All rows of all tables that are copied. */
function rowsIn(db: Database) {
  const tables = tablesOf(db).filter((name) => !UNLOGGED_TABLES.includes(name))
  return tables.map((name) => [name, db.query(`SELECT * FROM ${name} ORDER BY 1, 2`).values()])
}

function rowsOf(directory: string) {
  using db = new Database(join(directory, STORE_FILE))
  return rowsIn(db)
}

test('the log knows every table of the store and its key', () => {
  const db = openDatabase(join(newDirectory(), STORE_FILE), STORE_FORM)
  const logged = tablesOf(db).filter((name) => !UNLOGGED_TABLES.includes(name))
  for (const name of logged) {
    const key = db
      .query<{ name: string; pk: number }, []>(`PRAGMA table_info(${name})`)
      .all()
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((column) => column.name)
    expect([name, keyOfTable(name)]).toEqual([name, key])
  }
  expect(logged.length).toBeGreaterThan(20)
  db.close()
})

type Change =
  | { readonly kind: 'person' | 'leave' | 'passkey' | 'code' | 'fact' | 'session'; readonly at: number }
  | { readonly kind: 'swap' | 'page' | 'restart' | 'restore' | 'save' | 'sweep' }

const OWNERS = 6
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('person', 'leave', 'passkey', 'code', 'fact', 'session'),
    at: fc.nat(OWNERS - 1),
  }),
  fc.record({ kind: fc.constantFrom('swap', 'page', 'page', 'restart', 'restore', 'save', 'sweep') }),
)

test('after any changes, restarts and restores of the node the copy equals the node’s data, and is never a part of it', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 50 }), fc.integer({ min: 1, max: 5 }), (changes, rowsMax) => {
      const directory = newDirectory()
      const file = join(directory, STORE_FILE)
      const saved = join(directory, 'saved')
      const open = () => openDatabase(file, { ...STORE_FORM, isErasing: true })
      let db = open()
      const keys = KeyFile.open(join(directory, KEYS_FILE), random)
      let log = new ChangeLog(db, random)
      const { copy, directory: into } = newCopy()
      let [count, nowMs] = [0, Date.now()]
      /** All states that the node has had. */
      const states = new Set<string>()
      const take = (): boolean => {
        const limits = { rowsMax, bytesMax: 1_000_000 }
        const page = changePage(
          { db, keys, log, randomBytes: random, limits },
          readAsked(copy.asked()),
          nowMs,
        )
        const hasAll = copy.take(writePage(page))
        if (copy.moment !== undefined) expect(states).toContain(JSON.stringify(rowsOf(into)))
        return hasAll
      }
      const act = (one: Change): void => {
        const n = ++count
        const owner = 'at' in one ? `o${one.at}` : ''
        switch (one.kind) {
          case 'person':
            db.query('INSERT OR IGNORE INTO person VALUES (?, ?, ?, ?, ?, ?, 1, 0, NULL, 0)').run(
              owner,
              `c-${owner}`,
              'ACTIVE',
              random(8),
              random(8),
              random(8),
            )
            break
          case 'leave':
            db.query('DELETE FROM person WHERE owner = ?').run(owner)
            break
          case 'passkey':
            db.query(
              'INSERT INTO passkey SELECT ?, owner, ?, 0, ?, ?, NULL, NULL FROM person WHERE owner = ?',
            ).run(`p${n}`, random(8), '', n, owner)
            break
          case 'code':
            db.query('INSERT INTO recovery_code SELECT owner, ? FROM person WHERE owner = ?').run(
              random(8),
              owner,
            )
            break
          case 'fact':
            db.query('INSERT OR REPLACE INTO fact VALUES (?, ?)').run(owner, String(n))
            break
          case 'session':
            db.query('UPDATE person SET epoch = epoch + 1, sealed = ? WHERE owner = ?').run(random(8), owner)
            break
          case 'swap': {
            // A unique value moves from one row to another.
            const [a, b] = db.query('SELECT owner, mail_index FROM person LIMIT 2').values() as [
              [string, Uint8Array] | undefined,
              [string, Uint8Array] | undefined,
            ]
            if (a === undefined || b === undefined) break
            const set = db.query('UPDATE person SET mail_index = ? WHERE owner = ?')
            db.transaction(() => {
              set.run(random(8), a[0])
              set.run(a[1], b[0])
              set.run(b[1], a[0])
            })()
            break
          }
          case 'page':
            take()
            break
          case 'restart':
          case 'restore':
            db.close()
            if (one.kind === 'restore' && existsSync(saved)) cpSync(saved, file)
            db = open()
            log = new ChangeLog(db, random)
            break
          case 'save':
            cpSync(file, saved)
            break
          case 'sweep':
            nowMs += 2 * DAY_MS
            log.sweep(nowMs)
            break
        }
      }
      states.add(JSON.stringify(rowsIn(db)))
      for (const one of changes) {
        act(one)
        states.add(JSON.stringify(rowsIn(db)))
      }
      for (let pages = 0; !take(); pages++) if (pages > 1_000) throw new Error('the copy has no end')
      expect(rowsOf(into)).toEqual(rowsIn(db))
      copy.close()
      db.close()
      keys.close()
    }),
    { numRuns: 30 },
  )
})

test('a person signs in at the copy with the same passkey, and the copy continues after a restart of either', async () => {
  const rig = newRig()
  const browser = rig.browser()
  await browser.signUp(MAIL)
  const { copy, directory } = newCopy()
  carryKeys(rig, directory)
  pull(rig, copy)
  copy.close()
  await rig.browser().signUp('later@example.org')
  const again = newCopy(directory).copy
  expect(again.moment?.hasKeys).toBe(true)
  rig.restart()
  const page = changesOf(rig).page(readAsked(again.asked()), rig.nowMs)
  expect(page.isAnew).toBe(false)
  rig.nowMs += 10_000
  pull(rig, again)
  again.close()
  expect(standbyCopy(directory)).toEqual({ atMs: rig.nowMs, persons: 2, hasKeys: true })
  expect(rowsOf(directory)).toEqual(rowsOf(rig.directory))
  rig.context.store.close()
  for (const name of readdirSync(rig.directory)) rmSync(join(rig.directory, name))
  cpSync(directory, rig.directory, { recursive: true })
  rig.reopen()
  expect((await rig.browser().signIn(browser.passkey as SoftPasskey)).status).toBe(200)
  // It is the store of a node now, and cannot be continued as a copy.
  rig.context.store.close()
  const { copy: later } = newCopy(rig.directory)
  expect(later.moment).toBeUndefined()
  later.close()
  rig.reopen()
})

test('an erased person is unreadable in the copy, and the key is destroyed there', async () => {
  const rig = newRig()
  await rig.browser().signUp('stays@example.org')
  const browser = rig.browser()
  await browser.signUp(MAIL)
  const { copy, directory } = newCopy()
  carryKeys(rig, directory)
  pull(rig, copy)
  const owner = rig.context.store.people.byAccount(rig.exchange.accounts[1] ?? '')?.owner ?? ''
  const key = rig.context.store.keys.keyOf(owner) as Uint8Array
  const holds = (bytes: Uint8Array) =>
    readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(bytes))
  const credential = Buffer.from(rig.context.store.people.passkeys(owner)[0]?.id ?? '')
  expect([holds(key), holds(credential)]).toEqual([true, true])
  expect((await browser.postWithStepUp('erase')).status).toBe(200)
  pull(rig, copy)
  expect([holds(key), holds(credential)]).toEqual([false, false])
  expect(rowsOf(directory)).toEqual(rowsOf(rig.directory))
  const keys = KeyFile.open(join(directory, KEYS_FILE), random)
  expect(keys.owners()).toEqual(rig.context.store.keys.owners())
  keys.close()
})

test('without a copy of the key file no key is copied; once it exists, all are, and no one can read them on the way', async () => {
  const rig = newRig()
  await rig.browser().signUp(MAIL)
  const { copy, directory } = newCopy()
  pull(rig, copy)
  expect([copy.moment?.hasKeys, existsSync(join(directory, KEYS_FILE))]).toEqual([false, false])
  expect(standbyCopy(directory)).toMatchObject({ persons: 1, hasKeys: false })
  carryKeys(rig, directory)
  await rig.browser().signUp('later@example.org')
  const sent: Uint8Array[] = []
  for (let hasAll = false; !hasAll; ) {
    const page = writePage(changesOf(rig).page(readAsked(copy.asked()), rig.nowMs))
    sent.push(page)
    hasAll = copy.take(page)
  }
  expect(copy.moment?.hasKeys).toBe(true)
  const { keys } = rig.context.store
  for (const owner of keys.owners()) {
    const key = keys.keyOf(owner) as Uint8Array
    for (const page of sent) {
      expect(Buffer.from(page).includes(key)).toBe(false)
      expect(Buffer.from(page).includes(Buffer.from(key).toString('base64'))).toBe(false)
    }
  }
  const copied = KeyFile.open(join(directory, KEYS_FILE), random)
  expect(copied.owners()).toEqual(keys.owners())
  copied.close()
})

test('a key file of another exchange is refused, and the present data stays', async () => {
  const [rig, other] = [newRig(), newRig()]
  await rig.browser().signUp(MAIL)
  const { copy, directory } = newCopy()
  carryKeys(other, directory)
  expect(() => step(rig, copy)).toThrow(StoreFault)
  expect(() => step(rig, copy)).toThrow("does not belong to the node's customers")
  expect(copy.moment).toBeUndefined()
  carryKeys(rig, directory)
  pull(rig, copy)
  expect(copy.moment?.hasKeys).toBe(true)
})

test('a truncated page, or one of a later version, changes nothing', async () => {
  const rig = newRig()
  await rig.browser().signUp(MAIL)
  const { copy, directory } = newCopy()
  carryKeys(rig, directory)
  pull(rig, copy)
  const before = rowsOf(directory)
  await rig.browser().signUp('later@example.org')
  const page = changesOf(rig).page(readAsked(copy.asked()), rig.nowMs)
  const bytes = writePage(page)
  for (let length = 0; length < bytes.length; length += 97)
    expect(() => copy.take(bytes.subarray(0, length))).toThrow(StoreFault)
  expect(() => copy.take(writePage({ ...page, form: 99 }))).toThrow('upgrade the standby')
  const foreign = { table: 'sqlite_schema', key: ['x'], values: undefined }
  expect(() => copy.take(writePage({ ...page, rows: [...page.rows, foreign] }))).toThrow('expected a table')
  expect(rowsOf(directory)).toEqual(before)
  pull(rig, copy)
  expect(rowsOf(directory)).toEqual(rowsOf(rig.directory))
})

test('a copy of many pages becomes complete although the log has dropped rows, and one from before that is copied anew', async () => {
  const rig = newRig()
  const { copy } = newCopy()
  await rig.browser().signUp(MAIL)
  pull(rig, copy)
  const facts = (count: number, from: number) => {
    for (let i = from; i < from + count; i++) rig.context.store.records.setJournaledHead(i, i)
    for (let i = 0; i < count; i++) rig.context.store.links.add(link(i + from, rig))
  }
  facts(1_200, 0)
  rig.context.store.links.removeOld(rig.nowMs + 1)
  facts(1_200, 2_000)
  changesOf(rig).sweep(Date.now() + 2 * DAY_MS)
  expect(changesOf(rig).page(readAsked(copy.asked()), rig.nowMs).isAnew).toBe(true)
  expect(pull(rig, copy)).toBeGreaterThan(2)
})

test('a mail that operators sent to a refused person is readable in the copy', async () => {
  const rig = new Rig({ ...CONFIG, signUp: 'APPROVAL' })
  rigs.push(rig)
  await rig.browser().signUp(MAIL)
  const account = rig.context.store.people.after('', 1)[0]?.account ?? ''
  const { copy, directory } = newCopy()
  carryKeys(rig, directory)
  pull(rig, copy)
  await answerOperator(rig.context, 'refuse', { by: 'ops', request: { account } })
  pull(rig, copy)
  const keys = KeyFile.open(join(directory, KEYS_FILE), random)
  expect(keys.owners()).toEqual(rig.context.store.keys.owners())
  keys.close()
})
