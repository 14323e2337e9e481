/** The parameters of requests that read the market and an account, and those of every request with a key. */
import { CANDLE_INTERVALS } from '../../units/candle-intervals.ts'
import { symbolOrAll } from './order-parameters.ts'
import {
  limit,
  oneOf,
  optional,
  otherwise,
  pattern,
  symbolName,
  text,
  time,
  uuid,
  whole,
} from './parameter.ts'

export const NO_PARAMETERS = {}

const oneSymbol = { symbol: symbolName() }

export const depthParameters = { ...oneSymbol, limit: limit(5_000, 500, 'Levels per side.') }

export const tradesParameters = { ...oneSymbol, limit: limit(1_000, 500, 'Number of elements.') }

export const numberedTradesParameters = {
  ...oneSymbol,
  fromId: optional(whole(0, 2 ** 53 - 1, 'Only this number and higher ones.')),
  startTime: optional(time('Only from this time on.')),
  endTime: optional(time('Only up to this time.')),
  limit: limit(1_000, 500, 'Number of trades: with fromId or startTime the oldest, otherwise the newest.'),
}

export const klinesParameters = {
  ...oneSymbol,
  interval: oneOf(CANDLE_INTERVALS),
  startTime: optional(time('Only candles that begin then or later.')),
  endTime: optional(time('Only candles that begin then or earlier.')),
  limit: limit(1_000, 500, 'Number of elements.'),
}

const range = {
  from: optional(time('Only from this time on.')),
  to: optional(time('Only up to this time.')),
  limit: limit(1_000, 500, 'The largest number of elements.'),
}

const GOES_ON = 'The next of the previous answer, from which the list continues.'
const asset = optional(text('The code of an asset; default: all.'))

export const allOrdersParameters = { ...symbolOrAll, ...range, before: optional(uuid(GOES_ON)) }

export const myTradesParameters = {
  ...allOrdersParameters,
  orderId: optional(uuid('Only those of this order.')),
}

export const ledgerParameters = {
  asset,
  ...range,
  before: optional(pattern(/^\d{1,16}-\d{1,16}-\d{1,16}$/, GOES_ON)),
  format: otherwise('json', oneOf(['json', 'csv'], 'csv for a table to save.')),
}

export const positionParameters = {
  asset,
  symbol: optional(text('Only the assets of this symbol.')),
}

export const historyParameters = {
  ...symbolOrAll,
  page: otherwise(0, whole(0, 2 ** 31 - 1, '0 is the newest.')),
  size: limit(1_000, 100, 'Number of trades on a page.'),
  before: optional(uuid('Only trades older than this trade.')),
}

export const balanceParameters = {
  code: optional(text('The code of an asset; default: all.')),
}

/**
 * Every request with a key has the time at which it was sent; signed ones also have the time for which they
 * are valid.
 */
export const sentAt = { timestamp: time("When the request is sent, by the server's clock.") }

export const signedWindow = {
  ...sentAt,
  recvWindow: otherwise(5_000, whole(0, 60_000, 'How long the request is valid, in milliseconds.')),
}
