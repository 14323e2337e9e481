/** Operations on assets and symbols. */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AssetFlagFields } from '../../../contract/admin/operations/listings.ts'
import type { AdminReason } from '../../../contract/reasons/catalogue.ts'
import type { AssetAmendment } from '../../../core/registry/amendments.ts'
import type { Asset, TradingSymbol } from '../../../core/registry/records.ts'
import type { AssetFlags, SymbolTerms } from '../../../core/registry/terms.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { alikeWarnings } from '../../../units/names.ts'
import type { SymbolState } from '../../../units/order-enums.ts'
import {
  type Amount,
  decimals,
  NO_AMOUNT,
  NO_LOTS,
  type Price,
  type Rate,
} from '../../../units/quantities.ts'
import { namesLike } from '../../../views/look-alikes.ts'
import {
  type AdminContext,
  AdminRequestError,
  invalid,
  knownAsset,
  knownSymbol,
  mayRead,
  requireOwnToken,
  warned,
} from '../context.ts'
import { adminAsset, adminSymbol } from '../presentation.ts'
import { operatorOf, submit } from '../submit.ts'
import { commissionWarnings } from './commission-warning.ts'
import { amountOf, lotsOf, priceOf, rateOf } from './decimals.ts'
import { orderSizes, requirePlaceable, requireWholeUnit } from './order-sizes.ts'

/** Defaults of options that a listing leaves out. */
const DEFAULT_FLAGS: AssetFlags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }
const NO_PRICE = 0 as Price
const DEFAULT_RATE = '0.001'
const DEFAULT_OPEN_ORDERS_MAX = 10_000
const DEFAULT_LEVELS_MAX = 100_000

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function addAsset(
  context: AdminContext,
  request: AdminRequests['asset/add'],
): Result<'asset/add'> {
  const { code } = request
  if (context.registry.assetByCode(code) !== undefined) throw exists('ASSET_EXISTS', 'code', code)
  const fraction = decimals(request.fraction)
  const { supplyCap } = request
  await submit(context, {
    kind: 'ListAsset',
    operator: operatorOf(context, request),
    code,
    name: request.name ?? code,
    fraction,
    flags: flagsOf(request, DEFAULT_FLAGS),
    supplyCap: supplyCap === undefined ? NO_AMOUNT : amountOf('supplyCap', supplyCap, { code, fraction }),
  })
  const listed = knownAsset(context, 'code', code)
  const codes = namesLike(
    code,
    context.registry.assets().map((asset) => asset.code),
  )
  return { ...adminAsset(listed), ...warned(alikeWarnings('asset', codes, mayRead(context, 'read'))) }
}

/**
 * Changes the given fields; the others keep their values. Flags and terms are two commands; a command without
 * given fields is not sent.
 */
export async function setAsset(
  context: AdminContext,
  request: AdminRequests['asset/set'],
): Result<'asset/set'> {
  const asset = knownAsset(context, 'code', request.code)
  const { code } = asset
  const operator = operatorOf(context, request)
  const terms = assetTermsOf(request, asset)
  if (terms !== undefined && terms.approvalAbove !== (asset.approvalAbove ?? NO_AMOUNT)) {
    requireOwnToken(context, 'changing an approval threshold')
  }
  if (terms !== undefined) await submit(context, { kind: 'SetAssetTerms', operator, code, ...terms })
  const { isDeposit, isWithdraw, isTrade, isSaving } = request
  const hasFlags = [isDeposit, isWithdraw, isTrade, isSaving].some((flag) => flag !== undefined)
  if (hasFlags || terms === undefined) {
    await submit(context, { kind: 'SetAssetFlags', operator, code, flags: flagsOf(request, asset) })
  }
  return adminAsset(knownAsset(context, 'code', code))
}

/** The new terms; undefined if the request has none of their fields. */
function assetTermsOf(request: AdminRequests['asset/set'], asset: Asset): AssetAmendment | undefined {
  const { name, supplyCap, creditMax, approvalAbove } = request
  if ([name, supplyCap, creditMax, approvalAbove].every((one) => one === undefined)) return undefined
  const sum = (field: string, text: string | undefined, now: Amount) =>
    text === undefined ? now : amountOf(field, text, asset)
  return {
    name: name ?? asset.name,
    supplyCap: sum('supplyCap', supplyCap, asset.supplyCap),
    creditMax: sum('creditMax', creditMax, asset.creditMax ?? NO_AMOUNT),
    approvalAbove: sum('approvalAbove', approvalAbove, asset.approvalAbove ?? NO_AMOUNT),
  }
}

export async function addSymbol(
  context: AdminContext,
  request: AdminRequests['symbol/add'],
): Result<'symbol/add'> {
  const [baseCode = '', quoteCode = ''] = request.symbol.split('/')
  if (context.registry.symbolByName(request.symbol)) throw exists('SYMBOL_EXISTS', 'symbol', request.symbol)
  const base = knownAsset(context, 'symbol', baseCode)
  const quote = knownAsset(context, 'symbol', quoteCode)
  if (base === quote) throw invalid('symbol', 'expected two different assets')
  await submit(context, {
    kind: 'ListSymbol',
    operator: operatorOf(context, request),
    base: base.code,
    quote: quote.code,
    terms: termsOf(request, base, quote),
    binanceName: request.binanceName,
  })
  const symbol = knownSymbol(context, 'symbol', request.symbol)
  return { ...adminSymbol(symbol), warnings: commissionWarnings(symbol), sizes: orderSizes(symbol) }
}

export async function setRates(
  context: AdminContext,
  request: AdminRequests['symbol/rates'],
): Result<'symbol/rates'> {
  const { name, ...known } = knownSymbol(context, 'symbol', request.symbol)
  const takerRate = request.takerRate === undefined ? known.takerRate : rateOf('takerRate', request.takerRate)
  const makerRate = request.makerRate === undefined ? known.makerRate : rateOf('makerRate', request.makerRate)
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'SetSymbolRates', operator, symbol: name, makerRate, takerRate })
  const symbol = knownSymbol(context, 'symbol', name)
  return { ...adminSymbol(symbol), warnings: commissionWarnings(symbol) }
}

/** Changes the given fields of a symbol's terms; the others keep their values. */
export async function setSymbol(
  context: AdminContext,
  request: AdminRequests['symbol/set'],
): Result<'symbol/set'> {
  const symbol = knownSymbol(context, 'symbol', request.symbol)
  const { minTotal, minQuantity } = request
  const quote = { code: symbol.quoteCode, fraction: symbol.quotePrecision }
  const leastTotal = minTotal === undefined ? symbol.minTotal : amountOf('minTotal', minTotal, quote)
  const leastQuantity =
    minQuantity === undefined ? symbol.minQuantity : lotsOf('minQuantity', minQuantity, symbol.baseFraction)
  const band = bandOf(request, symbol)
  const priceBand = band.maxPrice > 0 ? { min: band.minPrice, max: band.maxPrice } : undefined
  requirePlaceable({ ...symbol, minTotal: leastTotal, minQuantity: leastQuantity, priceBand }, request)
  await submit(context, {
    kind: 'SetSymbolTerms',
    operator: operatorOf(context, request),
    symbol: symbol.name,
    minTotal: leastTotal,
    minQuantity: leastQuantity,
    selfTradeMode: request.selfTradeMode ?? symbol.selfTradeMode,
    openOrdersMax: request.openOrdersMax ?? symbol.openOrdersMax,
    levelsMax: request.levelsMax ?? symbol.levelsMax,
    ...band,
  })
  const changed = knownSymbol(context, 'symbol', symbol.name)
  return { ...adminSymbol(changed), warnings: commissionWarnings(changed) }
}

/** Both ends of the price band, or neither; both are 0 for any price. */
function bandOf(request: AdminRequests['symbol/set'], symbol: TradingSymbol) {
  const { minPrice, maxPrice } = request
  if (minPrice === undefined && maxPrice === undefined) {
    return { minPrice: symbol.priceBand?.min ?? NO_PRICE, maxPrice: symbol.priceBand?.max ?? NO_PRICE }
  }
  if (minPrice === undefined)
    throw invalid('minPrice', 'expected together with maxPrice: a price band has two limits')
  if (maxPrice === undefined)
    throw invalid('maxPrice', 'expected together with minPrice: a price band has two limits')
  const min = priceOf('minPrice', minPrice, symbol.quoteFraction)
  const max = priceOf('maxPrice', maxPrice, symbol.quoteFraction)
  if (min === 0 && max > 0)
    throw invalid('minPrice', 'expected more than 0, or 0 for both to have no price band')
  if (max < min) throw invalid('maxPrice', `expected at least ${minPrice}, found ${maxPrice}`)
  const tickSize = symbol.increments?.tickSize ?? 1
  if (max > 0 && Math.floor(max / tickSize) * tickSize < min) {
    const tick = plainDecimal(tickSize, symbol.quoteFraction)
    throw invalid(
      'maxPrice',
      `expected a price band with a multiple of the tick size ${tick}, found ${minPrice} to ${maxPrice}`,
    )
  }
  return { minPrice: min, maxPrice: max }
}

/** Sets the state of a symbol; a repeat is not an error. */
export function setState(state: SymbolState) {
  return async (context: AdminContext, request: AdminRequests['symbol/halt']): Result<'symbol/halt'> => {
    const { name } = knownSymbol(context, 'symbol', request.symbol)
    await submit(context, {
      kind: 'SetSymbolState',
      operator: operatorOf(context, request),
      symbol: name,
      state,
    })
    return adminSymbol(knownSymbol(context, 'symbol', name))
  }
}

function exists(reason: AdminReason, field: string, found: string): AdminRequestError {
  return new AdminRequestError(reason, { field, message: `${field}: ${found} is listed already` })
}

function flagsOf(request: AssetFlagFields, otherwise: AssetFlags): AssetFlags {
  return {
    isDeposit: request.isDeposit ?? otherwise.isDeposit,
    isWithdraw: request.isWithdraw ?? otherwise.isWithdraw,
    isTrade: request.isTrade ?? otherwise.isTrade,
    isSaving: request.isSaving ?? otherwise.isSaving,
  }
}

function termsOf(request: AdminRequests['symbol/add'], base: Asset, quote: Asset): SymbolTerms {
  if (request.baseFraction > base.fraction) {
    throw invalid('baseFraction', `expected at most the ${base.fraction} decimals of ${base.code}`)
  }
  if (request.quoteFraction > quote.fraction) {
    throw invalid('quoteFraction', `expected at most the ${quote.fraction} decimals of ${quote.code}`)
  }
  const baseFraction = decimals(request.baseFraction)
  const quoteFraction = decimals(request.quoteFraction)
  requireWholeUnit({ baseFraction, quoteFraction }, base.code)
  const takerRate: Rate = rateOf('takerRate', request.takerRate ?? DEFAULT_RATE)
  const { minTotal, minQuantity } = request
  const leastTotal = minTotal === undefined ? NO_AMOUNT : amountOf('minTotal', minTotal, quote)
  const leastQuantity = minQuantity === undefined ? NO_LOTS : lotsOf('minQuantity', minQuantity, baseFraction)
  const fractions = { baseFraction, quoteFraction, quotePrecision: quote.fraction }
  const sizes = { minTotal: leastTotal, minQuantity: leastQuantity }
  requirePlaceable({ ...fractions, ...sizes, priceBand: undefined, increments: undefined }, request)
  return {
    baseFraction,
    quoteFraction,
    takerRate,
    makerRate: request.makerRate === undefined ? takerRate : rateOf('makerRate', request.makerRate),
    ...sizes,
    selfTradeMode: request.selfTradeMode ?? 'NONE',
    openOrdersMax: request.openOrdersMax ?? DEFAULT_OPEN_ORDERS_MAX,
    levelsMax: request.levelsMax ?? DEFAULT_LEVELS_MAX,
  }
}
