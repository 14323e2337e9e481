/** Market data: no key, no signature. Weights are Binance's for the fewest rows. */
import { CANDLE_INTERVALS } from '../../../units/candle-intervals.ts'
import { TIME, type WireParameter, type WireRow } from './row.ts'

export const DEPTH_LEVELS_MAX = 5_000
const ROWS_MAX = 1_000

const ONE_SYMBOL: WireParameter = { form: 'SYMBOL', isRequired: true }
const SOME_SYMBOLS = { symbol: { form: 'SYMBOL' }, symbols: { form: 'SYMBOLS' } } as const
const ROWS: WireParameter = { form: 'WHOLE', min: 1, max: ROWS_MAX }
const NUMBER: WireParameter = { form: 'WHOLE', min: 0, max: Number.MAX_SAFE_INTEGER }
const TICKER_TYPE: WireParameter = { form: 'WORD', words: ['FULL', 'MINI'] }
const SWITCH: WireParameter = { form: 'WORD', words: ['true', 'false'] }
/**
 * Endpoints whose enum values are checked, so that a status that is not offered is not mistaken for another
 * one.
 */
export const WIRE_STATUSES = ['TRADING', 'HALT', 'BREAK'] as const
const STATUS: WireParameter = { form: 'WORD', words: WIRE_STATUSES }

const READ = { method: 'GET', security: 'NONE' } as const

export const MARKET_ROWS = {
  ping: { ...READ, path: '/api/v3/ping', request: 'ping', weight: 1, parameters: {} },
  time: { ...READ, path: '/api/v3/time', request: 'time', weight: 1, parameters: {} },
  exchangeInfo: {
    ...READ,
    path: '/api/v3/exchangeInfo',
    request: 'exchangeInfo',
    weight: 20,
    parameters: {
      ...SOME_SYMBOLS,
      permissions: { form: 'TEXT' },
      showPermissionSets: SWITCH,
      symbolStatus: STATUS,
    },
    differs: 'only the filters that are enforced; `permissions` is accepted and selects nothing',
  },
  depth: {
    ...READ,
    path: '/api/v3/depth',
    request: 'depth',
    weight: 5,
    parameters: { symbol: ONE_SYMBOL, limit: { form: 'WHOLE', min: 1, max: DEPTH_LEVELS_MAX } },
    differs: '`lastUpdateId` is the number of the last command of the whole exchange',
  },
  trades: {
    ...READ,
    path: '/api/v3/trades',
    request: 'trades.recent',
    weight: 25,
    parameters: { symbol: ONE_SYMBOL, limit: ROWS },
  },
  historicalTrades: {
    ...READ,
    path: '/api/v3/historicalTrades',
    request: 'trades.historical',
    weight: 25,
    parameters: { symbol: ONE_SYMBOL, limit: ROWS, fromId: NUMBER },
    differs: 'trades made before the exchange numbered them are missing',
  },
  aggTrades: {
    ...READ,
    path: '/api/v3/aggTrades',
    request: 'trades.aggregate',
    weight: 4,
    parameters: { symbol: ONE_SYMBOL, fromId: NUMBER, startTime: TIME, endTime: TIME, limit: ROWS },
    differs: 'weight 25 for a `limit` above 100',
  },
  klines: {
    ...READ,
    path: '/api/v3/klines',
    request: 'klines',
    weight: 2,
    parameters: {
      symbol: ONE_SYMBOL,
      interval: {
        form: 'WORD',
        words: CANDLE_INTERVALS,
        isRequired: true,
        wrong: { code: -1120, msg: 'Invalid interval.' },
      },
      startTime: TIME,
      endTime: TIME,
      timeZone: { form: 'WORD', words: ['0', '00:00', '+00:00', '-0', '-00:00'] },
      limit: ROWS,
    },
    differs: '`timeZone` must be UTC; more weight for intervals made of many stored candles',
  },
  avgPrice: {
    ...READ,
    path: '/api/v3/avgPrice',
    request: 'avgPrice',
    weight: 2,
    parameters: { symbol: ONE_SYMBOL },
    differs: 'over the last five complete minutes and the current one',
  },
  ticker24hr: {
    ...READ,
    path: '/api/v3/ticker/24hr',
    request: 'ticker.24hr',
    weight: 2,
    parameters: { ...SOME_SYMBOLS, type: TICKER_TYPE, symbolStatus: STATUS },
    differs: 'the window moves by whole minutes',
  },
  tickerPrice: {
    ...READ,
    path: '/api/v3/ticker/price',
    request: 'ticker.price',
    weight: 2,
    parameters: { ...SOME_SYMBOLS, symbolStatus: STATUS },
  },
  bookTicker: {
    ...READ,
    path: '/api/v3/ticker/bookTicker',
    request: 'ticker.book',
    weight: 2,
    parameters: { ...SOME_SYMBOLS, symbolStatus: STATUS },
  },
} as const satisfies Readonly<Record<string, WireRow>>
