/**
 * Reads the stream's frames (docs/reference/stream.md#events-from-the-server) into exact integers. A JSON number may have
 * more digits than a float holds (docs/reference/http.md#answers), so numbers are never read as floats: they become texts
 * before the JSON is parsed.
 */
import { parseDecimal } from '../../units/decimal.ts'
import type { Side } from '../../units/order-words.ts'
import {
  type Decimals,
  lots,
  type Price,
  price,
  type TimeMs,
  timeMs,
  UNITS_MAX,
} from '../../units/quantities.ts'
import type { BookLevels, MarketDecimals, PriceLevel, TradeFigures } from '../../wire/market-data.ts'

export type ServerMessage =
  | { readonly kind: 'orders'; readonly book: BookLevels }
  | { readonly kind: 'trades'; readonly trades: readonly TradeFigures[] }
  | { readonly kind: 'update'; readonly side: Side; readonly levels: readonly PriceLevel[] }
  | { readonly kind: 'status'; readonly symbol: string; readonly status: TradingStatus }
  | { readonly kind: 'error'; readonly reason: string; readonly text: string }
  /** An event that this page has no use for. */
  | { readonly kind: 'other'; readonly event: string }
  /** No message of docs/reference/stream.md#events-from-the-server. */
  | { readonly kind: 'fault'; readonly what: string }

/** What may be done in a symbol, and in all of them, now and as it is planned (docs/reference/stream-extensions.md#status). */
export type TradingStatus = {
  /** Of the symbol. */
  readonly state: string
  /** Of all symbols together. */
  readonly phase: string
  readonly planned: readonly { readonly phase: string; readonly at: TimeMs }[]
}

/** Strings, to be left alone, or numbers. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Every trade comes as `trades` too: not worth reading twice at high rates. */
const MATCHED_ORDER = '["matched_order"'

const WHOLE = 0 as Decimals

/** What a frame of a symbol with these decimals says. */
export function readServerMessage(text: string, decimals: MarketDecimals): ServerMessage {
  if (text.startsWith(MATCHED_ORDER)) return { kind: 'other', event: 'matched_order' }
  try {
    return readEvent(parseWithNumbersAsText(text), decimals)
  } catch (error) {
    if (!(error instanceof MessageFault || error instanceof SyntaxError)) throw error
    return { kind: 'fault', what: error.message }
  }
}

class MessageFault extends Error {}

function parseWithNumbersAsText(text: string): unknown {
  return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}

function readEvent(value: unknown, decimals: MarketDecimals): ServerMessage {
  if (!Array.isArray(value)) throw new MessageFault('a message is an array')
  const [event, payload] = value as readonly unknown[]
  switch (event) {
    case 'orders': {
      const book = record(payload, 'an order book')
      const sell = readLevels(book.sell, decimals)
      return { kind: 'orders', book: { sell, buy: readLevels(book.buy, decimals) } }
    }
    case 'trades':
      return { kind: 'trades', trades: readTrades(payload, decimals) }
    case 'sell_order_update':
      return { kind: 'update', side: 'SELL', levels: readLevels(payload, decimals) }
    case 'buy_order_update':
      return { kind: 'update', side: 'BUY', levels: readLevels(payload, decimals) }
    case 'status':
      return readStatus(record(payload, 'a status'))
    case 'error':
      return readError(record(payload, 'an error'))
    default:
      if (typeof event !== 'string') throw new MessageFault('a message begins with its name')
      return { kind: 'other', event }
  }
}

function readLevels(value: unknown, decimals: MarketDecimals): PriceLevel[] {
  return Object.entries(record(value, 'price levels')).map(([at, quantity]) => ({
    price: readPrice(at, decimals),
    quantity: units(quantity, decimals.baseFraction),
  }))
}

function readTrades(value: unknown, decimals: MarketDecimals): TradeFigures[] {
  if (!Array.isArray(value)) throw new MessageFault('trades are an array')
  return value.map((item: unknown) => {
    const trade = record(item, 'a trade')
    return {
      price: readPrice(trade.price, decimals),
      quantity: lots(safeUnits(trade.quantity, decimals.baseFraction)),
      time: timeMs(safeUnits(trade.timestamp, WHOLE)),
    }
  })
}

function readStatus({ symbol, status, exchange }: Readonly<Record<string, unknown>>): ServerMessage {
  const { phase, planned } = record(exchange, 'the exchange')
  if (!Array.isArray(planned)) throw new MessageFault('planned phases are an array')
  const steps = planned.map((item: unknown) => {
    const step = record(item, 'a planned phase')
    return { phase: word(step.phase), at: timeMs(safeUnits(step.at, WHOLE)) }
  })
  const read = { state: word(status), phase: word(phase), planned: steps }
  return { kind: 'status', symbol: word(symbol), status: read }
}

function word(value: unknown): string {
  if (typeof value !== 'string') throw new MessageFault('a word is missing')
  return value
}

function readError(body: Readonly<Record<string, unknown>>): ServerMessage {
  const { reason, msg } = body
  const text = Array.isArray(msg) ? msg.join(' ') : ''
  return { kind: 'error', reason: typeof reason === 'string' ? reason : 'UNKNOWN', text }
}

function readPrice(value: unknown, decimals: MarketDecimals): Price {
  return price(safeUnits(value, decimals.quoteFraction))
}

function safeUnits(value: unknown, places: Decimals): number {
  const read = units(value, places)
  if (read > UNITS_MAX) throw new MessageFault(`${String(value)} is beyond 2^53-1 units`)
  return Number(read)
}

function units(value: unknown, places: Decimals): bigint {
  if (typeof value !== 'string') throw new MessageFault('a decimal is missing')
  const read = parseDecimal(value, places)
  if (typeof read !== 'bigint') throw new MessageFault(`'${value}' is not a decimal of ${places} places`)
  return read
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MessageFault(`${what} is an object`)
  }
  return value as Readonly<Record<string, unknown>>
}
