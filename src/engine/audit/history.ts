/**
 * History against the ledger: every trade that a replay causes must stand in history exactly, once, in its place in each
 * of its lists, and nothing else may. The replay gives the trades in order; history is read alongside, so memory grows
 * with the lists and not with the trades.
 */
import type { SymbolId } from '../../units/ids.ts'
import type { HistoryTrade, PartyRecord } from '../history.ts'
import type { LinkedTrade, PartyLinks } from '../history-links.ts'
import type { OperatorAction } from '../ports.ts'
import { ActionComparison } from './actions.ts'
import type { Findings } from './findings.ts'
import { ListComparison } from './history-lists.ts'
import type { StoredHistory, StoredPiece } from './history-source.ts'
import type { AuditNames } from './names.ts'

export class HistoryComparison {
  readonly #history: StoredHistory
  readonly #names: AuditNames
  readonly #findings: Findings
  readonly #cursor: TradeCursor
  readonly #lists: ListComparison
  readonly #actions: ActionComparison
  #trades = 0

  constructor(history: StoredHistory, names: AuditNames, findings: Findings) {
    this.#history = history
    this.#names = names
    this.#findings = findings
    this.#cursor = new TradeCursor(history)
    this.#lists = new ListComparison(history, names, findings)
    this.#actions = new ActionComparison(history, findings)
  }

  /** Trades compared so far. */
  get trades(): number {
    return this.#trades
  }

  /** The replay has caused this trade, the next one, at or before history's position. */
  compare(trade: HistoryTrade): void {
    this.#trades++
    const expected = this.#lists.link(trade)
    const found = this.#find(trade)
    if (found !== undefined) this.#differences(expected, found)
  }

  /** The replay has carried out this operator's command, the next one, at or before history's position. */
  compareAction(action: OperatorAction): void {
    this.#actions.compare(action)
  }

  /** The replay has caused all that history may have. */
  finish(): void {
    this.#actions.finish()
    for (let piece = this.#cursor.piece; piece !== undefined; piece = this.#cursor.piece) {
      if ('damage' in piece.trades) this.#damaged(piece)
      for (let found = this.#cursor.next(); found !== undefined; found = this.#cursor.next())
        this.#extra(found)
      this.#cursor.skipPiece()
    }
    this.#lists.finish()
    for (const problem of this.#history.fileProblems()) this.#add(`its file: ${problem}`)
  }

  /** The stored trade of this number; undefined, and told, when there is none, or none that can be read. */
  #find({ seq, symbolId, trade: { tradeNumber } }: HistoryTrade): LinkedTrade | undefined {
    for (;;) {
      const { piece } = this.#cursor
      if (piece === undefined || piece.first > tradeNumber) break
      const isPast = (this.#cursor.following ?? Number.POSITIVE_INFINITY) <= tradeNumber
      if ('damage' in piece.trades) {
        this.#damaged(piece)
        if (!isPast) return undefined
        this.#cursor.skipPiece()
        continue
      }
      const found = this.#cursor.peek()
      const number = found?.trade.trade.tradeNumber
      if (found === undefined || number === undefined) {
        if (!isPast) break
        this.#cursor.skipPiece()
        continue
      }
      if (number > tradeNumber) break
      this.#cursor.next()
      if (number === tradeNumber) return found
      this.#extra(found)
    }
    this.#add(`trade ${tradeNumber} of ${this.#symbol(symbolId)} (command ${seq}) is missing`)
    return undefined
  }

  #differences(expected: LinkedTrade, found: LinkedTrade): void {
    const { seq, symbolId, trade } = expected.trade
    const what = `trade ${trade.tradeNumber} of ${this.#symbol(symbolId)} (command ${seq})`
    this.#fields(what, { seq, symbolId, ...trade }, { ...found.trade, ...found.trade.trade })
    this.#fields(`${what}: its place in the list of the symbol`, expected.ofSymbol, found.ofSymbol)
    this.#party(expected.trade.maker, expected.maker, found.trade.maker, found.maker)
    this.#party(expected.trade.taker, expected.taker, found.trade.taker, found.taker)
  }

  #party(expected: PartyRecord, links: PartyLinks, found: PartyRecord, foundLinks: PartyLinks): void {
    const { record, accountId } = expected
    const { side, orderNumber, orderTime, total, commission, commissionAssetId } = record
    const own = { accountId, side, orderNumber, orderTime, total, commission, commissionAssetId }
    const what = `record ${links.ofAccount.n} of ${this.#names.account(accountId)} (trade ${record.tradeNumber})`
    this.#fields(what, own, { ...found.record, accountId: found.accountId })
    this.#fields(`${what}: its place in the list of the account`, links.ofAccount, foundLinks.ofAccount)
    this.#fields(`${what}: its place in the list of the symbol`, links.ofSymbol, foundLinks.ofSymbol)
  }

  /** The fields of `expected`; others are compared elsewhere. */
  #fields<Value extends object>(what: string, expected: Value, found: Value): void {
    for (const key of Object.keys(expected) as (keyof Value & string)[]) {
      if (expected[key] === found[key]) continue
      this.#add(`${what}: ${key} is ${String(found[key])}, the ledger has ${String(expected[key])}`)
    }
  }

  #extra({ trade: { seq, symbolId, trade } }: LinkedTrade): void {
    const what = `trade ${trade.tradeNumber} of ${this.#symbol(symbolId)} (command ${seq})`
    this.#add(`${what} stands in history, the journal caused no such trade`)
  }

  #damaged({ first, trades }: StoredPiece): void {
    if (!('damage' in trades) || !this.#cursor.isNew()) return
    this.#add(`trade ${first} and those stored with it: ${trades.damage}`)
  }

  #symbol(symbolId: SymbolId): string {
    return this.#names.symbolName(symbolId)
  }

  #add(message: string): void {
    this.#findings.add('HISTORY', message)
  }
}

/** The stored trades, oldest first, a piece and its neighbour at a time. */
class TradeCursor {
  readonly #history: StoredHistory
  #piece: StoredPiece | undefined
  #following: StoredPiece | undefined
  #index = 0
  #isNew = true
  #isBegun = false

  constructor(history: StoredHistory) {
    this.#history = history
  }

  /** The piece under way; undefined at the end. */
  get piece(): StoredPiece | undefined {
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#piece = this.#history.pieceAfter(Number.MIN_SAFE_INTEGER)
      this.#following = this.#after(this.#piece)
    }
    return this.#piece
  }

  /** Where the piece after it begins. */
  get following(): number | undefined {
    return this.#following?.first
  }

  /** The next trade of the piece; undefined: it has no more, or none that can be read. */
  peek(): LinkedTrade | undefined {
    const trades = this.#piece?.trades
    return trades === undefined || 'damage' in trades ? undefined : trades.value[this.#index]
  }

  /** The same, and goes past it. */
  next(): LinkedTrade | undefined {
    const found = this.peek()
    if (found !== undefined) this.#index++
    return found
  }

  skipPiece(): void {
    this.#piece = this.#following
    this.#following = this.#after(this.#piece)
    this.#index = 0
    this.#isNew = true
  }

  /** True once for each piece. */
  isNew(): boolean {
    const isNew = this.#isNew
    this.#isNew = false
    return isNew
  }

  #after(piece: StoredPiece | undefined): StoredPiece | undefined {
    return piece === undefined ? undefined : this.#history.pieceAfter(piece.first)
  }
}
