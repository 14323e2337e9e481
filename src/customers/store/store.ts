/**
 * Everything that the customers' process stores: two files in one directory, each readable by its owner only.
 */
import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { bind, requireKeys } from './bound-passkeys.ts'
import { ChangeLog } from './copying/change-log.ts'
import { changePage } from './copying/change-pages.ts'
import type { AskedPage, ChangePage } from './copying/page.ts'
import { openDatabase } from './database.ts'
import { Factors } from './factors.ts'
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
  readonly changes: ChangeLog
  readonly #db: Database
  readonly #randomBytes: (size: number) => Uint8Array

  /**
   * Opens the files and creates them if absent. Throws `StoreFault`, also if passkeys are bound to another RP
   * id.
   */
  constructor(directory: string, randomBytes: (size: number) => Uint8Array, rpId: string) {
    this.#db = openDatabase(join(directory, STORE_FILE), STORE_FORM)
    try {
      requireKeys(directory, this.#db)
      bind(this.#db, rpId)
      this.changes = new ChangeLog(this.#db, randomBytes)
      this.keys = new KeyFile(join(directory, KEYS_FILE), randomBytes)
    } catch (cause) {
      this.#db.close()
      throw cause
    }
    this.#randomBytes = randomBytes
    const parts = { db: this.#db, keys: this.keys, randomBytes }
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
  }

  /** Runs all of it in one transaction, or nothing. */
  atOnce<Result>(work: () => Result): Result {
    return this.#db.transaction(work).immediate()
  }

  /**
   * Erases a person: the key is destroyed, so that every copy of the store is unreadable, and the rows are
   * overwritten. Keys of sessions remain as ended ones, for the exchange. The history keeps numbers, times
   * and kinds of entries.
   */
  erase({ owner, mail_index }: Pick<Person, 'owner' | 'mail_index'>): void {
    const owners = this.atOnce(() => {
      for (const session of this.sessions.of(owner)) this.sessions.end(session)
      const others = this.people.removeSignUps(mail_index)
      this.people.remove(owner)
      this.invitations.removeOf(mail_index)
      for (const each of [owner, ...others]) this.invitations.unbind(each)
      this.records.removeMailsOf([owner, ...others])
      this.changes.forget([owner, ...others])
      return [owner, ...others]
    })
    for (const each of owners) this.keys.destroy(each)
    // The write-ahead log still has the old pages.
    this.#db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  /** For a standby. */
  changesFor(asked: AskedPage, nowMs: number): ChangePage {
    const parts = { db: this.#db, keys: this.keys, log: this.changes, randomBytes: this.#randomBytes }
    return changePage(parts, asked, nowMs)
  }

  close(): void {
    this.#db.close()
    this.keys.close()
  }
}
