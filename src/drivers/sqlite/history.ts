/**
 * Trade history in history.sqlite. Position and records change in one transaction; a power cut may lose the last of
 * them (`synchronous=NORMAL`), never tear them, and the journal gives them again.
 */
import { Database, SQLiteError, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import {
  assertMovesOn,
  EMPTY_POSITION,
  HistoryFault,
  type HistoryStore,
  type HistoryTrade,
  type PageQuery,
} from '../../engine/history.ts'
import { assertRecentLimit, countOlder, pageRange } from '../../engine/history-pages.ts'
import type { Mark } from '../../engine/journal.ts'
import type { PublicTrade, TradePage, TradeRecord } from '../../engine/ports.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq } from '../../units/quantities.ts'
import {
  bindRecord,
  bindTrade,
  type Row,
  readPosition,
  readPublicTrade,
  readTradeRecord,
  SQL,
  type StatementName,
} from './history-rows.ts'
import { HISTORY_APPLICATION_ID, HISTORY_SCHEMA_VERSION, HISTORY_TABLES } from './history-schema.ts'

/** Called with the reason when a file that cannot be used is dropped, to be made again from the journal. */
export type OnDropped = (reason: string) => void

export class SqliteHistory implements HistoryStore {
  readonly #path: string
  readonly #db: Database
  readonly #statements: Readonly<Record<StatementName, Statement<unknown, SQLQueryBindings[]>>>

  /** Opens or creates the file at `path`; throws `HistoryFault`. */
  static open(path: string, onDropped: OnDropped): SqliteHistory {
    return faultsOf(path, () => new SqliteHistory(path, openDatabase(path, onDropped)))
  }

  private constructor(path: string, db: Database) {
    this.#path = path
    this.#db = db
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])
    this.#statements = Object.fromEntries(prepared)
  }

  async position(): Promise<Mark> {
    return this.#run(() => this.#position())
  }

  async append(trades: readonly HistoryTrade[], end: Mark): Promise<void> {
    this.#run(() => this.#db.transaction(() => this.#append(trades, end))())
  }

  /** A checkpoint syncs the log before it copies from it. */
  async flush(): Promise<void> {
    this.#run(() => this.#db.run('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  async page(query: PageQuery): Promise<TradePage> {
    return this.#run(() => this.#page(query))
  }

  async recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]> {
    assertRecentLimit(limit)
    return this.#run(() => this.#rows('recentTrades', symbolId, upTo, limit).map(readPublicTrade))
  }

  async clear(): Promise<void> {
    this.#run(() => {
      this.#db.transaction(() => {
        this.#statements.dropRecords.run()
        this.#statements.dropTrades.run()
        this.#statements.movePosition.run(EMPTY_POSITION.seq, EMPTY_POSITION.hash)
      })()
    })
  }

  async close(): Promise<void> {
    this.#run(() => {
      for (const statement of Object.values(this.#statements)) statement.finalize()
      this.#db.close(true)
    })
  }

  #position(): Mark {
    const [row] = this.#rows('position')
    invariant(row !== undefined, 'history must have its row of position')
    return readPosition(row)
  }

  #append(trades: readonly HistoryTrade[], end: Mark): void {
    assertMovesOn(this.#position(), end)
    for (const trade of trades) {
      this.#statements.addTrade.run(...bindTrade(trade))
      this.#statements.addRecord.run(...bindRecord(trade.maker))
      this.#statements.addRecord.run(...bindRecord(trade.taker))
    }
    this.#statements.movePosition.run(end.seq, end.hash)
  }

  #page({ accountId, symbolId, page, size, before }: PageQuery): TradePage {
    const list = symbolId === undefined ? this.#accountList(accountId) : this.#symbolList(accountId, symbolId)
    const total = before === undefined ? list.total : countOlder(list.total, before, list.tradeNumberOf)
    const { first, last } = pageRange(total, page, size)
    return { items: last < first ? [] : list.records(first, last), total }
  }

  #accountList(account: AccountId): NumberedList {
    return {
      total: this.#number('accountTotal', account),
      tradeNumberOf: (n) => this.#number('accountTradeNumber', account, n),
      records: (first, last) => this.#rows('accountRecords', account, first, last).map(readTradeRecord),
    }
  }

  #symbolList(account: AccountId, symbol: SymbolId): NumberedList {
    return {
      total: this.#number('symbolTotal', account, symbol),
      tradeNumberOf: (m) => this.#number('symbolTradeNumber', account, symbol, m),
      records: (first, last) =>
        this.#rows('symbolRecords', account, symbol, first, last).map(readTradeRecord),
    }
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    return this.#statements[name].values(...bindings) as Row[]
  }

  /** The single number that a statement answers. */
  #number(name: StatementName, ...bindings: number[]): number {
    return Number(this.#rows(name, ...bindings)[0]?.[0])
  }

  #run<Result>(work: () => Result): Result {
    return faultsOf(this.#path, work)
  }
}

/** A list numbered from 1, oldest first. */
type NumberedList = {
  readonly total: number
  readonly tradeNumberOf: (position: number) => number
  /** Newest first. */
  readonly records: (first: number, last: number) => TradeRecord[]
}

function openDatabase(path: string, onDropped: OnDropped): Database {
  const unusable = tryOpen(path)
  if (typeof unusable !== 'string') return unusable
  onDropped(unusable)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  const fresh = tryOpen(path)
  if (typeof fresh === 'string')
    throw new HistoryFault('UNUSABLE', `${path}: still ${fresh} after a new start`)
  return fresh
}

/** The database, or why its file must be dropped. */
function tryOpen(path: string): Database | string {
  const db = new Database(path, { create: true, readwrite: true, strict: true, safeIntegers: true })
  try {
    const unusable = prepareFile(db, path)
    if (unusable === undefined) return db
    db.close()
    return unusable
  } catch (error) {
    db.close()
    if (error instanceof SQLiteError && (error.code === 'SQLITE_NOTADB' || error.code === 'SQLITE_CORRUPT')) {
      return `damaged (${error.message})`
    }
    throw error
  }
}

function prepareFile(db: Database, path: string): string | undefined {
  const application = pragma(db, 'application_id')
  const version = pragma(db, 'user_version')
  if (application !== HISTORY_APPLICATION_ID && application !== 0) {
    throw new HistoryFault(
      'UNUSABLE',
      `${path} belongs to another application (application_id ${application})`,
    )
  }
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = NORMAL')
  db.run('PRAGMA journal_size_limit = 67108864')
  if (application === HISTORY_APPLICATION_ID) {
    if (version === HISTORY_SCHEMA_VERSION) return undefined
    return `of schema version ${version}, expected ${HISTORY_SCHEMA_VERSION}`
  }
  if (Number(db.query('SELECT count(*) FROM sqlite_schema').values()[0]?.[0]) > 0) {
    throw new HistoryFault('UNUSABLE', `${path} holds tables that are not ours`)
  }
  db.transaction(() => {
    db.run(HISTORY_TABLES)
    db.run('INSERT INTO position (id, seq, journal_hash) VALUES (0, ?, ?)', [
      EMPTY_POSITION.seq,
      EMPTY_POSITION.hash,
    ])
    db.run(`PRAGMA application_id = ${HISTORY_APPLICATION_ID}`)
    db.run(`PRAGMA user_version = ${HISTORY_SCHEMA_VERSION}`)
  })()
  return undefined
}

function pragma(db: Database, name: 'application_id' | 'user_version'): number {
  return Number(db.query(`PRAGMA ${name}`).values()[0]?.[0])
}

/** Runs `work`; what SQLite throws becomes a `HistoryFault`. */
function faultsOf<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    const kind = error.code === 'SQLITE_FULL' ? 'STORAGE_FULL' : 'UNUSABLE'
    throw new HistoryFault(kind, `${path}: ${error.message} (${error.code})`, { cause: error })
  }
}
