/**
 * Commands of operators on assets and symbols. The registry decides; this module turns its decision into a
 * reply and an event, and adds new assets and symbols to the ledger and the books.
 */
import type { CoreReason } from '../../units/reasons.ts'
import type { CommandOf } from '../commands/command.ts'
import type { ListingCommand } from '../commands/listings.ts'
import type { EventSink } from '../events/event.ts'
import { BINANCE_NAME_RULES } from '../exchange/rules.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import { incrementsOf } from '../registry/amendments.ts'
import type { Asset, TradingSymbol } from '../registry/records.ts'
import { isReason, type Operations } from './operations.ts'

export const LISTING_OPERATIONS: Operations<ListingCommand['kind']> = {
  ListAsset: listAsset,
  SetAssetFlags: ({ registry }, { code, flags }, emit) =>
    assetChanged(registry.setAssetFlags(code, flags), emit),
  SetAssetTerms: ({ registry }, command, emit) =>
    assetChanged(registry.amendAsset(command.code, command), emit),
  ListSymbol: listSymbol,
  SetSymbolState: setSymbolState,
  SetSymbolRates: (state, { symbol, makerRate, takerRate }, emit) =>
    symbolChanged(state, state.registry.setSymbolRates(symbol, makerRate, takerRate), emit),
  SetSymbolTerms: (state, command, emit) =>
    symbolChanged(state, state.registry.amendSymbol(command.symbol, command), emit),
  SetSymbolIncrements: (state, command, emit) => {
    const increments = incrementsOf(command)
    return symbolChanged(state, state.registry.setSymbolFields(command.symbol, { increments }), emit)
  },
}

function listAsset(state: ExchangeState, command: CommandOf<'ListAsset'>, emit: EventSink): Reply {
  const asset = state.registry.listAsset(command)
  if (isReason(asset)) return refused(asset)
  state.ledger.addAsset()
  emit({ kind: 'AssetChanged', asset })
  return { kind: 'AssetListed', assetId: asset.id }
}

function listSymbol(state: ExchangeState, command: CommandOf<'ListSymbol'>, emit: EventSink): Reply {
  const { base, quote, terms, binanceName: name } = command
  const naming = { name, isUnique: state.rulesVersion >= BINANCE_NAME_RULES }
  const listed = state.registry.listSymbol(base, quote, terms, state.time, naming)
  if (isReason(listed)) return refused(listed)
  state.ledger.addAccount()
  state.openMarket(listed.symbol)
  emit({ kind: 'AccountCreated', account: listed.roundingAccount })
  emit({ kind: 'SymbolChanged', symbol: listed.symbol })
  return { kind: 'SymbolListed', symbolId: listed.symbol.id }
}

function setSymbolState(state: ExchangeState, command: CommandOf<'SetSymbolState'>, emit: EventSink): Reply {
  const { symbol: name, state: wanted } = command
  const symbol = state.registry.symbolByName(name)
  if (symbol?.state === 'DELISTED' && wanted !== 'DELISTED') return refused('SYMBOL_DELISTED')
  const id = symbol?.id
  const isEmpty = id === undefined || state.orders.countIn(id) === 0
  if (wanted === 'DELISTED' && !isEmpty) return refused('SYMBOL_NOT_EMPTY')
  return symbolChanged(state, state.registry.setSymbolState(name, wanted), emit)
}

function assetChanged(asset: Asset | CoreReason, emit: EventSink): Reply {
  if (isReason(asset)) return refused(asset)
  emit({ kind: 'AssetChanged', asset })
  return DONE
}

function symbolChanged(state: ExchangeState, symbol: TradingSymbol | CoreReason, emit: EventSink): Reply {
  if (isReason(symbol)) return refused(symbol)
  const market = state.market(symbol.id)
  if (market !== undefined) market.symbol = symbol
  emit({ kind: 'SymbolChanged', symbol })
  return DONE
}
