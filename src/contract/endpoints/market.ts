/** Endpoints of the service and of market data. */

import { listOf } from '../../units/shapes/shape.ts'
import { CANDLE, DAY_TICKER } from '../api/candles.ts'
import { EXCHANGE_INFO } from '../api/exchange-info.ts'
import { DEPTH, RECENT_TRADE } from '../api/market-data.ts'
import { AGGREGATE_TRADE, NUMBERED_TRADE } from '../api/numbered-trades.ts'
import { SYMBOL_RULES } from '../api/symbol-rules.ts'
import { BOOK_TICKER, PRICE_TICKER } from '../api/tickers.ts'
import { ofOneOrAll, successOf } from '../envelope.ts'
import { PING, SERVER_TIME } from '../service.ts'
import { SIGNATURE_REPORT } from '../signature-check.ts'
import { symbolOrAll } from './order-parameters.ts'
import {
  depthParameters,
  klinesParameters,
  NO_PARAMETERS,
  numberedTradesParameters,
  tradesParameters,
} from './parameters.ts'
import { LONG, READING } from './reasons.ts'
import type { EndpointRows } from './row.ts'

const SYMBOL = { symbol: 'BTC/USDT' }

const SERVICE = { method: 'GET', isExtension: true, security: 'NONE', tag: 'Service', reasons: [] } as const

const MARKET = { method: 'GET', security: 'USER_DATA', tag: 'Market data' } as const

const TICKER = {
  ...MARKET,
  isExtension: true,
  security: 'NONE',
  parameters: symbolOrAll,
  example: SYMBOL,
} as const

const PER_SYMBOL = 'at least this, or 1 for every 25 symbols, rounded up'

export const MARKET_ENDPOINTS = {
  ping: {
    ...SERVICE,
    path: '/ping',
    weight: 1,
    summary: 'Whether orders may be sent',
    page: 'extensions.md#ping',
    parameters: NO_PARAMETERS,
    answer: successOf(PING),
    example: {},
    answers: ['ping'],
  },
  time: {
    ...SERVICE,
    path: '/time',
    weight: 1,
    summary: "The server's time",
    page: 'extensions.md#time',
    parameters: NO_PARAMETERS,
    answer: successOf(SERVER_TIME),
    example: {},
    answers: ['time'],
  },
  signatureCheck: {
    ...SERVICE,
    method: 'POST',
    path: '/signature/check',
    security: 'KEY',
    weight: 20,
    summary: 'The text of a request that the server signed',
    page: 'extensions.md#signature-check',
    parameters: NO_PARAMETERS,
    answer: successOf(SIGNATURE_REPORT),
    example: {},
    answers: ['signatureCheck'],
  },
  exchangeInfo: {
    ...SERVICE,
    path: '/exchangeInfo',
    isExtension: false,
    tag: 'Market data',
    weight: 20,
    summary: 'Every listed symbol',
    page: 'http.md#exchange-information',
    parameters: NO_PARAMETERS,
    answer: EXCHANGE_INFO,
    example: {},
    answers: ['exchangeInfo'],
  },
  symbolRules: {
    ...SERVICE,
    path: '/exchangeInfo/rules',
    tag: 'Market data',
    weight: 20,
    summary: 'The rules for orders',
    page: 'extensions.md#rules-of-symbols',
    parameters: symbolOrAll,
    answer: successOf(SYMBOL_RULES),
    reasons: ['UNKNOWN_SYMBOL'],
    example: SYMBOL,
    answers: ['symbolRules'],
  },
  depth: {
    ...MARKET,
    path: '/depth',
    isExtension: false,
    weight: 5,
    weightNote: '5 for a limit up to 100, 25 up to 500, 50 up to 1000, 250 up to 5000',
    summary: 'The order book',
    page: 'http.md#order-book',
    parameters: depthParameters,
    answer: DEPTH,
    reasons: ['UNKNOWN_SYMBOL', ...LONG],
    example: { ...SYMBOL, limit: 100 },
    answers: ['depth'],
  },
  trades: {
    ...MARKET,
    path: '/trades',
    isExtension: false,
    weight: 25,
    summary: 'The newest trades',
    page: 'http.md#recent-trades',
    parameters: tradesParameters,
    answer: listOf(RECENT_TRADE),
    reasons: ['UNKNOWN_SYMBOL', ...LONG],
    example: { ...SYMBOL, limit: 100 },
    answers: ['trades'],
  },
  historicalTrades: {
    ...MARKET,
    path: '/historicalTrades',
    isExtension: true,
    security: 'NONE',
    weight: 25,
    summary: 'Trades by their numbers, oldest first',
    page: 'extensions.md#trades-by-number',
    parameters: numberedTradesParameters,
    answer: successOf(listOf(NUMBERED_TRADE)),
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { ...SYMBOL, fromId: 1, limit: 100 },
    answers: ['historicalTrades'],
  },
  aggTrades: {
    ...MARKET,
    path: '/aggTrades',
    isExtension: true,
    security: 'NONE',
    weight: 4,
    weightNote: '25 for a limit above 100',
    summary: 'Aggregate trades by their numbers, oldest first',
    page: 'extensions.md#aggregate-trades',
    parameters: numberedTradesParameters,
    answer: successOf(listOf(AGGREGATE_TRADE)),
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { ...SYMBOL, fromId: 1, limit: 100 },
    answers: ['aggTrades'],
  },
  klines: {
    ...MARKET,
    path: '/klines',
    isExtension: true,
    security: 'NONE',
    weight: 2,
    weightNote: 'and 1 for every 50 stored candles from which the answer may be computed',
    summary: 'Candles, oldest first',
    page: 'candles.md#candles',
    parameters: klinesParameters,
    answer: successOf(listOf(CANDLE)),
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { ...SYMBOL, interval: '1m', limit: 100 },
    answers: ['klines'],
  },
  dayTicker: {
    ...TICKER,
    path: '/ticker/24hr',
    weight: 2,
    weightNote: `all symbols: 40, ${PER_SYMBOL}`,
    summary: 'The figures of the last 24 hours',
    page: 'candles.md#ticker-of-24-hours',
    answer: ofOneOrAll(DAY_TICKER),
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    answers: ['dayTicker'],
  },
  priceTicker: {
    ...TICKER,
    path: '/ticker/price',
    weight: 2,
    weightNote: `all symbols: 4, ${PER_SYMBOL}`,
    summary: 'The price of the last trade',
    page: 'extensions.md#price-ticker',
    answer: ofOneOrAll(PRICE_TICKER),
    reasons: ['UNKNOWN_SYMBOL', ...LONG],
    answers: ['priceTicker'],
  },
  bookTicker: {
    ...TICKER,
    path: '/ticker/bookTicker',
    weight: 2,
    weightNote: `all symbols: 4, ${PER_SYMBOL}`,
    summary: 'The best prices',
    page: 'extensions.md#book-ticker',
    answer: ofOneOrAll(BOOK_TICKER),
    reasons: ['UNKNOWN_SYMBOL', ...LONG],
    answers: ['bookTicker'],
  },
} satisfies EndpointRows
