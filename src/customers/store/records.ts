/** Events of persons, chained so that the removal of one is noticed; and emails to them. */
import { createHash } from 'node:crypto'
import { HISTORY_KINDS, type HistoryKind } from '../../contract/customers/sessions.ts'
import type { Language } from '../../contract/language.ts'
import { newId } from '../names.ts'
import type { TrailHead } from '../ports.ts'
import { factOf, removeFact, setFact } from './facts.ts'
import type { StoreParts } from './people.ts'
import { KEY_BYTES, seal, unseal } from './sealing.ts'
import type { Origin } from './sessions.ts'
import { StoreAwayFault } from './sql.ts'

export type TrailRow = {
  readonly number: number
  readonly at_ms: number
  readonly id: string
  readonly owner: string
  readonly kind: HistoryKind
  readonly sealed: Uint8Array
  readonly hash: Uint8Array
}

export type MailKind =
  | 'CONFIRM'
  | 'HAVE_ACCOUNT'
  | 'FROZEN'
  | 'UNFREEZE'
  | 'UNFROZEN'
  | 'FACTORS_CHANGED'
  | 'PASSKEY_RENAMED'
  | 'RECOVER'
  | 'RECOVERED'
  | 'APPROVED'
  | 'REFUSED'
  | 'MAIL_CHANGE'
  | 'MAIL_CHANGE_ASKED'
  | 'MAIL_CHANGED'
  | 'MAIL_BY_OPERATORS'
  | 'RECOVERY_ASKED'
  | 'RECOVERY_STOPPED'
  | 'RESET'

export type MailDetails = {
  readonly to: string
  readonly language: Language
  readonly token: string
  /** The token of the link that freezes the account. */
  readonly freeze?: string
  /** The email goes to an address other than its owner's. */
  readonly isElsewhere?: true
  /** The email announces that no more are sent within the hour. */
  readonly isLast?: true
}

export type MailRow = {
  readonly number: number
  /** The left half of the Message-ID. */
  readonly id: string
  readonly owner: string
  readonly kind: MailKind
  readonly sealed: Uint8Array
  readonly at_ms: number
  readonly state: MailState
  readonly tries: number
}

/** SENDING: it may have been sent, and is sent again. */
export type MailState = 'WAITING' | 'SENDING' | 'SENT' | 'BOUNCED'

/** The operator, in an entry that an operator has caused. */
export type OfOperator = {
  readonly by: string
  readonly reason: string
  /** The person does not see it before this time. */
  readonly shownMs: number
}

/** The sealed part of an entry. */
export type TrailDetails = Origin & { readonly operator?: OfOperator }

export type TrailEntry = Pick<TrailRow, 'at_ms' | 'kind'> & TrailDetails

const NO_HASH = new Uint8Array(32)
/** Maximum number of entries of one person and kind in a day: a stranger can cause failed sign-ins. */
const OF_A_DAY_MAX = 200
const DAY_MS = 86_400_000
/** Number of entries of the chain that are read and checked in one piece. */
const CHECKED_AT_ONCE = 2_000
/** Maximum number of entries that wait to be written. */
const LATER_MAX = 1_000

export class Records {
  readonly #parts: StoreParts
  #later: (() => void)[] = []
  /**
   * Number of events of each kind since the process began. A stored event is counted once, when it is stored;
   * an event beyond the daily limit is counted, but not stored.
   */
  readonly counts = Object.fromEntries(HISTORY_KINDS.map((kind) => [kind, 0])) as Record<HistoryKind, number>

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  /**
   * False if the person has too many of this kind today, or no key any longer; in that case nothing is
   * recorded.
   */
  note(owner: string, kind: HistoryKind, details: TrailDetails, nowMs: number): boolean {
    const { db, keys, randomBytes } = this.#parts
    const key = keys.keyOf(owner)
    if (key === undefined) return false
    const id = newId(randomBytes)
    const sealed = seal(key, `trail ${id}`, details, randomBytes)
    return db.atOnce(() => {
      db.afterwards(() => {
        this.counts[kind]++
      })
      if (this.#countSince(owner, kind, nowMs - DAY_MS) >= OF_A_DAY_MAX) return false
      const last = db.get<Pick<TrailRow, 'number' | 'hash'>>(
        'SELECT number, hash FROM trail ORDER BY number DESC LIMIT 1',
      )
      const row = { number: (last?.number ?? 0) + 1, at_ms: nowMs, id, owner, kind, sealed }
      const hash = hashOf(last?.hash ?? NO_HASH, row)
      db.run(
        'INSERT INTO trail VALUES (?, ?, ?, ?, ?, ?, ?)',
        row.number,
        nowMs,
        id,
        owner,
        kind,
        sealed,
        hash,
      )
      return true
    })
  }

  /**
   * Like `note`, but written later, so that a failed request takes no longer for a person than for an address
   * without an account. Lost if the process is killed within a second.
   */
  noteLater(owner: string, kind: HistoryKind, origin: Origin, nowMs: number): void {
    if (this.#later.length < LATER_MAX) this.#later.push(() => this.note(owner, kind, origin, nowMs))
  }

  /**
   * Writes the waiting entries. Throws `StoreAwayFault`; the remaining entries then wait for the next call.
   */
  flush(): void {
    for (let write = this.#later.shift(); write !== undefined; write = this.#later.shift()) {
      try {
        write()
      } catch (cause) {
        if (cause instanceof StoreAwayFault) this.#later.unshift(write)
        throw cause
      }
    }
  }

  /** Newest first. */
  historyOf(owner: string, limit: number): readonly TrailEntry[] {
    this.flush()
    const key = this.#parts.keys.keyOf(owner)
    if (key === undefined) return []
    const sql = 'SELECT * FROM trail WHERE owner = ? ORDER BY number DESC LIMIT ?'
    return this.#parts.db.all<TrailRow>(sql, owner, limit).map(({ at_ms, kind, id, sealed }) => ({
      ...{ at_ms, kind },
      ...unseal<TrailDetails>(key, `trail ${id}`, sealed),
    }))
  }

  /** The newest entry; undefined if there is none. */
  head(): TrailHead | undefined {
    const sql = 'SELECT number, hash FROM trail ORDER BY number DESC LIMIT 1'
    return this.#parts.db.get<TrailHead>(sql)
  }

  hashAt(number: number): Uint8Array | undefined {
    const sql = 'SELECT hash FROM trail WHERE number = ?'
    return this.#parts.db.get<{ hash: Uint8Array }>(sql, number)?.hash
  }

  /** The last journaled head and its time; undefined if there was none. */
  journaledHead(): { readonly atMs: number; readonly number: number } | undefined {
    const [atMs, number] = (factOf(this.#parts.db, 'journaled_head') ?? '').split(' ')
    return number === undefined ? undefined : { atMs: Number(atMs), number: Number(number) }
  }

  setJournaledHead(number: number, atMs: number): void {
    setFact(this.#parts.db, 'journaled_head', `${atMs} ${number}`)
  }

  /**
   * The time at which the trail was first found to differ from the journal; undefined if it does not differ.
   */
  differsSince(): number | undefined {
    const found = factOf(this.#parts.db, 'trail_differs_since')
    return found === undefined ? undefined : Number(found)
  }

  setDiffersSince(atMs: number | undefined): void {
    const { db } = this.#parts
    if (atMs === undefined) removeFact(db, 'trail_differs_since')
    else setFact(db, 'trail_differs_since', String(atMs))
  }

  /** Like `firstBroken`, in pieces: `between` yields to other requests. */
  async firstBrokenInPieces(between: () => Promise<void>): Promise<number | undefined> {
    const check = this.#chainCheck()
    for (;;) {
      const { broken, isEnd } = check()
      if (isEnd) return broken
      await between()
    }
  }

  /**
   * The number of the first entry whose chain does not match the entries before it; undefined if all match.
   */
  firstBroken(): number | undefined {
    const check = this.#chainCheck()
    for (;;) {
      const { broken, isEnd } = check()
      if (isEnd) return broken
    }
  }

  /** Adds an email, sealed with `key`, to those that are to be sent. */
  addMail(mail: Pick<MailRow, 'owner' | 'kind' | 'at_ms'>, details: MailDetails, key: Uint8Array): void {
    const { db, randomBytes } = this.#parts
    const id = newId(randomBytes)
    const sealed = seal(key, `mail ${id}`, details, randomBytes)
    const sql = 'INSERT INTO mail (id, owner, kind, sealed, at_ms) VALUES (?, ?, ?, ?, ?)'
    db.run(sql, id, mail.owner, mail.kind, sealed, mail.at_ms)
  }

  /**
   * Does the work of an email that is not sent: the same sealing, and a row that replaces the previous one.
   */
  writeDecoy(nowMs: number, token: string): void {
    const { db, randomBytes } = this.#parts
    const details = { to: 'x'.repeat(24), language: 'en', token, freeze: token }
    const sealed = seal(randomBytes(KEY_BYTES), `mail ${newId(randomBytes)}`, details, randomBytes)
    const text = `${nowMs} ${Buffer.from(sealed).toString('base64')}`
    setFact(db, 'decoy_mail', text)
  }

  /** The number of emails to one person since a time, without those that have a link of their own. */
  mailsSince(owner: string, sinceMs: number): number {
    const sql = `SELECT count(*) AS count FROM mail
      WHERE owner = ? AND at_ms >= ? AND kind NOT IN ('UNFREEZE', 'RECOVER', 'RESET', 'MAIL_CHANGE', 'HAVE_ACCOUNT')`
    return this.#parts.db.get<{ count: number }>(sql, owner, sinceMs)?.count ?? 0
  }

  /** The number of emails that have not been sent yet. */
  mailsWaiting(): number {
    const sql = "SELECT count(*) AS count FROM mail WHERE state IN ('WAITING', 'SENDING')"
    return this.#parts.db.get<{ count: number }>(sql)?.count ?? 0
  }

  /** The due email that has waited longest; security emails go first. */
  mailDue(nowMs: number): (MailRow & MailDetails) | undefined {
    const sql = `SELECT * FROM mail WHERE state IN ('WAITING', 'SENDING') AND next_ms <= ?
      ORDER BY kind IN ('CONFIRM', 'HAVE_ACCOUNT'), next_ms, number LIMIT 1`
    const row = this.#parts.db.get<MailRow>(sql, nowMs)
    if (row === undefined) return undefined
    const [mail] = this.#opened(row)
    if (mail !== undefined) return mail
    // The person was erased.
    this.removeMailsOf([row.owner])
    return this.mailDue(nowMs)
  }

  /** From now on the email may have been sent. False if another process is sending it, or has sent it. */
  claimMail({ number, tries }: Pick<MailRow, 'number' | 'tries'>, nextMs: number): boolean {
    const sql = `UPDATE mail SET state = 'SENDING', tries = ?1 + 1, next_ms = ?2
      WHERE number = ?3 AND tries = ?1 AND state IN ('WAITING', 'SENDING')`
    return this.#parts.db.run(sql, tries, nextMs, number) === 1
  }

  /**
   * Ends the attempt that claimed the email. Changes nothing if a later attempt has begun, unless the email
   * was sent.
   */
  mailBecomes(number: number, state: MailState, tries: number, nextMs: number): void {
    const sql = 'UPDATE mail SET state = ?, tries = ?, next_ms = ? WHERE number = ? AND (tries = ? OR ? = 1)'
    this.#parts.db.run(sql, state, tries, nextMs, number, tries, state === 'SENT' ? 1 : 0)
  }

  removeMailsBefore(beforeMs: number): void {
    this.#parts.db.run('DELETE FROM mail WHERE at_ms < ?', beforeMs)
  }

  /** Newest first; those whose key was destroyed are left out. */
  mails(limit: number): readonly (MailRow & MailDetails)[] {
    const rows = this.#parts.db.all<MailRow>('SELECT * FROM mail ORDER BY number DESC LIMIT ?', limit)
    return rows.flatMap((row) => this.#opened(row))
  }

  removeMailsOf(owners: readonly string[]): void {
    const { db } = this.#parts
    db.atOnce(() => {
      for (const owner of owners) db.run('DELETE FROM mail WHERE owner = ?', owner)
    })
  }

  #opened(row: MailRow): readonly (MailRow & MailDetails)[] {
    const key = this.#parts.keys.keyOf(row.owner)
    return key === undefined ? [] : [{ ...row, ...unseal<MailDetails>(key, `mail ${row.id}`, row.sealed) }]
  }

  /** Checks a piece of the chain with each call. */
  #chainCheck(): () => { readonly isEnd: boolean; readonly broken?: number } {
    let before: TrailHead = { number: 0, hash: NO_HASH }
    const sql = `SELECT * FROM trail WHERE number > ? ORDER BY number LIMIT ${CHECKED_AT_ONCE}`
    return () => {
      const rows = this.#parts.db.all<TrailRow>(sql, before.number)
      for (const row of rows) {
        if (!follows(before, row)) return { isEnd: true, broken: row.number }
        before = row
      }
      return { isEnd: rows.length === 0 }
    }
  }

  #countSince(owner: string, kind: HistoryKind, sinceMs: number): number {
    const sql = 'SELECT count(*) AS count FROM trail WHERE owner = ? AND kind = ? AND at_ms >= ?'
    return this.#parts.db.get<{ count: number }>(sql, owner, kind, sinceMs)?.count ?? 0
  }
}

function follows(before: TrailHead, row: TrailRow): boolean {
  return row.number === before.number + 1 && Buffer.compare(hashOf(before.hash, row), row.hash) === 0
}

/**
 * The chain covers the digest of the sealed part, so that it stays valid when a person's rows are emptied.
 */
function hashOf(before: Uint8Array, row: Omit<TrailRow, 'hash'>): Uint8Array {
  const { number, at_ms, id, owner, kind, sealed } = row
  const digest = createHash('sha256').update(sealed).digest('hex')
  const text = [number, at_ms, id, owner, kind, digest].join('\n')
  return new Uint8Array(createHash('sha256').update(before).update(text).digest())
}
