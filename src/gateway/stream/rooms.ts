/**
 * The rooms: who listens to which symbol. A room exists while it has members.
 */
import type { EventBatch } from '../../core/exchange/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { MarketData } from '../../views/market-data.ts'
import { BookText } from './book-text.ts'
import { MarketEvents } from './channels/market-events.ts'
import type { Pace } from './pace.ts'
import { type Member, Room } from './room.ts'
import { type SendMemory, UNLIMITED_MEMORY } from './send-memory.ts'
import { Turns } from './turns.ts'

export type RoomsOptions = {
  readonly market: MarketData
  /** Trades in the first `trades` event after a join. */
  readonly tradesOnJoin: number
  readonly pace: Pace
  /** What all send buffers may hold; without it, there is no limit. */
  readonly memory?: SendMemory
  /** Most matches and changed prices that are yet to be published, all rooms together; without it, there is no limit. */
  readonly queuedEventsMax?: number
}

/** How long a server that stops goes on sending what has happened. */
const FINISH_MS_MAX = 1_000

export class Rooms {
  readonly #options: RoomsOptions
  readonly #bookText = new BookText()
  readonly #roomById = new Map<SymbolId, Room>()
  /** When rooms and their members are sent anything. */
  readonly turns: Turns
  readonly memory: SendMemory
  /** How often a member could not keep up with a room, so that it is sent the whole book later instead of changes. */
  fallenBehind = 0

  constructor(options: RoomsOptions) {
    this.#options = options
    this.turns = new Turns(options.pace)
    this.memory = options.memory ?? UNLIMITED_MEMORY
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

  /** The member is in the room, and is sent nothing until it has the book and follows. */
  enter(symbol: TradingSymbol, member: Member): Room {
    let room = this.#roomById.get(symbol.id)
    if (room === undefined) {
      const { market, tradesOnJoin, pace } = this.#options
      const channel = new MarketEvents({ market, tradesOnJoin, symbol, bookText: this.#bookText })
      room = new Room({ symbol, channel, turns: this.turns, turnBytes: pace.turnBytes })
      this.#roomById.set(symbol.id, room)
    }
    room.unfollow(member)
    return room
  }

  leave(room: Room, member: Member): void {
    room.leave(member)
    if (!room.isEmpty) return
    room.close()
    this.#roomById.delete(room.symbol.id)
  }

  /** Goes on publishing what has happened until members have all of it, or for a second; then nothing is published any more. */
  async finish(): Promise<void> {
    await this.turns.finish(FINISH_MS_MAX)
  }

  /** Has every room publish what a batch did to its symbol. The market's view has taken the batch in before. */
  publish(batch: EventBatch): void {
    if (this.#roomById.size === 0) return
    const changed = new Set<Room>()
    for (const event of batch.events) {
      if (event.kind !== 'OrdersMatched' && event.kind !== 'LevelChanged') continue
      const room = this.#roomById.get(event.symbolId)
      if (room?.add(event, batch.seq) === true) changed.add(room)
    }
    this.#keepQueueShort()
    for (const room of changed) room.tellSoon()
  }

  /** Members of the room that is furthest behind are given its book instead of all that is yet to be published to them. */
  #keepQueueShort(): void {
    const { queuedEventsMax = Number.POSITIVE_INFINITY } = this.#options
    let queued = 0
    for (const room of this.#roomById.values()) queued += room.queued
    if (queued <= queuedEventsMax) return
    const rooms = [...this.#roomById.values()].sort((a, b) => b.queued - a.queued)
    for (const room of rooms) {
      if (queued <= queuedEventsMax) return
      queued -= room.queued
      room.resynchronise()
    }
  }
}
