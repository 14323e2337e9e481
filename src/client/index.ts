/** Exports of the package `bourse-client`. */

export type { ClockMeasure } from './access/server-clock.ts'
export { importSecret, type Secret } from './access/signer.ts'
export { type BourseClient, createBourseClient } from './client.ts'
export { Decimal } from './decimal.ts'
export {
  BourseError,
  type ErrorKind,
  type Outcome,
  type Reason,
  type Refusal,
  RefusedError,
} from './errors.ts'
export type { BatchRow } from './http/batches.ts'
export type { CallOptions } from './http/caller.ts'
export type { Attempted, Resolution } from './http/placements.ts'
export type * from './interface/answers.ts'
export type { AnswerOf, ParametersOf } from './interface/endpoints.ts'
export type * from './interface/messages.ts'
export type * from './interface/orders.ts'
export type * from './interface/parameters.ts'
export type * from './interface/positions.ts'
export type * from './interface/words.ts'
export { createMarketClient, type MarketClient, type MarketClientOptions } from './market-client.ts'
export { eachLedgerEntry, eachOrder, eachTrade, type PageOptions } from './pages.ts'
export type { ClientOptions } from './parts.ts'
export type { WebSocketClass } from './platform/default-platform.ts'
export type { Platform } from './platform/ports.ts'
export type { BatchOperation, EndpointId, PlacedOrder, PlaceOptions, ReplacedOrder } from './requests.ts'
export type { BookLevel } from './stream/book-side.ts'
export type { BourseStream, FollowOptions, StreamOptions } from './stream/bourse-stream.ts'
export type {
  FeedHandlers,
  FeedPlace,
  FeedRestart,
  FeedSubscription,
  FeedUpdate,
} from './stream/feed-subscription.ts'
export type { BookOutcome, LocalBook } from './stream/local-book.ts'
export type { BookHandlers, BookOptions, MarketStream } from './stream/market-stream.ts'
export type {
  FeedRows,
  MessageOf,
  PrivateChannel,
  PublicChannel,
  PublicTopic,
  StreamError,
} from './stream/messages.ts'
export type {
  BookSubscription,
  PublicSubscription,
  SubscriptionHandlers,
} from './stream/public-subscription.ts'
export type { ConnectionState } from './stream/stream-connection.ts'
export type { CancelOnDisconnect, LoginData, LoginState } from './stream/stream-login.ts'
export type { SubscriptionPace } from './stream/subscriptions.ts'
export type { SubscriptionState } from './stream/topic.ts'
export type { DecimalInput, DecimalText, OtherWord } from './values.ts'
