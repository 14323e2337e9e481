/**
 * A room: who listens to a symbol, and what its members have yet to be told.
 */
import type { LevelChanged, OrdersMatched } from '../../core/exchange/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { DepthView } from '../../views/depth.ts'
import type { MarketData } from '../../views/market-data.ts'
import { publicTradesJson } from '../../wire/market-data.ts'
import { eventJson } from '../../wire/stream.ts'
import type { BookText } from './book-text.ts'
import { Frame } from './link.ts'
import type { Pace } from './pace.ts'
import { type BestPrices, SymbolChanges } from './room-updates.ts'

/** Somebody in a room. */
export interface Member {
  /** Takes what happened to the room's symbol; all of `frames` or none of them. */
  update(room: Room, frames: readonly Frame[], bytes: number): void
}

export type RoomOptions = {
  readonly market: MarketData
  readonly bookText: BookText
  readonly symbol: TradingSymbol
  readonly tradesOnJoin: number
  readonly pace: Pace
}

/** Matches put off at most; with so many the room is told whatever it costs. */
const PUT_OFF_MATCHES_MAX = 10_000

export class Room {
  readonly symbol: TradingSymbol
  readonly members = new Set<Member>()
  readonly #options: RoomOptions
  readonly #depth: DepthView
  /** Best prices that members know of. */
  #best: BestPrices
  /** What members have yet to be told. */
  #changes: SymbolChanges | undefined
  #toldAt = Number.NEGATIVE_INFINITY
  /** How long after that the room is left alone. */
  #pauseMs = 0
  /** Set while a telling is put off. */
  #cancel: (() => void) | undefined
  /** What a newcomer gets, until the symbol changes. */
  #snapshot: readonly Frame[] | undefined

  constructor(options: RoomOptions) {
    this.#options = options
    this.symbol = options.symbol
    this.#depth = options.market.depth(options.symbol.id)
    this.#best = this.#bestNow()
  }

  /**
   * True while members have yet to be told of changes: a newcomer has to wait, or it would be told of them twice.
   * Every member is updated when that ends.
   */
  get isBehind(): boolean {
    return this.#changes !== undefined
  }

  /** The whole book, then the recent trades, newest first: the state that the next telling changes. */
  snapshot(): readonly Frame[] {
    this.#snapshot ??= this.#makeSnapshot()
    return this.#snapshot
  }

  /** Takes in what happened. The market's view has taken it in before; `tellSoon` has to follow. */
  add(event: OrdersMatched | LevelChanged): void {
    this.#changes ??= new SymbolChanges()
    this.#changes.add(event)
  }

  /** Tells the members what was added: now, or, if they were told just now, when their pause is over. */
  tellSoon(): void {
    if (this.#cancel !== undefined) {
      if ((this.#changes?.matchCount ?? 0) >= PUT_OFF_MATCHES_MAX) this.tellNow()
      return
    }
    const { now, later } = this.#options.pace
    const elapsedMs = now() - this.#toldAt
    if (elapsedMs >= this.#pauseMs) this.tellNow()
    else this.#cancel = later(() => this.tellNow(), this.#pauseMs - elapsedMs)
  }

  /** Tells the members what was added, if anything was. */
  tellNow(): void {
    this.#cancel?.()
    this.#cancel = undefined
    const changes = this.#changes
    if (changes === undefined) return
    this.#changes = undefined
    const { now, pauseMs } = this.#options.pace
    const startMs = now()
    const before = this.#best
    this.#best = this.#bestNow()
    this.#snapshot = undefined
    const frames = changes.frames(this.symbol, before, this.#best)
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0)
    for (const member of this.members) member.update(this, frames, bytes)
    this.#toldAt = now()
    this.#pauseMs = pauseMs(this.#toldAt - startMs)
  }

  /** Nobody is left to be told. */
  close(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#changes = undefined
  }

  #makeSnapshot(): readonly Frame[] {
    const { market, bookText, tradesOnJoin } = this.#options
    const trades = market.recentTrades(this.symbol.id, tradesOnJoin)
    return [
      new Frame(eventJson('orders', bookText.of(this.#depth, this.symbol))),
      new Frame(eventJson('trades', publicTradesJson(trades, this.symbol))),
    ]
  }

  #bestNow(): BestPrices {
    return { buy: this.#depth.best('BUY'), sell: this.#depth.best('SELL') }
  }
}
