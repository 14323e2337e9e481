/**
 * The rules of symbols (docs/reference/extensions.md#rules-of-symbols): what an order must fit, in the words of Binance's filters.
 * Every decimal is an exact string.
 */
import { plainDecimal } from '../units/decimal.ts'
import { AMOUNT_MAX, EXPIRE_TIME_AHEAD_MAX_MS } from '../units/limits.ts'
import {
  LIST_KINDS,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  type SymbolState,
  TIMES_IN_FORCE,
} from '../units/order-words.ts'
import {
  type Amount,
  type Decimals,
  type Lots,
  type Price,
  type Rate,
  UNITS_MAX,
} from '../units/quantities.ts'
import { ratesOf } from './account-commission.ts'
import { successBody, successHeads } from './envelope.ts'
import { phasesBody, type ShownPhases } from './exchange-phases.ts'
import type { Language } from './language.ts'

export type SymbolRules = {
  readonly name: string
  readonly state: SymbolState
  /** Both its assets may be traded, and the exchange trades. */
  readonly isOpen: boolean
  readonly baseCode: string
  readonly quoteCode: string
  /** Ledger decimals of base and quote asset. */
  readonly basePrecision: Decimals
  readonly quotePrecision: Decimals
  /** Decimals of a quantity and of a price. */
  readonly baseFraction: Decimals
  readonly quoteFraction: Decimals
  /** Absent: any price. */
  readonly priceBand?: { readonly min: Price; readonly max: Price }
  /** What prices and quantities are multiples of; absent: the smallest price and the smallest quantity. */
  readonly increments?: { readonly tickSize: Price; readonly stepSize: Lots }
  /** 0: one lot. */
  readonly minQuantity: Lots
  /** In ledger units of the quote asset; 0: one. */
  readonly minTotal: Amount
  readonly openOrdersMax: number
  readonly levelsMax: number
  readonly makerRate: Rate
  readonly takerRate: Rate
  readonly selfTradeMode: SelfTradeMode
  /** An iceberg order shows at least one of so many parts. */
  readonly icebergPartsMax: number
}

const RULES_READ = successHeads({ en: 'The rules have been read.', tr: 'Kurallar getirildi.' })

/** `symbols`: texts that `symbolRulesJson` has made. */
export function symbolRulesBody(phases: ShownPhases, symbols: readonly string[], language: Language): string {
  const exchange = JSON.stringify(phasesBody(phases))
  return successBody(RULES_READ, language, `{"exchange":${exchange},"symbols":[${symbols.join(',')}]}`)
}

export function symbolRulesJson(symbol: SymbolRules): string {
  return JSON.stringify({
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
    allowTrailingStop: false,
    defaultSelfTradePreventionMode: symbol.selfTradeMode,
    allowedSelfTradePreventionModes: SELF_TRADE_MODES,
    filters: filtersOf(symbol),
  })
}

function filtersOf(symbol: SymbolRules) {
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
    { filterType: 'EXPIRE_TIME', maxAheadMs: EXPIRE_TIME_AHEAD_MAX_MS },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: symbol.openOrdersMax },
    { filterType: 'MAX_NUM_PRICE_LEVELS', maxNumPriceLevels: symbol.levelsMax },
  ]
}

/** The smallest multiple of `size` that is at least `units`. It may be beyond what one order can have. */
function roundedUp(units: number, size: number): bigint {
  return ((BigInt(units) + BigInt(size) - 1n) / BigInt(size)) * BigInt(size)
}

function roundedDown(units: number, size: number): number {
  return units - (units % size)
}
