/**
 * All data that a gateway shows without a query to the engine: registry, depth, recent trades and the last 24
 * hours, kept up to date from the engine's batches. It is independent of transport and format.
 */
import type { EventBatch, ExchangeEvent, OrdersMatched } from '../core/events/event.ts'
import type { Bootstrap, PublicTrade } from '../core/questions/view.ts'
import type { SymbolId } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import type { Seq, TimeMs } from '../units/quantities.ts'
import { type DayFigures, type DayHistory, DayWindow } from './day-window.ts'
import { Depth, type DepthView } from './depth.ts'
import { WatchedPlacements } from './placements.ts'
import { RecentTrades } from './recent-trades.ts'
import { LiveRegistry, type RegistryView } from './registry.ts'

/** Trades up to the bootstrap's command, newest first, per symbol; a symbol without trades may be absent. */
export type RecentTradesBySymbol = ReadonlyMap<SymbolId, readonly PublicTrade[]>

/**
 * The last 24 hours up to the bootstrap's command or a later one, per symbol; a symbol without trades may be
 * absent.
 */
export type DaysBySymbol = ReadonlyMap<SymbolId, DayHistory>

/** The state of one market: its depth and trades. */
type Market = {
  readonly depth: Depth
  readonly trades: RecentTrades
  readonly day: DayWindow
  /** The start values of the day include the trades of all commands up to this one. */
  readonly dayBegan: Seq
}

const EMPTY_DEPTH: DepthView = new Depth()

export class MarketData {
  readonly #registry: LiveRegistry
  readonly #marketById = new Map<SymbolId, Market>()
  #seq = 0 as Seq
  #time = 0 as TimeMs
  /** Immediate effects of orders, for observers. */
  readonly placements = new WatchedPlacements()
  /** Journal time of the state from which it started. */
  readonly startedAt: TimeMs
  /**
   * Called for a key that is new, changed, ended or removed from its account, after the change; undefined
   * without an observer.
   */
  onApiKeyChanged: ((apiKey: string) => void) | undefined

  constructor(
    start: Bootstrap,
    recentTrades: RecentTradesBySymbol = new Map(),
    days: DaysBySymbol = new Map(),
  ) {
    this.startedAt = start.time
    this.#registry = new LiveRegistry(start)
    this.#begin(start, recentTrades, days)
  }

  /**
   * Restarts from a later state: this view missed the changes in between. Data that others derived from it,
   * except from the registry, must be read again. An earlier state is a bug of the caller.
   */
  restart(start: Bootstrap, recentTrades: RecentTradesBySymbol, days: DaysBySymbol): void {
    invariant(start.seq >= this.#seq, () => `expected a state after command ${this.#seq}, found ${start.seq}`)
    this.#registry.restart(start)
    this.#marketById.clear()
    this.#begin(start, recentTrades, days)
    for (const { apiKey } of start.apiKeys) this.onApiKeyChanged?.(apiKey)
  }

  #begin(start: Bootstrap, recentTrades: RecentTradesBySymbol, days: DaysBySymbol): void {
    this.#seq = start.seq
    this.pass(start.time)
    for (const [symbolId, day] of days) {
      const market = { depth: new Depth(), trades: new RecentTrades(), day: new DayWindow(day) }
      this.#marketById.set(symbolId, { ...market, dayBegan: day.upTo })
    }
    for (const book of start.books) {
      this.#marketById.set(book.symbolId, { ...this.#market(book.symbolId), depth: new Depth(book) })
    }
    for (const [symbolId, trades] of recentTrades) {
      const ring = this.#market(symbolId).trades
      for (const trade of trades.toReversed()) ring.add(trade)
    }
  }

  /** Sequence number of the last command whose effects are included. */
  get seq(): Seq {
    return this.#seq
  }

  /** Journal time: no later command has an earlier time. */
  get time(): TimeMs {
    return this.#time
  }

  get registry(): RegistryView {
    return this.#registry
  }

  /** Applies the batch that follows `seq`; an older batch or a repeated one is a bug of the caller. */
  apply(batch: EventBatch): void {
    invariant(
      batch.seq > this.#seq,
      () => `expected a batch after command ${this.#seq}, found one up to ${batch.seq}`,
    )
    for (const event of batch.events) this.#applyEvent(event, batch.seq)
    if (this.placements.isWatched) for (const event of batch.events) this.placements.apply(event)
    this.#seq = batch.seq
    this.pass(batch.time)
  }

  /** Advances journal time to `time`; an earlier time is ignored. No later command has an earlier time. */
  pass(time: TimeMs): void {
    if (time > this.#time) this.#time = time
  }

  /**
   * The depth of a symbol, empty if it never had a resting order. The view stays valid and follows later
   * batches.
   */
  depth(symbolId: SymbolId): DepthView {
    return this.#marketById.get(symbolId)?.depth ?? this.#knownDepth(symbolId)
  }

  /** The newest `limit` trades of a symbol, newest first; at most `RECENT_TRADES_MAX`. */
  recentTrades(symbolId: SymbolId, limit: number): PublicTrade[] {
    return this.#marketById.get(symbolId)?.trades.newest(limit) ?? []
  }

  /**
   * The figures of a symbol's trades in the 24 hours before `now`. The window ends no earlier than the last
   * command or the latest queried time, since the figures never go back.
   */
  day(symbolId: SymbolId, now: TimeMs): DayFigures {
    return (this.#marketById.get(symbolId)?.day ?? new DayWindow()).at(now)
  }

  #applyEvent(event: ExchangeEvent, seq: Seq): void {
    switch (event.kind) {
      case 'LevelChanged':
        this.#market(event.symbolId).depth.set(event.side, event.price, event.quantity)
        break
      case 'OrdersMatched':
        this.#applyTrade(event, seq)
        break
      default:
        this.#registry.apply(event)
        if (event.kind === 'ApiKeyChanged') this.onApiKeyChanged?.(event.apiKey.apiKey)
        else if (event.kind === 'ApiKeyRemoved') this.onApiKeyChanged?.(event.apiKey)
        break
    }
  }

  #applyTrade(event: OrdersMatched, seq: Seq): void {
    const { symbolId, tradeNumber, symbolTrade, price, quantity, time, takerSide } = event
    const { trades, day, dayBegan } = this.#market(symbolId)
    trades.add({ tradeNumber, symbolTrade, price, quantity, time, takerSide })
    if (seq > dayBegan) day.add(event, takerSide)
  }

  /** Only listed symbols have a book of their own, so that queries for other symbols do not fill the map. */
  #knownDepth(symbolId: SymbolId): DepthView {
    return this.#registry.symbol(symbolId) === undefined ? EMPTY_DEPTH : this.#market(symbolId).depth
  }

  #market(symbolId: SymbolId): Market {
    const known = this.#marketById.get(symbolId)
    if (known !== undefined) return known
    const market: Market = {
      depth: new Depth(),
      trades: new RecentTrades(),
      day: new DayWindow(),
      dayBegan: 0 as Seq,
    }
    this.#marketById.set(symbolId, market)
    return market
  }
}
