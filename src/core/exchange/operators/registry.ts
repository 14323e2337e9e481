/**
 * The operator's commands that change who and what the exchange knows. The registry decides; here its answer
 * becomes a reply and an event, and the ledger and the books learn of what is new.
 */
import type { CoreReason } from '../../../units/reasons.ts'
import type { Account, ApiKey, Asset, TradingSymbol } from '../../registry/records.ts'
import type {
  CreateAccount,
  CreateApiKey,
  ListAsset,
  ListSymbol,
  SetApiKeyEnabled,
  SetAssetFlags,
  SetSymbolRates,
  SetSymbolState,
} from '../command.ts'
import type { EventSink } from '../event.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'

export function listAsset(state: ExchangeState, command: ListAsset, emit: EventSink): Reply {
  const asset = state.registry.listAsset(command)
  if (isReason(asset)) return refused(asset)
  state.ledger.addAsset()
  emit({ kind: 'AssetChanged', asset })
  return { kind: 'AssetListed', assetId: asset.id }
}

export function setAssetFlags(state: ExchangeState, command: SetAssetFlags, emit: EventSink): Reply {
  return assetChanged(state.registry.setAssetFlags(command.code, command.flags), emit)
}

export function listSymbol(state: ExchangeState, command: ListSymbol, emit: EventSink): Reply {
  const listed = state.registry.listSymbol(command.base, command.quote, command.terms, state.time)
  if (isReason(listed)) return refused(listed)
  state.ledger.addAccount()
  state.openMarket(listed.symbol)
  emit({ kind: 'AccountCreated', account: listed.roundingAccount })
  emit({ kind: 'SymbolChanged', symbol: listed.symbol })
  return { kind: 'SymbolListed', symbolId: listed.symbol.id }
}

export function setSymbolState(state: ExchangeState, command: SetSymbolState, emit: EventSink): Reply {
  const { symbol: name, state: wanted } = command
  const id = state.registry.symbolByName(name)?.id
  const book = id === undefined ? undefined : state.market(id)?.book
  const isEmpty = book === undefined || book.levelCount('BUY') + book.levelCount('SELL') === 0
  if (wanted === 'DELISTED' && !isEmpty) return refused('SYMBOL_NOT_EMPTY')
  return symbolChanged(state, state.registry.setSymbolState(name, wanted), emit)
}

export function setSymbolRates(state: ExchangeState, command: SetSymbolRates, emit: EventSink): Reply {
  const { symbol, makerRate, takerRate } = command
  return symbolChanged(state, state.registry.setSymbolRates(symbol, makerRate, takerRate), emit)
}

export function createAccount(state: ExchangeState, command: CreateAccount, emit: EventSink): Reply {
  const account = state.registry.addAccount(command.name, state.time)
  if (isReason(account)) return refused(account)
  state.ledger.addAccount()
  emit({ kind: 'AccountCreated', account })
  return { kind: 'AccountOpened', accountId: account.id }
}

export function createApiKey(state: ExchangeState, command: CreateApiKey, emit: EventSink): Reply {
  return apiKeyChanged(state.registry.addApiKey({ ...command, createdAt: state.time }), emit)
}

export function setApiKeyEnabled(state: ExchangeState, command: SetApiKeyEnabled, emit: EventSink): Reply {
  return apiKeyChanged(state.registry.setApiKeyEnabled(command.apiKey, command.enabled), emit)
}

export function assetChanged(asset: Asset | CoreReason, emit: EventSink): Reply {
  if (isReason(asset)) return refused(asset)
  emit({ kind: 'AssetChanged', asset })
  return DONE
}

export function symbolChanged(
  state: ExchangeState,
  symbol: TradingSymbol | CoreReason,
  emit: EventSink,
): Reply {
  if (isReason(symbol)) return refused(symbol)
  const market = state.market(symbol.id)
  if (market !== undefined) market.symbol = symbol
  emit({ kind: 'SymbolChanged', symbol })
  return DONE
}

export function apiKeyChanged(apiKey: ApiKey | CoreReason, emit: EventSink): Reply {
  if (isReason(apiKey)) return refused(apiKey)
  emit({ kind: 'ApiKeyChanged', apiKey })
  return DONE
}

function isReason(
  answer: CoreReason | Asset | TradingSymbol | Account | ApiKey | object,
): answer is CoreReason {
  return typeof answer === 'string'
}
