/**
 * What the reference exchange does with an operator's commands. Ranges of fields come from the docstrings of the
 * commands and from the limits of the vocabulary.
 */

import type { Command } from '../../src/core/exchange/command.ts'
import type {
  ListAsset,
  ListSymbol,
  SetAssetFlags,
  SetSymbolRates,
  SetSymbolState,
} from '../../src/core/exchange/commands/listings.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { Account, Asset, TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { RATE_ONE, UNITS_MAX } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { isText } from '../oracle/administered.ts'
import { administer as administerRecords } from '../oracle/administration.ts'
import { administer } from './reference-administration.ts'
import { moveMoney } from './reference-money.ts'
import type { ReferenceState } from './reference-state.ts'

type Emit = (event: ExchangeEvent) => void

/** Carries out any command that is not about orders. */
export function operate(state: ReferenceState, command: Command, emit: Emit): Reply {
  switch (command.kind) {
    case 'ListAsset':
      return listAsset(state, command, emit)
    case 'SetAssetFlags':
      return setAssetFlags(state, command, emit)
    case 'ListSymbol':
      return listSymbol(state, command, emit)
    case 'SetSymbolState':
    case 'SetSymbolRates':
      return setSymbol(state, command, emit)
    case 'CreateAccount':
    case 'CreateApiKey':
    case 'SetApiKeyEnabled':
      return administerRecords(state, command, emit)
    case 'Credit':
    case 'Debit':
    case 'MoveBetweenBuckets':
      return moveMoney(state, command, emit, false)
    case 'SetRulesVersion':
      if (command.version < state.rulesVersion) return refused('UNKNOWN_RULES_VERSION')
      if (command.version !== state.rulesVersion)
        emit({ kind: 'RulesVersionChanged', version: command.version })
      state.rulesVersion = command.version
      return DONE
    default:
      if (command.kind === 'PlaceOrder' || command.kind === 'CancelOrder') {
        throw new Error(`${command.kind} is not an operator's command`)
      }
      return administer(state, command, emit)
  }
}

function isNamedAmount(units: bigint): boolean {
  return units >= 0n && units <= AMOUNT_MAX
}

function isRate(rate: number): boolean {
  return rate >= 0 && rate < RATE_ONE
}

function isCount(count: number): boolean {
  return count >= 1 && count <= UNITS_MAX
}

function listAsset(state: ReferenceState, command: ListAsset, emit: Emit): Reply {
  const { code, name, fraction, flags, supplyCap } = command
  const isValid =
    /^[A-Z0-9]{1,16}$/.test(code) && isText(name, 1) && fraction <= 18 && isNamedAmount(bigintOf(supplyCap))
  if (!isValid) return refused('INVALID_COMMAND')
  if (state.assets.some((asset) => asset.code === code)) return refused('ASSET_EXISTS')
  const asset: Asset = { id: state.assets.length as AssetId, code, name, fraction, ...flags, supplyCap }
  state.assets.push(asset)
  emit({ kind: 'AssetChanged', asset })
  return { kind: 'AssetListed', assetId: asset.id }
}

function setAssetFlags(state: ReferenceState, { code, flags }: SetAssetFlags, emit: Emit): Reply {
  const found = state.assets.find((asset) => asset.code === code)
  if (found === undefined) return refused('UNKNOWN_ASSET')
  const asset = { ...found, ...flags }
  state.assets[asset.id] = asset
  emit({ kind: 'AssetChanged', asset })
  return DONE
}

function listSymbol(state: ReferenceState, command: ListSymbol, emit: Emit): Reply {
  const { base, quote, terms } = command
  const baseAsset = state.assets.find((asset) => asset.code === base)
  const quoteAsset = state.assets.find((asset) => asset.code === quote)
  if (baseAsset === undefined || quoteAsset === undefined) return refused('UNKNOWN_ASSET')
  const isValid =
    base !== quote &&
    terms.baseFraction <= baseAsset.fraction &&
    terms.quoteFraction <= quoteAsset.fraction &&
    isRate(terms.makerRate) &&
    isRate(terms.takerRate) &&
    isNamedAmount(bigintOf(terms.minTotal)) &&
    isCount(terms.openOrdersMax) &&
    isCount(terms.levelsMax)
  if (!isValid) return refused('INVALID_COMMAND')
  const name = `${base}/${quote}`
  if (state.symbols.some((symbol) => symbol.name === name)) return refused('SYMBOL_EXISTS')
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
  }
  state.accounts.push(account)
  state.symbols.push(symbol)
  emit({ kind: 'AccountCreated', account })
  emit({ kind: 'SymbolChanged', symbol })
  return { kind: 'SymbolListed', symbolId: symbol.id }
}

function setSymbol(state: ReferenceState, command: SetSymbolState | SetSymbolRates, emit: Emit): Reply {
  const found = state.symbols.find(({ name }) => name === command.symbol)
  if (found === undefined) return refused('UNKNOWN_SYMBOL')
  let symbol: TradingSymbol
  if (command.kind === 'SetSymbolState') {
    const isOver = found.state === 'DELISTED' && command.state !== 'DELISTED'
    if (state.isStrict && isOver) return refused('SYMBOL_DELISTED')
    const hasOrders = state.open.some((order) => order.symbol.id === found.id)
    if (command.state === 'DELISTED' && hasOrders) return refused('SYMBOL_NOT_EMPTY')
    symbol = { ...found, state: command.state }
  } else {
    const { makerRate, takerRate } = command
    if (!isRate(makerRate) || !isRate(takerRate)) return refused('INVALID_COMMAND')
    symbol = { ...found, makerRate, takerRate }
  }
  state.symbols[symbol.id] = symbol
  emit({ kind: 'SymbolChanged', symbol })
  return DONE
}
