/** The names of numbered records: from the read models of a running node, or from the events of a replay. */
import type { Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'

export interface Names {
  /** The account's name, or its number if no name is known. */
  account(id: AccountId): string
  asset(id: AssetId): Asset | undefined
  assetByCode(code: string): Asset | undefined
  symbol(id: SymbolId): TradingSymbol | undefined
  symbolByName(name: string): TradingSymbol | undefined
}
