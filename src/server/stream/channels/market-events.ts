/** The events for clients that have joined a symbol (docs/reference/stream.md#events-from-the-server). */

import { publicTradesJson } from '../../../contract/api/market-data.ts'
import { eventJson } from '../../../contract/stream/stream.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { DepthView } from '../../../views/depth.ts'
import type { MarketData } from '../../../views/market-data.ts'
import type { BookText } from '../book-text.ts'
import { Frame } from '../link.ts'
import { type BestPrices, SymbolChanges } from '../room-updates.ts'
import type { Channel, MarketEvent, Part } from './channel.ts'

export type MarketEventsOptions = {
  readonly market: MarketData
  /** In the form of `levelMembersJson`. */
  readonly bookText: BookText
  readonly symbol: TradingSymbol
  readonly tradesOnJoin: number
}

export class MarketEvents implements Channel {
  readonly dueAt = undefined
  readonly #options: MarketEventsOptions
  readonly #depth: DepthView
  /** The best prices known to members once the taken messages are published. */
  #best: BestPrices
  #changes = new SymbolChanges()

  constructor(options: MarketEventsOptions) {
    this.#options = options
    this.#depth = options.market.depth(options.symbol.id)
    this.#best = this.#bestNow()
  }

  get queued(): number {
    return this.#changes.size
  }

  add(event: MarketEvent): boolean {
    this.#changes.add(event)
    return true
  }

  pass(): boolean {
    return false
  }

  take(): Iterable<Part> {
    const changes = this.#changes
    this.#changes = new SymbolChanges()
    const before = this.#best
    this.#best = this.#bestNow()
    return changes.parts(this.#options.symbol, before, this.#best)
  }

  forget(): void {
    this.#changes = new SymbolChanges()
  }

  /** The whole book, then the recent trades, newest first. */
  snapshot(): readonly Frame[] {
    const { market, bookText, symbol, tradesOnJoin } = this.#options
    const sell = bookText.side(this.#depth, 'SELL', symbol)
    const buy = bookText.side(this.#depth, 'BUY', symbol)
    const trades = market.recentTrades(symbol.id, tradesOnJoin)
    return [
      new Frame(eventJson('orders', `{"sell":{${sell}},"buy":{${buy}}}`)),
      new Frame(eventJson('trades', publicTradesJson(trades, symbol))),
    ]
  }

  #bestNow(): BestPrices {
    return { buy: this.#depth.best('BUY'), sell: this.#depth.best('SELL') }
  }
}
