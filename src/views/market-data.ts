/**
 * All that a gateway shows without asking the engine: registry, depth and recent trades, kept up to date from the
 * engine's batches. It knows no transport and no format.
 */
import type { EventBatch, ExchangeEvent } from '../core/exchange/event.ts'
import type { Bootstrap, PublicTrade } from '../core/exchange/view.ts'
import type { ApiKey } from '../core/registry/records.ts'
import type { SymbolId } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import type { Seq, TimeMs } from '../units/quantities.ts'
import { Depth, type DepthView } from './depth.ts'
import { RecentTrades } from './recent-trades.ts'
import { Registry, type RegistryView } from './registry.ts'

/** Trades up to the bootstrap's command, newest first, per symbol; a symbol without trades may be absent. */
export type RecentTradesBySymbol = ReadonlyMap<SymbolId, readonly PublicTrade[]>

/** The market's own state: one symbol's depth and trades. */
type Market = { readonly depth: Depth; readonly trades: RecentTrades }

const EMPTY_DEPTH: DepthView = new Depth()

export class MarketData {
  readonly #registry: Registry
  readonly #marketById = new Map<SymbolId, Market>()
  #seq: Seq
  /** Journal time of the state that it began from. */
  readonly startedAt: TimeMs
  /** Told of a key that is new, changed or has ended, once it is so; undefined: nobody wants to know. */
  onApiKeyChanged: ((apiKey: ApiKey) => void) | undefined

  constructor(start: Bootstrap, recentTrades: RecentTradesBySymbol = new Map()) {
    this.#seq = start.seq
    this.startedAt = start.time
    this.#registry = new Registry(start)
    for (const book of start.books) {
      this.#marketById.set(book.symbolId, { depth: new Depth(book), trades: new RecentTrades() })
    }
    for (const [symbolId, trades] of recentTrades) {
      const ring = this.#market(symbolId).trades
      for (const trade of trades.toReversed()) ring.add(trade)
    }
  }

  /** Sequence number of the last command whose effects are in. */
  get seq(): Seq {
    return this.#seq
  }

  get registry(): RegistryView {
    return this.#registry
  }

  /** Takes in the batch that follows `seq`; an older one or one seen before is a bug of the caller. */
  apply(batch: EventBatch): void {
    invariant(
      batch.seq > this.#seq,
      () => `expected a batch after command ${this.#seq}, found one up to ${batch.seq}`,
    )
    for (const event of batch.events) this.#applyEvent(event)
    this.#seq = batch.seq
  }

  /** The depth of a symbol, empty where nothing ever rested. The view stays valid and follows later batches. */
  depth(symbolId: SymbolId): DepthView {
    return this.#marketById.get(symbolId)?.depth ?? this.#knownDepth(symbolId)
  }

  /** The newest `limit` trades of a symbol, newest first; at most `RECENT_TRADES_MAX`. */
  recentTrades(symbolId: SymbolId, limit: number): PublicTrade[] {
    return this.#marketById.get(symbolId)?.trades.newest(limit) ?? []
  }

  #applyEvent(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'LevelChanged':
        this.#market(event.symbolId).depth.set(event.side, event.price, event.quantity)
        break
      case 'OrdersMatched':
        this.#market(event.symbolId).trades.add({
          tradeNumber: event.tradeNumber,
          price: event.price,
          quantity: event.quantity,
          time: event.time,
          takerSide: event.takerSide,
        })
        break
      default:
        this.#registry.apply(event)
        if (event.kind === 'ApiKeyChanged') this.onApiKeyChanged?.(event.apiKey)
        break
    }
  }

  /** Only listed symbols get a book of their own: questions about others must not fill the map. */
  #knownDepth(symbolId: SymbolId): DepthView {
    return this.#registry.symbol(symbolId) === undefined ? EMPTY_DEPTH : this.#market(symbolId).depth
  }

  #market(symbolId: SymbolId): Market {
    const known = this.#marketById.get(symbolId)
    if (known !== undefined) return known
    const market: Market = { depth: new Depth(), trades: new RecentTrades() }
    this.#marketById.set(symbolId, market)
    return market
  }
}
