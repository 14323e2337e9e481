/**
 * The account part of the client on a stream connection: its login, its private feed, and orders. It uses the
 * connection of a `MarketStream`, which also works without this part.
 */
import type { Signer } from '../access/signer.ts'
import type { Platform } from '../platform/ports.ts'
import { type FeedHandlers, type FeedPlace, FeedSubscription } from './feed-subscription.ts'
import { callHandler } from './handlers.ts'
import type { MarketStream, StreamListener } from './market-stream.ts'
import type { PrivateChannel } from './messages.ts'
import type { StreamMessage } from './stream-connection.ts'
import { type CancelOnDisconnect, type LoginState, StreamLogin } from './stream-login.ts'
import { StreamOrders } from './stream-orders.ts'
import type { StreamPorts } from './stream-ports.ts'

export type AccountStreamOptions = {
  readonly stream: MarketStream
  readonly ports: StreamPorts & Pick<Platform, 'randomHex'>
  readonly apiKey: string
  readonly signer: Signer
  readonly clock: { time(): Promise<number>; doubt(): void }
  readonly cancelOnDisconnect?: CancelOnDisconnect | undefined
  readonly onLogin?: ((state: LoginState) => void) | undefined
  readonly onSessionLost?: (() => void) | undefined
  readonly underWayMax?: number | undefined
}

export class AccountStream implements StreamListener {
  readonly login: StreamLogin
  readonly orders: StreamOrders
  readonly #stream: MarketStream
  readonly #ports: StreamPorts
  readonly #onLogin: (state: LoginState) => void

  constructor({ stream, ports, onLogin, underWayMax, ...credentials }: AccountStreamOptions) {
    const { connection } = stream
    this.#stream = stream
    this.#ports = ports
    this.#onLogin = onLogin ?? (() => {})
    this.login = new StreamLogin({
      ...credentials,
      connection,
      ports,
      onState: (state) => this.#changed(state),
    })
    this.orders = new StreamOrders({ connection, login: this.login, ports, underWayMax })
    stream.ride(this)
  }

  /**
   * Follows a private channel of the account: from the position `from` at which it was left, or from the
   * current state. A second subscription to the channel is a `RangeError`.
   */
  follow<C extends PrivateChannel>(
    channel: C,
    handlers: FeedHandlers<C>,
    options: { readonly from?: FeedPlace | undefined; readonly waitingMax?: number | undefined } = {},
  ): FeedSubscription<C> {
    const { subscriptions } = this.#stream
    const feed = new FeedSubscription({ channel, handlers, ...options, subscriptions, ports: this.#ports })
    subscriptions.add(feed)
    return feed
  }

  opened(): void {
    this.login.opened()
  }

  lost(): void {
    this.login.lost()
    this.orders.lost()
  }

  take(message: StreamMessage): boolean {
    return this.login.take(message) || this.orders.take(message)
  }

  #changed(state: LoginState): void {
    this.#stream.subscriptions.loggedIn(state.kind === 'in')
    callHandler(this.#ports, () => this.#onLogin(state))
  }
}
