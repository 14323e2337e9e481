/**
 * A room: the subscribers of a channel of a symbol, and the position up to which events have been published
 * to them. Events are published in steps (`turns.ts`), the same to all members at the same time; a member
 * that cannot take a step is sent no more until it has been given the whole state.
 */

import { intervalMsOf, type Topic } from '../../contract/stream/stream-channels.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { Channel, ChannelHost, MarketEvent, Part } from './channels/channel.ts'
import type { Frame } from './link.ts'
import type { StreamPace } from './pace.ts'
import type { Turns, Work } from './turns.ts'

/** A member of a room. */
export interface Member {
  /** Receives the next events of the room's symbol; otherwise calls `unfollow`. */
  update(room: Room, part: Part): void
  /** Called when the state of a room that the member does not follow is available. */
  giveBooks(): void
  /**
   * Called when the unpublished changes of a room were discarded: the member no longer follows it, and needs
   * the whole state.
   */
  lost(room: Room): void
}

export type RoomOptions = {
  readonly symbol: TradingSymbol
  /** Undefined if its members have joined the symbol. */
  readonly topic: Topic | undefined
  /** Opens the room's channel. */
  readonly open: (host: ChannelHost) => Channel
  readonly turns: Turns
  readonly pace: Pick<StreamPace, 'now' | 'later' | 'turnBytes'>
}

export class Room implements Work, ChannelHost {
  readonly symbol: TradingSymbol
  readonly topic: Topic | undefined
  readonly #options: RoomOptions
  #channel: Channel
  /** The members to whom changes are published. */
  readonly #following = new Set<Member>()
  /**
   * Members that have the state after the current publication, so that they follow from the next publication
   * on.
   */
  readonly #followingNext = new Set<Member>()
  /** Members of the room that have not been given the state yet. */
  readonly #waiting = new Set<Member>()
  /** Whether something has happened since the last publication began. */
  #isChanged = false
  /**
   * The rest of the current publication; each item is the number of bytes that a step sent to each member.
   */
  #publication: Iterator<number> | undefined
  #publicationSize = 0
  /** Minimum time from one publication to the next. */
  readonly #intervalMs: number
  #publishedAt = Number.NEGATIVE_INFINITY
  /** Cancels the wait of the next publication; undefined while none waits for its time. */
  #cancelWait: (() => void) | undefined
  /** The state at the beginning of the last publication; new members get it. */
  #snapshot: readonly Frame[] | undefined

  constructor(options: RoomOptions) {
    this.#options = options
    this.symbol = options.symbol
    this.topic = options.topic
    this.#intervalMs = options.topic === undefined ? 0 : intervalMsOf(options.topic)
    this.#channel = options.open(this)
  }

  get isEmpty(): boolean {
    return this.#following.size + this.#followingNext.size + this.#waiting.size === 0
  }

  /** Number of matches and changed prices that are yet to be published. */
  get queued(): number {
    return this.#publicationSize + this.#channel.queued
  }

  /**
   * From the next publication on, the member gets changes: it has the state returned by `snapshot`, or is
   * about to receive it.
   */
  follow(member: Member): void {
    this.#waiting.delete(member)
    if (this.#publication === undefined) this.#following.add(member)
    else this.#followingNext.add(member)
  }

  /** Keeps the member, which is sent nothing until it follows again. */
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
   * The state that the next publication changes. Undefined when the market has changed since, so that it is
   * no longer available, or when it must be read first: waiting members get it when the next publication
   * begins.
   */
  snapshot(): readonly Frame[] | undefined {
    if (this.#snapshot === undefined && !this.#isChanged) this.#snapshot = this.#channel.snapshot()
    return this.#snapshot
  }

  /**
   * Adds events; true if there is something to publish, and then `publishSoon` must follow. See `Channel`.
   */
  add(event: MarketEvent, seq: Seq): boolean {
    const isOfConcern = this.#channel.add(event, seq)
    if (isOfConcern) this.#isChanged = true
    return isOfConcern
  }

  /** Notes that the state of the symbol has changed; returns true like `add`. */
  changeStatus(seq: Seq): boolean {
    const isOfConcern = this.#channel.changeStatus?.(seq) ?? false
    if (isOfConcern) this.#isChanged = true
    return isOfConcern
  }

  /** See `Channel`. */
  get dueAt(): TimeMs | undefined {
    return this.#channel.dueAt
  }

  /** Notes that journal time has reached `dueAt`; returns true like `add`. */
  pass(time: TimeMs, seq: Seq): boolean {
    const isOfConcern = this.#channel.pass(time, seq)
    if (isOfConcern) this.#isChanged = true
    return isOfConcern
  }

  /** Publishes the additions as soon as they are due and it is the room's turn. */
  publishSoon(): void {
    if (this.#cancelWait !== undefined) return
    const { turns, pace } = this.#options
    const waitMs = this.#waitMs()
    if (waitMs <= 0) {
      turns.addSoon(this)
      return
    }
    this.#cancelWait = pace.later(() => {
      this.#cancelWait = undefined
      turns.add(this)
    }, waitMs)
  }

  /** Publishes the additions as soon as it is the room's turn, whether they are due or not. */
  publishNow(): void {
    this.#cancelWait?.()
    this.#cancelWait = undefined
    this.#publishedAt = Number.NEGATIVE_INFINITY
    if (this.#isChanged) this.publishSoon()
  }

  refresh(): void {
    this.#snapshot = undefined
    this.#isChanged = true
    this.publishSoon()
  }

  forgetSnapshot(): void {
    this.#snapshot = undefined
  }

  /** Discards unpublished additions: members are given the whole state instead, as of that time. */
  resynchronise(): void {
    this.#endPublication()
    this.#snapshot = undefined
    this.#channel.forget()
    this.#isChanged = true
    for (const member of [...this.#following]) member.lost(this)
    this.publishSoon()
  }

  /** Publication starts again from the current market: members get the whole state. */
  restart(): void {
    this.#endPublication()
    this.#channel.forget()
    this.#channel.close?.()
    this.#channel = this.#options.open(this)
    this.resynchronise()
  }

  work(isOver: () => boolean): boolean {
    const { turnBytes } = this.#options.pace
    let bytes = 0
    do {
      if (this.#publication === undefined) {
        if (!this.#isChanged) return false
        if (this.#waitMs() > 0) {
          this.publishSoon()
          return false
        }
        this.#beginPublication()
      }
      const step = this.#publication?.next()
      if (step?.done === false) bytes += step.value
      else this.#endPublication()
    } while (!isOver() && bytes < turnBytes)
    return this.#publication !== undefined || this.#isChanged
  }

  /** Closes the room: it has no members left. */
  close(): void {
    this.#options.turns.remove(this)
    this.#cancelWait?.()
    this.#endPublication()
    this.#channel.forget()
    this.#channel.close?.()
    this.#isChanged = false
  }

  /** The time until the next publication may begin. */
  #waitMs(): number {
    return this.#intervalMs === 0 ? 0 : this.#publishedAt + this.#intervalMs - this.#options.pace.now()
  }

  #beginPublication(): void {
    this.#publishedAt = this.#options.pace.now()
    this.#isChanged = false
    this.#snapshot = undefined
    this.#publicationSize = this.#channel.queued
    this.#publication = this.#publish(this.#channel.take())
  }

  /** Waiting members come first: the market now has the state after this publication. */
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

  #endPublication(): void {
    this.#publication = undefined
    this.#publicationSize = 0
    for (const member of this.#followingNext) this.#following.add(member)
    this.#followingNext.clear()
  }
}
