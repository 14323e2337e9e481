/**
 * history.sqlite for an auditor: read-only, as of one point in time; each row is checked and reported if it
 * is damaged. A node may use the file in the meantime.
 */
import { type Database, SQLiteError } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import { ActionComparison, type StoredAction } from '../../../engine/audit/actions.ts'
import { CandleComparison } from '../../../engine/audit/candles.ts'
import { EventComparison, type StoredEvent } from '../../../engine/audit/events.ts'
import type { AuditedHistory, HistoryAudit, HistoryNames } from '../../../engine/audit/history.ts'
import { PositionComparison } from '../../../engine/audit/positions.ts'
import { HistoryFault, type HistoryTrade } from '../../../engine/history/history.ts'
import type { HistoryOrder } from '../../../engine/history/order-history.ts'
import type { Mark } from '../../../engine/port/journal.ts'
import type { HistoryTransfer } from '../../../engine/port/transfer.ts'
import { type Seq, seq } from '../../../units/quantities.ts'
import { openForReading } from '../reading.ts'
import { SqliteHistoryAudit, wordsOfOrders, wordsOfTrades, wordsOfTransfers } from './audit.ts'
import { CandleRows } from './candles/stored.ts'
import type { Row } from './check.ts'
import { EndComparison } from './ended/comparison.ts'
import { StoredEndedOrders } from './ended/stored.ts'
import { EVENTS_AFTER, readEvent } from './events.ts'
import { ListsComparison, type ReportDifference } from './lists/comparison.ts'
import { believed, StoredLists } from './lists/stored.ts'
import { ORDERS } from './orders.ts'
import { PositionRows } from './positions/stored.ts'
import { recordsAfter } from './records-after.ts'
import { ACTION_COLUMNS, readPosition, readSoundAction, SQL } from './rows.ts'
import { HISTORY_APPLICATION_ID, HISTORY_SCHEMA_VERSION } from './schema.ts'
import { finalizeAll, prepareAll, type Statements } from './statements.ts'
import { TRADES } from './trades.ts'
import { TRANSFERS } from './transfers.ts'
import { UpdateComparison } from './update-comparison.ts'

const AUDIT_SQL = {
  position: SQL.position,
  actionsAfter: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq > ? ORDER BY seq LIMIT ?`,
  eventsAfter: EVENTS_AFTER,
  updatesAfter:
    'SELECT last_seq, accounts, data FROM update_block WHERE last_seq > ? ORDER BY last_seq LIMIT 1',
  fileProblems: 'PRAGMA integrity_check(10)',
} as const

type StatementName = keyof typeof AUDIT_SQL

/** Records that are read on demand, one by one. */
export type RecordsAfter = {
  readonly orders: Iterable<HistoryOrder>
  readonly trades: Iterable<HistoryTrade>
  readonly transfers: Iterable<HistoryTransfer>
}

export class HistoryReader implements AuditedHistory {
  readonly position: Mark
  readonly #path: string
  readonly #db: Database
  readonly #statements: Statements<StatementName>
  readonly #trades: StoredLists<HistoryTrade>
  readonly #transfers: StoredLists<HistoryTransfer>
  readonly #orders: StoredLists<HistoryOrder>
  readonly #ended: StoredEndedOrders
  readonly #candles: CandleRows
  readonly #positions: PositionRows
  readonly #leftovers: readonly string[]

  /**
   * Opens the file at `path`; undefined if there is none, or if it has another version, which a node would
   * drop. `isAlone` means that no node can be running, so that none of SQLite's own files need to stay.
   * Throws `HistoryFault`.
   */
  static open(path: string, isAlone: boolean): HistoryReader | undefined {
    if (!existsSync(path)) return undefined
    const made = ['-shm', '-wal'].map((suffix) => path + suffix).filter((name) => !existsSync(name))
    let db: Database | undefined
    try {
      db = openForReading(path).db
      if (pragma(db, 'application_id') !== HISTORY_APPLICATION_ID) {
        throw new HistoryFault('UNUSABLE', `${path} is not a history of Bourse`)
      }
      if (pragma(db, 'user_version') === HISTORY_SCHEMA_VERSION) {
        db.run('BEGIN')
        return new HistoryReader(path, db, isAlone ? made : [])
      }
      db.close()
      return undefined
    } catch (cause) {
      db?.close()
      throw asHistoryFault(path, cause)
    }
  }

  private constructor(path: string, db: Database, leftovers: readonly string[]) {
    this.#path = path
    this.#db = db
    this.#leftovers = leftovers
    this.#statements = prepareAll(db, AUDIT_SQL)
    try {
      const { mark, trades, transfers, orders, ended } = readPosition(this.#rows('position')[0])
      this.position = mark
      this.#candles = new CandleRows(db, (read) => this.#reading(read))
      this.#trades = new StoredLists(db, TRADES, trades, (read) => this.#reading(read))
      this.#transfers = new StoredLists(db, TRANSFERS, transfers, (read) => this.#reading(read))
      this.#orders = new StoredLists(db, ORDERS, orders, (read) => this.#reading(read))
      this.#ended = new StoredEndedOrders(db, ended, (read) => this.#reading(read))
      const to = { trades: trades.endsTo, transfers: transfers.endsTo }
      this.#positions = new PositionRows(db, to, (read) => this.#reading(read))
    } catch (error) {
      finalizeAll(this.#statements)
      throw error
    }
  }

  audit(names: HistoryNames, report: ReportDifference): HistoryAudit {
    return new SqliteHistoryAudit({
      trades: new ListsComparison(this.#trades, wordsOfTrades(names), report),
      transfers: new ListsComparison(this.#transfers, wordsOfTransfers(names), report),
      orders: new ListsComparison(this.#orders, wordsOfOrders(names), report),
      ends: new EndComparison(this.#ended, report),
      updates: new UpdateComparison({
        rowAfter: (last) => this.#rows('updatesAfter', last)[0],
        position: this.position.seq,
        names,
        report,
      }),
      positions: new PositionComparison(this.#positions, names, report),
      candles: new CandleComparison(this.#candles, names, report),
      endsTo: this.#trades.position.endsTo,
      actions: new ActionComparison((after, limit) => this.#actionsAfter(after, limit), report),
      events: new EventComparison((after, limit) => this.#eventsAfter(after, limit), report),
      report,
      fileProblems: () => this.#fileProblems(),
    })
  }

  /**
   * Records of commands after `seq`, oldest first, for a report of what is lost with them. `onDamage` is
   * called for rows that are skipped.
   */
  after(seq: Seq, onDamage: (sentence: string) => void): RecordsAfter {
    return {
      orders: recordsAfter(this.#orders, seq, onDamage),
      trades: recordsAfter(this.#trades, seq, onDamage),
      transfers: recordsAfter(this.#transfers, seq, onDamage),
    }
  }

  /** The transaction ends with the connection: in a damaged file a statement that ended it might fail. */
  close(): void {
    this.#trades.close()
    this.#transfers.close()
    this.#orders.close()
    this.#ended.close()
    this.#candles.close()
    this.#positions.close()
    finalizeAll(this.#statements)
    for (const path of this.#leftovers) if (existsSync(path)) rmSync(path, { force: true })
    this.#db.close(true)
  }

  #actionsAfter(afterSeq: Seq, limit: number): readonly StoredAction[] {
    return this.#rows('actionsAfter', afterSeq, limit).map((row) => ({
      seq: seq(Number(row[0])),
      row: believed(() => readSoundAction(row)),
    }))
  }

  #eventsAfter(after: number, limit: number): readonly StoredEvent[] {
    return this.#rows('eventsAfter', after, limit).map((row) => ({
      number: Number(row[0]),
      row: believed(() => readEvent(row)),
    }))
  }

  #fileProblems(): readonly string[] {
    const problems = this.#rows('fileProblems').map(([text]) => String(text))
    return problems.length === 1 && problems[0] === 'ok' ? [] : problems
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    return this.#reading(() => this.#statements[name].values(...bindings) as Row[])
  }

  #reading<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (cause) {
      throw asHistoryFault(this.#path, cause)
    }
  }
}

function asHistoryFault(path: string, cause: unknown): HistoryFault {
  if (cause instanceof HistoryFault) return cause
  const found = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof SQLiteError ? ` (${cause.code})` : ''
  return new HistoryFault('UNUSABLE', `${path}: ${found}${code}`, { cause })
}

function pragma(db: Database, name: 'application_id' | 'user_version'): number {
  using statement = db.prepare(`PRAGMA ${name}`)
  return Number(statement.values()[0]?.[0])
}
