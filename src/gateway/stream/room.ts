/**
 * The rooms: who listens to which symbol. A room exists while it has members.
 */
import type { EventBatch } from '../../core/exchange/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { DepthView } from '../../views/depth.ts'
import type { MarketData } from '../../views/market-data.ts'
import { orderBookJson, publicTradesJson } from '../../wire/market-data.ts'
import { eventJson } from '../../wire/stream.ts'
import { Frame } from './link.ts'
import { type BestPrices, SymbolChanges } from './room-updates.ts'

/** Somebody in a room. */
export interface Member {
  /** Takes what a batch did to the room's symbol; all of `frames` or none of them. */
  update(room: Room, frames: readonly Frame[], bytes: number): void
}

export class Room {
  readonly symbol: TradingSymbol
  readonly members = new Set<Member>()
  readonly #market: MarketData
  readonly #depth: DepthView
  readonly #tradesOnJoin: number
  /** Best prices that members know of. */
  #best: BestPrices
  /** What a newcomer gets, until the next batch that touches the symbol. */
  #snapshot: readonly Frame[] | undefined

  constructor(market: MarketData, symbol: TradingSymbol, tradesOnJoin: number) {
    this.symbol = symbol
    this.#market = market
    this.#depth = market.depth(symbol.id)
    this.#tradesOnJoin = tradesOnJoin
    this.#best = this.#bestNow()
  }

  /** The whole book, then the recent trades, newest first: the state that the next `publish` changes. */
  snapshot(): readonly Frame[] {
    this.#snapshot ??= this.#makeSnapshot()
    return this.#snapshot
  }

  /** Tells the members what a batch did. The market's view has taken the batch in before. */
  publish(changes: SymbolChanges): void {
    const before = this.#best
    this.#best = this.#bestNow()
    this.#snapshot = undefined
    const frames = changes.frames(this.symbol, before, this.#best)
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0)
    for (const member of this.members) member.update(this, frames, bytes)
  }

  #makeSnapshot(): readonly Frame[] {
    const book = { sell: this.#depth.levels('SELL'), buy: this.#depth.levels('BUY') }
    const trades = this.#market.recentTrades(this.symbol.id, this.#tradesOnJoin)
    return [
      new Frame(eventJson('orders', orderBookJson(book, this.symbol))),
      new Frame(eventJson('trades', publicTradesJson(trades, this.symbol))),
    ]
  }

  #bestNow(): BestPrices {
    return { buy: this.#depth.best('BUY'), sell: this.#depth.best('SELL') }
  }
}

export class Rooms {
  readonly #market: MarketData
  readonly #tradesOnJoin: number
  readonly #roomById = new Map<SymbolId, Room>()
  /** How often a member could not keep up with a room, so that it is sent the whole book later instead of changes. */
  fallenBehind = 0

  constructor(market: MarketData, tradesOnJoin: number) {
    this.#market = market
    this.#tradesOnJoin = tradesOnJoin
  }

  /** How many symbols somebody listens to. */
  get count(): number {
    return this.#roomById.size
  }

  /** The listed symbol of this exact name. */
  symbol(name: string): TradingSymbol | undefined {
    return this.#market.registry.symbolByName(name)
  }

  /** The room of a symbol, if anybody is in it. */
  find(symbol: TradingSymbol): Room | undefined {
    return this.#roomById.get(symbol.id)
  }

  enter(symbol: TradingSymbol, member: Member): Room {
    let room = this.#roomById.get(symbol.id)
    if (room === undefined) {
      room = new Room(this.#market, symbol, this.#tradesOnJoin)
      this.#roomById.set(symbol.id, room)
    }
    room.members.add(member)
    return room
  }

  leave(room: Room, member: Member): void {
    room.members.delete(member)
    if (room.members.size === 0) this.#roomById.delete(room.symbol.id)
  }

  /** Tells every room what a batch did to its symbol. The market's view has taken the batch in before. */
  publish(batch: EventBatch): void {
    if (this.#roomById.size === 0) return
    const changesByRoom = new Map<Room, SymbolChanges>()
    for (const event of batch.events) {
      if (event.kind !== 'OrdersMatched' && event.kind !== 'LevelChanged') continue
      const room = this.#roomById.get(event.symbolId)
      if (room === undefined) continue
      let changes = changesByRoom.get(room)
      if (changes === undefined) {
        changes = new SymbolChanges()
        changesByRoom.set(room, changes)
      }
      changes.add(event)
    }
    for (const [room, changes] of changesByRoom) room.publish(changes)
  }
}
