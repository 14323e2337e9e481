/**
 * The rules of symbols (docs/reference/extensions.md#rules-of-symbols): the limits of orders, in the form of
 * Binance's filters. Every decimal is an exact string.
 */

import { plainDecimal } from '../../units/decimal.ts'
import {
  AMOUNT_MAX,
  EXPIRE_TIME_AHEAD_MAX_MS,
  TRAILING_DELTA_MAX,
  TRAILING_DELTA_MIN,
} from '../../units/limits.ts'
import {
  LIST_KINDS,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  SYMBOL_STATES,
  type SymbolState,
  TIMES_IN_FORCE,
} from '../../units/order-enums.ts'
import {
  type Amount,
  type Decimals,
  type Lots,
  type Price,
  type Rate,
  UNITS_MAX,
} from '../../units/quantities.ts'
import {
  assetCode,
  component,
  constant,
  decimal,
  eitherBy,
  flag,
  listOf,
  named,
  object,
  symbolName,
  type ValueOf,
  whole,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'
import { RATES, ratesOf } from './account-commission.ts'
import { FRACTION } from './exchange-info.ts'
import { EXCHANGE_PHASES_SHAPE, phasesBody, type ShownPhases } from './exchange-phases.ts'

const FILTER = named(
  'Filter',
  'A rule for orders of a symbol.',
  eitherBy(
    'filterType',
    object({
      filterType: constant('PRICE_FILTER'),
      minPrice: decimal(),
      maxPrice: decimal(),
      tickSize: decimal(),
    }),
    object({
      filterType: constant('LOT_SIZE'),
      minQty: decimal(),
      maxQty: decimal(),
      stepSize: decimal(),
    }),
    object({
      filterType: constant('NOTIONAL'),
      minNotional: decimal(),
      maxNotional: decimal(),
      stepSize: decimal(),
    }),
    object({ filterType: constant('ICEBERG_PARTS'), limit: whole() }),
    object({
      filterType: constant('TRAILING_DELTA'),
      minTrailingAboveDelta: whole(),
      maxTrailingAboveDelta: whole(),
      minTrailingBelowDelta: whole(),
      maxTrailingBelowDelta: whole(),
    }),
    object({ filterType: constant('EXPIRE_TIME'), maxAheadMs: whole() }),
    object({ filterType: constant('MAX_NUM_ORDERS'), maxNumOrders: whole() }),
    object({ filterType: constant('MAX_NUM_PRICE_LEVELS'), maxNumPriceLevels: whole() }),
  ),
)

const RULES_OF_SYMBOL = object({
  symbol: symbolName(),
  status: word(SYMBOL_STATES),
  isSpotTradingAllowed: flag(),
  baseAsset: assetCode(),
  baseAssetPrecision: FRACTION,
  quoteAsset: assetCode(),
  quoteAssetPrecision: FRACTION,
  standardCommission: RATES,
  orderTypes: listOf(word(ORDER_TYPES)),
  timeInForce: listOf(word(TIMES_IN_FORCE)),
  orderLists: listOf(word(LIST_KINDS)),
  icebergAllowed: flag(),
  ocoAllowed: flag(),
  otoAllowed: flag(),
  amendAllowed: flag(),
  cancelReplaceAllowed: flag(),
  allowTrailingStop: flag(),
  defaultSelfTradePreventionMode: word(SELF_TRADE_MODES),
  allowedSelfTradePreventionModes: listOf(word(SELF_TRADE_MODES)),
  filters: listOf(FILTER),
})

export const SYMBOL_RULES = component('SymbolRules', 'The rules for orders of the symbol.', {
  exchange: EXCHANGE_PHASES_SHAPE,
  symbols: listOf(RULES_OF_SYMBOL),
})

export type SymbolRules = {
  readonly name: string
  readonly state: SymbolState
  /** Both of its assets may be traded, and the exchange is in the phase TRADING. */
  readonly isOpen: boolean
  readonly baseCode: string
  readonly quoteCode: string
  /** Ledger decimals of base and quote asset. */
  readonly basePrecision: Decimals
  readonly quotePrecision: Decimals
  /** Decimals of a quantity and of a price. */
  readonly baseFraction: Decimals
  readonly quoteFraction: Decimals
  /** Absent if any price is allowed. */
  readonly priceBand?: { readonly min: Price; readonly max: Price } | undefined
  /** The increments of prices and quantities; if absent, they are one tick and one lot. */
  readonly increments?: { readonly tickSize: Price; readonly stepSize: Lots } | undefined
  /** 0 means one lot. */
  readonly minQuantity: Lots
  /** In ledger units of the quote asset; 0 means one. */
  readonly minTotal: Amount
  readonly openOrdersMax: number
  readonly levelsMax: number
  readonly makerRate: Rate
  readonly takerRate: Rate
  readonly selfTradeMode: SelfTradeMode
  /** Whether the rules in force allow orders that follow the price. */
  readonly isTrailingAllowed: boolean
  /** An iceberg order shows at least its quantity divided by this number. */
  readonly icebergPartsMax: number
}

const RULES_READ = successHeads({ en: 'The rules have been read.', tr: 'Kurallar getirildi.' })

/** `symbols`: texts made by `symbolRulesJson`. */
export function symbolRulesBody(phases: ShownPhases, symbols: readonly string[], language: Language): string {
  const exchange = jsonOf(EXCHANGE_PHASES_SHAPE, phasesBody(phases))
  return successBody(RULES_READ, language, `{"exchange":${exchange},"symbols":[${symbols.join(',')}]}`)
}

export function symbolRulesJson(symbol: SymbolRules): string {
  return jsonOf(RULES_OF_SYMBOL, {
    symbol: symbol.name,
    status: symbol.state,
    isSpotTradingAllowed: symbol.state === 'TRADING' && symbol.isOpen,
    baseAsset: symbol.baseCode,
    baseAssetPrecision: symbol.basePrecision,
    quoteAsset: symbol.quoteCode,
    quoteAssetPrecision: symbol.quotePrecision,
    standardCommission: ratesOf({ maker: symbol.makerRate, taker: symbol.takerRate }),
    orderTypes: ORDER_TYPES,
    timeInForce: TIMES_IN_FORCE,
    orderLists: LIST_KINDS,
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    amendAllowed: true,
    cancelReplaceAllowed: true,
    allowTrailingStop: symbol.isTrailingAllowed,
    defaultSelfTradePreventionMode: symbol.selfTradeMode,
    allowedSelfTradePreventionModes: SELF_TRADE_MODES,
    filters: filtersOf(symbol),
  })
}

const TRAILING_FILTER = {
  filterType: 'TRAILING_DELTA',
  minTrailingAboveDelta: TRAILING_DELTA_MIN,
  maxTrailingAboveDelta: TRAILING_DELTA_MAX,
  minTrailingBelowDelta: TRAILING_DELTA_MIN,
  maxTrailingBelowDelta: TRAILING_DELTA_MAX,
} as const

/** The rules of a symbol in the form of filters. */
export function filtersOf(symbol: SymbolRules): readonly ValueOf<typeof FILTER>[] {
  const { priceBand, minQuantity, minTotal } = symbol
  const { tickSize, stepSize } = symbol.increments ?? { tickSize: 1, stepSize: 1 }
  const price = (ticks: number | bigint) => plainDecimal(ticks, symbol.quoteFraction)
  const quantity = (lots: number | bigint) => plainDecimal(lots, symbol.baseFraction)
  const total = (units: Amount | bigint) => plainDecimal(units, symbol.quotePrecision)
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: price(roundedUp(priceBand?.min ?? 1, tickSize)),
      maxPrice: price(roundedDown(priceBand?.max ?? UNITS_MAX, tickSize)),
      tickSize: price(tickSize),
    },
    {
      filterType: 'LOT_SIZE',
      minQty: quantity(roundedUp(Math.max(1, minQuantity), stepSize)),
      maxQty: quantity(roundedDown(UNITS_MAX, stepSize)),
      stepSize: quantity(stepSize),
    },
    {
      filterType: 'NOTIONAL',
      minNotional: total(minTotal === 0 ? 1n : minTotal),
      maxNotional: total(AMOUNT_MAX),
      stepSize: total(1n),
    },
    { filterType: 'ICEBERG_PARTS', limit: symbol.icebergPartsMax },
    ...(symbol.isTrailingAllowed ? [TRAILING_FILTER] : []),
    { filterType: 'EXPIRE_TIME', maxAheadMs: EXPIRE_TIME_AHEAD_MAX_MS },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: symbol.openOrdersMax },
    { filterType: 'MAX_NUM_PRICE_LEVELS', maxNumPriceLevels: symbol.levelsMax },
  ]
}

/** The smallest multiple of `size` that is at least `units`. It may be beyond the maximum of an order. */
function roundedUp(units: number, size: number): bigint {
  return ((BigInt(units) + BigInt(size) - 1n) / BigInt(size)) * BigInt(size)
}

function roundedDown(units: number, size: number): number {
  return units - (units % size)
}
