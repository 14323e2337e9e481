/**
 * The channels that a stream client subscribes to by name (docs/reference/stream-extensions.md): valid
 * subscriptions, and the form of their messages. Prices and quantities are texts with exactly the symbol's
 * decimals: without the point they are integer numbers of ticks and lots.
 */

import type { CandleInterval } from '../../units/candle-intervals.ts'
import { fixedDecimal } from '../../units/decimal.ts'
import { type TradeNumber, uuidOf } from '../../units/ids.ts'
import type { Side, SymbolState } from '../../units/order-enums.ts'
import type { Seq } from '../../units/quantities.ts'
import { phasesBody, type ShownPhases } from '../api/exchange-phases.ts'
import type { MarketDecimals, PriceLevel, TradeFigures } from '../api/market-data.ts'
import { leftOut, oneOf, SYMBOL_NAME } from '../expectations.ts'
import type { Localised } from '../language.ts'
import {
  BOOK_LEVELS,
  CHANNEL_NAMES,
  type ChannelName,
  channelRow,
  INTERVALS_MS,
  KLINES,
  type KlineName,
} from './channels.ts'

/** Undefined means that each change is sent at once. */
type IntervalMs = (typeof INTERVALS_MS)[number] | undefined

/** A channel, with its options for publishing. */
export type Topic =
  | { readonly channel: 'trades' | 'bookTicker' | 'status' }
  | { readonly channel: 'ticker'; readonly intervalMs: IntervalMs }
  | KlineTopic
  | {
      readonly channel: 'book'
      /** Undefined means all levels. */
      readonly levels: (typeof BOOK_LEVELS)[number] | undefined
      readonly intervalMs: IntervalMs
    }

export type KlineTopic = { readonly channel: KlineName; readonly intervalMs: IntervalMs }

/** One topic of one symbol in a client's subscription. */
export type Subscription = { readonly symbol: string; readonly topic: Topic }

/** The problem of a parameter; `name` and `expected` are the arguments of the reason's text. */
export type ParameterFault =
  | { readonly kind: 'fault'; readonly reason: 'MISSING_PARAMETER'; readonly name: string }
  | {
      readonly kind: 'fault'
      readonly reason: 'INVALID_PARAMETER'
      readonly name: string
      readonly expected: Localised
    }

/**
 * Reads the object that follows `subscribe` and `unsubscribe`
 * (docs/reference/stream-extensions.md#messages-from-the-client).
 */
export function readSubscription(value: object): Subscription | ParameterFault {
  const fields = new Map<string, unknown>(Object.entries(value))
  const channel = readOneOf(fields, 'channel', CHANNEL_NAMES)
  if (isFault(channel)) return channel
  if (channel === undefined) return missing('channel')
  const symbol = fields.get('symbol')
  if (symbol === undefined) return missing('symbol')
  if (typeof symbol !== 'string') return invalid('symbol', SYMBOL_NAME)
  const parameters = ['channel', ...channelRow(channel).takes]
  for (const name of fields.keys()) if (!parameters.includes(name)) return invalid(name, leftOut(parameters))
  const topic = readTopic(channel, fields)
  return isFault(topic) ? topic : { symbol, topic }
}

/** `fields` must have no options but those of the channel. */
function readTopic(channel: ChannelName, fields: ReadonlyMap<string, unknown>): Topic | ParameterFault {
  if (channel === 'trades' || channel === 'bookTicker' || channel === 'status') return { channel }
  const levels = readOneOf(fields, 'levels', BOOK_LEVELS)
  if (isFault(levels)) return levels
  const intervalMs = readOneOf(fields, 'intervalMs', INTERVALS_MS)
  if (isFault(intervalMs)) return intervalMs
  return channel === 'book' ? { channel, levels, intervalMs } : { channel, intervalMs }
}

/** Shortest time between two messages of a topic, in milliseconds; 0 for none. */
export function intervalMsOf(topic: Topic): number {
  return ('intervalMs' in topic ? topic.intervalMs : undefined) ?? 0
}

/** The interval of its candles. */
export function intervalOf({ channel }: KlineTopic): CandleInterval {
  return channel.slice(KLINES.length) as CandleInterval
}

/** Whether its state is long: that of a whole book, or of hundreds of candles. */
export function isLongState(topic: Topic): boolean {
  return topic.channel.startsWith(KLINES) || (topic.channel === 'book' && topic.levels === undefined)
}

/** `book,"levels":5`: equal for equal topics, and different for different ones. */
export function topicKey(topic: Topic): string {
  return topic.channel + optionMembers(topic)
}

/** The answer to `subscribe` and `unsubscribe`. */
export function subscriptionJson({ symbol, topic }: Subscription): string {
  return `{"channel":"${topic.channel}",${topicMembers(symbol, topic)}}`
}

/** The members with which every message of a topic begins. */
export function topicMembers(symbol: string, topic: Topic): string {
  return `"symbol":${JSON.stringify(symbol)}${optionMembers(topic)}`
}

/** `,"levels":5,"intervalMs":100`: the chosen options. */
function optionMembers(topic: Topic): string {
  const levels = 'levels' in topic ? topic.levels : undefined
  const intervalMs = intervalMsOf(topic)
  return (
    (levels === undefined ? '' : `,"levels":${levels}`) +
    (intervalMs === 0 ? '' : `,"intervalMs":${intervalMs}`)
  )
}

/** `"seq":12,"prevSeq":9`; without a previous message, `"seq":12`. */
export function seqMembers(seq: Seq, prevSeq: Seq | undefined): string {
  return prevSeq === undefined ? `"seq":${seq}` : `"seq":${seq},"prevSeq":${prevSeq}`
}

/** The text between the brackets of a side of the book: pieces of one side may be joined by commas. */
export function levelPairsJson(levels: readonly PriceLevel[], decimals: MarketDecimals): string {
  const pairs = levels.map(
    ({ price, quantity }) =>
      `["${fixedDecimal(price, decimals.quoteFraction)}","${fixedDecimal(quantity, decimals.baseFraction)}"]`,
  )
  return pairs.join(',')
}

/** One trade of the channel `trades`. */
export function channelTradeJson(
  trade: TradeFigures & {
    readonly tradeNumber: TradeNumber
    /** 0 if it has none. */
    readonly symbolTrade: number
    readonly takerSide: Side
  },
  decimals: MarketDecimals,
): string {
  const { tradeNumber, symbolTrade, price, quantity, time, takerSide } = trade
  const number = symbolTrade === 0 ? '' : `,"number":${symbolTrade}`
  return (
    `{"id":"${uuidOf('trade', tradeNumber, time)}"${number},"price":"${fixedDecimal(price, decimals.quoteFraction)}",` +
    `"quantity":"${fixedDecimal(quantity, decimals.baseFraction)}","timestamp":${time},` +
    `"isBuyerMaker":${takerSide === 'SELL'}}`
  )
}

/** Both sides of a book, best first, each member preceded by a comma. */
export function sidesMembers(
  bids: readonly PriceLevel[],
  asks: readonly PriceLevel[],
  decimals: MarketDecimals,
): string {
  return `,"bids":[${levelPairsJson(bids, decimals)}],"asks":[${levelPairsJson(asks, decimals)}]`
}

/**
 * The best price of a side and the quantity there, each member preceded by a comma; empty for an empty side.
 */
export function bestPriceMembers(
  side: 'bid' | 'ask',
  level: PriceLevel | undefined,
  decimals: MarketDecimals,
): string {
  if (level === undefined) return ''
  const price = fixedDecimal(level.price, decimals.quoteFraction)
  return `,"${side}Price":"${price}","${side}Qty":"${fixedDecimal(level.quantity, decimals.baseFraction)}"`
}

/**
 * The state of a symbol and the phases of the exchange, current and planned, each member preceded by a comma.
 */
export function statusMembers(state: SymbolState, phases: ShownPhases): string {
  return `,"status":"${state}","exchange":${JSON.stringify(phasesBody(phases))}`
}

/** Levels per side in the checksum. */
export const CHECKSUM_LEVELS = 10

/**
 * The text whose CRC-32 is the checksum (docs/reference/stream-extensions.md#checksum), of the best levels
 * per side.
 */
export function checksumText(bids: readonly PriceLevel[], asks: readonly PriceLevel[]): string {
  return `${ticksAndLots(bids)}|${ticksAndLots(asks)}`
}

function ticksAndLots(levels: readonly PriceLevel[]): string {
  return levels.map(({ price, quantity }) => `${price}:${quantity}`).join(',')
}

/** A word, or a number given as a number or as text. */
function readOneOf<Value extends string | number>(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  values: readonly Value[],
): Value | undefined | ParameterFault {
  const given = fields.get(name)
  if (given === undefined) return undefined
  const isGiven = (value: Value): boolean => value === given || String(value) === given
  return values.find(isGiven) ?? invalid(name, oneOf(values.map(String)))
}

function missing(name: string): ParameterFault {
  return { kind: 'fault', reason: 'MISSING_PARAMETER', name }
}

function invalid(name: string, expected: Localised): ParameterFault {
  return { kind: 'fault', reason: 'INVALID_PARAMETER', name, expected }
}

function isFault(value: string | number | undefined | Topic | ParameterFault): value is ParameterFault {
  return typeof value === 'object' && 'kind' in value
}
