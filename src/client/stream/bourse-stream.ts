/**
 * The stream of a client: one connection for markets, the account and orders, restored after interruptions
 * (docs/reference/stream.md, docs/reference/stream-extensions.md, docs/reference/private-feed.md,
 * docs/reference/order-entry.md).
 */

import { ENDPOINTS } from '../endpoints.ts'
import { usageError } from '../errors.ts'
import { textOfNumbers } from '../http/answer-body.ts'
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
  /**
   * Whether requests of order entry are sent over the stream while it is logged in: by default yes, if the
   * client has a secret.
   */
  readonly orders?: boolean | undefined
  /**
   * If present, orders placed over the stream are canceled after the end of its connection, with a grace
   * period (docs/reference/order-entry.md#cancel-on-disconnect). No order is then placed over HTTP, except
   * order lists: without a login, placing waits.
   */
  readonly cancelOnDisconnect?: CancelOnDisconnect | undefined
  /**
   * Called when the grace period ended before the connection was restored: the previous orders have been
   * canceled, or are being canceled.
   */
  readonly onSessionLost?: (() => void) | undefined
  /**
   * Subscriptions are stale while received data may be older than this, in milliseconds; if absent, only
   * after the end of the connection.
   */
  readonly liveWithinMs?: number | undefined
  /** For an exchange whose limits differ from the default ones. */
  readonly pace?: Partial<SubscriptionPace> | undefined
}

export type FollowOptions = {
  /**
   * The position at which the channel was left, by this program or an earlier run; without it, the current
   * state comes first.
   */
  readonly from?: FeedPlace | undefined
  /**
   * Maximum number of updates that wait for the handler: 1000 by default; further updates are requested when
   * it has caught up.
   */
  readonly waitingMax?: number | undefined
}

export class BourseStream {
  readonly #market: MarketStream
  readonly #account: AccountStream | undefined
  /** Undefined if orders are sent over HTTP. */
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

  /** Undefined if the client has no secret. */
  get login(): LoginState | undefined {
    return this.#account?.login.state
  }

  /**
   * Connects at once: for the first time, after `close`, or instead of waiting any longer. Subscribing
   * connects too.
   */
  connect(): void {
    this.#routeOrders()
    this.#market.connect()
  }

  /** Ends the connection. Until the next `connect`, orders are sent over HTTP and subscriptions are stale. */
  close(): void {
    if (this.#sender.route === this.#route) this.#sender.route = undefined
    this.#market.disconnect()
  }

  /** Only one stream of a client can send its orders. */
  #routeOrders(): void {
    const { route } = this.#sender
    if (this.#route === undefined || route === this.#route) return
    if (route !== undefined) throw usageError('orders: another stream of this client sends them')
    this.#sender.route = this.#route
  }

  /** Logs in again after a final refusal, once the problem with the key is fixed. */
  retryLogin(): void {
    this.#account?.login.retry()
  }

  /**
   * Follows a channel of a symbol until `close` is called on the result
   * (docs/reference/stream-extensions.md). A second subscription to the same channel with the same options is
   * a `RangeError`.
   */
  subscribe<C extends PublicChannel>(
    topic: PublicTopic & { readonly channel: C },
    handlers: SubscriptionHandlers<MessageOf<C>>,
  ): PublicSubscription<C> {
    return this.#market.subscribe(topic, handlers)
  }

  /** Maintains the complete book of a symbol. */
  book(symbol: string, handlers?: BookHandlers, options?: BookOptions): BookSubscription {
    return this.#market.book(symbol, handlers, options)
  }

  /** Follows the account: `orders`, `fills` or `balances` (docs/reference/private-feed.md). */
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

/** Answers of order entry contain decimals as numbers, as over HTTP. */
function exactAnswers(text: string): string {
  return textOfNumbers(text, ENDPOINTS.newOrder.numbers)
}
