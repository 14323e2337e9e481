/**
 * Everything that the customers process stores: two files in one directory, each readable by its owner only,
 * or two schemas in PostgreSQL.
 */
import { join } from 'node:path'
import { bind, requireKeyFile, requireKeys } from './bound-passkeys.ts'
import { Claims } from './claims.ts'
import { ChangeLog } from './copying/change-log.ts'
import { StoreChanges } from './copying/store-changes.ts'
import { openDatabase } from './database.ts'
import { Factors } from './factors.ts'
import { FailureRows, subjectOfMail } from './failures.ts'
import { Invitations } from './invitations.ts'
import { KEYS_FILE, KeyFile } from './key-file.ts'
import { Links } from './links.ts'
import { MailChanges } from './mail-changes.ts'
import { Marks } from './marks.ts'
import { OwnKeyRows } from './own-keys.ts'
import { People, type Person } from './people.ts'
import { Records } from './records.ts'
import { Requests } from './requests.ts'
import { STORE_FILE, STORE_FORM } from './schema.ts'
import { Sessions } from './sessions.ts'
import { type Sql, StoreAwayFault } from './sql.ts'
import { SqliteSql } from './sqlite.ts'

/** In PostgreSQL the table of keys is rewritten, during which other processes must wait. */
const SCRUB_EVERY_MS = 3_600_000

export type StoreOptions = {
  readonly randomBytes: (size: number) => Uint8Array
  /** The domain that passkeys are bound to. */
  readonly rpId: string
}

/** Databases whose tables exist, in the version of this program. */
export type Databases = { readonly store: Sql; readonly keys: Sql }

export class Store {
  readonly keys: KeyFile
  readonly people: People
  readonly sessions: Sessions
  readonly records: Records
  readonly links: Links
  readonly factors: Factors
  readonly invitations: Invitations
  readonly marks: Marks
  readonly ownKeys: OwnKeyRows
  readonly mailChanges: MailChanges
  readonly requests: Requests
  readonly claims: Claims
  readonly failures: FailureRows
  /** For standbys; undefined in PostgreSQL, which replicates itself. */
  readonly changes: StoreChanges | undefined
  readonly #db: Sql
  #scrubbedMs = Number.NEGATIVE_INFINITY

  private constructor(
    { store, keys }: { readonly store: Sql; readonly keys: KeyFile },
    { randomBytes }: StoreOptions,
    changes: StoreChanges | undefined,
  ) {
    this.#db = store
    this.keys = keys
    this.changes = changes
    const parts = { db: store, keys, randomBytes }
    this.people = new People(parts)
    this.sessions = new Sessions(parts)
    this.records = new Records(parts)
    this.links = new Links(parts)
    this.factors = new Factors(parts)
    this.invitations = new Invitations(parts)
    this.marks = new Marks(parts)
    this.ownKeys = new OwnKeyRows(parts)
    this.mailChanges = new MailChanges(parts)
    this.requests = new Requests(parts)
    this.claims = new Claims(parts)
    this.failures = new FailureRows(parts)
  }

  /**
   * Opens the files of a directory and creates them if absent. Throws `StoreFault`, also if passkeys are
   * bound to another RP id.
   */
  static open({ directory, ...options }: StoreOptions & { readonly directory: string }): Store {
    const { randomBytes, rpId } = options
    const db = openDatabase(join(directory, STORE_FILE), STORE_FORM)
    const store = new SqliteSql(db)
    try {
      requireKeyFile(directory, store)
      bind(store, rpId)
      const log = new ChangeLog(db, randomBytes)
      const keys = KeyFile.open(join(directory, KEYS_FILE), randomBytes)
      return new Store({ store, keys }, options, new StoreChanges({ db, keys, log, randomBytes }))
    } catch (cause) {
      store.close()
      throw cause
    }
  }

  /**
   * A store over open databases, which closing the store closes too. Throws `StoreFault` like `open`, and
   * then closes both.
   */
  static over(databases: Databases, options: StoreOptions): Store {
    const { store, keys } = databases
    try {
      requireKeys(databases)
      bind(store, options.rpId)
      return new Store({ store, keys: new KeyFile(keys, options.randomBytes) }, options, undefined)
    } catch (cause) {
      store.close()
      keys.close()
      throw cause
    }
  }

  /**
   * Runs all of the work in one transaction of the store, or nothing. The work may be run several times, so
   * it must have no effects outside the store.
   */
  atOnce<Result>(work: () => Result): Result {
    return this.#db.atOnce(work)
  }

  /**
   * Erases a person: the key is destroyed first, so that the person's data is unreadable in every copy of the
   * store; then the rows are overwritten. Keys of sessions remain as ended ones, for the exchange. The
   * history keeps numbers, times and kinds of entries. Repeatable: a later call finishes one that was
   * interrupted.
   */
  erase({ owner, mail_index }: Pick<Person, 'owner' | 'mail_index'>): void {
    this.keys.destroy(owner)
    const others = this.atOnce(() => {
      for (const session of this.sessions.of(owner)) this.sessions.end(session)
      const others = this.people.removeSignUps(mail_index)
      this.people.remove(owner)
      this.invitations.removeOf(mail_index)
      this.failures.remove(subjectOfMail(mail_index))
      for (const each of [owner, ...others]) this.invitations.unbind(each)
      this.records.removeMailsOf([owner, ...others])
      this.changes?.forget([owner, ...others])
      return others
    })
    for (const each of others) this.keys.destroy(each)
    this.#scrub()
  }

  /** Called at intervals: overwrites what deleted rows have left, once an hour. */
  sweep(nowMs: number): void {
    this.changes?.sweep(nowMs)
    if (nowMs - this.#scrubbedMs < SCRUB_EVERY_MS) return
    this.keys.scrub()
    this.#scrubbedMs = nowMs
  }

  /**
   * The person is erased in any case: the bytes that a busy database leaves are overwritten by the next
   * `sweep`.
   */
  #scrub(): void {
    try {
      this.keys.scrub()
      this.#db.scrub()
    } catch (cause) {
      if (!(cause instanceof StoreAwayFault)) throw cause
      this.#scrubbedMs = Number.NEGATIVE_INFINITY
    }
  }

  close(): void {
    this.#db.close()
    this.keys.close()
  }
}
