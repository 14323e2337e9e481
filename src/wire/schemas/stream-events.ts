/** What the server sends. */
import { z } from 'zod'
import { CANDLE_INTERVALS } from '../../units/candle-intervals.ts'
import { PERMISSIONS } from '../../units/order-words.ts'
import { COUNTDOWN, MASS_CANCEL } from '../mass-cancel.ts'
import { PRIVATE_CHANNELS } from '../private-feed.ts'
import { BOOK_LEVELS, CHANNEL_NAMES, INTERVALS_MS } from '../stream-channels.ts'
import { balance } from './account.ts'
import { done, error, refusalOf, successOf } from './envelope.ts'
import { exactNumber, fixedDecimal, seq, symbolName, timeMs, uuid, whole } from './forms.ts'
import { candle, dayFigures, depth, exchangePhases, levels, recentTrade, symbolStatus } from './market.ts'
import { batch, fill, order, partlyReplaced, placed, replaced } from './orders.ts'
import type { MessageRow } from './stream-message.ts'
import { zodShape } from './zod-shapes.ts'

const bookLevels = z.literal([...BOOK_LEVELS]).optional()
const intervalMs = z.literal([...INTERVALS_MS]).optional()

const matchedOrder = z.object({
  id: uuid.meta({ description: 'The resting order.' }),
  takerId: uuid.meta({ description: 'The arriving order.' }),
  quantity: exactNumber,
  price: exactNumber,
  timestamp: timeMs,
})

/** Members of every message of a public channel. */
const channelMembers = {
  symbol: symbolName,
  seq,
  prevSeq: seq
    .optional()
    .meta({ description: 'seq of the message before; absent: this is the whole state.' }),
}

const side = z
  .array(z.tuple([fixedDecimal, fixedDecimal]))
  .meta({ description: 'Price and quantity, best first.' })

const book = z
  .object({
    ...channelMembers,
    levels: bookLevels,
    intervalMs,
    bids: side,
    asks: side,
    checksum: z.int().min(0).max(0xff_ff_ff_ff).optional().meta({ description: 'CRC-32 of the book.' }),
  })
  .meta({ id: 'BookMessage', description: 'Levels that changed, or all of them.' })

const trades = z
  .object({
    ...channelMembers,
    trades: z.array(
      z.object({
        id: uuid,
        price: fixedDecimal,
        quantity: fixedDecimal,
        timestamp: timeMs,
        isBuyerMaker: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'TradesMessage', description: 'New trades, newest first.' })

const bestPrices = z
  .object({
    ...channelMembers,
    bidPrice: fixedDecimal.optional(),
    bidQty: fixedDecimal.optional(),
    askPrice: fixedDecimal.optional(),
    askQty: fixedDecimal.optional(),
  })
  .meta({ id: 'BookTickerMessage', description: 'The best prices.' })

const status = z
  .object({ ...channelMembers, status: symbolStatus, exchange: exchangePhases })
  .meta({ id: 'StatusMessage', description: 'What may be done in the symbol, and in all of them.' })

const ticker = z
  .object({ ...channelMembers, intervalMs, ...dayFigures })
  .meta({ id: 'TickerMessage', description: 'The figures of the last 24 hours.' })

const kline = z
  .object({
    ...channelMembers,
    intervalMs,
    closed: z.array(candle).optional().meta({ description: 'Candles that are over, oldest first.' }),
    current: candle.optional().meta({ description: 'That of the window that runs.' }),
  })
  .meta({ id: 'KlineMessage', description: 'Candles.' })

/** Members of every message of a private channel. */
const feedMembers = {
  journal: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .meta({ description: 'The name of the journal.' }),
  seq,
  prevSeq: seq.optional().meta({ description: 'Absent: the message is of the whole state.' }),
  time: timeMs.optional(),
  more: z.literal(true).optional().meta({ description: 'A further message is about the same command.' }),
}

const loggedIn = successOf(
  z.object({
    apiKey: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    serverTime: timeMs,
    session: uuid.optional(),
    graceMs: whole.optional(),
    resumed: z.boolean().optional(),
  }),
).meta({ id: 'LoggedIn', description: 'The connection is logged in.' })

const ANSWERS: readonly z.ZodType[] = [
  ...[loggedIn, placed, done, successOf(order), replaced, partlyReplaced],
  ...[successOf(zodShape(MASS_CANCEL)), successOf(zodShape(COUNTDOWN)), batch, error],
]
const answered = z.union(ANSWERS)

const subscription = z
  .object({ channel: z.enum(CHANNEL_NAMES), symbol: symbolName, levels: bookLevels, intervalMs })
  .meta({ id: 'Subscription', description: 'A public channel of a symbol.' })

const following = z
  .object({ channel: z.enum(PRIVATE_CHANNELS), since: seq.optional() })
  .meta({ id: 'Following', description: 'A private channel.' })

const ended = refusalOf({ channel: z.enum(PRIVATE_CHANNELS) }).meta({
  id: 'FollowingEnded',
  description: 'The server has ended it.',
})

const STREAM = 'stream.md#events-from-the-server'
const CHANNELS = 'stream-extensions.md'

function event(name: string, payload: z.ZodType, summary: string, page: string, id = name): MessageRow {
  return { id, from: 'server', name, summary, page, schema: z.tuple([z.literal(name), payload]) }
}

const ROOMS: readonly MessageRow[] = [
  event('orders', depth, 'The whole book of a symbol that was joined', STREAM, 'roomOrders'),
  event('trades', z.array(recentTrade), 'Trades, newest first', STREAM, 'roomTrades'),
  event('matched_order', matchedOrder, 'One match', STREAM),
  event('buy_order_update', levels, 'Buy prices whose quantity changed', STREAM),
  event('sell_order_update', levels, 'Sell prices whose quantity changed', STREAM),
]

const PUBLIC_CHANNELS: readonly MessageRow[] = [
  event('book', book, 'The order book', `${CHANNELS}#book`),
  event('trades', trades, 'Trades', `${CHANNELS}#trades`),
  event('bookTicker', bestPrices, 'The best prices', `${CHANNELS}#bookticker`),
  event('status', status, 'What may be done now', `${CHANNELS}#status`),
  event('ticker', ticker, 'The figures of the last 24 hours', `${CHANNELS}#ticker`),
  {
    id: 'kline',
    from: 'server',
    name: 'kline_<interval>',
    summary: 'Candles',
    page: `${CHANNELS}#kline`,
    schema: z.tuple([z.enum(CANDLE_INTERVALS.map((interval) => `kline_${interval}`)), kline]),
  },
]

const FEED = 'private-feed.md#messages'

const PRIVATE: readonly MessageRow[] = [
  event('orders', z.object({ ...feedMembers, orders: z.array(order) }), 'Orders of the account', FEED),
  event('fills', z.object({ ...feedMembers, fills: z.array(fill) }), 'Fills of the account', FEED),
  event(
    'balances',
    z.object({ ...feedMembers, balances: z.array(balance) }),
    'Balances of the account',
    FEED,
  ),
]

/** The id of a request as the client gave it; `login` of a login. */
const requestId = z.union([z.string(), z.int()])

/** What HTTP says in headers: one of them at least. */
const besides = z.object({ repeated: z.literal(true).optional(), retryAfter: whole.optional() })

const answer = z.union([
  z.tuple([z.literal('answer'), requestId, whole, answered]),
  z.tuple([z.literal('answer'), requestId, whole, answered, besides]),
])

const loggedOut = z.union([
  z.tuple([z.literal('loggedOut'), error]),
  z.tuple([z.literal('loggedOut'), error, z.object({ retryAfter: whole })]),
])

export const SERVER_MESSAGES: readonly MessageRow[] = [
  ...ROOMS,
  ...PUBLIC_CHANNELS,
  ...PRIVATE,
  {
    id: 'answer',
    from: 'server',
    name: 'answer',
    summary: 'The answer to a login or a request: its id, an HTTP status and the body that HTTP would have',
    page: 'order-entry.md#requests',
    schema: answer,
  },
  event('error', error, 'A message of yours was refused', 'stream.md#errors'),
  event(
    'subscribed',
    z.union([subscription, following]),
    'The answer to subscribe',
    `${CHANNELS}#messages-from-the-client`,
  ),
  event(
    'unsubscribed',
    z.union([subscription, following, ended]),
    'The answer to unsubscribe, or a subscription has ended',
    'private-feed.md#when-a-subscription-ends',
  ),
  {
    id: 'loggedOut',
    from: 'server',
    name: 'loggedOut',
    summary: 'The login has ended',
    page: 'order-entry.md#when-a-login-ends',
    schema: loggedOut,
  },
  event('shutdown', z.object({ reconnectAfterMs: whole }), 'The server stops', `${CHANNELS}#shutdown`),
  event('stale', z.object({ since: timeMs }), 'Nothing new is known since then', `${CHANNELS}#stale`),
  event('live', z.object({ seq }), 'An engine leads again', `${CHANNELS}#stale`),
]
