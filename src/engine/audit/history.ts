/**
 * History against the ledger: every trade that a replay causes must stand in history exactly, once, and nothing else
 * may. The replay gives the trades in order; history is read alongside, so memory does not grow with either.
 */
import type { AccountId, SymbolId, TradeNumber } from '../../units/ids.ts'
import { SYMBOLS_MAX } from '../../units/limits.ts'
import type { Seq } from '../../units/quantities.ts'
import type { HistoryTrade, PartyRecord } from '../history.ts'
import type { Mark } from '../journal.ts'
import type { OperatorAction, PublicTrade, TradeRecord } from '../ports.ts'
import { ActionComparison, type StoredActions } from './actions.ts'
import type { Findings } from './findings.ts'
import type { AuditNames } from './names.ts'

/** What a row holds; `damage` says why it cannot be believed. */
export type StoredRow<Value> = { readonly value: Value } | { readonly damage: string }

export type StoredTrade = {
  readonly seq: Seq
  readonly tradeNumber: TradeNumber
  readonly row: StoredRow<PublicTrade>
}

/** A record and its number in the list of its account and symbol. */
export type StoredRecord = { readonly record: TradeRecord; readonly numberInSymbol: number }

/** How many records an account has, and the number of the last one: the same, where none is missing. */
export type RecordCount = { readonly accountId: AccountId; readonly count: number; readonly last: number }

/** Stored history as an auditor reads it: as it was at one moment. Throws `HistoryFault`. */
export interface StoredHistory extends StoredActions {
  /** The end of the last batch whose trades are here. */
  readonly position: Mark

  /** At most `limit` trades of a symbol after the given one, oldest first. */
  tradesAfter(symbolId: SymbolId, seq: Seq, tradeNumber: TradeNumber, limit: number): readonly StoredTrade[]

  /** Record `n` of an account; undefined: there is none. */
  record(accountId: AccountId, n: number): StoredRow<StoredRecord> | undefined

  /** Symbols that have trades. */
  symbolIds(): readonly SymbolId[]

  recordCounts(): Iterable<RecordCount>

  /** What is wrong with the file itself; empty: nothing. */
  fileProblems(): readonly string[]

  close(): void
}

const NO_TRADE = 0 as TradeNumber
const NO_SEQ = 0 as Seq
/** Rows read ahead of the replay in each symbol. */
const ROWS_AHEAD = 64

export class HistoryComparison {
  readonly #history: StoredHistory
  readonly #names: AuditNames
  readonly #findings: Findings
  readonly #cursorBySymbol = new Map<SymbolId, TradeCursor>()
  readonly #lastByAccount = new Map<AccountId, number>()
  readonly #lastByList = new Map<number, number>()
  readonly #actions: ActionComparison
  #trades = 0

  constructor(history: StoredHistory, names: AuditNames, findings: Findings) {
    this.#history = history
    this.#names = names
    this.#findings = findings
    this.#actions = new ActionComparison(history, findings)
  }

  /** Trades compared so far. */
  get trades(): number {
    return this.#trades
  }

  /** The replay has caused this trade, the next one, at or before history's position. */
  compare(trade: HistoryTrade): void {
    this.#trades++
    this.#compareTrade(trade)
    this.#compareRecord(trade.maker)
    this.#compareRecord(trade.taker)
  }

  /** The replay has carried out this operator's command, the next one, at or before history's position. */
  compareAction(action: OperatorAction): void {
    this.#actions.compare(action)
  }

  /** The replay has caused all that history may have. */
  finish(): void {
    this.#actions.finish()
    for (const symbolId of this.#history.symbolIds()) {
      const cursor = this.#cursor(symbolId)
      for (let found = cursor.peek(); found !== undefined; found = cursor.peek())
        this.#extra(symbolId, cursor)
    }
    for (const { accountId, count, last } of this.#history.recordCounts()) {
      const expected = this.#lastByAccount.get(accountId) ?? 0
      if (last <= expected) continue
      const who = this.#names.account(accountId)
      this.#add(`${who} has records up to ${last} (${count} in all), the journal caused ${expected}`)
    }
    for (const problem of this.#history.fileProblems()) this.#add(`its file: ${problem}`)
  }

  #compareTrade({ seq, symbolId, trade }: HistoryTrade): void {
    const cursor = this.#cursor(symbolId)
    let found = cursor.peek()
    while (found !== undefined && isBefore(found, seq, trade.tradeNumber)) {
      this.#extra(symbolId, cursor)
      found = cursor.peek()
    }
    const what = `trade ${trade.tradeNumber} of ${this.#symbol(symbolId)} (command ${seq})`
    if (found === undefined || found.seq !== seq || found.tradeNumber !== trade.tradeNumber) {
      this.#add(`${what} is missing`)
      return
    }
    cursor.advance()
    if ('damage' in found.row) this.#add(`${what}: ${found.row.damage}`)
    else this.#differences(what, trade, found.row.value)
  }

  #compareRecord({ accountId, record }: PartyRecord): void {
    const n = increment(this.#lastByAccount, accountId)
    const m = increment(this.#lastByList, accountId * SYMBOLS_MAX + record.symbolId)
    const what = `record ${n} of ${this.#names.account(accountId)} (trade ${record.tradeNumber})`
    const stored = this.#history.record(accountId, n)
    if (stored === undefined) this.#add(`${what} is missing`)
    else if ('damage' in stored) this.#add(`${what}: ${stored.damage}`)
    else {
      const { numberInSymbol } = stored.value
      if (numberInSymbol !== m) this.#add(`${what} is number ${numberInSymbol} in its symbol, expected ${m}`)
      this.#differences(what, record, stored.value.record)
    }
  }

  #differences<Value extends PublicTrade | TradeRecord>(what: string, expected: Value, found: Value): void {
    for (const key of Object.keys(expected) as (keyof Value & string)[]) {
      if (expected[key] === found[key]) continue
      this.#add(`${what}: ${key} is ${String(found[key])}, the ledger has ${String(expected[key])}`)
    }
  }

  #extra(symbolId: SymbolId, cursor: TradeCursor): void {
    const found = cursor.peek()
    cursor.advance()
    if (found === undefined) return
    const what = `trade ${found.tradeNumber} of ${this.#symbol(symbolId)} (command ${found.seq})`
    this.#add(`${what} stands in history, the journal caused no such trade`)
  }

  #cursor(symbolId: SymbolId): TradeCursor {
    let cursor = this.#cursorBySymbol.get(symbolId)
    if (cursor === undefined) {
      cursor = new TradeCursor(this.#history, symbolId)
      this.#cursorBySymbol.set(symbolId, cursor)
    }
    return cursor
  }

  #symbol(symbolId: SymbolId): string {
    return this.#names.symbol(symbolId)?.name ?? `symbol ${symbolId}`
  }

  #add(message: string): void {
    this.#findings.add('HISTORY', message)
  }
}

/** The stored trades of one symbol, oldest first, some read ahead. */
class TradeCursor {
  readonly #history: StoredHistory
  readonly #symbolId: SymbolId
  #rows: readonly StoredTrade[] = []
  #index = 0
  #seq = NO_SEQ
  #tradeNumber = NO_TRADE
  #isAtEnd = false

  constructor(history: StoredHistory, symbolId: SymbolId) {
    this.#history = history
    this.#symbolId = symbolId
  }

  /** The next row; undefined at the end. */
  peek(): StoredTrade | undefined {
    if (this.#index >= this.#rows.length && !this.#isAtEnd) {
      this.#rows = this.#history.tradesAfter(this.#symbolId, this.#seq, this.#tradeNumber, ROWS_AHEAD)
      this.#index = 0
      this.#isAtEnd = this.#rows.length < ROWS_AHEAD
    }
    return this.#rows[this.#index]
  }

  advance(): void {
    const row = this.#rows[this.#index]
    if (row === undefined) return
    this.#index++
    this.#seq = row.seq
    this.#tradeNumber = row.tradeNumber
  }
}

function isBefore(found: StoredTrade, seq: Seq, tradeNumber: TradeNumber): boolean {
  return found.seq < seq || (found.seq === seq && found.tradeNumber < tradeNumber)
}

function increment<Key>(counts: Map<Key, number>, key: Key): number {
  const next = (counts.get(key) ?? 0) + 1
  counts.set(key, next)
  return next
}
