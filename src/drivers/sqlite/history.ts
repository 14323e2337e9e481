/**
 * Trade history in history.sqlite. Position and records change in one transaction; a power cut may lose the last of
 * them (`synchronous=NORMAL`), never tear them, and the journal gives them again.
 */
import { type Database, SQLiteError, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import {
  type ActionQuery,
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
import type { OperatorAction, PublicTrade, TradePage, TradeRecord } from '../../engine/ports.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { SYMBOLS_MAX } from '../../units/limits.ts'
import type { Seq } from '../../units/quantities.ts'
import { emptyLog } from './checkpoint.ts'
import { asideOf, isDamage, markDamaged } from './history-damage.ts'
import { type HistoryFileLimits, type OnDropped, openHistoryFile } from './history-file.ts'
import { LastNumbers } from './history-numbers.ts'
import {
  actionLookup,
  bindAction,
  bindPosition,
  bindRecord,
  bindTrade,
  DamagedRow,
  type Row,
  readAction,
  readPosition,
  readPublicTrade,
  readTradeRecord,
  SQL,
  type StatementName,
} from './history-rows.ts'

/** Told, once, that a reader has found the file damaged, and what the next start does about it. */
export type OnDamaged = (message: string) => void

export class SqliteHistory implements HistoryStore {
  readonly #path: string
  readonly #db: Database
  readonly #statements: Readonly<Record<StatementName, Statement<unknown, SQLQueryBindings[]>>>
  readonly #accountNumbers = new LastNumbers()
  readonly #symbolNumbers = new LastNumbers()

  readonly #onDamaged: OnDamaged
  /** What is said of damage, once it has been met. */
  #damage: string | undefined

  /** Opens or creates the file at `path`; throws `HistoryFault`. */
  static open(
    path: string,
    onDropped: OnDropped,
    limits: HistoryFileLimits = {},
    onDamaged: OnDamaged = () => {},
  ): SqliteHistory {
    try {
      return new SqliteHistory(path, openHistoryFile(path, onDropped, limits), onDamaged)
    } catch (error) {
      throw faultOf(path, error)
    }
  }

  private constructor(path: string, db: Database, onDamaged: OnDamaged) {
    this.#path = path
    this.#db = db
    this.#onDamaged = onDamaged
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])
    this.#statements = Object.fromEntries(prepared)
  }

  async position(): Promise<Mark> {
    return this.#run(() => this.#position())
  }

  async append(
    trades: readonly HistoryTrade[],
    end: Mark,
    actions: readonly OperatorAction[] = [],
  ): Promise<void> {
    this.#transact(() => this.#append(trades, end, actions))
  }

  /** A checkpoint syncs the log before it copies from it. */
  async flush(): Promise<void> {
    if (this.#run(() => emptyLog(this.#db))) return
    throw new HistoryFault('BUSY', `${this.#path}: another program keeps it from being synced`)
  }

  async page(query: PageQuery): Promise<TradePage> {
    return this.#answer(() => this.#page(query))
  }

  async recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]> {
    assertRecentLimit(limit)
    return this.#answer(() => this.#rows('recentTrades', symbolId, upTo, limit).map(readPublicTrade))
  }

  async operatorActions(query: ActionQuery): Promise<readonly OperatorAction[]> {
    const { name, bindings } = actionLookup(query)
    return this.#answer(() => (this.#statements[name].values(...bindings) as Row[]).map(readAction))
  }

  async clear(): Promise<void> {
    this.#transact(() => {
      this.#statements.dropRecords.run()
      this.#statements.dropTrades.run()
      this.#statements.dropActions.run()
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

  #append(trades: readonly HistoryTrade[], end: Mark, actions: readonly OperatorAction[]): void {
    assertMovesOn(this.#position(), end)
    for (const trade of trades) {
      this.#statements.addTrade.run(...bindTrade(trade))
      this.#addRecord(trade.maker)
      this.#addRecord(trade.taker)
    }
    for (const action of actions) this.#statements.addAction.run(...bindAction(action))
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

  /** As `#run`, for readers: they go on after damage, so it is told, once. Whoever writes ends by the fault itself. */
  #answer<Result>(work: () => Result): Result {
    const isKnown = this.#damage !== undefined
    try {
      return this.#run(work)
    } finally {
      if (!isKnown && this.#damage !== undefined) this.#onDamaged(this.#damage)
    }
  }

  /** What SQLite throws becomes a `HistoryFault`; damage is marked for the next start. */
  #run<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      if (!isDamage(error)) throw faultOf(this.#path, error)
      this.#damage ??= damageMessage(this.#path, error as Error)
      throw new HistoryFault('DAMAGED', this.#damage, { cause: error })
    }
  }
}

/** A list numbered from 1, oldest first. */
type NumberedList = {
  readonly total: number
  readonly tradeNumberOf: (position: number) => number
  /** Newest first. Throws `DamagedRow` when one of them is missing or not what was written. */
  readonly records: (range: PageRange) => TradeRecord[]
}

/** Marks the file, and says what the next start does about it. */
function damageMessage(path: string, error: Error): string {
  const next = markDamaged(path, error.message)
    ? `the next start puts it aside as ${asideOf(path)} and makes it again from the journal`
    : 'stop the node and delete it: the next start makes it again from the journal'
  return `${path} is damaged (${error.message}); ${next}`
}

/** The fault that an error of storage is; anything else stays what it is. */
function faultOf(path: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const kind = error.code === 'SQLITE_FULL' ? 'STORAGE_FULL' : 'UNUSABLE'
  return new HistoryFault(kind, `${path}: ${error.message} (${error.code})`, { cause: error })
}
