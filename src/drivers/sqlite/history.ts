/**
 * Trade history in history.sqlite. Position and records change in one transaction; a power cut may lose the last of
 * them (`synchronous=NORMAL`), never tear them, and the journal gives them again.
 */
import { type Database, SQLiteError, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import {
  assertMovesOn,
  EMPTY_POSITION,
  HistoryFault,
  type HistoryStore,
  type HistoryTrade,
  type PageQuery,
  type PartyRecord,
} from '../../engine/history.ts'
import { assertRecentLimit, countOlder, type PageRange, pageRange } from '../../engine/history-pages.ts'
import type { Mark } from '../../engine/journal.ts'
import type { PublicTrade, TradePage, TradeRecord } from '../../engine/ports.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { SYMBOLS_MAX } from '../../units/limits.ts'
import type { Seq } from '../../units/quantities.ts'
import { type HistoryFileLimits, type OnDropped, openHistoryFile } from './history-file.ts'
import { LastNumbers } from './history-numbers.ts'
import {
  bindPosition,
  bindRecord,
  bindTrade,
  DamagedRow,
  type Row,
  readPosition,
  readPublicTrade,
  readTradeRecord,
  SQL,
  type StatementName,
} from './history-rows.ts'

export class SqliteHistory implements HistoryStore {
  readonly #path: string
  readonly #db: Database
  readonly #statements: Readonly<Record<StatementName, Statement<unknown, SQLQueryBindings[]>>>
  readonly #accountNumbers = new LastNumbers()
  readonly #symbolNumbers = new LastNumbers()

  /** Opens or creates the file at `path`; throws `HistoryFault`. */
  static open(path: string, onDropped: OnDropped, limits: HistoryFileLimits = {}): SqliteHistory {
    return faultsOf(path, () => new SqliteHistory(path, openHistoryFile(path, onDropped, limits)))
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
    this.#transact(() => this.#append(trades, end))
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
    this.#transact(() => {
      this.#statements.dropRecords.run()
      this.#statements.dropTrades.run()
      this.#statements.movePosition.run(...bindPosition(EMPTY_POSITION))
    })
    this.#accountNumbers.forget()
    this.#symbolNumbers.forget()
  }

  async close(): Promise<void> {
    this.#run(() => {
      for (const statement of Object.values(this.#statements)) statement.finalize()
      this.#db.close(true)
    })
  }

  #position(): Mark {
    const [row] = this.#rows('position')
    if (row === undefined) throw new DamagedRow('the row of the position is missing')
    return readPosition(row)
  }

  #append(trades: readonly HistoryTrade[], end: Mark): void {
    assertMovesOn(this.#position(), end)
    for (const trade of trades) {
      this.#statements.addTrade.run(...bindTrade(trade))
      this.#addRecord(trade.maker)
      this.#addRecord(trade.taker)
    }
    this.#statements.movePosition.run(...bindPosition(end))
  }

  #addRecord(party: PartyRecord): void {
    const { accountId, record } = party
    const { symbolId } = record
    const n = this.#accountNumbers.next(accountId, () => this.#number('accountTotal', accountId))
    const list = accountId * SYMBOLS_MAX + symbolId
    const m = this.#symbolNumbers.next(list, () => this.#number('symbolTotal', accountId, symbolId))
    this.#statements.addRecord.run(...bindRecord(party, n, m))
  }

  /** All of `change` or nothing, the numbers given included. */
  #transact(change: () => void): void {
    try {
      this.#run(() => this.#db.transaction(change)())
    } catch (cause) {
      this.#accountNumbers.forget()
      this.#symbolNumbers.forget()
      throw cause
    }
  }

  #page({ accountId, symbolId, page, size, before }: PageQuery): TradePage {
    const list = symbolId === undefined ? this.#accountList(accountId) : this.#symbolList(accountId, symbolId)
    const total = before === undefined ? list.total : countOlder(list.total, before, list.tradeNumberOf)
    return { items: list.records(pageRange(total, page, size)), total }
  }

  #accountList(account: AccountId): NumberedList {
    const total = this.#number('accountTotal', account)
    return this.#list(total, (first, last) => this.#rows('accountRecords', account, first, last))
  }

  #symbolList(account: AccountId, symbol: SymbolId): NumberedList {
    const total = this.#number('symbolTotal', account, symbol)
    return this.#list(total, (first, last) => this.#rows('symbolRecords', account, symbol, first, last))
  }

  #list(total: number, rowsOf: (first: number, last: number) => Row[]): NumberedList {
    const records = ({ first, last }: PageRange): TradeRecord[] => {
      if (last < first) return []
      const found = rowsOf(first, last).map(readTradeRecord)
      if (found.length === last - first + 1) return found
      throw new DamagedRow(`records ${first} to ${last} of a list must exist, found ${found.length}`)
    }
    const tradeNumberOf = (n: number): number => records({ first: n, last: n })[0]?.tradeNumber ?? 0
    return { total, records, tradeNumberOf }
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    return this.#statements[name].values(...bindings) as Row[]
  }

  /** The single number that a statement answers. */
  #number(name: StatementName, ...bindings: number[]): number {
    const [row] = this.#rows(name, ...bindings)
    invariant(row !== undefined, () => `${name} of ${bindings.join(', ')} must have a row`)
    return Number(row[0])
  }

  #run<Result>(work: () => Result): Result {
    return faultsOf(this.#path, work)
  }
}

/** A list numbered from 1, oldest first. */
type NumberedList = {
  readonly total: number
  readonly tradeNumberOf: (position: number) => number
  /** Newest first. Throws `DamagedRow` when one of them is missing or not what was written. */
  readonly records: (range: PageRange) => TradeRecord[]
}

/** Runs `work`; what SQLite throws, and a damaged row, becomes a `HistoryFault`. */
function faultsOf<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const isStorage = error instanceof SQLiteError
    if (!isStorage && !(error instanceof DamagedRow)) throw error
    const found = isStorage ? `${path}: ${error.message} (${error.code})` : `${path}: ${error.message}`
    if (isStorage && error.code === 'SQLITE_FULL')
      throw new HistoryFault('STORAGE_FULL', found, { cause: error })
    const wayOn = 'if the file is damaged, delete it: it is made again from the journal'
    throw new HistoryFault('UNUSABLE', `${found}; ${wayOn}`, { cause: error })
  }
}
