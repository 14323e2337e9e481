/**
 * One client's conversation: the rooms that it has joined or subscribed to, the updates that it has missed,
 * and its limits. It uses a link and is independent of the link's transport.
 */

import { errorBody } from '../../contract/error-body.ts'
import type { Language } from '../../contract/language.ts'
import { PER_SECOND_TEXTS } from '../../contract/rate-limit-texts.ts'
import type { Reason, ReasonArguments } from '../../contract/reasons/catalogue.ts'
import { feedSubscriptionJson } from '../../contract/stream/private-feed.ts'
import {
  type ClientMessage,
  eventJson,
  liveJson,
  longBeforeLogin,
  type MessageFault,
  messagesIn,
  parseClientFrame,
  type ServerEvent,
  shapeOfFrame,
  shutdownJson,
  staleJson,
} from '../../contract/stream/stream.ts'
import {
  isLongState,
  type Subscription,
  subscriptionJson,
  type Topic,
} from '../../contract/stream/stream-channels.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { EntryOutputs } from '../order-entry/conversation.ts'
import type { Acknowledge } from '../order-entry/entry-call.ts'
import type { EntrySession } from '../order-entry/entry-session.ts'
import type { Part } from './channels/channel.ts'
import type { StreamConfig } from './config.ts'
import { FeedSender } from './feed-sender.ts'
import { bytesOf } from './intake/intake.ts'
import type { ConnectionBudget } from './intake/limits.ts'
import { Frame, type Link } from './link.ts'
import type { Member, Room } from './room.ts'
import type { Rooms } from './rooms.ts'
import { AnswerOutput } from './transport/answer-output.ts'
import type { Work } from './turns.ts'

/** Maximum length of an acknowledgement: packet type, namespace, its number, no arguments. */
const ACKNOWLEDGEMENT_BYTES = 64

/** Gives a session access to order entry. */
export type EntryOpening = {
  readonly open: (outputs: EntryOutputs) => EntrySession
  /** The client sends and receives frames, which may hold several messages. */
  readonly hasFrames: boolean
}

export type SessionOptions = {
  readonly link: Link
  readonly rooms: Rooms
  readonly budget: ConnectionBudget
  readonly config: StreamConfig
  readonly language: Language
  /** Absent if there is only market data. */
  readonly entry?: EntryOpening | undefined
  /** Milliseconds. */
  readonly now: () => number
}

export class Session implements Member, Work {
  readonly #link: Link
  readonly #rooms: Rooms
  readonly #budget: ConnectionBudget
  readonly #config: StreamConfig
  readonly #language: Language
  readonly #entry: EntrySession | undefined
  readonly #feedSender: FeedSender
  readonly #now: () => number
  readonly #joined = new Set<Room>()
  /** Rooms that this client entered or fell behind in, and whose state has not been sent to it yet. */
  readonly #stale = new Set<Room>()
  #staleSince: number | undefined
  #isStopAnnounced = false
  #isStaleAnnounced = false
  #isEnded = false
  /** Number of refusals of its messages, except requests while it is logged in. */
  #refusals = 0

  constructor(options: SessionOptions) {
    this.#link = options.link
    this.#rooms = options.rooms
    this.#budget = options.budget
    this.#config = options.config
    this.#language = options.language
    this.#now = options.now
    const { entry } = options
    const deliver = (frames: readonly Frame[]): void => this.#deliver(frames)
    const { link, config, budget, language, now } = options
    this.#feedSender = new FeedSender({
      ...{ link, config, budget, language, now },
      send: (frames, bytes, pending) => this.#send(frames, bytes, pending),
      deliver,
    })
    const feed = this.#feedSender
    this.#entry = entry?.open({
      output: new AnswerOutput(entry.hasFrames, deliver, () => this.#link.abort()),
      feed,
    })
  }

  /**
   * Carries out a client's message, or sends the client the reason why not. Returns the payload of the answer
   * to `subscribe` and `unsubscribe`, accepted or refused, as JSON; `''` for a message without a payload.
   * Messages beyond the limit get one answer for all; the result is undefined for those. Logins and requests
   * have limits of their own and are acknowledged when they have been carried out; the result is undefined
   * for them too.
   */
  receive(message: ClientMessage | MessageFault, acknowledge?: Acknowledge): string | undefined {
    // A message of a frame may end the connection before its next message is processed.
    if (this.#isEnded) return undefined
    if (this.#entry !== undefined && (message.kind === 'login' || message.kind === 'request')) {
      this.#enterOrder(this.#entry, message, acknowledge)
      return undefined
    }
    return this.#admits() ? (this.#take(message) ?? '') : undefined
  }

  /**
   * Like `receive`, for the messages of a frame of this number of bytes. Before a login the first refusal
   * ends the frame: one that holds hundreds of messages is not answered hundreds of times.
   */
  receiveText(text: string, bytes = bytesOf(text)): void {
    const long = this.#longFault(bytes)
    if (long !== undefined) {
      this.receive(long)
      return
    }
    const shape = shapeOfFrame(text)
    if (shape.excess === undefined && !this.#budget.admitsMessages(messagesIn(text, shape), this.#now())) {
      this.refuseTooOften()
      return
    }
    const before = this.#refusals
    for (const message of parseClientFrame(text, shape)) {
      this.receive(message)
      if (this.#refusals > before && !this.isLoggedIn) return
    }
  }

  /** The fault of a frame that is too long; undefined if a frame may have this length. */
  #longFault(bytes: number): MessageFault | undefined {
    const max = this.#config.frameBytesBeforeLoginMax
    return bytes > max && !this.isLoggedIn ? longBeforeLogin(max) : undefined
  }

  update(room: Room, part: Part): void {
    const pending = this.#link.pendingBytes()
    const bytes = this.#heldBytes(part.frames, part.bytes)
    const isRoom = pending + bytes <= this.#config.sendBufferBytesMax
    if (!isRoom || !this.#send(part.frames, bytes, pending)) this.lost(room)
  }

  lost(room: Room): void {
    this.#rooms.fallenBehind++
    this.#markStale(room)
    // There may be no pending data whose drain would trigger sending the book.
    this.freshen()
  }

  /**
   * Schedules sending the books that are due, as soon as it is this client's turn. Must be called whenever it
   * may have drained.
   */
  freshen(): void {
    if (this.#stale.size > 0) this.#rooms.turns.add(this)
    this.#entry?.feed.drained()
  }

  work(): boolean {
    this.giveBooks()
    return false
  }

  /** Sends the books that are due, within the limits of the connection's buffer and of memory. */
  giveBooks(): void {
    for (const room of this.#stale) {
      const pending = this.#link.pendingBytes()
      if (pending > this.#config.drainedBytesMax) return
      const frames = room.snapshot()
      if (frames === undefined) continue
      const length = frames.reduce((sum, frame) => sum + frame.length, 0)
      if (!this.#send(frames, this.#heldBytes(frames, length), pending)) return
      this.#stale.delete(room)
      room.follow(this)
    }
    // The connection has drained. Remaining due books must be created or read first.
    this.#staleSince = this.#stale.size === 0 ? undefined : this.#now()
  }

  /**
   * True when books have been due for longer than a client may take to drain, and the client has not drained.
   */
  isStuck(): boolean {
    const feed = this.#entry?.feed
    const warn = (): void => feed?.endAll(refuse('TOO_SLOW', {}))
    if (this.#feedSender.isStuck(feed?.isWaiting === true, warn)) return true
    if (this.#staleSince === undefined || this.#now() - this.#staleSince <= this.#config.stuckMsMax) {
      return false
    }
    return this.#link.pendingBytes() > this.#config.drainedBytesMax
  }

  /** Sends the client the reason of a refusal; returns it as JSON. */
  refuse<R extends Reason>(reason: R, args: ReasonArguments<R>): string {
    this.#refusals++
    return this.#answer('error', errorBody(reason, args, this.#language))
  }

  /**
   * Called when a message was not read because the connections of its address exceed their common limit; it
   * counts as a message.
   */
  refuseTooOften(): void {
    const limit = PER_SECOND_TEXTS.addressMessages(this.#config.messagesPerAddressPerSecondMax)
    if (this.#admits()) this.refuse('RATE_LIMITED', { limit, seconds: 1 })
  }

  /**
   * Acknowledges a message by `write`, with a text of this length, unless the client is not reading anyway;
   * the link counts the written bytes.
   */
  acknowledge(length: number, write: () => void): void {
    if (this.#link.pendingBytes() > this.#config.sendBufferBytesMax) return
    if (this.#rooms.memory.admits(ACKNOWLEDGEMENT_BYTES + length + this.#link.messageBytes)) write()
  }

  /** Whether the client has been told that the server stops. */
  get isStopAnnounced(): boolean {
    return this.#isStopAnnounced
  }

  /**
   * Tells the client, once, that the server stops and when to reconnect, if it uses more than the common
   * interface.
   */
  announceStop(reconnectAfterMs: number): void {
    if (this.#isStopAnnounced || !this.#isExtended) return
    this.#isStopAnnounced = true
    this.#answer('shutdown', shutdownJson(reconnectAfterMs))
  }

  /** Notifies the client once that its data is not updated, if it uses more than the common interface. */
  announceStale(since: TimeMs): void {
    if (this.#isStaleAnnounced || !this.#isExtended) return
    this.#isStaleAnnounced = true
    this.#answer('stale', staleJson(since))
  }

  /** Tells the client that its data is live again, after `announceStale`. */
  announceLive(seq: Seq): void {
    if (!this.#isStaleAnnounced) return
    this.#isStaleAnnounced = false
    this.#answer('live', liveJson(seq))
  }

  /** Leaves every room and the login; the connection is closed. */
  end(): void {
    this.#isEnded = true
    this.#entry?.end()
    this.#rooms.turns.remove(this)
    for (const room of this.#joined) this.#leave(room)
  }

  /** Whether the client has requested anything beyond the common interface. */
  get #isExtended(): boolean {
    for (const { topic } of this.#joined) if (topic !== undefined) return true
    return this.isLoggedIn
  }

  get isLoggedIn(): boolean {
    return this.#entry?.principal !== undefined
  }

  #admits(): boolean {
    const count = this.#budget.messages.count(this.#now())
    const { messagesPerSecondMax } = this.#config
    if (count <= messagesPerSecondMax) return true
    if (count === messagesPerSecondMax + 1)
      this.refuse('RATE_LIMITED', { limit: PER_SECOND_TEXTS.messages(messagesPerSecondMax), seconds: 1 })
    else this.#refusals++
    return false
  }

  #take(message: ClientMessage | MessageFault): string | undefined {
    switch (message.kind) {
      case 'fault':
        return this.#refuseFault(message)
      case 'subscribe':
        return this.#subscribe(message.subscription)
      case 'unsubscribe':
        return this.#unsubscribe(message.subscription)
      case 'follow':
        return this.#follow(message)
      case 'unfollow':
        return this.#unfollow(message)
      case 'login':
      case 'request':
        this.refuse('UNKNOWN_MESSAGE', {})
        return undefined
      case 'join':
        this.#joinNamed(message.symbol, undefined)
        return undefined
      case 'change_room':
        this.#joinNamed(message.to, message.from)
        return undefined
    }
  }

  /** Undefined if the intended message is not known to be a subscription. */
  #refuseFault(fault: MessageFault): string | undefined {
    switch (fault.reason) {
      case 'MISSING_PARAMETER':
        return this.refuse(fault.reason, fault)
      case 'INVALID_PARAMETER':
        return this.refuse(fault.reason, fault)
      case 'MESSAGE_TOO_LARGE':
        this.refuse(fault.reason, fault)
        return undefined
      default:
        this.refuse(fault.reason, {})
        return undefined
    }
  }

  /** Counts one more long state; false if there were too many in this second. */
  #admitsLongState(): boolean {
    return this.#budget.joins.count(this.#now()) <= this.#config.joinsPerSecondMax
  }

  #refuseLongState(): string {
    const limit = PER_SECOND_TEXTS.joins(this.#config.joinsPerSecondMax)
    return this.refuse('RATE_LIMITED', { limit, seconds: 1 })
  }

  #subscribe(subscription: Subscription): string {
    const { topic } = subscription
    const symbol = this.#rooms.symbol(subscription.symbol)
    if (symbol === undefined) return this.refuse('UNKNOWN_SYMBOL', {})
    if (isLongState(topic) && !this.#admitsLongState()) return this.#refuseLongState()
    const max = this.#config.subscriptionsPerConnectionMax
    if (this.#joinedRoom(symbol, topic) === undefined) {
      if (this.#budget.subscriptions >= max) return this.refuse('TOO_MANY_SUBSCRIPTIONS', { max })
      this.#budget.subscriptions++
    }
    const answer = this.#answer('subscribed', subscriptionJson(subscription))
    this.#enter(symbol, topic)
    const { staleSince } = this.#rooms
    if (staleSince !== undefined) this.announceStale(staleSince)
    return answer
  }

  #unsubscribe(subscription: Subscription): string {
    const symbol = this.#rooms.symbol(subscription.symbol)
    if (symbol === undefined) return this.refuse('UNKNOWN_SYMBOL', {})
    const room = this.#joinedRoom(symbol, subscription.topic)
    if (room === undefined) return this.refuse('NOT_SUBSCRIBED', {})
    this.#leave(room)
    return this.#answer('unsubscribed', subscriptionJson(subscription))
  }

  #follow({ channel, fields }: Extract<ClientMessage, { kind: 'follow' | 'unfollow' }>): string {
    if (this.#entry === undefined) return this.refuse('LOGIN_REQUIRED', {})
    if (!this.#admitsLongState()) return this.#refuseLongState()
    const max = this.#config.subscriptionsPerConnectionMax
    const isNew = !this.#entry.feed.has(channel)
    if (isNew && this.#budget.subscriptions >= max) return this.refuse('TOO_MANY_SUBSCRIPTIONS', { max })
    const reader = this.#entry.follow(channel, fields)
    if (reader instanceof Refusal) return this.#refuseAs(reader)
    if (isNew) this.#budget.subscriptions++
    const answer = this.#answer('subscribed', feedSubscriptionJson(channel, reader.since))
    reader.begin()
    return answer
  }

  #unfollow({ channel, fields }: Extract<ClientMessage, { kind: 'follow' | 'unfollow' }>): string {
    if (this.#entry === undefined) return this.refuse('NOT_SUBSCRIBED', {})
    const refusal = this.#entry.unfollow(channel, fields)
    if (refusal !== undefined) return this.#refuseAs(refusal)
    this.#budget.subscriptions--
    return this.#answer('unsubscribed', feedSubscriptionJson(channel, undefined))
  }

  #refuseAs({ reason, args }: Refusal): string {
    return this.refuse(reason, args as ReasonArguments<Reason>)
  }

  /** Joins `to`, leaving `from` if it is given. Nothing changes when either is not a listed symbol. */
  #joinNamed(to: string, from: string | undefined): void {
    if (!this.#admitsLongState()) {
      this.#refuseLongState()
      return
    }
    const target = this.#rooms.symbol(to)
    const source = from === undefined ? undefined : this.#rooms.symbol(from)
    if (target === undefined || (from !== undefined && source === undefined)) {
      this.refuse('UNKNOWN_SYMBOL', {})
      return
    }
    const left = source === undefined ? undefined : this.#joinedRoom(source)
    if (left !== undefined) this.#leave(left)
    this.#join(target)
  }

  #join(symbol: TradingSymbol): void {
    if (this.#joinedRoom(symbol) === undefined) {
      const max = this.#config.roomsPerConnectionMax
      if (this.#budget.rooms >= max) {
        this.refuse('TOO_MANY_ROOMS', { max })
        return
      }
      this.#budget.rooms++
    }
    this.#enter(symbol, undefined)
  }

  /** The room of a symbol and a topic, if this client is a member. */
  #joinedRoom(symbol: TradingSymbol, topic?: Topic): Room | undefined {
    const room = this.#rooms.find(symbol, topic)
    return room !== undefined && this.#joined.has(room) ? room : undefined
  }

  #enter(symbol: TradingSymbol, topic: Topic | undefined): void {
    const room = this.#rooms.enter(symbol, this, topic)
    this.#joined.add(room)
    this.#markStale(room)
    this.freshen()
  }

  #leave(room: Room): void {
    this.#rooms.leave(room, this)
    this.#joined.delete(room)
    this.#stale.delete(room)
    if (this.#stale.size === 0) this.#staleSince = undefined
    if (room.topic === undefined) this.#budget.rooms--
    else this.#budget.subscriptions--
  }

  /** Sends an answer, unless the client is not reading anyway; returns its payload. */
  #answer(event: ServerEvent, payloadJson: string): string {
    const pending = this.#link.pendingBytes()
    if (pending > this.#config.sendBufferBytesMax) return payloadJson
    const frame = new Frame(eventJson(event, payloadJson))
    this.#send([frame], this.#heldBytes([frame], frame.length), pending)
    return payloadJson
  }

  /** No more work is done for a client that does not read answers: the results could not be reported. */
  #enterOrder(
    entry: EntrySession,
    message: Extract<ClientMessage, { kind: 'login' | 'request' }>,
    acknowledge: Acknowledge | undefined,
  ): void {
    if (this.#link.pendingBytes() > this.#config.sendBufferBytesMax) {
      this.#link.abort()
      return
    }
    const before = entry.refusals
    if (message.kind === 'login') entry.login(message.fields, acknowledge)
    else entry.request(message.name, message.id, message.fields, acknowledge)
    if (entry.refusals > before) this.#refusals++
  }

  /** Sends a message that must not be skipped; if that is not possible, the connection ends. */
  #deliver(frames: readonly Frame[]): void {
    const pending = this.#link.pendingBytes()
    const length = frames.reduce((sum, frame) => sum + frame.length, 0)
    if (!this.#send(frames, this.#heldBytes(frames, length), pending)) this.#link.abort()
  }

  /** Memory of queued frames, given the total length of their texts. */
  #heldBytes(frames: readonly Frame[], length: number): number {
    return length + frames.length * this.#link.messageBytes
  }

  /**
   * Sends a message that needs `bytes` of memory while it waits. False if there is no memory for it; then
   * nothing is sent.
   */
  #send(frames: readonly Frame[], bytes: number, pendingBytes: number): boolean {
    const { memory } = this.#rooms
    if (!memory.admits(bytes)) return false
    this.#link.send(frames)
    memory.added(this.#link.pendingBytes() - pendingBytes)
    return true
  }

  #markStale(room: Room): void {
    room.unfollow(this)
    this.#stale.add(room)
    this.#staleSince ??= this.#now()
  }
}
