/**
 * Positions over their tables. They are stored together with the ends of lists, up to the same trade and the same transfer, and not with every append:
 * what came after is kept in memory, and made again from these records by a start.
 */
import type { HistoryTrade, PositionRange } from '../../../../engine/history/history.ts'
import type { MarketTerms } from '../../../../engine/history/positions/markets.ts'
import { PositionBook } from '../../../../engine/history/positions/position-book.ts'
import { positionPage } from '../../../../engine/history/positions/position-pages.ts'
import type { PositionPage } from '../../../../engine/port/ports.ts'
import type { HistoryTransfer } from '../../../../engine/port/transfer.ts'
import type { Price } from '../../../../units/quantities.ts'
import { DamagedRowFault } from '../check.ts'
import type { PositionTables } from './tables.ts'

/** Positions that stay in memory when they are stored, some 300 bytes each; with more than these none does. */
const KEPT_MAX = 100_000

export class Positions {
  readonly #tables: PositionTables
  readonly #book: PositionBook

  constructor(tables: PositionTables) {
    this.#tables = tables
    this.#book = new PositionBook({
      read: (accountId, assetId) => tables.position(accountId, assetId),
      contradicted: (sentence) => {
        throw new DamagedRowFault(sentence)
      },
    })
  }

  /** How many markets are stored. */
  get markets(): number {
    return this.#book.markets.all.length
  }

  /** Takes up what is stored; `trades` and `transfers`: those that came later, oldest first. Throws `DamagedRowFault`, as do the others. */
  load(markets: number, trades: readonly HistoryTrade[], transfers: readonly HistoryTransfer[]): void {
    this.#book.forget()
    this.#book.markets.clear()
    for (const { terms, lastPrice } of this.#tables.markets()) {
      if (terms.id !== this.markets)
        throw new DamagedRowFault(`the market of symbol ${this.markets} is missing`)
      this.#book.markets.add(terms, lastPrice)
    }
    if (this.markets !== markets)
      throw new DamagedRowFault(`there are ${this.markets} markets, expected ${markets}`)
    this.#book.append(trades, transfers)
  }

  /** Inside a transaction. What is listed is stored at once: nothing else says it again. */
  append(
    listings: readonly MarketTerms[],
    trades: readonly HistoryTrade[],
    transfers: readonly HistoryTransfer[],
  ): void {
    for (const terms of listings) {
      if (this.#book.markets.add(terms)) this.#tables.setMarket(terms, 0 as Price)
    }
    this.#book.append(trades, transfers)
  }

  /** In one transaction with the ends of lists; in the order of the rows. */
  store(): void {
    for (const { terms, lastPrice } of this.#book.markets.drain()) this.#tables.setMarket(terms, lastPrice)
    const changed = this.#book.drain().toSorted((a, b) => a.accountId - b.accountId || a.assetId - b.assetId)
    for (const { accountId, assetId, position } of changed) this.#tables.set(accountId, assetId, position)
    if (this.#book.size > KEPT_MAX) this.#book.forget()
  }

  page(range: PositionRange): PositionPage {
    const { accountId, from, limit } = range
    const stored = this.#tables.positionsFrom(accountId, from, limit + 1)
    return positionPage(range, stored, this.#book)
  }
}
