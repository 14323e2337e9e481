/** Applies an operator's command about assets, symbols and the version of the rules. */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Account, Asset, TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../../src/units/ids.ts'
import { RATE_ONE, UNITS_MAX } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { type Administered, areAmounts, type Emit, isText, type Of, stripped } from './administered.ts'

const CODE = /^[A-Z0-9]{1,16}$/
const FRACTION_MOST = 18
/** From these rules on, symbols have names for clients of Binance. */
const BINANCE_NAME_RULES = 22
const BINANCE_NAME = /^[0-9A-Z]{1,32}$/

export function listAsset(state: Administered, command: Of<'ListAsset'>, emit: Emit): Reply {
  const { code, name, fraction, flags, supplyCap } = command
  const isValid = CODE.test(code) && isText(name, 1) && fraction <= FRACTION_MOST && areAmounts(supplyCap)
  if (!isValid) return refused('INVALID_COMMAND')
  if (assetOf(state, code) !== undefined) return refused('ASSET_EXISTS')
  const asset: Asset = { id: state.assets.length as AssetId, code, name, fraction, ...flags, supplyCap }
  putAsset(state, asset, emit)
  return { kind: 'AssetListed', assetId: asset.id }
}

export function changeAsset(
  state: Administered,
  command: Of<'SetAssetFlags' | 'SetAssetTerms'>,
  emit: Emit,
): Reply {
  const before = assetOf(state, command.code)
  if (before === undefined) return refused('UNKNOWN_ASSET')
  const change = command.kind === 'SetAssetFlags' ? command.flags : assetTerms(command)
  if (change === undefined) return refused('INVALID_COMMAND')
  putAsset(state, stripped({ ...before, ...change }), emit)
  return DONE
}

/** 0 removes a limit. */
function assetTerms({ name, supplyCap, creditMax, approvalAbove }: Of<'SetAssetTerms'>): object | undefined {
  if (!isText(name, 1) || !areAmounts(supplyCap, creditMax, approvalAbove)) return undefined
  return { name, supplyCap, creditMax: creditMax || undefined, approvalAbove: approvalAbove || undefined }
}

export function putAsset({ assets }: Administered, asset: Asset, emit: Emit): void {
  assets[asset.id] = asset
  emit({ kind: 'AssetChanged', asset })
}

/** The house's rounding account of the symbol is opened with it. */
export function listSymbol(state: Administered, command: Of<'ListSymbol'>, emit: Emit): Reply {
  const { base, quote, terms, binanceName: given } = command
  const hasNames = state.rulesVersion >= BINANCE_NAME_RULES
  if (given !== undefined && !hasNames) return refused('RULES_VERSION_TOO_LOW')
  const baseAsset = assetOf(state, base)
  const quoteAsset = assetOf(state, quote)
  if (baseAsset === undefined || quoteAsset === undefined) return refused('UNKNOWN_ASSET')
  const isValid =
    base !== quote &&
    terms.baseFraction <= baseAsset.fraction &&
    terms.quoteFraction <= quoteAsset.fraction &&
    areRates(terms) &&
    areAmounts(terms.minTotal) &&
    areCounts(terms) &&
    (given === undefined || BINANCE_NAME.test(given))
  if (!isValid) return refused('INVALID_COMMAND')
  const name = `${base}/${quote}`
  if (symbolOf(state, name) !== undefined) return refused('SYMBOL_EXISTS')
  const joined = `${base}${quote}`
  const isTaken = state.symbols.some((other) => nameForBinance(other) === (given ?? joined))
  if (hasNames && isTaken) return refused('BINANCE_NAME_TAKEN')
  const account: Account = {
    id: state.accounts.length as AccountId,
    name: `rounding:${name}`,
    role: 'rounding',
    createdAt: state.time,
  }
  const symbol: TradingSymbol = {
    id: state.symbols.length as SymbolId,
    name,
    base: baseAsset.id,
    quote: quoteAsset.id,
    baseCode: base,
    quoteCode: quote,
    basePrecision: baseAsset.fraction,
    quotePrecision: quoteAsset.fraction,
    ...terms,
    state: 'TRADING',
    roundingAccountId: account.id,
    ...(given === undefined || given === joined ? {} : { binanceName: given }),
  }
  state.accounts.push(account)
  emit({ kind: 'AccountCreated', account })
  putSymbol(state, symbol, emit)
  return { kind: 'SymbolListed', symbolId: symbol.id }
}

/**
 * The name is that of the symbol without the slash (BTC/USDT is BTCUSDT), unless the symbol was listed under
 * another name.
 */
function nameForBinance({ binanceName, name }: TradingSymbol): string {
  return binanceName ?? name.replace('/', '')
}

type SymbolChange = Of<'SetSymbolState' | 'SetSymbolRates' | 'SetSymbolTerms' | 'SetSymbolIncrements'>

export function changeSymbol(state: Administered, command: SymbolChange, emit: Emit): Reply {
  const before = symbolOf(state, command.symbol)
  if (before === undefined) return refused('UNKNOWN_SYMBOL')
  const change = changeOf(state, before, command)
  if (typeof change === 'string') return refused(change)
  putSymbol(state, stripped({ ...before, ...change }), emit)
  return DONE
}

function changeOf(state: Administered, before: TradingSymbol, command: SymbolChange): object | CoreReason {
  switch (command.kind) {
    case 'SetSymbolState': {
      const isOver = before.state === 'DELISTED' && command.state !== 'DELISTED'
      if (isOver) return 'SYMBOL_DELISTED'
      if (command.state === 'DELISTED' && state.hasOpenOrders(before.id)) return 'SYMBOL_NOT_EMPTY'
      return { state: command.state }
    }
    case 'SetSymbolRates': {
      const { makerRate, takerRate } = command
      return areRates(command) ? { makerRate, takerRate } : 'INVALID_COMMAND'
    }
    case 'SetSymbolTerms': {
      const { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax } = command
      const { minPrice: min, maxPrice: max } = command
      const isBand = (min === 0 && max === 0) || (min >= 1 && max >= min)
      if (!areAmounts(minTotal) || !areCounts(command) || !isBand) return 'INVALID_COMMAND'
      const priceBand = max > 0 ? { min, max } : undefined
      if (!isTradedOnTick(priceBand, before.increments?.tickSize)) return 'INVALID_COMMAND'
      return { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax, priceBand }
    }
    case 'SetSymbolIncrements': {
      const { tickSize, stepSize } = command
      const areSizes = [tickSize, stepSize].every((size) => size >= 1 && size <= UNITS_MAX)
      if (!areSizes || !isTradedOnTick(before.priceBand, tickSize)) return 'INVALID_COMMAND'
      return { increments: tickSize === 1 && stepSize === 1 ? undefined : { tickSize, stepSize } }
    }
  }
}

/** If the symbol has a price range, at least one price in it must be a multiple of the tick. */
function isTradedOnTick(band: TradingSymbol['priceBand'], tick = 1): boolean {
  return band === undefined || Math.ceil(band.min / tick) * tick <= band.max
}

function putSymbol({ symbols }: Administered, symbol: TradingSymbol, emit: Emit): void {
  symbols[symbol.id] = symbol
  emit({ kind: 'SymbolChanged', symbol })
}

/** The version never falls; setting the same version again changes nothing. */
export function setRulesVersion(state: Administered, { version }: Of<'SetRulesVersion'>, emit: Emit): Reply {
  if (version < state.rulesVersion) return refused('UNKNOWN_RULES_VERSION')
  if (version !== state.rulesVersion) emit({ kind: 'RulesVersionChanged', version })
  state.rulesVersion = version
  return DONE
}

export function assetOf({ assets }: Administered, code: string): Asset | undefined {
  return assets.find((asset) => asset.code === code)
}

function symbolOf({ symbols }: Administered, name: string): TradingSymbol | undefined {
  return symbols.find((symbol) => symbol.name === name)
}

function areRates(rates: { readonly makerRate: number; readonly takerRate: number }): boolean {
  return [rates.makerRate, rates.takerRate].every((rate) => rate >= 0 && rate < RATE_ONE)
}

function areCounts(counts: { readonly openOrdersMax: number; readonly levelsMax: number }): boolean {
  return [counts.openOrdersMax, counts.levelsMax].every((count) => count >= 1 && count <= UNITS_MAX)
}
