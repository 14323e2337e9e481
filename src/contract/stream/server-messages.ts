/** Every message that the server sends, as a row with the shape of its whole array. */
import {
  component,
  constant,
  either,
  listOf,
  named,
  object,
  optional,
  type Shape,
  seq,
  signedWhole,
  symbolName,
  text,
  timeMs,
  tuple,
  whole,
  word,
} from '../../units/shapes/shape.ts'
import { DEPTH, LEVELS, MATCHED_ORDER, RECENT_TRADE } from '../api/market-data.ts'
import { COUNTDOWN, MASS_CANCEL } from '../api/mass-cancel.ts'
import { ORDER } from '../api/order-object.ts'
import { BATCH, NOT_CANCELED, PARTLY_REPLACED, PLACED, REPLACEMENT } from '../api/placed.ts'
import { DONE, successOf } from '../envelope.ts'
import { ERROR, refusalOf } from '../error-body.ts'
import type { ChannelRow } from './channel-row.ts'
import { CHANNEL_NAMES, INTERVAL_OPTION, KLINE_CHANNELS, LEVELS_OPTION, PUBLIC_CHANNELS } from './channels.ts'
import { LOGGED_IN_BODY } from './login.ts'
import { PRIVATE_CHANNEL_ROWS, PRIVATE_CHANNELS } from './private-feed.ts'

export type ServerMessageRow = {
  /** Its name in the document. */
  readonly id: string
  /** Its first element; for candles `kline_<interval>`. */
  readonly name: string
  readonly summary: string
  /** Its place in the reference, under docs/reference. */
  readonly page: string
  /** The whole array. */
  readonly shape: Shape
}

function event(name: string, payload: Shape, summary: string, page: string, id = name): ServerMessageRow {
  return { id, name, summary, page, shape: tuple(constant(name), payload) }
}

const ofChannel = ([name, { message, summary, page }]: readonly [string, ChannelRow]): ServerMessageRow =>
  name === 'kline'
    ? { id: name, name: 'kline_<interval>', summary, page, shape: tuple(word(KLINE_CHANNELS), message) }
    : event(name, message, summary, page)

const SUBSCRIPTION = component('Subscription', 'A public channel of a symbol.', {
  channel: word(CHANNEL_NAMES),
  symbol: symbolName(),
  levels: LEVELS_OPTION,
  intervalMs: INTERVAL_OPTION,
})

const FOLLOWING = component('Following', 'A private channel.', {
  channel: word(PRIVATE_CHANNELS),
  since: optional(seq()),
})

const ENDED = named(
  'FollowingEnded',
  'The server ended the subscription.',
  refusalOf('channel', word(PRIVATE_CHANNELS)),
)

const ANSWERED = either(
  ...[LOGGED_IN_BODY, PLACED, DONE, successOf(ORDER), successOf(REPLACEMENT), PARTLY_REPLACED],
  ...[successOf(MASS_CANCEL), successOf(COUNTDOWN), BATCH, NOT_CANCELED],
)

/** The id of a request as given by the client; `login` for a login. */
const REQUEST_ID = either(text(), signedWhole())

/** Members that correspond to headers over HTTP; at least one is present. */
const BESIDES = object({ repeated: optional(constant(true)), retryAfter: optional(whole()) })

const ROOMS = 'stream.md#events-from-the-server'
const CHANNELS = 'stream-extensions.md'
const SUBSCRIBING = `${CHANNELS}#messages-from-the-client`

export const SERVER_MESSAGES: readonly ServerMessageRow[] = [
  event('orders', DEPTH, 'The whole book of a symbol that was joined', ROOMS, 'roomOrders'),
  event('trades', listOf(RECENT_TRADE), 'Trades, newest first', ROOMS, 'roomTrades'),
  event('matched_order', MATCHED_ORDER, 'One match', ROOMS),
  event('buy_order_update', LEVELS, 'Buy prices whose quantity changed', ROOMS),
  event('sell_order_update', LEVELS, 'Sell prices whose quantity changed', ROOMS),
  ...Object.entries(PUBLIC_CHANNELS).map(ofChannel),
  ...Object.entries(PRIVATE_CHANNEL_ROWS).map(ofChannel),
  {
    id: 'answer',
    name: 'answer',
    summary: 'The answer to a login or a request: its id, an HTTP status and the body that HTTP would have',
    page: 'order-entry.md#requests',
    shape: either(
      tuple(constant('answer'), REQUEST_ID, whole(), ANSWERED),
      tuple(constant('answer'), REQUEST_ID, whole(), ANSWERED, BESIDES),
    ),
  },
  event('error', ERROR, 'A message of yours was refused', 'stream.md#errors'),
  event('subscribed', either(SUBSCRIPTION, FOLLOWING), 'The answer to subscribe', SUBSCRIBING),
  event(
    'unsubscribed',
    either(SUBSCRIPTION, FOLLOWING, ENDED),
    'The answer to unsubscribe, or a subscription has ended',
    'private-feed.md#when-a-subscription-ends',
  ),
  {
    id: 'loggedOut',
    name: 'loggedOut',
    summary: 'The login has ended',
    page: 'order-entry.md#when-a-login-ends',
    shape: either(
      tuple(constant('loggedOut'), ERROR),
      tuple(constant('loggedOut'), ERROR, object({ retryAfter: whole() })),
    ),
  },
  event('shutdown', object({ reconnectAfterMs: whole() }), 'The server stops', `${CHANNELS}#shutdown`),
  event(
    'stale',
    object({ since: timeMs() }),
    'No new data has been available since then',
    `${CHANNELS}#stale`,
  ),
  event('live', object({ seq: seq() }), 'An engine leads again', `${CHANNELS}#stale`),
]
