/** Symbols and the filters that orders must pass: exactly those that are enforced. */
import { filtersOf } from '../../../contract/api/symbol-rules.ts'
import { TRAILING_RULES } from '../../../core/exchange/rules.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { ICEBERG_PARTS_MAX } from '../../../core/trading/iceberg.ts'
import { SELF_TRADE_MODES } from '../../../units/order-enums.ts'
import type { LimitsConfig } from '../../access/limits/limits-config.ts'
import { paddedText } from '../wire/padded.ts'
import { WireError } from '../wire/wire-error.ts'
import type { WireAnswer, WireCall } from '../wire-call.ts'
import { askedSymbols } from './some-symbols.ts'
import { statusOf } from './symbol-status.ts'

/** Types of orders that can be placed on this wire. */
const ORDER_TYPES = ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT'] as const
const TAKE_PROFITS = ['TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const

const MINUTE_MS = 60_000
const INTERVALS = [
  { ms: 24 * 60 * MINUTE_MS, interval: 'DAY' },
  { ms: MINUTE_MS, interval: 'MINUTE' },
  { ms: 1_000, interval: 'SECOND' },
] as const

export function exchangeInfo(wireCall: WireCall): WireAnswer {
  const { call, symbols, limits } = wireCall
  const asked = askedSymbols(wireCall)
  if (asked instanceof WireError) return asked
  const hasSets = wireCall.parameters.get('showPermissionSets') !== 'false'
  return JSON.stringify({
    timezone: 'UTC',
    serverTime: call.serverTime,
    rateLimits: rateLimitsOf(limits),
    exchangeFilters: [],
    symbols: asked.symbols.map((symbol) => ({
      ...symbolInfo(symbol, symbols.registry.rulesVersion >= TRAILING_RULES),
      status: statusOf(symbol, symbols.registry),
      isSpotTradingAllowed: statusOf(symbol, symbols.registry) === 'TRADING',
      permissionSets: hasSets ? [['SPOT']] : undefined,
    })),
  })
}

export function rateLimitsOf(limits: LimitsConfig) {
  const weight = {
    rateLimitType: 'REQUEST_WEIGHT',
    interval: 'MINUTE',
    intervalNum: 1,
    limit: limits.weightPerMinuteMax,
  }
  const orders = limits.orderWindows.map(({ windowMs, ordersMax }) => {
    const { ms, interval } = INTERVALS.find((each) => windowMs % each.ms === 0) ?? INTERVALS[2]
    return { rateLimitType: 'ORDERS', interval, intervalNum: windowMs / ms, limit: ordersMax }
  })
  return [weight, ...orders]
}

const known = new WeakMap<TradingSymbol, ReturnType<typeof madeInfo>>()

/** Cached by the symbol's record, which is replaced at each change of the symbol. */
function symbolInfo(symbol: TradingSymbol, isTrailingAllowed: boolean) {
  const before = known.get(symbol)
  if (before?.allowTrailingStop === isTrailingAllowed) return before
  const info = madeInfo(symbol, isTrailingAllowed)
  known.set(symbol, info)
  return info
}

/**
 * Apart from trailing stops, order types and permissions are the same under every rules version from
 * `RULES_MIN` on.
 */
function madeInfo(symbol: TradingSymbol, isTrailingAllowed: boolean) {
  const { basePrecision, quotePrecision } = symbol
  return {
    symbol: binanceNameOf(symbol),
    status: '',
    baseAsset: symbol.baseCode,
    baseAssetPrecision: basePrecision,
    quoteAsset: symbol.quoteCode,
    quotePrecision,
    quoteAssetPrecision: quotePrecision,
    baseCommissionPrecision: basePrecision,
    quoteCommissionPrecision: quotePrecision,
    orderTypes: [...ORDER_TYPES, ...TAKE_PROFITS],
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: isTrailingAllowed,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: false,
    isMarginTradingAllowed: false,
    filters: wireFilters(symbol, isTrailingAllowed),
    permissions: [],
    permissionSets: undefined as readonly (readonly string[])[] | undefined,
    defaultSelfTradePreventionMode: symbol.selfTradeMode,
    allowedSelfTradePreventionModes: SELF_TRADE_MODES,
  }
}

function wireFilters(symbol: TradingSymbol, isTrailingAllowed: boolean) {
  const filters = filtersOf({
    ...symbol,
    isOpen: true,
    isTrailingAllowed,
    icebergPartsMax: ICEBERG_PARTS_MAX,
  })
  return filters.flatMap(wireFilter)
}

function wireFilter(filter: ReturnType<typeof filtersOf>[number]): readonly object[] {
  switch (filter.filterType) {
    case 'PRICE_FILTER': {
      const { minPrice, maxPrice, tickSize } = filter
      const prices = { minPrice: paddedText(minPrice), maxPrice: paddedText(maxPrice) }
      return [{ filterType: 'PRICE_FILTER', ...prices, tickSize: paddedText(tickSize) }]
    }
    case 'LOT_SIZE': {
      const { minQty, maxQty, stepSize } = filter
      const quantities = { minQty: paddedText(minQty), maxQty: paddedText(maxQty) }
      return [{ filterType: 'LOT_SIZE', ...quantities, stepSize: paddedText(stepSize) }]
    }
    case 'NOTIONAL': {
      const minNotional = paddedText(filter.minNotional)
      const maxNotional = paddedText(filter.maxNotional)
      const min = { minNotional, applyMinToMarket: true }
      return [{ filterType: 'NOTIONAL', ...min, maxNotional, applyMaxToMarket: true, avgPriceMins: 0 }]
    }
    case 'ICEBERG_PARTS':
    case 'TRAILING_DELTA':
    case 'MAX_NUM_ORDERS':
      return [filter]
    // Binance has no filters for these two.
    case 'EXPIRE_TIME':
    case 'MAX_NUM_PRICE_LEVELS':
      return []
  }
}
