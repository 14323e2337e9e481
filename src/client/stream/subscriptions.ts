/**
 * The subscriptions of a connection, and their requests: a few messages at a time, and no faster than servers
 * accept them, so that hundreds of subscriptions after a reconnect stay within the limits
 * (docs/reference/stream.md#limits). Answers come in the order of the messages: an error, which identifies no
 * subscription, belongs to the oldest pending message.
 */
import type { StreamError } from './messages.ts'
import { Pace } from './pace.ts'
import type { StreamConnection, StreamMessage } from './stream-connection.ts'
import type { StreamPorts } from './stream-ports.ts'
import { keyOf, type RefusalAnswer, type Topic } from './topic.ts'

export type SubscriptionPace = {
  /** Maximum number of subscriptions per second to complete books, candles and private channels. */
  readonly joinsPerSecond: number
  /** Maximum number of messages per second about subscriptions. */
  readonly messagesPerSecond: number
  /** Maximum number of simultaneous subscriptions. */
  readonly subscriptionsMax: number
}

/** The default limits of an exchange. */
export const DEFAULT_PACE: SubscriptionPace = {
  joinsPerSecond: 5,
  messagesPerSecond: 50,
  subscriptionsMax: 200,
}

export type SubscriptionsOptions = {
  readonly connection: StreamConnection
  readonly ports: StreamPorts
  readonly pace?: Partial<SubscriptionPace> | undefined
}

type Entry = {
  topic: Topic
  isWanted: boolean
  /** Whether the server has the subscription, according to its last answers. */
  isHeld: boolean
  /** Whether messages are applied. False between a new request and its answer. */
  isOpen: boolean
  /** Number of consecutive refusals. */
  refusals: number
  cancelRetry: () => void
}

/** A pending request; a probe belongs to no entry. */
type Asking = { readonly entry: Entry | undefined; readonly isSubscribe: boolean }

/** Maximum number of unanswered messages. */
const ASKING_MAX = 8
/** Maximum time for an answer, after which the connection is unusable. */
const ANSWER_TIMEOUT_MS = 15_000
/** First and longest pause after a refusal; each pause is half of that plus up to another half at random. */
const REFUSED_MS_MIN = 1_000
const REFUSED_MS_MAX = 60_000
/** Pause after the server reports too many messages. */
const QUIET_MS = 1_100
const TOO_FAST = 'RATE_LIMITED'
/** No symbol has this name: any working server answers such a request at once, and it has no effect. */
const PROBE = { channel: 'bookTicker', symbol: 'PROBE/PROBE' }

export class Subscriptions {
  readonly #connection: StreamConnection
  readonly #ports: StreamPorts
  readonly #subscriptionsMax: number
  readonly #messages: Pace
  readonly #joins: Pace
  readonly #entryByKey = new Map<string, Entry>()
  /** Requests to be sent, in this order. */
  readonly #due = new Set<Entry>()
  /** Unanswered requests, in the order in which they were sent. */
  #asking: Asking[] = []
  #isProbeDue = false
  /** The caller that waits for the answer to a probe. */
  #onProbed: (() => void) | undefined
  #isLoggedIn = false
  #isEngineSeen = true
  #isBehind = false
  /** A time by `ports.now`. */
  #quietUntil = 0
  #cancelAnswerTimer: () => void = () => {}
  #cancelPump: () => void = () => {}

  constructor({ connection, ports, pace }: SubscriptionsOptions) {
    this.#connection = connection
    this.#ports = ports
    const { subscriptionsMax, messagesPerSecond, joinsPerSecond } = { ...DEFAULT_PACE, ...pace }
    this.#subscriptionsMax = subscriptionsMax
    this.#messages = new Pace(messagesPerSecond)
    this.#joins = new Pace(joinsPerSecond)
  }

  get size(): number {
    return this.#entryByKey.size
  }

  /** Throws the error for a caller that requests an existing subscription or exceeds the limit. */
  add(topic: Topic): void {
    const known = this.#entryByKey.get(topic.key)
    if (known?.isWanted === true) throw new RangeError(`there is already a subscription to ${topic.key}`)
    const max = this.#subscriptionsMax
    if (known === undefined && this.#entryByKey.size >= max)
      throw new RangeError(`there are already ${max} subscriptions, the maximum`)
    const entry = known ?? newEntry(topic)
    entry.topic = topic
    entry.isWanted = true
    entry.isOpen = false
    this.#entryByKey.set(topic.key, entry)
    topic.engineSeen(this.#isEngineSeen)
    topic.behind(this.#isBehind)
    this.#ask(entry)
  }

  /** Removes a subscription: from now on its messages are not accepted. */
  remove(topic: Topic): void {
    const entry = this.#entryByKey.get(topic.key)
    if (entry?.topic !== topic) return
    entry.isWanted = false
    entry.isOpen = false
    entry.cancelRetry()
    this.#ask(entry)
  }

  /** Requests the state, or the missed changes, again. Until the answer its messages are not accepted. */
  again(topic: Topic, delayMs = 0): void {
    const entry = this.#entryByKey.get(topic.key)
    if (entry?.topic !== topic || !entry.isWanted) return
    entry.isOpen = false
    if (delayMs > 0) this.#retry(entry, delayMs)
    else this.#ask(entry)
  }

  /** Called when the connection is open. */
  opened(): void {
    this.behind(false)
    this.#engineSeen(true)
    this.#pump()
  }

  /** Called when the connection is lost, with all subscriptions of the server. */
  lost(): void {
    this.#isLoggedIn = false
    this.#asking = []
    this.#isProbeDue = false
    this.#onProbed = undefined
    this.#cancelAnswerTimer()
    this.#cancelPump()
    this.#due.clear()
    for (const entry of this.#entryByKey.values()) {
      entry.cancelRetry()
      entry.isHeld = false
      entry.isOpen = false
      if (entry.isWanted) this.#due.add(entry)
      else this.#entryByKey.delete(entry.topic.key)
    }
    for (const entry of [...this.#entryByKey.values()]) entry.topic.interrupted()
  }

  /** Called when private topics become available, or, with `false`, unavailable. */
  loggedIn(isLoggedIn: boolean): void {
    this.#isLoggedIn = isLoggedIn
    for (const entry of [...this.#entryByKey.values()]) {
      if (!entry.topic.needsLogin) continue
      entry.isHeld = false
      entry.isOpen = false
      if (!isLoggedIn) entry.topic.interrupted()
      if (entry.isWanted) this.#due.add(entry)
      else this.#forget(entry)
    }
    this.#pump()
  }

  /** Sends a message that any working server answers, unless a pending message will be answered. */
  probe(): void {
    this.#isProbeDue ||= this.#asking.length === 0
    this.#pump()
  }

  /**
   * Like `probe`, with a callback for the answer: everything that the server sent before it has then arrived.
   * The callback is not called after `lost`.
   */
  ask(answered: () => void): void {
    this.#onProbed = answered
    this.#isProbeDue = true
    this.#pump()
  }

  /** Sets whether received data may be old. */
  behind(isBehind: boolean): void {
    this.#isBehind = isBehind
    for (const entry of [...this.#entryByKey.values()]) entry.topic.behind(isBehind)
  }

  /** True if the message was about subscriptions. */
  take([event, payload]: StreamMessage): boolean {
    if (typeof payload !== 'object' || payload === null) return false
    switch (event) {
      case 'subscribed':
        this.#subscribed(payload as { readonly channel?: unknown })
        return true
      case 'unsubscribed':
        this.#unsubscribed(payload as StreamError & { readonly channel?: unknown })
        return true
      case 'error':
        this.#refused(payload as StreamError)
        return true
      case 'stale':
      case 'live':
        this.#engineSeen(event === 'live')
        return true
      default:
        return this.#deliver(keyOf(event, payload), payload)
    }
  }

  #deliver(key: string, payload: object): boolean {
    const entry = this.#entryByKey.get(key)
    if (entry === undefined) return false
    if (entry.isOpen) entry.topic.take(payload)
    return true
  }

  #engineSeen(isSeen: boolean): void {
    this.#isEngineSeen = isSeen
    for (const entry of [...this.#entryByKey.values()]) entry.topic.engineSeen(isSeen)
  }

  #subscribed(payload: { readonly channel?: unknown }): void {
    const entry = this.#entryByKey.get(keyOf(String(payload.channel), payload))
    if (entry !== undefined && this.#answered(entry, true)) {
      entry.isHeld = true
      entry.refusals = 0
      // The subscription may have been given up, or requested again, since then.
      if (entry.isWanted && !this.#due.has(entry) && !this.#isAsking(entry)) {
        entry.isOpen = true
        entry.topic.subscribed()
      }
    }
    this.#pump()
  }

  #unsubscribed(payload: StreamError & { readonly channel?: unknown; readonly status?: boolean }): void {
    const entry = this.#entryByKey.get(keyOf(String(payload.channel), payload))
    if (payload.status === false) {
      // The server ended it; this is not the answer to a message.
      if (entry?.isWanted === true) this.#ended(entry, payload)
    } else if (entry !== undefined && this.#answered(entry, false)) {
      entry.isHeld = false
      if (!entry.isWanted) this.#forget(entry)
    }
    this.#pump()
  }

  #ended(entry: Entry, error: StreamError): void {
    entry.isHeld = false
    entry.isOpen = false
    entry.topic.interrupted()
    this.#heed(entry, entry.topic.refused(error))
  }

  #refused(error: StreamError): void {
    const asking = this.#asking.shift()
    if (asking === undefined) return
    this.#watchAnswer()
    const { entry, isSubscribe } = asking
    if (entry !== undefined) this.#refuse(entry, isSubscribe, error)
    else this.#probed()
    if (error.reason === TOO_FAST) this.#slowDown()
    this.#pump()
  }

  #probed(): void {
    const answered = this.#onProbed
    this.#onProbed = undefined
    answered?.()
  }

  /** Requests ignored messages again; a probe if its answer is awaited. */
  #askAgain(entry: Entry | undefined): void {
    if (entry !== undefined) this.#due.add(entry)
    else this.#isProbeDue ||= this.#onProbed !== undefined
  }

  /** The server may ignore messages for the rest of the second: unanswered ones are repeated after it. */
  #slowDown(): void {
    for (const { entry } of this.#asking.splice(0)) this.#askAgain(entry)
    this.#watchAnswer()
    this.#quietUntil = this.#ports.now() + QUIET_MS
  }

  #refuse(entry: Entry, isSubscribe: boolean, error: StreamError): void {
    // A subscription that the server does not have need not be ended.
    if (!isSubscribe) entry.isHeld = false
    if (!entry.isWanted) this.#forget(entry)
    else if (isSubscribe) this.#heed(entry, entry.topic.refused(error))
  }

  #heed(entry: Entry, answer: RefusalAnswer): void {
    switch (answer) {
      case 'later':
        this.#retry(entry, this.#backoffMs(entry.refusals++))
        break
      case 'login':
        // The entry is due at the next login; if it was refused although the client is logged in, it is
        // retried later.
        if (this.#isLoggedIn) this.#retry(entry, this.#backoffMs(entry.refusals++))
        else this.#due.add(entry)
        break
      case 'stop':
        entry.isWanted = false
        this.#forget(entry)
    }
  }

  #backoffMs(refusals: number): number {
    const longest = Math.min(REFUSED_MS_MAX, REFUSED_MS_MIN * 2 ** Math.min(refusals, 16))
    return Math.round((longest * (1 + this.#ports.random())) / 2)
  }

  #retry(entry: Entry, delayMs: number): void {
    entry.cancelRetry()
    this.#due.delete(entry)
    entry.cancelRetry = this.#ports.schedule(delayMs, () => this.#ask(entry))
  }

  #forget(entry: Entry): void {
    entry.cancelRetry()
    this.#due.delete(entry)
    if (this.#entryByKey.get(entry.topic.key) === entry) this.#entryByKey.delete(entry.topic.key)
  }

  #ask(entry: Entry): void {
    this.#due.add(entry)
    this.#pump()
  }

  #isAsking(entry: Entry): boolean {
    return this.#asking.some((asking) => asking.entry === entry)
  }

  /**
   * Processes the answer to a message; false if the message was not pending. Earlier unanswered messages were
   * ignored, and are due again.
   */
  #answered(entry: Entry, isSubscribe: boolean): boolean {
    const at = this.#asking.findIndex(
      (asking) => asking.entry === entry && asking.isSubscribe === isSubscribe,
    )
    if (at < 0) return false
    for (const ignored of this.#asking.splice(0, at + 1).slice(0, -1)) this.#askAgain(ignored.entry)
    this.#watchAnswer()
    return true
  }

  #watchAnswer(): void {
    this.#cancelAnswerTimer()
    if (this.#asking.length === 0) return
    this.#cancelAnswerTimer = this.#ports.schedule(ANSWER_TIMEOUT_MS, () => this.#connection.drop())
  }

  /** Sends the due messages, within the limits of unanswered messages and rates. */
  #pump(): void {
    this.#cancelPump()
    while (this.#connection.isOpen && this.#asking.length < ASKING_MAX) {
      const now = this.#ports.now()
      const entry = this.#isProbeDue ? undefined : this.#next(now)
      if (entry === undefined && !this.#isProbeDue) return
      const isJoining = entry !== undefined && isJoin(entry)
      const joinMs = isJoining ? this.#joins.waitMs(now) : 0
      const waitMs = Math.max(this.#messages.waitMs(now), joinMs, this.#quietUntil - now)
      if (waitMs > 0) {
        this.#cancelPump = this.#ports.schedule(waitMs, () => this.#pump())
        return
      }
      this.#send(entry, now)
    }
  }

  /**
   * The first subscription that can be requested; one that must wait for the limit on long requests comes
   * only if there is no other. Entries that are no longer wanted, and that the server does not have, are
   * dropped.
   */
  #next(now: number): Entry | undefined {
    let waiting: Entry | undefined
    for (const entry of this.#due) {
      // An entry that was given up while it is being requested may still be created by the server.
      if (!entry.isWanted && !entry.isHeld && !this.#isAsking(entry)) this.#forget(entry)
      else if (entry.topic.needsLogin && !this.#isLoggedIn) continue
      else if (!isJoin(entry) || this.#joins.waitMs(now) === 0) return entry
      else waiting ??= entry
    }
    return waiting
  }

  #send(entry: Entry | undefined, now: number): void {
    const isSubscribe = entry?.isWanted === true
    if (entry === undefined) this.#isProbeDue = false
    else this.#due.delete(entry)
    const payload = entry === undefined ? PROBE : isSubscribe ? entry.topic.request() : entry.topic.name()
    this.#messages.count(now)
    if (entry !== undefined && isJoin(entry)) this.#joins.count(now)
    this.#asking.push({ entry, isSubscribe })
    if (this.#asking.length === 1) this.#watchAnswer()
    if (!this.#connection.send([isSubscribe ? 'subscribe' : 'unsubscribe', payload])) this.#connection.drop()
  }
}

function newEntry(topic: Topic): Entry {
  return { topic, isWanted: true, isHeld: false, isOpen: false, refusals: 0, cancelRetry: () => {} }
}

function isJoin({ topic, isWanted }: Entry): boolean {
  return isWanted && (topic.isLong || topic.needsLogin)
}
