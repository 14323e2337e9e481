/**
 * Names for ids, collected from the events of a replay from the first command: accounts, assets and symbols.
 */
import type { EventSink, ExchangeEvent } from '../../core/events/event.ts'
import type { Account, Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'

export class AuditNames {
  readonly #assetById = new Map<AssetId, Asset>()
  readonly #symbolById = new Map<SymbolId, TradingSymbol>()
  readonly #accountNameById = new Map<AccountId, string>()
  readonly #accountIdByName = new Map<string, AccountId>()

  /** `accounts`: the accounts with which every exchange begins. */
  constructor(accounts: readonly Account[]) {
    for (const account of accounts) this.#addAccount(account)
  }

  /** Receives the events. */
  readonly sink: EventSink = (event: ExchangeEvent): void => {
    switch (event.kind) {
      case 'AssetChanged':
        this.#assetById.set(event.asset.id, event.asset)
        break
      case 'SymbolChanged':
        this.#symbolById.set(event.symbol.id, event.symbol)
        break
      case 'AccountCreated':
        this.#addAccount(event.account)
        break
    }
  }

  asset(id: AssetId): Asset | undefined {
    return this.#assetById.get(id)
  }

  assetByCode(code: string): Asset | undefined {
    for (const asset of this.#assetById.values()) if (asset.code === code) return asset
    return undefined
  }

  symbol(id: SymbolId): TradingSymbol | undefined {
    return this.#symbolById.get(id)
  }

  /** The symbol's name; its number if the name is unknown. */
  symbolName(id: SymbolId): string {
    return this.#symbolById.get(id)?.name ?? `symbol ${id}`
  }

  symbolByName(name: string): TradingSymbol | undefined {
    for (const symbol of this.#symbolById.values()) if (symbol.name === name) return symbol
    return undefined
  }

  symbols(): Iterable<TradingSymbol> {
    return this.#symbolById.values()
  }

  accountId(name: string): AccountId | undefined {
    return this.#accountIdByName.get(name)
  }

  /** In the order of creation. */
  accountIds(): Iterable<AccountId> {
    return this.#accountNameById.keys()
  }

  accountNames(): string[] {
    return [...this.#accountIdByName.keys()]
  }

  /** The account's name; its number if the name is unknown. */
  account(id: AccountId): string {
    return this.#accountNameById.get(id) ?? `account ${id}`
  }

  #addAccount({ id, name }: Account): void {
    this.#accountNameById.set(id, name)
    this.#accountIdByName.set(name, id)
  }
}
