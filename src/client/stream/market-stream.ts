/**
 * The public half of the stream: channels of any number of symbols over one connection, restored after
 * interruptions. Clients that also trade use `BourseStream`, which includes it.
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
  /**
   * Subscriptions are stale while received data may be older than this, in milliseconds; if absent, only
   * after the end of the connection.
   */
  readonly liveWithinMs?: number | undefined
  /** See `StreamConnection`. */
  readonly exactAnswers?: ((text: string) => string) | undefined
}

export type BookHandlers = {
  /** Called after each change, and when a complete book has arrived. */
  readonly onChange?: ((book: LocalBook, message: BookMessage) => void) | undefined
  readonly onState?: ((state: SubscriptionState, error?: StreamError) => void) | undefined
}

/** Minimum time between two messages, in milliseconds; if absent, each change is sent at once. */
export type BookOptions = { readonly intervalMs?: BookMessage['intervalMs'] }

/** Other users of the same connection; they are notified before subscriptions. */
export type StreamListener = {
  opened(): void
  lost(): void
  /** True if the message was handled. */
  take(message: StreamMessage): boolean
}

export class MarketStream {
  readonly connection: StreamConnection
  readonly subscriptions: Subscriptions
  readonly #ports: StreamPorts
  readonly #onState: (state: ConnectionState) => void
  readonly #listeners: StreamListener[] = []
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
      onIdle: () => this.subscriptions.probe(),
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

  /** Connects at once, if there is no connection; subscriptions do so by themselves. */
  connect(): void {
    this.connection.connect()
  }

  /** Ends the connection. Subscriptions remain, marked as stale, until `connect`. */
  disconnect(): void {
    this.connection.close()
  }

  /** Adds another user of the connection, before it is opened. */
  ride(listener: StreamListener): void {
    this.#listeners.push(listener)
  }

  /**
   * Subscribes to a channel: its messages are passed to `handlers` until `close` is called on the result. A
   * second subscription to the same channel with the same options, and a subscription above the limit, is a
   * `RangeError`.
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

  /**
   * Maintains the complete book of a symbol, checked by sequence numbers and checksums, and repaired after a
   * mismatch.
   */
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

  /** Connects if there is no connection yet. */
  connectOnce(): void {
    if (this.connection.state.kind === 'closed') this.connection.connect()
  }

  #changed(state: ConnectionState): void {
    if (state.kind === 'open') {
      for (const listener of this.#listeners) listener.opened()
      this.subscriptions.opened()
      this.#heartbeat?.start()
    } else if (state.kind !== 'connecting') {
      this.#heartbeat?.stop()
      for (const listener of this.#listeners) listener.lost()
      this.subscriptions.lost()
    }
    callHandler(this.#ports, () => this.#onState(state))
  }

  #take(message: StreamMessage): void {
    if (message[0] !== 'error') this.connection.settle()
    for (const listener of this.#listeners) if (listener.take(message)) return
    this.subscriptions.take(message)
  }
}
