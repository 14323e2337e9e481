/** Operations on assets and symbols. */
import type { AssetFlags, SymbolTerms } from '../../core/exchange/command.ts'
import type { Asset } from '../../core/registry/records.ts'
import type { SymbolState } from '../../units/order-words.ts'
import { decimals, NO_AMOUNT, NO_LOTS, type Rate } from '../../units/quantities.ts'
import type { AdminRequests, AdminResults, AssetFlagFields } from '../../wire/admin.ts'
import { commissionWarnings } from './commission-warning.ts'
import { type AdminContext, AdminRefusal, invalid, knownAsset, knownSymbol } from './context.ts'
import { amountOf, lotsOf, rateOf } from './decimals.ts'
import { adminAsset, adminSymbol } from './presentation.ts'
import { operatorOf, submit } from './submit.ts'

/** What a listing says nothing about. */
const DEFAULT_FLAGS: AssetFlags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }
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
    operator: operatorOf(request),
    code,
    name: request.name ?? code,
    fraction,
    flags: flagsOf(request, DEFAULT_FLAGS),
    supplyCap: supplyCap === undefined ? NO_AMOUNT : amountOf('supplyCap', supplyCap, { code, fraction }),
  })
  return adminAsset(knownAsset(context, 'code', code))
}

export async function setAsset(
  context: AdminContext,
  request: AdminRequests['asset/set'],
): Result<'asset/set'> {
  const asset = knownAsset(context, 'code', request.code)
  const flags = flagsOf(request, asset)
  await submit(context, { kind: 'SetAssetFlags', operator: operatorOf(request), code: asset.code, flags })
  return adminAsset(knownAsset(context, 'code', asset.code))
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
    operator: operatorOf(request),
    base: base.code,
    quote: quote.code,
    terms: termsOf(request, base, quote),
  })
  const symbol = knownSymbol(context, 'symbol', request.symbol)
  return { ...adminSymbol(symbol), warnings: commissionWarnings(symbol) }
}

export async function setRates(
  context: AdminContext,
  request: AdminRequests['symbol/rates'],
): Result<'symbol/rates'> {
  const { name } = knownSymbol(context, 'symbol', request.symbol)
  const takerRate = rateOf('takerRate', request.takerRate)
  const makerRate = rateOf('makerRate', request.makerRate)
  const operator = operatorOf(request)
  await submit(context, { kind: 'SetSymbolRates', operator, symbol: name, makerRate, takerRate })
  const symbol = knownSymbol(context, 'symbol', name)
  return { ...adminSymbol(symbol), warnings: commissionWarnings(symbol) }
}

/** Halts or resumes a symbol; doing it again is no error. */
export function setState(state: SymbolState) {
  return async (context: AdminContext, request: AdminRequests['symbol/halt']): Result<'symbol/halt'> => {
    const { name } = knownSymbol(context, 'symbol', request.symbol)
    await submit(context, { kind: 'SetSymbolState', operator: operatorOf(request), symbol: name, state })
    return adminSymbol(knownSymbol(context, 'symbol', name))
  }
}

function exists(reason: string, field: string, found: string): AdminRefusal {
  return new AdminRefusal(409, { reason, field, message: `${field}: ${found} is listed already` })
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
  const takerRate: Rate = rateOf('takerRate', request.takerRate ?? DEFAULT_RATE)
  const { minTotal, minQuantity } = request
  return {
    baseFraction,
    quoteFraction: decimals(request.quoteFraction),
    takerRate,
    makerRate: request.makerRate === undefined ? takerRate : rateOf('makerRate', request.makerRate),
    minTotal: minTotal === undefined ? NO_AMOUNT : amountOf('minTotal', minTotal, quote),
    minQuantity: minQuantity === undefined ? NO_LOTS : lotsOf('minQuantity', minQuantity, baseFraction),
    selfTradeMode: request.selfTradeMode ?? 'NONE',
    openOrdersMax: request.openOrdersMax ?? DEFAULT_OPEN_ORDERS_MAX,
    levelsMax: request.levelsMax ?? DEFAULT_LEVELS_MAX,
  }
}
