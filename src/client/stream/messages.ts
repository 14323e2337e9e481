/**
 * What is subscribed to and what comes of it, as types: made of those that `npm run schemas` writes
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

/** A channel of one symbol, as it is subscribed to. */
export type PublicTopic =
  | { readonly channel: 'trades' | 'bookTicker' | 'status'; readonly symbol: string }
  | {
      readonly channel: 'ticker' | Candles
      readonly symbol: string
      /** Least time between two messages, in milliseconds; absent: as things happen. */
      readonly intervalMs?: IntervalMs | undefined
    }
  | {
      readonly channel: 'book'
      readonly symbol: string
      /** Levels a side; absent: all. */
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

/** What a channel's messages are. One that has none here does not compile. */
export type MessageOf<C extends SubscriptionRequest['channel']> = MessageByChannel[C]

export type PrivateChannel = keyof FeedRows

/** What a row of a private channel is. */
export type FeedRows = {
  readonly orders: Order
  readonly fills: Fill
  readonly balances: Balance
}

/** A message of a private channel; its rows stand under the channel's name. */
export type FeedMessage<C extends PrivateChannel> = {
  /** Name of the journal: 32 hexadecimal digits. */
  readonly journal: string
  readonly seq: number
  readonly prevSeq?: number | undefined
  /** Milliseconds; absent in the state. */
  readonly time?: number | undefined
  /** A further message is about the same command, or the same state. */
  readonly more?: true | undefined
} & { readonly [Channel in C]: readonly FeedRows[C][] }

/** Why the server refuses, or ends, something. */
export type StreamError = Pick<ErrorBody, 'status' | 'code' | 'msg' | 'reason'>
