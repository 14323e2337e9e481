/**
 * Webhooks in a file of their own, `webhooks.sqlite`. The position of a webhook is written often and without
 * a sync. If the process is killed nothing is lost; after a power failure the last seconds are lost, and
 * those events are sent again. Everything else is synced.
 */
import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
import type { DeadEvent, StoredWebhook, WebhookStore } from '../../engine/port/webhook-store.ts'
import type { EventKind } from '../../units/event-enums.ts'
import type { WebhookPause } from '../../units/operator-enums.ts'
import { sqliteFault } from './journal-file.ts'
import { lacksSharedIndex } from './room.ts'

/** "BRSW" marks the file as one of this program. */
const APPLICATION_ID = 0x4252_5357
const FORMAT_VERSION = 1

const SCHEMA = `
  CREATE TABLE webhook (
    name TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    kinds TEXT, -- joined by commas; NULL: every kind
    account TEXT,
    journal TEXT NOT NULL,
    position INTEGER NOT NULL,
    sealed_secret BLOB NOT NULL,
    paused TEXT
  ) STRICT;
  CREATE TABLE dead_event (
    name TEXT NOT NULL REFERENCES webhook (name) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    problem TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    is_awaited INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (name, number)
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT_VERSION};
`

type WebhookRow = {
  readonly name: string
  readonly url: string
  readonly kinds: string | null
  readonly account: string | null
  readonly journal: string
  readonly position: number
  readonly sealed_secret: Uint8Array
  readonly paused: string | null
}

type DeadRow = {
  readonly number: number
  readonly problem: string
  readonly time_ms: number
  readonly is_awaited: number
}

export class SqliteWebhooks implements WebhookStore {
  readonly #db: Database
  readonly #file: string

  /**
   * Opens the file, or creates it if absent. Throws `JournalFault`: `DAMAGED` if it is not a file of
   * webhooks.
   */
  constructor(file: string) {
    this.#file = file
    let db: Database | undefined
    try {
      // SQLite gives the files beside it the same mode.
      closeSync(openSync(file, 'a', 0o600))
      db = openShared(file)
      db.run('PRAGMA foreign_keys = ON')
      settle(db, file)
    } catch (cause) {
      db?.close()
      throw cause instanceof JournalFault ? cause : sqliteFault(cause, `cannot open ${file}`, dirname(file))
    }
    this.#db = db
  }

  all(): StoredWebhook[] {
    return this.#rows<WebhookRow>('SELECT * FROM webhook ORDER BY name').map(webhookOf)
  }

  add(webhook: StoredWebhook): void {
    const { name, url, kinds, account, journal, position, sealedSecret, paused } = webhook
    const values = [name, url, kinds?.join(',') ?? null, account ?? null]
    const rest = [journal, position, sealedSecret, paused ?? null]
    this.#durably('INSERT INTO webhook VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values, ...rest)
  }

  remove(name: string): void {
    this.#durably('DELETE FROM webhook WHERE name = ?', name)
  }

  move(name: string, position: number): void {
    this.#storing(() => {
      this.#db.run('PRAGMA synchronous = NORMAL')
      this.#db.query('UPDATE webhook SET position = ? WHERE name = ?').run(position, name)
    })
  }

  moveTo(name: string, journal: string, position: number): void {
    this.#durably('UPDATE webhook SET journal = ?, position = ? WHERE name = ?', journal, position, name)
  }

  pause(name: string, paused: WebhookPause | undefined): void {
    this.#durably('UPDATE webhook SET paused = ? WHERE name = ?', paused ?? null, name)
  }

  reseal(name: string, sealedSecret: Uint8Array): void {
    this.#durably('UPDATE webhook SET sealed_secret = ? WHERE name = ?', sealedSecret, name)
  }

  bury(name: string, { number, problem, timeMs }: Omit<DeadEvent, 'isAwaited'>): void {
    this.#storing(() => {
      this.#db.run('PRAGMA synchronous = FULL')
      this.#db.transaction(() => {
        const insert = 'INSERT OR REPLACE INTO dead_event VALUES (?, ?, ?, ?, 0)'
        this.#db.query(insert).run(name, number, problem, timeMs)
        this.#db.query('UPDATE webhook SET position = ? WHERE name = ?').run(number, name)
      })()
    })
  }

  dead(name: string): DeadEvent[] {
    const sql = 'SELECT * FROM dead_event WHERE name = ? ORDER BY number'
    return this.#rows<DeadRow>(sql, name).map(({ number, problem, time_ms, is_awaited }) => {
      return { number, problem, timeMs: time_ms, isAwaited: is_awaited === 1 }
    })
  }

  deadCount(name: string): number {
    const sql = 'SELECT count(*) AS count FROM dead_event WHERE name = ?'
    return this.#rows<{ readonly count: number }>(sql, name)[0]?.count ?? 0
  }

  await(name: string, number: number | undefined): number {
    const these = number === undefined ? '' : ' AND number = ?'
    const sql = `UPDATE dead_event SET is_awaited = 1 WHERE name = ?${these}`
    return this.#durably(sql, name, ...(number === undefined ? [] : [number]))
  }

  nextAwaited(name: string): number | undefined {
    const sql = 'SELECT min(number) AS number FROM dead_event WHERE name = ? AND is_awaited = 1'
    return this.#rows<{ readonly number: number | null }>(sql, name)[0]?.number ?? undefined
  }

  raise(name: string, number: number): void {
    this.#durably('DELETE FROM dead_event WHERE name = ? AND number = ?', name, number)
  }

  stay(name: string, number: number, problem: string): void {
    const sql = 'UPDATE dead_event SET is_awaited = 0, problem = ? WHERE name = ? AND number = ?'
    this.#durably(sql, problem, name, number)
  }

  close(): void {
    this.#db.close()
  }

  #rows<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    return this.#storing(() => this.#db.query(sql).all(...values) as Row[])
  }

  /** Runs a statement with a sync. Returns the number of changed rows. */
  #durably(sql: string, ...values: SQLQueryBindings[]): number {
    return this.#storing(() => {
      this.#db.run('PRAGMA synchronous = FULL')
      return this.#db.query(sql).run(...values).changes
    })
  }

  #storing<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (cause) {
      throw sqliteFault(cause, `cannot use ${this.#file}`, dirname(this.#file))
    }
  }
}

/**
 * On a full disk there is no room for the file with the index of the log, so the database is opened
 * exclusively, and stored data can still be read.
 */
function openShared(file: string): Database {
  try {
    return openOnce(file, false)
  } catch (error) {
    if (!lacksSharedIndex(error)) throw error
    return openOnce(file, true)
  }
}

function openOnce(file: string, isAlone: boolean): Database {
  const db = new Database(file, { create: true, readwrite: true, strict: true })
  try {
    if (isAlone) db.run('PRAGMA locking_mode = EXCLUSIVE')
    db.run('PRAGMA journal_mode = WAL')
    number(db, 'user_version')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function settle(db: Database, file: string): void {
  const [application, version] = [number(db, 'application_id'), number(db, 'user_version')]
  if (application === 0 && version === 0) {
    db.run('PRAGMA synchronous = FULL')
    db.transaction(() => db.run(SCHEMA))()
    return
  }
  if (application === APPLICATION_ID && version === FORMAT_VERSION) return
  const expected = `expected webhooks of format ${FORMAT_VERSION}`
  throw new JournalFault('DAMAGED', `${file}: ${expected}, found format ${version} of ${application}`)
}

function number(db: Database, pragma: 'application_id' | 'user_version'): number {
  const row = db.query(`PRAGMA ${pragma}`).get() as Readonly<Record<string, number>>
  return row[pragma] ?? 0
}

/** Kinds and pauses must have values that this program wrote. Throws `DAMAGED`. */
function webhookOf({ sealed_secret, kinds, account, paused, ...row }: WebhookRow): StoredWebhook {
  if (!URL.canParse(row.url)) throw new JournalFault('DAMAGED', `webhook ${row.name} has no address`)
  return {
    ...row,
    kinds: kinds === null ? undefined : (kinds.split(',') as EventKind[]),
    account: account ?? undefined,
    sealedSecret: new Uint8Array(sealed_secret),
    paused: (paused ?? undefined) as WebhookPause | undefined,
  }
}
