/** Market data and the service itself, as answers show them (docs/reference/http.md#market-data, docs/reference/extensions.md). */

import { z } from 'zod'
import {
  EXCHANGE_PHASES,
  LIST_KINDS,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  SYMBOL_STATES,
  TIMES_IN_FORCE,
} from '../../units/order-words.ts'
import { RATES } from '../account-commission.ts'
import { REASON_NAMES } from '../reasons/catalogue.ts'
import { SIGNATURE_HINTS } from '../signature-hints.ts'
import {
  assetCode,
  decimal,
  exactNumber,
  fixedDecimal,
  openWord,
  signedDecimal,
  symbolName,
  timeMs,
  whole,
} from './forms.ts'
import { zodShape } from './zod-shapes.ts'

const fraction = z.int().min(0).max(18).meta({ description: 'Decimals.' })

export const exchangeInfo = z
  .object({
    symbols: z.array(
      z.object({
        symbol: symbolName,
        baseAssetCode: assetCode,
        quoteAssetCode: assetCode,
        commission: exactNumber.meta({ description: "The taker's rate as a fraction: 0.001 is 0.1 %." }),
        baseFraction: fraction,
        quoteFraction: fraction,
      }),
    ),
  })
  .meta({ id: 'ExchangeInfo', description: 'Every listed symbol, in the order of listing.' })

/** A side of the book: price to what rests there. */
export const levels = z
  .record(fixedDecimal, exactNumber)
  .meta({ description: 'Price to quantity, best first.' })

export const depth = z
  .object({ sell: levels, buy: levels })
  .meta({ id: 'Depth', description: 'The order book.' })

export const recentTrade = z
  .object({ quantity: exactNumber, price: exactNumber, timestamp: timeMs })
  .meta({ id: 'RecentTrade', description: 'A trade.' })

/** A candle's 12 columns. */
export const candle = z
  .tuple([
    timeMs.meta({ description: 'openTime' }),
    decimal.meta({ description: 'open' }),
    decimal.meta({ description: 'high' }),
    decimal.meta({ description: 'low' }),
    decimal.meta({ description: 'close' }),
    decimal.meta({ description: 'volume, in the base asset' }),
    timeMs.meta({ description: 'closeTime' }),
    decimal.meta({ description: 'quoteVolume' }),
    whole.meta({ description: 'how many trades' }),
    decimal.meta({ description: 'of the volume, what arriving orders bought' }),
    decimal.meta({ description: 'of the quote volume, what arriving orders bought' }),
    z.enum(['0', '1']).meta({ description: '1: a sandbox has made up some of it' }),
  ])
  .meta({ id: 'Candle', description: 'A candle, as 12 columns.' })

/** The figures of the last 24 hours but for names and `closeTime`. */
export const dayFigures = {
  priceChange: signedDecimal.optional(),
  priceChangePercent: signedDecimal.optional(),
  weightedAvgPrice: decimal.optional(),
  prevClosePrice: decimal.optional(),
  lastPrice: decimal.optional(),
  lastQty: decimal.optional(),
  bidPrice: decimal.optional(),
  bidQty: decimal.optional(),
  askPrice: decimal.optional(),
  askQty: decimal.optional(),
  openPrice: decimal.optional(),
  highPrice: decimal.optional(),
  lowPrice: decimal.optional(),
  volume: decimal,
  quoteVolume: decimal,
  openTime: timeMs,
  closeTime: timeMs,
  count: whole,
}

export const dayTicker = z
  .object({ symbol: symbolName, ...dayFigures })
  .meta({ id: 'DayTicker', description: 'The figures of the last 24 hours.' })

export const priceTicker = z
  .object({ symbol: symbolName, price: decimal.optional(), time: timeMs })
  .meta({ id: 'PriceTicker', description: 'The price of the last trade.' })

export const bookTicker = z
  .object({
    symbol: symbolName,
    bidPrice: decimal.optional(),
    bidQty: decimal.optional(),
    askPrice: decimal.optional(),
    askQty: decimal.optional(),
    time: timeMs,
  })
  .meta({ id: 'BookTicker', description: 'The best prices.' })

const phase = z.enum(EXCHANGE_PHASES)

export const exchangePhases = z
  .object({
    phase,
    since: timeMs.optional().meta({ description: 'When it began; absent: with the exchange.' }),
    planned: z.array(z.object({ phase, at: timeMs })),
  })
  .meta({ id: 'ExchangePhases', description: 'The phase of all symbols together, now and as planned.' })

export const symbolStatus = z.enum(SYMBOL_STATES)

export const rates = zodShape(RATES)

const filter = z
  .discriminatedUnion('filterType', [
    z.object({
      filterType: z.literal('PRICE_FILTER'),
      minPrice: decimal,
      maxPrice: decimal,
      tickSize: decimal,
    }),
    z.object({ filterType: z.literal('LOT_SIZE'), minQty: decimal, maxQty: decimal, stepSize: decimal }),
    z.object({
      filterType: z.literal('NOTIONAL'),
      minNotional: decimal,
      maxNotional: decimal,
      stepSize: decimal,
    }),
    z.object({ filterType: z.literal('ICEBERG_PARTS'), limit: whole }),
    z.object({ filterType: z.literal('EXPIRE_TIME'), maxAheadMs: whole }),
    z.object({ filterType: z.literal('MAX_NUM_ORDERS'), maxNumOrders: whole }),
    z.object({ filterType: z.literal('MAX_NUM_PRICE_LEVELS'), maxNumPriceLevels: whole }),
  ])
  .meta({ id: 'Filter', description: 'A rule that orders of a symbol must fit.' })

export const symbolRules = z
  .object({
    exchange: exchangePhases,
    symbols: z.array(
      z.object({
        symbol: symbolName,
        status: symbolStatus,
        isSpotTradingAllowed: z.boolean(),
        baseAsset: assetCode,
        baseAssetPrecision: fraction,
        quoteAsset: assetCode,
        quoteAssetPrecision: fraction,
        standardCommission: rates,
        orderTypes: z.array(z.enum(ORDER_TYPES)),
        timeInForce: z.array(z.enum(TIMES_IN_FORCE)),
        orderLists: z.array(z.enum(LIST_KINDS)),
        icebergAllowed: z.boolean(),
        ocoAllowed: z.boolean(),
        otoAllowed: z.boolean(),
        amendAllowed: z.boolean(),
        cancelReplaceAllowed: z.boolean(),
        allowTrailingStop: z.boolean(),
        defaultSelfTradePreventionMode: z.enum(SELF_TRADE_MODES),
        allowedSelfTradePreventionModes: z.array(z.enum(SELF_TRADE_MODES)),
        filters: z.array(filter),
      }),
    ),
  })
  .meta({ id: 'SymbolRules', description: 'What an order must fit.' })

export const serverTime = z.object({ serverTime: timeMs })

const HINTS = Object.keys(SIGNATURE_HINTS)

export const signatureReport = z
  .object({
    isValid: z.boolean(),
    signature: z
      .object({
        kind: z.enum(['PLAIN', 'STRICT']),
        encoding: z.enum(['HEX', 'BASE64']).optional(),
        characters: whole,
      })
      .optional(),
    signed: z.object({
      bytes: whole,
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      bodyAt: whole.optional().meta({ description: 'At which byte the body begins.' }),
      text: z.string().optional(),
      hex: z.string().optional().meta({ description: 'In place of text where the bytes are not UTF-8.' }),
      isCut: z.literal(true).optional(),
    }),
    parameters: z
      .array(z.object({ name: z.string(), value: z.string(), isCut: z.literal(true).optional() }))
      .optional(),
    serverTime: timeMs,
    behindMs: z.int().optional().meta({ description: 'How far timestamp is behind; negative: ahead.' }),
    refusals: z.array(z.object({ reason: openWord(REASON_NAMES, 'As of an error.'), msg: z.string() })),
    hints: z.array(
      z.object({ hint: openWord(HINTS, 'What is wrong, as far as it shows.'), msg: z.string() }),
    ),
  })
  .meta({ id: 'SignatureReport', description: 'What the server has signed of the request.' })
