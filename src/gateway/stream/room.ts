/**
 * A room: who listens to a symbol, and what is yet to be published to its members. It is published in steps (`turns.ts`), all of
 * them the same at the same time; one that cannot take it is sent nothing more until it has been given the whole book.
 */
import type { LevelChanged, OrdersMatched } from '../../core/exchange/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { DepthView } from '../../views/depth.ts'
import type { MarketData } from '../../views/market-data.ts'
import { publicTradesJson } from '../../wire/market-data.ts'
import { eventJson } from '../../wire/stream.ts'
import type { BookText } from './book-text.ts'
import { Frame } from './link.ts'
import { type BestPrices, type Part, SymbolChanges } from './room-updates.ts'
import type { Turns, Work } from './turns.ts'

/** Somebody in a room. */
export interface Member {
  /** Takes the next part of what happened to the room's symbol; or else calls `unfollow`. */
  update(room: Room, part: Part): void
  /** The book of a room that it does not follow may be had now. */
  giveBooks(): void
  /** What was yet to be published to it is gone: it does not follow any more, and needs the book. */
  lost(room: Room): void
}

export type RoomOptions = {
  readonly market: MarketData
  readonly bookText: BookText
  readonly symbol: TradingSymbol
  readonly tradesOnJoin: number
  readonly turns: Turns
  /** See `Pace`. */
  readonly turnBytes: number
}

export class Room implements Work {
  readonly symbol: TradingSymbol
  readonly #options: RoomOptions
  readonly #depth: DepthView
  /** Those to whom changes are published. */
  readonly #following = new Set<Member>()
  /** Those who have the book as it is after what is being published, so that they follow from the next publication on. */
  readonly #followingNext = new Set<Member>()
  /** Those who are in the room and have yet to be given the book. */
  readonly #waiting = new Set<Member>()
  /** Best prices that members know of, once what is being published has been. */
  #best: BestPrices
  /** What happened since the last publication began. */
  #changes: SymbolChanges | undefined
  /** The rest of a publication under way, each item the bytes that a step sent to each member. */
  #publication: Iterator<number> | undefined
  #publicationSize = 0
  /** The book and trades before `#changes`; what a newcomer gets. */
  #snapshot: readonly Frame[] | undefined

  constructor(options: RoomOptions) {
    this.#options = options
    this.symbol = options.symbol
    this.#depth = options.market.depth(options.symbol.id)
    this.#best = this.#bestNow()
  }

  get isEmpty(): boolean {
    return this.#following.size + this.#followingNext.size + this.#waiting.size === 0
  }

  /** Matches and changed prices that are yet to be published. */
  get queued(): number {
    return this.#publicationSize + (this.#changes?.size ?? 0)
  }

  /** From the next publication on the member gets changes: it has what `snapshot` gives, or is about to. */
  follow(member: Member): void {
    this.#waiting.delete(member)
    if (this.#publication === undefined) this.#following.add(member)
    else this.#followingNext.add(member)
  }

  /** The member stays, and is sent nothing until it follows again. */
  unfollow(member: Member): void {
    this.#following.delete(member)
    this.#followingNext.delete(member)
    this.#waiting.add(member)
  }

  leave(member: Member): void {
    this.#following.delete(member)
    this.#followingNext.delete(member)
    this.#waiting.delete(member)
  }

  /**
   * The whole book, then the recent trades, newest first: the state that the next publication changes. Undefined when the
   * market has changed since, so that it cannot be had any more: those who wait get it when the next publication begins.
   */
  snapshot(): readonly Frame[] | undefined {
    if (this.#snapshot === undefined && this.#changes === undefined) this.#snapshot = this.#makeSnapshot()
    return this.#snapshot
  }

  /** Takes in what happened. The market's view has taken it in before; `tellSoon` has to follow. */
  add(event: OrdersMatched | LevelChanged): void {
    this.#changes ??= new SymbolChanges()
    this.#changes.add(event)
  }

  /** Publishes what was added, as soon as it is the room's turn. */
  tellSoon(): void {
    this.#options.turns.add(this)
  }

  /** Forgets what is yet to be published: they are given the book instead, as it is then. */
  resynchronise(): void {
    this.#endTelling()
    this.#snapshot = undefined
    this.#changes = new SymbolChanges()
    for (const member of [...this.#following]) member.lost(this)
    this.tellSoon()
  }

  work(isOver: () => boolean): boolean {
    const { turnBytes } = this.#options
    let bytes = 0
    do {
      if (this.#publication === undefined) {
        if (this.#changes === undefined) return false
        this.#beginTelling(this.#changes)
      }
      const step = this.#publication?.next()
      if (step?.done === false) bytes += step.value
      else this.#endTelling()
    } while (!isOver() && bytes < turnBytes)
    return this.#publication !== undefined || this.#changes !== undefined
  }

  /** Nobody is left to publish to. */
  close(): void {
    this.#options.turns.remove(this)
    this.#endTelling()
    this.#changes = undefined
  }

  #beginTelling(changes: SymbolChanges): void {
    this.#changes = undefined
    this.#snapshot = undefined
    const before = this.#best
    this.#best = this.#bestNow()
    this.#publicationSize = changes.size
    this.#publication = this.#publish(changes.parts(this.symbol, before, this.#best))
  }

  /** Those who wait first: right now the market is what it will be after this publication. */
  *#publish(parts: Iterable<Part>): Generator<number> {
    for (const member of this.#waiting) {
      member.giveBooks()
      yield 0
    }
    if (this.#following.size === 0) return
    for (const part of parts) {
      for (const member of this.#following) {
        member.update(this, part)
        yield 0
      }
      yield part.bytes
    }
  }

  #endTelling(): void {
    this.#publication = undefined
    this.#publicationSize = 0
    for (const member of this.#followingNext) this.#following.add(member)
    this.#followingNext.clear()
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
