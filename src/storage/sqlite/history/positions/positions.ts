/**
 * The positions of a history, stored in their tables. They are stored together with the ends of lists, up to
 * the same trade and the same transfer, and not with every append. Later changes are kept in memory; at a
 * start they are computed again from the records after the stored ends.
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

/**
 * Maximum number of positions that stay in memory when they are stored, about 300 bytes each; if there are
 * more, all of them are dropped.
 */
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

  /** Number of stored markets. */
  get markets(): number {
    return this.#book.markets.all.length
  }

  /**
   * Loads the stored state; `trades` and `transfers` are the later records, oldest first. Throws
   * `DamagedRowFault`, as the other methods do.
   */
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

  /** Must be called in a transaction. New markets are stored at once, since no other record contains them. */
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

  /** Must be called in the transaction that stores the ends of lists; writes in the order of the rows. */
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
