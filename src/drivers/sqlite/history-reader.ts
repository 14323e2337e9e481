/**
 * history.sqlite as an auditor reads it: for reading only, as it was at one moment, each row checked and told when it
 * is not what was written. A node may run on it meanwhile.
 */
import { Database, SQLiteError, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import type { StoredAction } from '../../engine/audit/actions.ts'
import type {
  RecordCount,
  StoredHistory,
  StoredRecord,
  StoredRow,
  StoredTrade,
} from '../../engine/audit/history.ts'
import { HistoryFault } from '../../engine/history.ts'
import type { Mark } from '../../engine/journal.ts'
import type { AccountId, SymbolId, TradeNumber } from '../../units/ids.ts'
import { type Seq, seq } from '../../units/quantities.ts'
import {
  ACTION_COLUMNS,
  RECORD_COLUMNS,
  type Row,
  readPosition,
  readPublicTrade,
  readSoundAction,
  readTradeRecord,
  SQL,
  TRADE_COLUMNS,
} from './history-rows.ts'
import { HISTORY_APPLICATION_ID, HISTORY_SCHEMA_VERSION } from './history-schema.ts'

const AUDIT_SQL = {
  position: SQL.position,
  tradesAfter: `SELECT ${TRADE_COLUMNS} FROM trade
    WHERE symbol = ? AND (seq, trade_number) > (?, ?) ORDER BY seq, trade_number LIMIT ?`,
  record: `SELECT ${RECORD_COLUMNS} FROM record WHERE account = ? AND n = ?`,
  actionsAfter: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq > ? ORDER BY seq LIMIT ?`,
  symbolIds: 'SELECT DISTINCT symbol FROM trade ORDER BY symbol',
  recordCounts: 'SELECT account, count(*) AS count, max(n) AS last FROM record GROUP BY account',
  /** Also whether the index of symbols agrees with the records. */
  fileProblems: 'PRAGMA integrity_check(10)',
} as const

type StatementName = keyof typeof AUDIT_SQL

export class HistoryReader implements StoredHistory {
  readonly position: Mark
  readonly #path: string
  readonly #db: Database
  readonly #statements: Readonly<
    Record<StatementName, Statement<Record<string, unknown>, SQLQueryBindings[]>>
  >
  readonly #leftovers: readonly string[]

  /**
   * Opens the file at `path`; undefined when there is none, or one of another version, which a node would drop.
   * `isAlone`: no node can be running, so nothing of SQLite's own needs to stay behind. Throws `HistoryFault`.
   */
  static open(path: string, isAlone: boolean): HistoryReader | undefined {
    if (!existsSync(path)) return undefined
    const made = ['-shm', '-wal'].map((suffix) => path + suffix).filter((name) => !existsSync(name))
    let db: Database | undefined
    try {
      db = new Database(path, { readonly: true, strict: true, safeIntegers: true })
      if (pragma(db, 'application_id') !== HISTORY_APPLICATION_ID) {
        throw new HistoryFault('UNUSABLE', `${path} is not a history of ours`)
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
    const prepared = Object.entries(AUDIT_SQL).map(([name, sql]) => [name, db.prepare(sql)])
    this.#statements = Object.fromEntries(prepared)
    const [row] = this.#rows('position')
    if (row === undefined) throw new HistoryFault('UNUSABLE', `${path}: the row of the position is missing`)
    this.position = readPosition(row)
  }

  tradesAfter(
    symbolId: SymbolId,
    afterSeq: Seq,
    tradeNumber: TradeNumber,
    limit: number,
  ): readonly StoredTrade[] {
    return this.#rows('tradesAfter', symbolId, afterSeq, tradeNumber, limit).map((row) => ({
      seq: seq(Number(row[1])),
      tradeNumber: Number(row[2]) as TradeNumber,
      row: believed(() => readPublicTrade(row)),
    }))
  }

  record(accountId: AccountId, n: number): StoredRow<StoredRecord> | undefined {
    const [row] = this.#rows('record', accountId, n)
    if (row === undefined) return undefined
    return believed(() => ({ record: readTradeRecord(row), numberInSymbol: Number(row[2]) }))
  }

  actionsAfter(afterSeq: Seq, limit: number): readonly StoredAction[] {
    return this.#rows('actionsAfter', afterSeq, limit).map((row) => ({
      seq: seq(Number(row[0])),
      row: believed(() => readSoundAction(row)),
    }))
  }

  symbolIds(): readonly SymbolId[] {
    return this.#rows('symbolIds').map(([id]) => Number(id) as SymbolId)
  }

  *recordCounts(): Generator<RecordCount, void> {
    try {
      for (const { account, count, last } of this.#statements.recordCounts.iterate()) {
        yield { accountId: Number(account) as AccountId, count: Number(count), last: Number(last) }
      }
    } catch (cause) {
      throw asHistoryFault(this.#path, cause)
    }
  }

  fileProblems(): readonly string[] {
    const problems = this.#rows('fileProblems').map(([text]) => String(text))
    return problems.length === 1 && problems[0] === 'ok' ? [] : problems
  }

  /** Ends what was begun with the connection itself: in a damaged file a statement that ends it may fail. */
  close(): void {
    for (const statement of Object.values(this.#statements)) statement.finalize()
    for (const path of this.#leftovers) rmSync(path, { force: true })
    this.#db.close(true)
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    try {
      return this.#statements[name].values(...bindings) as Row[]
    } catch (cause) {
      throw asHistoryFault(this.#path, cause)
    }
  }
}

/** What `read` gives, or why it cannot be believed: a damaged row can make it fail in any way. */
function believed<Value>(read: () => Value): StoredRow<Value> {
  try {
    return { value: read() }
  } catch (cause) {
    return { damage: cause instanceof Error ? cause.message : String(cause) }
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
