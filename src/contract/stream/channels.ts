/** The public channels as rows, with the shapes of their messages (docs/reference/stream-extensions.md). */

import { CANDLE_INTERVALS, type CandleInterval } from '../../units/candle-intervals.ts'
import { SYMBOL_STATES } from '../../units/order-enums.ts'
import {
  between,
  component,
  fixedDecimal,
  flag,
  listOf,
  noted,
  numberOf,
  object,
  optional,
  seq,
  symbolName,
  timeMs,
  tuple,
  uuid,
  word,
} from '../../units/shapes/shape.ts'
import { CANDLE, DAY_FIGURES } from '../api/candles.ts'
import { EXCHANGE_PHASES_SHAPE } from '../api/exchange-phases.ts'
import { TRADE_NUMBER } from '../api/numbered-trades.ts'
import type { ChannelRow } from './channel-row.ts'

/** Levels per side of a partial book. */
export const BOOK_LEVELS = [5, 10, 20, 50] as const
/** Shortest times between two messages, in milliseconds. */
export const INTERVALS_MS = [100, 250, 500, 1_000] as const

/** Members of every message of a public channel. */
const HEAD = {
  symbol: symbolName(),
  seq: seq(),
  prevSeq: optional(seq('seq of the previous message; absent if this message has the whole state.')),
}

export const LEVELS_OPTION = optional(numberOf(BOOK_LEVELS))
export const INTERVAL_OPTION = optional(numberOf(INTERVALS_MS))

const SIDE = listOf(tuple(fixedDecimal(), fixedDecimal()), 'Price and quantity, best first.')

const PUBLIC = { security: 'NONE', weight: 0 } as const
const PAGE = 'stream-extensions.md'

/** Rows by the names of channels; `kline` represents one channel for each interval. */
export const PUBLIC_CHANNELS = {
  book: {
    ...PUBLIC,
    takes: ['symbol', 'levels', 'intervalMs'],
    summary: 'The order book',
    page: `${PAGE}#book`,
    message: component('BookMessage', 'Levels that changed, or all of them.', {
      ...HEAD,
      levels: LEVELS_OPTION,
      intervalMs: INTERVAL_OPTION,
      bids: SIDE,
      asks: SIDE,
      checksum: optional(between(0, 0xff_ff_ff_ff, 'CRC-32 of the book.')),
    }),
  },
  trades: {
    ...PUBLIC,
    takes: ['symbol'],
    summary: 'Trades',
    page: `${PAGE}#trades`,
    message: component('TradesMessage', 'New trades, newest first.', {
      ...HEAD,
      trades: listOf(
        object({
          id: uuid(),
          number: TRADE_NUMBER,
          price: fixedDecimal(),
          quantity: fixedDecimal(),
          timestamp: timeMs(),
          isBuyerMaker: flag(),
        }),
      ),
    }),
  },
  bookTicker: {
    ...PUBLIC,
    takes: ['symbol'],
    summary: 'The best prices',
    page: `${PAGE}#bookticker`,
    message: component('BookTickerMessage', 'The best prices.', {
      ...HEAD,
      bidPrice: optional(fixedDecimal()),
      bidQty: optional(fixedDecimal()),
      askPrice: optional(fixedDecimal()),
      askQty: optional(fixedDecimal()),
    }),
  },
  status: {
    ...PUBLIC,
    takes: ['symbol'],
    summary: 'Whether orders can be placed and canceled',
    page: `${PAGE}#status`,
    message: component('StatusMessage', 'The state of the symbol, and the phase of the whole exchange.', {
      ...HEAD,
      status: word(SYMBOL_STATES),
      exchange: EXCHANGE_PHASES_SHAPE,
    }),
  },
  ticker: {
    ...PUBLIC,
    takes: ['symbol', 'intervalMs'],
    summary: 'The figures of the last 24 hours',
    page: `${PAGE}#ticker`,
    message: component('TickerMessage', 'The figures of the last 24 hours.', {
      ...HEAD,
      intervalMs: INTERVAL_OPTION,
      ...DAY_FIGURES,
    }),
  },
  kline: {
    ...PUBLIC,
    takes: ['symbol', 'intervalMs'],
    summary: 'Candles',
    page: `${PAGE}#kline`,
    message: component('KlineMessage', 'Candles.', {
      ...HEAD,
      intervalMs: INTERVAL_OPTION,
      closed: optional(listOf(CANDLE, 'Closed candles, oldest first.')),
      current: optional(noted('The candle of the current window.', CANDLE)),
    }),
  },
} as const satisfies Readonly<Record<string, ChannelRow>>

export const KLINES = 'kline_'
/** Candles of an interval. */
export type KlineName = `${typeof KLINES}${CandleInterval}`
export const KLINE_CHANNELS = CANDLE_INTERVALS.map((interval): KlineName => `${KLINES}${interval}`)

type RowName = keyof typeof PUBLIC_CHANNELS
export type ChannelName = Exclude<RowName, 'kline'> | KlineName

export const CHANNEL_NAMES = (Object.keys(PUBLIC_CHANNELS) as readonly RowName[]).flatMap(
  (name): readonly ChannelName[] => (name === 'kline' ? KLINE_CHANNELS : [name]),
)

/** The row of a channel. */
export function channelRow(name: ChannelName): ChannelRow {
  return Object.hasOwn(PUBLIC_CHANNELS, name) ? PUBLIC_CHANNELS[name as RowName] : PUBLIC_CHANNELS.kline
}
