/** The rooms: the members of each channel of each symbol. A room exists while it has members. */

import { type Topic, topicKey } from '../../contract/stream/stream-channels.ts'
import type { EventBatch, PhasesChanged, SymbolChanged } from '../../core/events/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { MarketData } from '../../views/market-data.ts'
import type { Channel, ChannelHost } from './channels/channel.ts'
import { Channels } from './channels/channels.ts'
import { type SendMemory, UNLIMITED_MEMORY } from './intake/send-memory.ts'
import type { StreamPace } from './pace.ts'
import { type Member, Room } from './room.ts'
import { Turns } from './turns.ts'

export type RoomsOptions = {
  readonly market: MarketData
  /** The source of the first candles. */
  readonly history: Pick<HistoryPort, 'candles'>
  /** Number of trades in the first `trades` event after a join. */
  readonly tradesOnJoin: number
  readonly pace: StreamPace
  /** Limit of all send buffers; undefined means no limit. */
  readonly memory?: SendMemory
  /**
   * Maximum number of unpublished matches and changed prices of all rooms together; without it, there is no
   * limit.
   */
  readonly queuedEventsMax?: number
  /** Maximum number of lists of closed candles that are kept for new members; undefined means no limit. */
  readonly candleListsMax?: number
}

/** The rooms of one symbol, by the key of their topic; `JOINED` is the key for clients that joined it. */
type RoomsOfSymbol = Map<string, Room>
const JOINED = ''

/** How long a server that stops continues to send past events. */
const FINISH_MS_MAX = 1_000

export class Rooms {
  readonly #options: RoomsOptions
  readonly #channels: Channels
  readonly #roomsBySymbol = new Map<SymbolId, RoomsOfSymbol>()
  /** Schedules the sending to rooms and their members. */
  readonly turns: Turns
  /** Journal time at which the data published by a room next changes merely because time passes. */
  #dueAt = Number.POSITIVE_INFINITY
  readonly memory: SendMemory
  /** The time since which rooms publish nothing because no engine can be reached; undefined if one can. */
  staleSince: TimeMs | undefined
  /**
   * The number of times that a member could not keep up with a room, so that it is sent the whole book later
   * instead of changes.
   */
  fallenBehind = 0

  constructor(options: RoomsOptions) {
    this.#options = options
    const { pace, candleListsMax = Number.POSITIVE_INFINITY } = options
    this.#channels = new Channels({ ...options, candleListsMax })
    this.turns = new Turns(pace)
    this.memory = options.memory ?? UNLIMITED_MEMORY
  }

  /** Number of symbols with listeners. */
  get count(): number {
    return this.#roomsBySymbol.size
  }

  /** Whether every event has been published and every read has ended. */
  get isIdle(): boolean {
    return this.turns.isIdle && this.#queued() === 0 && this.#channels.isIdle
  }

  /** The listed symbol of this exact name. */
  symbol(name: string): TradingSymbol | undefined {
    return this.#options.market.registry.symbolByName(name)
  }

  /** The room of a symbol and a topic, if it has members; without a topic, that of members who joined. */
  find(symbol: TradingSymbol, topic?: Topic): Room | undefined {
    return this.#roomsBySymbol.get(symbol.id)?.get(keyOf(topic))
  }

  /** Adds the member to the room; it is sent nothing until it has the state and follows. */
  enter(symbol: TradingSymbol, member: Member, topic?: Topic): Room {
    const room = this.find(symbol, topic) ?? this.#open(symbol, topic)
    room.unfollow(member)
    return room
  }

  leave(room: Room, member: Member): void {
    room.leave(member)
    if (!room.isEmpty) return
    room.close()
    const { id } = room.symbol
    const others = this.#roomsBySymbol.get(id)
    others?.delete(keyOf(room.topic))
    if (others?.size === 0) this.#roomsBySymbol.delete(id)
  }

  /**
   * Continues to publish past events until members have all of them, or for a second; then nothing is
   * published any more.
   */
  async finish(): Promise<void> {
    for (const room of this.#all()) room.publishNow()
    await this.turns.finish(FINISH_MS_MAX)
  }

  /**
   * Makes every room publish the effects of a batch on its symbol. The market's view contains the batch
   * already.
   */
  publish(batch: EventBatch): void {
    if (this.#roomsBySymbol.size === 0) return
    const changed = this.#pass(batch.time)
    for (const event of batch.events) {
      if (event.kind === 'SymbolChanged' || event.kind === 'PhasesChanged') {
        for (const room of this.#changedBy(event)) if (room.changeStatus(batch.seq)) changed.add(room)
      }
      if (event.kind !== 'OrdersMatched' && event.kind !== 'LevelChanged') continue
      for (const room of this.#roomsBySymbol.get(event.symbolId)?.values() ?? []) {
        if (room.add(event, batch.seq)) changed.add(room)
      }
    }
    this.#channels.caughtUp()
    this.#keepQueueShort()
    for (const room of changed) room.publishSoon()
  }

  /** Rooms of the symbol, or all of them: a change of the exchange's phase is rare. */
  #changedBy(event: SymbolChanged | PhasesChanged): Iterable<Room> {
    if (event.kind === 'PhasesChanged') return this.#all()
    return this.#roomsBySymbol.get(event.symbol.id)?.values() ?? []
  }

  /**
   * Changes of the market were not received here, but its view has them: every member gets the whole state of
   * its rooms.
   */
  restart(): void {
    // Not counted as missed updates: no member was too slow.
    const { fallenBehind } = this
    this.#dueAt = Number.POSITIVE_INFINITY
    for (const room of this.#all()) {
      room.restart()
      this.#dueAt = Math.min(this.#dueAt, room.dueAt ?? this.#dueAt)
    }
    this.fallenBehind = fallenBehind
  }

  /** Makes rooms publish changes that are due to time only; the market's view shows them already. */
  pass(time: TimeMs): void {
    for (const room of this.#pass(time)) room.publishSoon()
  }

  /** Rooms with something to publish at this time. All rooms are checked, but only when one is due. */
  #pass(time: TimeMs): Set<Room> {
    const changed = new Set<Room>()
    if (time < this.#dueAt) return changed
    const { seq } = this.#options.market
    let next = Number.POSITIVE_INFINITY
    for (const room of this.#all()) {
      const isDue = room.dueAt !== undefined && room.dueAt <= time
      if (isDue && room.pass(time, seq)) changed.add(room)
      next = Math.min(next, room.dueAt ?? next)
    }
    this.#dueAt = next
    return changed
  }

  #open(symbol: TradingSymbol, topic: Topic | undefined): Room {
    const { pace } = this.#options
    const open = (host: ChannelHost): Channel => this.#channels.open(symbol, topic, host)
    const room = new Room({ symbol, topic, open, turns: this.turns, pace })
    this.#dueAt = Math.min(this.#dueAt, room.dueAt ?? this.#dueAt)
    const others = this.#roomsBySymbol.get(symbol.id)
    if (others === undefined) this.#roomsBySymbol.set(symbol.id, new Map([[keyOf(topic), room]]))
    else others.set(keyOf(topic), room)
    return room
  }

  /** Number of matches and changed prices that are yet to be published. */
  #queued(): number {
    let queued = 0
    for (const room of this.#all()) queued += room.queued
    return queued
  }

  *#all(): Generator<Room> {
    for (const rooms of this.#roomsBySymbol.values()) yield* rooms.values()
  }

  /** Members of the room that is furthest behind are given its state instead of all unpublished changes. */
  #keepQueueShort(): void {
    const { queuedEventsMax = Number.POSITIVE_INFINITY } = this.#options
    let queued = this.#queued()
    if (queued <= queuedEventsMax) return
    for (const room of [...this.#all()].sort((a, b) => b.queued - a.queued)) {
      if (queued <= queuedEventsMax) return
      queued -= room.queued
      room.resynchronise()
    }
  }
}

function keyOf(topic: Topic | undefined): string {
  return topic === undefined ? JOINED : topicKey(topic)
}
