/**
 * The stream as a client offers it: one connection for markets, the account and orders, kept through interruptions
 * (docs/reference/stream.md, docs/reference/stream-extensions.md, docs/reference/private-feed.md, docs/reference/order-entry.md).
 */
import { usageError } from '../errors.ts'
import { textOfNumbers } from '../http/answer-body.ts'
import { ENDPOINTS } from '../interface/endpoints.ts'
import type { ClientParts } from '../parts.ts'
import { AccountStream } from './account-stream.ts'
import type { FeedHandlers, FeedPlace, FeedSubscription } from './feed-subscription.ts'
import { type BookHandlers, type BookOptions, MarketStream } from './market-stream.ts'
import type { MessageOf, PrivateChannel, PublicChannel, PublicTopic } from './messages.ts'
import type { BookSubscription, PublicSubscription, SubscriptionHandlers } from './public-subscription.ts'
import type { Route, RoutedSender } from './routed-sender.ts'
import type { ConnectionState } from './stream-connection.ts'
import type { CancelOnDisconnect, LoginState } from './stream-login.ts'
import type { SubscriptionPace } from './subscriptions.ts'

export type StreamOptions = {
  readonly onState?: ((state: ConnectionState) => void) | undefined
  readonly onLogin?: ((state: LoginState) => void) | undefined
  /** Whether requests of order entry go over the stream while it is logged in: true unless said otherwise, where the client has a secret. */
  readonly orders?: boolean | undefined
  /**
   * Orders that are placed over the stream end with its connection, so much later (docs/reference/order-entry.md#cancel-on-disconnect). None is
   * placed over HTTP then, but for order lists: while there is no login, placing waits.
   */
  readonly cancelOnDisconnect?: CancelOnDisconnect | undefined
  /** The grace was over before the connection was back: the orders of before are, or are being, canceled. */
  readonly onSessionLost?: (() => void) | undefined
  /** Subscriptions are stale while what is received may be older than this, in milliseconds; absent: only the end of the connection makes them so. */
  readonly liveWithinMs?: number | undefined
  /** Where the exchange is installed with other limits than usual. */
  readonly pace?: Partial<SubscriptionPace> | undefined
}

export type FollowOptions = {
  /** Where it was left, by this program or one before it; without it the state as it is comes first. */
  readonly from?: FeedPlace | undefined
  /** Updates that may wait for the handler: 1000 unless said otherwise; further ones are asked for when it has caught up. */
  readonly waitingMax?: number | undefined
}

export class BourseStream {
  readonly #market: MarketStream
  readonly #account: AccountStream | undefined
  /** Undefined: orders go over HTTP. */
  readonly #route: Route | undefined
  readonly #sender: RoutedSender

  constructor(parts: ClientParts, options: StreamOptions = {}) {
    const { platform: ports, url, apiKey, signer, caller, sender } = parts
    const { onState, pace, orders = true, cancelOnDisconnect, liveWithinMs } = options
    const { graceMs = 0 } = cancelOnDisconnect ?? {}
    if (!Number.isInteger(graceMs) || graceMs < 0 || graceMs > 60_000)
      throw usageError(`graceMs: expected a whole number from 0 to 60000, found ${graceMs}`)
    const address = `${url.replace(/^http/, 'ws')}/stream`
    this.#market = new MarketStream({ url: address, ports, pace, onState, liveWithinMs, exactAnswers })
    if (apiKey !== undefined && signer !== undefined) {
      const { clock } = caller
      this.#account = new AccountStream({ ...options, stream: this.#market, ports, apiKey, signer, clock })
    }
    const isOnlyWay = cancelOnDisconnect !== undefined
    if (isOnlyWay && (this.#account === undefined || !orders))
      throw usageError(
        'cancelOnDisconnect: expected a client with apiKey and secret, and orders over the stream',
      )
    this.#route = orders && this.#account ? { orders: this.#account.orders, isOnlyWay } : undefined
    this.#sender = sender
    this.#routeOrders()
  }

  get state(): ConnectionState {
    return this.#market.state
  }

  /** Undefined: the client has no secret. */
  get login(): LoginState | undefined {
    return this.#account?.login.state
  }

  /** Connects at once: the first time, after `close`, or instead of waiting any longer. Subscribing does it too. */
  connect(): void {
    this.#routeOrders()
    this.#market.connect()
  }

  /** Ends the connection. Until `connect` orders go over HTTP, and subscriptions are stale. */
  close(): void {
    if (this.#sender.route === this.#route) this.#sender.route = undefined
    this.#market.disconnect()
  }

  /** Of a client one stream carries the orders. */
  #routeOrders(): void {
    const { route } = this.#sender
    if (this.#route === undefined || route === this.#route) return
    if (route !== undefined) throw usageError('orders: they go over another stream of this client already')
    this.#sender.route = this.#route
  }

  /** Logs in again after it was refused for good: somebody has done something about the key. */
  retryLogin(): void {
    this.#account?.login.retry()
  }

  /**
   * Follows a channel of a symbol until `close` is called on what this gives (docs/reference/stream-extensions.md). A second subscription to the same
   * with the same options is a `RangeError`.
   */
  subscribe<C extends PublicChannel>(
    topic: PublicTopic & { readonly channel: C },
    handlers: SubscriptionHandlers<MessageOf<C>>,
  ): PublicSubscription<C> {
    return this.#market.subscribe(topic, handlers)
  }

  /** Keeps the whole book of a symbol. */
  book(symbol: string, handlers?: BookHandlers, options?: BookOptions): BookSubscription {
    return this.#market.book(symbol, handlers, options)
  }

  /** Follows what happens to the account: `orders`, `fills` or `balances` (docs/reference/private-feed.md). */
  follow<C extends PrivateChannel>(
    channel: C,
    handlers: FeedHandlers<C>,
    options?: FollowOptions,
  ): FeedSubscription<C> {
    if (this.#account === undefined) throw usageError(`${channel}: expected a client with apiKey and secret`)
    const feed = this.#account.follow(channel, handlers, options)
    this.#market.connectOnce()
    return feed
  }
}

/** What order entry answers has numbers with decimals, as over HTTP. */
function exactAnswers(text: string): string {
  return textOfNumbers(text, ENDPOINTS.newOrder.numbers)
}
