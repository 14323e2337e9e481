/**
 * Types of subscriptions and their messages, derived from those that `npm run schemas` writes
 * (docs/reference/stream-extensions.md, docs/reference/private-feed.md).
 */
import type {
  Balance,
  BookMessage,
  BookTickerMessage,
  KlineMessage,
  StatusMessage,
  SubscriptionRequest,
  TickerMessage,
  TradesMessage,
} from '../interface/messages.ts'
import type { ErrorBody, Fill, Order } from '../interface/orders.ts'

type BookLevels = NonNullable<SubscriptionRequest['levels']>
type IntervalMs = NonNullable<SubscriptionRequest['intervalMs']>
type Candles = Extract<SubscriptionRequest['channel'], `kline_${string}`>

/** The subscription to a channel of one symbol. */
export type PublicTopic =
  | { readonly channel: 'trades' | 'bookTicker' | 'status'; readonly symbol: string }
  | {
      readonly channel: 'ticker' | Candles
      readonly symbol: string
      /** Minimum time between two messages, in milliseconds; if absent, each change is sent at once. */
      readonly intervalMs?: IntervalMs | undefined
    }
  | {
      readonly channel: 'book'
      readonly symbol: string
      /** Number of levels per side; absent for all. */
      readonly levels?: BookLevels | undefined
      readonly intervalMs?: IntervalMs | undefined
    }

export type PublicChannel = PublicTopic['channel']

type MessageByChannel = {
  readonly book: BookMessage
  readonly trades: TradesMessage
  readonly bookTicker: BookTickerMessage
  readonly status: StatusMessage
  readonly ticker: TickerMessage
} & { readonly [C in Candles]: KlineMessage }

/** The messages of a channel. A channel without one does not compile. */
export type MessageOf<C extends SubscriptionRequest['channel']> = MessageByChannel[C]

export type PrivateChannel = keyof FeedRows

/** The rows of a private channel. */
export type FeedRows = {
  readonly orders: Order
  readonly fills: Fill
  readonly balances: Balance
}

/** A message of a private channel; its rows are in the field with the channel's name. */
export type FeedMessage<C extends PrivateChannel> = {
  /** Name of the journal: 32 hexadecimal digits. */
  readonly journal: string
  readonly seq: number
  readonly prevSeq?: number | undefined
  /** Milliseconds since 1970; absent in the state. */
  readonly time?: number | undefined
  /** A further message of the same command, or the same state, follows. */
  readonly more?: true | undefined
} & { readonly [Channel in C]: readonly FeedRows[C][] }

/** The server's reason for a refusal, or for the end of a subscription or login. */
export type StreamError = Pick<ErrorBody, 'status' | 'code' | 'msg' | 'reason'>
