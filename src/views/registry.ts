/**
 * Assets, symbols, accounts, API keys and the phase of the exchange as the last batch left them: what a server needs to know who asks for what.
 */
import type { ExchangeEvent } from '../core/exchange/event.ts'
import type { Bootstrap } from '../core/exchange/view.ts'
import type { Account, ApiKey, Asset, ExchangePhases, TradingSymbol } from '../core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../units/ids.ts'
import { timeMs } from '../units/quantities.ts'

/** What readers see of the registry. Lists are in the order of listing. */
export interface RegistryView {
  /** By the exact name `<BASE>/<QUOTE>`. */
  symbolByName(name: string): TradingSymbol | undefined
  symbol(id: SymbolId): TradingSymbol | undefined
  symbols(): readonly TradingSymbol[]
  /** How often any symbol was listed or changed: as long as it is the same, so are all symbols. */
  readonly symbolChanges: number
  assetByCode(code: string): Asset | undefined
  asset(id: AssetId): Asset | undefined
  assets(): readonly Asset[]
  /** The same of assets. */
  readonly assetChanges: number
  apiKey(key: string): ApiKey | undefined
  account(id: AccountId): Account | undefined
  /** The phase of the whole exchange that was announced last, and those planned. */
  readonly phases: ExchangePhases
  /** How often they changed. */
  readonly phaseChanges: number
}

export type RegistryStart = Pick<Bootstrap, 'assets' | 'symbols' | 'accounts' | 'apiKeys' | 'phases'>

/** Where nobody has ever changed or planned a phase. */
const FIRST_PHASES: ExchangePhases = {
  current: { phase: 'TRADING', at: timeMs(0), actor: '', note: '' },
  planned: [],
}

/** A `RegistryView` that follows events. */
export class LiveRegistry implements RegistryView {
  readonly #symbols: TradingSymbol[] = []
  #symbolChanges = 0
  readonly #symbolByName = new Map<string, TradingSymbol>()
  readonly #assets: Asset[] = []
  #assetChanges = 0
  readonly #assetByCode = new Map<string, Asset>()
  /** By id: there may be millions, and a map of them takes long to fill (`npm run bench -- recovery`). */
  readonly #accounts: Account[] = []
  readonly #apiKeyByText = new Map<string, ApiKey>()
  #phases = FIRST_PHASES
  #phaseChanges = 0

  constructor(start: RegistryStart) {
    this.restart(start)
  }

  /** Begins again from a later state. Nothing of the registry ever goes, so what is there is written over. */
  restart(start: RegistryStart): void {
    for (const asset of start.assets) this.#putAsset(asset)
    for (const symbol of start.symbols) this.#putSymbol(symbol)
    for (const account of start.accounts) this.#accounts[account.id] = account
    for (const apiKey of start.apiKeys) this.#apiKeyByText.set(apiKey.apiKey, apiKey)
    this.#putPhases(start.phases ?? FIRST_PHASES)
  }

  /** Takes over what an event says of the registry; other events change nothing. */
  apply(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'AssetChanged':
        this.#putAsset(event.asset)
        break
      case 'SymbolChanged':
        this.#putSymbol(event.symbol)
        break
      case 'AccountCreated':
      case 'AccountChanged':
        this.#accounts[event.account.id] = event.account
        break
      case 'ApiKeyChanged':
        this.#apiKeyByText.set(event.apiKey.apiKey, event.apiKey)
        break
      case 'PhasesChanged':
        this.#putPhases(event.phases)
        break
      default:
        break
    }
  }

  symbolByName(name: string): TradingSymbol | undefined {
    return this.#symbolByName.get(name)
  }

  symbol(id: SymbolId): TradingSymbol | undefined {
    return this.#symbols[id]
  }

  get symbolChanges(): number {
    return this.#symbolChanges
  }

  symbols(): readonly TradingSymbol[] {
    return this.#symbols
  }

  assetByCode(code: string): Asset | undefined {
    return this.#assetByCode.get(code)
  }

  asset(id: AssetId): Asset | undefined {
    return this.#assets[id]
  }

  assets(): readonly Asset[] {
    return this.#assets
  }

  get assetChanges(): number {
    return this.#assetChanges
  }

  apiKey(key: string): ApiKey | undefined {
    return this.#apiKeyByText.get(key)
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts[id]
  }

  get phases(): ExchangePhases {
    return this.#phases
  }

  get phaseChanges(): number {
    return this.#phaseChanges
  }

  #putPhases(phases: ExchangePhases): void {
    this.#phases = phases
    this.#phaseChanges++
  }

  #putAsset(asset: Asset): void {
    this.#assets[asset.id] = asset
    this.#assetChanges++
    this.#assetByCode.set(asset.code, asset)
  }

  #putSymbol(symbol: TradingSymbol): void {
    this.#symbols[symbol.id] = symbol
    this.#symbolChanges++
    this.#symbolByName.set(symbol.name, symbol)
  }
}
