/**
 * The rooms: who listens to which symbol. A room exists while it has members.
 */
import type { EventBatch } from '../../core/exchange/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { MarketData } from '../../views/market-data.ts'
import { BookText } from './book-text.ts'
import type { Pace } from './pace.ts'
import { type Member, Room } from './room.ts'

export type RoomsOptions = {
  readonly market: MarketData
  /** Trades in the first `trades` event after a join. */
  readonly tradesOnJoin: number
  readonly pace: Pace
}

export class Rooms {
  readonly #options: RoomsOptions
  readonly #bookText = new BookText()
  readonly #roomById = new Map<SymbolId, Room>()
  /** How often a member could not keep up with a room, so that it is sent the whole book later instead of changes. */
  fallenBehind = 0

  constructor(options: RoomsOptions) {
    this.#options = options
  }

  /** How many symbols somebody listens to. */
  get count(): number {
    return this.#roomById.size
  }

  /** The listed symbol of this exact name. */
  symbol(name: string): TradingSymbol | undefined {
    return this.#options.market.registry.symbolByName(name)
  }

  /** The room of a symbol, if anybody is in it. */
  find(symbol: TradingSymbol): Room | undefined {
    return this.#roomById.get(symbol.id)
  }

  enter(symbol: TradingSymbol, member: Member): Room {
    let room = this.#roomById.get(symbol.id)
    if (room === undefined) {
      room = new Room({ ...this.#options, bookText: this.#bookText, symbol })
      this.#roomById.set(symbol.id, room)
    }
    room.members.add(member)
    return room
  }

  leave(room: Room, member: Member): void {
    room.members.delete(member)
    if (room.members.size > 0) return
    room.close()
    this.#roomById.delete(room.symbol.id)
  }

  /** Tells what was put off. */
  settle(): void {
    for (const room of this.#roomById.values()) room.tellNow()
  }

  /** Tells every room what a batch did to its symbol. The market's view has taken the batch in before. */
  publish(batch: EventBatch): void {
    if (this.#roomById.size === 0) return
    const changed = new Set<Room>()
    for (const event of batch.events) {
      if (event.kind !== 'OrdersMatched' && event.kind !== 'LevelChanged') continue
      const room = this.#roomById.get(event.symbolId)
      if (room === undefined) continue
      room.add(event)
      changed.add(room)
    }
    for (const room of changed) room.tellSoon()
  }
}
