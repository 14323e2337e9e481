/**
 * The public half of the stream: channels of as many symbols as wanted over one connection, kept through interruptions. Whoever
 * trades too uses `TradingStream`, which has this in it.
 */
import type { BookMessage } from '../interface/messages.ts'
import { callHandler } from './handlers.ts'
import { Heartbeat } from './heartbeat.ts'
import type { LocalBook } from './local-book.ts'
import type { MessageOf, PublicChannel, PublicTopic, StreamError } from './messages.ts'
import { BookSubscription, PublicSubscription, type SubscriptionHandlers } from './public-subscription.ts'
import { type ConnectionState, StreamConnection, type StreamMessage } from './stream-connection.ts'
import type { StreamPorts } from './stream-ports.ts'
import { type SubscriptionPace, Subscriptions } from './subscriptions.ts'
import type { SubscriptionState } from './topic.ts'

export type MarketStreamOptions = {
  /** `ws://host:port/stream`, or `wss://` behind TLS. */
  readonly url: string
  readonly ports: StreamPorts
  readonly pace?: Partial<SubscriptionPace> | undefined
  readonly onState?: ((state: ConnectionState) => void) | undefined
  /** Subscriptions are stale while what is received may be older than this, in milliseconds; absent: only the end of the connection makes them so. */
  readonly liveWithinMs?: number | undefined
  /** See `StreamConnection`. */
  readonly exactAnswers?: ((text: string) => string) | undefined
}

export type BookHandlers = {
  /** After each change, and when a whole book has come. */
  readonly onChange?: ((book: LocalBook, message: BookMessage) => void) | undefined
  readonly onState?: ((state: SubscriptionState, error?: StreamError) => void) | undefined
}

/** Least time between two messages, in milliseconds; absent: as things happen. */
export type BookOptions = { readonly intervalMs?: BookMessage['intervalMs'] }

/** What else is done over the same connection; it is told before subscriptions are. */
export type StreamRider = {
  opened(): void
  lost(): void
  /** True: the message was for it. */
  take(message: StreamMessage): boolean
}

export class MarketStream {
  readonly connection: StreamConnection
  readonly subscriptions: Subscriptions
  readonly #ports: StreamPorts
  readonly #onState: (state: ConnectionState) => void
  readonly #riders: StreamRider[] = []
  readonly #heartbeat: Heartbeat | undefined

  constructor({ url, ports, pace, onState, liveWithinMs, exactAnswers }: MarketStreamOptions) {
    this.#ports = ports
    this.#onState = onState ?? (() => {})
    this.connection = new StreamConnection({
      url,
      ports,
      exactAnswers,
      onState: (state) => this.#changed(state),
      onMessage: (message) => this.#take(message),
      onSilence: () => this.subscriptions.probe(),
    })
    this.subscriptions = new Subscriptions({ connection: this.connection, ports, pace })
    if (liveWithinMs === undefined) return
    this.#heartbeat = new Heartbeat({
      ports,
      liveWithinMs,
      ask: (answered) => this.subscriptions.ask(answered),
      onBehind: (isBehind) => this.subscriptions.behind(isBehind),
    })
  }

  get state(): ConnectionState {
    return this.connection.state
  }

  /** Connects, if it is not connected, at once: subscriptions do so by themselves. */
  connect(): void {
    this.connection.connect()
  }

  /** Ends the connection. Subscriptions stay, out of date, until `connect`. */
  disconnect(): void {
    this.connection.close()
  }

  /** What else is to be done over the connection, before it is opened. */
  ride(rider: StreamRider): void {
    this.#riders.push(rider)
  }

  /**
   * Subscribes to a channel: its messages are given to `handlers` until `close` is called on what this gives. A second
   * subscription to the same with the same options, and more of them than there may be, is a `RangeError`.
   */
  subscribe<C extends PublicChannel>(
    topic: PublicTopic & { readonly channel: C },
    handlers: SubscriptionHandlers<MessageOf<C>>,
  ): PublicSubscription<C> {
    const { subscriptions } = this
    const subscription = new PublicSubscription({ topic, handlers, subscriptions, ports: this.#ports })
    subscriptions.add(subscription)
    this.connectOnce()
    return subscription
  }

  /** Keeps the whole book of a symbol, checked by sequence numbers and checksums, and repaired where they do not fit. */
  book(symbol: string, handlers: BookHandlers = {}, options: BookOptions = {}): BookSubscription {
    const { subscriptions } = this
    const subscription: BookSubscription = new BookSubscription({
      topic: { channel: 'book', symbol, ...options },
      handlers: {
        onMessage: (message) => handlers.onChange?.(subscription.book, message),
        onState: handlers.onState,
      },
      subscriptions,
      ports: this.#ports,
    })
    subscriptions.add(subscription)
    this.connectOnce()
    return subscription
  }

  /** Connects where nobody has yet. */
  connectOnce(): void {
    if (this.connection.state.kind === 'closed') this.connection.connect()
  }

  #changed(state: ConnectionState): void {
    if (state.kind === 'open') {
      for (const rider of this.#riders) rider.opened()
      this.subscriptions.opened()
      this.#heartbeat?.start()
    } else if (state.kind !== 'connecting') {
      this.#heartbeat?.stop()
      for (const rider of this.#riders) rider.lost()
      this.subscriptions.lost()
    }
    callHandler(this.#ports, () => this.#onState(state))
  }

  #take(message: StreamMessage): void {
    if (message[0] !== 'error') this.connection.settle()
    for (const rider of this.#riders) if (rider.take(message)) return
    this.subscriptions.take(message)
  }
}
