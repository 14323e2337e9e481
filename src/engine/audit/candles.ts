/**
 * Compares the candles in history with those computed from the journal's trades: each once, and nothing else.
 * The replay supplies trades in order; each list of candles is read alongside.
 */
import { type CandleInProgress, candleOf, takeTrade } from '../../units/candle.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { CANDLE_WIDTHS, type CandleWidth, NARROWEST, NARROWEST_MS } from '../history/candles/base-widths.ts'
import { type ListedCandle, RunningCandles } from '../history/candles/running-candles.ts'
import type { HistoryTrade } from '../history/history.ts'
import type { StoredRow } from './actions.ts'
import {
  differingFields,
  type HistoryDifference,
  type HistoryDifferenceKind,
  type HistoryNames,
} from './history.ts'

export type StoredCandle = { readonly start: TimeMs; readonly row: StoredRow<ListedCandle> }

export interface StoredCandles {
  /** At most `limit` candles of a list that begin at `from` or later, oldest first. */
  from(symbolId: SymbolId, width: CandleWidth, from: TimeMs, limit: number): readonly StoredCandle[]

  /** Every symbol that has any candle. */
  symbols(): readonly SymbolId[]
}

/** Number of rows of a list that are read ahead of the replay. */
const ROWS_AHEAD = 64

/** The candles of a symbol computed by the replay so far: `candles` up to the second before `second`. */
type Running = { second: CandleInProgress | undefined; readonly candles: RunningCandles }

export class CandleComparison {
  readonly #stored: StoredCandles
  readonly #names: HistoryNames
  readonly #report: (difference: HistoryDifference) => void
  readonly #runningBySymbol = new Map<SymbolId, Running>()
  readonly #cursors = new Map<string, Cursor>()

  constructor(stored: StoredCandles, names: HistoryNames, report: (difference: HistoryDifference) => void) {
    this.#stored = stored
    this.#names = names
    this.#report = report
  }

  /** Compares the stored candles with this trade, the next one that the replay caused. */
  compare(trade: HistoryTrade): void {
    const { symbolId } = trade
    let running = this.#runningBySymbol.get(symbolId)
    if (running === undefined) {
      running = { second: undefined, candles: new RunningCandles() }
      this.#runningBySymbol.set(symbolId, running)
    }
    const { second } = running
    const takerSide = trade.taker.record.side
    if (second !== undefined && trade.trade.time < second.start + NARROWEST_MS) {
      takeTrade(second, trade.trade, takerSide)
      return
    }
    this.#end(symbolId, running)
    running.second = candleOf(trade.trade, takerSide, NARROWEST)
  }

  /** Ends the comparison: every further candle in history is a finding. */
  finish(): void {
    for (const [symbolId, running] of this.#runningBySymbol) {
      this.#end(symbolId, running)
      for (const width of CANDLE_WIDTHS) {
        const newest = running.candles.newest(width)
        if (newest !== undefined) this.#expect(symbolId, width, newest)
      }
    }
    for (const symbolId of this.#stored.symbols()) {
      for (const width of CANDLE_WIDTHS) this.#extras(symbolId, width, Number.POSITIVE_INFINITY)
    }
  }

  #end(symbolId: SymbolId, { second, candles }: Running): void {
    if (second === undefined) return
    candles.add(second, (width, ended) => this.#expect(symbolId, width, ended))
  }

  /** History must have this candle next in its list. */
  #expect(symbolId: SymbolId, width: CandleWidth, expected: ListedCandle): void {
    const { start } = expected.candle
    this.#extras(symbolId, width, start)
    const cursor = this.#cursor(symbolId, width)
    const found = cursor.peek()
    const what = this.#nameOf(symbolId, width, start)
    if (found?.start !== start) {
      this.#add('MISSING', `${what} is missing`)
      return
    }
    cursor.next()
    if ('damage' in found.row) {
      this.#add('DAMAGED', `${what}: ${found.row.damage}`)
      return
    }
    const { candle, previous } = found.row.value
    for (const difference of differingFields(what, expected.candle, candle)) this.#report(difference)
    if (previous !== expected.previous) {
      const [says, has] = [previous ?? 'none', expected.previous ?? 'none']
      this.#add('MISPLACED', `${what} is stored after the candle from ${says}, expected ${has}`)
    }
  }

  /** Rows of a list before the next expected time. */
  #extras(symbolId: SymbolId, width: CandleWidth, before: number): void {
    const cursor = this.#cursor(symbolId, width)
    for (let found = cursor.peek(); found !== undefined && found.start < before; found = cursor.peek()) {
      cursor.next()
      const what = this.#nameOf(symbolId, width, found.start)
      this.#add('EXTRA', `${what} is in history, but the journal has no such trades`)
    }
  }

  #cursor(symbolId: SymbolId, width: CandleWidth): Cursor {
    const key = `${symbolId} ${width}`
    let cursor = this.#cursors.get(key)
    if (cursor === undefined) {
      cursor = new Cursor((from, limit) => this.#stored.from(symbolId, width, from, limit))
      this.#cursors.set(key, cursor)
    }
    return cursor
  }

  #nameOf(symbolId: SymbolId, width: CandleWidth, start: TimeMs): string {
    return `the ${width} candle of ${this.#names.symbolName(symbolId)} from ${start}`
  }

  #add(kind: HistoryDifferenceKind, sentence: string): void {
    this.#report({ kind, sentence })
  }
}

/** A place in a list. */
class Cursor {
  readonly #read: (from: TimeMs, limit: number) => readonly StoredCandle[]
  #rows: readonly StoredCandle[] = []
  #index = 0
  #from = 0 as TimeMs
  #isAtEnd = false

  constructor(read: (from: TimeMs, limit: number) => readonly StoredCandle[]) {
    this.#read = read
  }

  /** Undefined at the end. */
  peek(): StoredCandle | undefined {
    if (this.#index >= this.#rows.length && !this.#isAtEnd) {
      this.#rows = this.#read(this.#from, ROWS_AHEAD)
      this.#index = 0
      this.#isAtEnd = this.#rows.length < ROWS_AHEAD
      this.#from = ((this.#rows.at(-1)?.start ?? this.#from) + 1) as TimeMs
    }
    return this.#rows[this.#index]
  }

  next(): void {
    this.#index++
  }
}
