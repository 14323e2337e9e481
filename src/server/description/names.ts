/** What numbers stand for: of a running node its read models, of a replay what its events said. */
import type { Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'

export interface Names {
  /** The account's name; its number where it has none that is known. */
  account(id: AccountId): string
  asset(id: AssetId): Asset | undefined
  assetByCode(code: string): Asset | undefined
  symbol(id: SymbolId): TradingSymbol | undefined
  symbolByName(name: string): TradingSymbol | undefined
}
