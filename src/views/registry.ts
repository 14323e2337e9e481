/**
 * Assets, symbols, accounts, API keys and the phase of the exchange as of the last batch: the data with which
 * a server identifies the caller and the subject of a request.
 */
import type { ExchangeEvent } from '../core/events/event.ts'
import { FIRST_RULES_VERSION, KEY_NUMBER_RULES } from '../core/exchange/rules.ts'
import type { Bootstrap } from '../core/questions/view.ts'
import type { Account, ApiKey, Asset, ExchangePhases, TradingSymbol } from '../core/registry/records.ts'
import type { AccountId, AssetId, KeyNumber, SymbolId } from '../units/ids.ts'
import { timeMs } from '../units/quantities.ts'
import { NumberedKeys } from './numbered-keys.ts'

/** The registry for readers. Lists are in the order of listing. */
export interface RegistryView {
  /** By the exact name `<BASE>/<QUOTE>`. */
  symbolByName(name: string): TradingSymbol | undefined
  symbol(id: SymbolId): TradingSymbol | undefined
  symbols(): readonly TradingSymbol[]
  /** Number of listings and changes of symbols: while it is unchanged, all symbols are. */
  readonly symbolChanges: number
  assetByCode(code: string): Asset | undefined
  asset(id: AssetId): Asset | undefined
  assets(): readonly Asset[]
  /** Number of listings and changes of assets: while it is unchanged, all assets are. */
  readonly assetChanges: number
  /** A key of any wire, for operators: requests are authorized by `keyAt`. */
  apiKey(key: string): ApiKey | undefined
  /** The number of a key in its account; undefined if it is not in the registry (a customer's session). */
  keyNumber(key: string): KeyNumber | undefined
  /** The key's number as stored in a new order: also undefined under rules before `KEY_NUMBER_RULES`. */
  placingKey(key: string): KeyNumber | undefined
  /**
   * How an order shows the key that placed it: its present label, or `#` and its number, even for a key that
   * was removed from its account. Undefined for an order without a key.
   */
  keyName(accountId: AccountId, number: KeyNumber | undefined): string | undefined
  account(id: AccountId): Account | undefined
  /** The rules version in force. */
  readonly rulesVersion: number
  /** The last announced phase of the whole exchange, and the planned ones. */
  readonly phases: ExchangePhases
  /** Number of changes of the phases. */
  readonly phaseChanges: number
}

export type RegistryStart = Pick<Bootstrap, 'assets' | 'symbols' | 'accounts' | 'apiKeys' | 'phases'> &
  Partial<Pick<Bootstrap, 'rulesVersion'>>

/** The phases in force until the first change or plan. */
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
  /** By id: there may be millions, and filling a map with them takes long (`npm run bench -- recovery`). */
  readonly #accounts: Account[] = []
  #keys = new NumberedKeys()
  #rulesVersion = FIRST_RULES_VERSION
  #phases = FIRST_PHASES
  #phaseChanges = 0

  constructor(start: RegistryStart) {
    this.restart(start)
  }

  /**
   * Restarts from a later state. Records of the registry are never removed, so the existing ones are
   * overwritten, except for keys, which may have been removed from their accounts.
   */
  restart(start: RegistryStart): void {
    for (const asset of start.assets) this.#putAsset(asset)
    for (const symbol of start.symbols) this.#putSymbol(symbol)
    for (const account of start.accounts) this.#accounts[account.id] = account
    this.#keys = new NumberedKeys()
    for (const apiKey of start.apiKeys) this.#keys.put(apiKey)
    this.#rulesVersion = start.rulesVersion ?? this.#rulesVersion
    this.#putPhases(start.phases ?? FIRST_PHASES)
  }

  /** Applies an event about the registry; other events change nothing. */
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
        this.#keys.put(event.apiKey)
        break
      case 'ApiKeyRemoved':
        this.#keys.remove(event.apiKey)
        break
      case 'RulesVersionChanged':
        this.#rulesVersion = event.version
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
    return this.#keys.get(key)
  }

  keyNumber(key: string): KeyNumber | undefined {
    return this.#keys.numberOf(key)
  }

  placingKey(key: string): KeyNumber | undefined {
    return this.#rulesVersion < KEY_NUMBER_RULES ? undefined : this.#keys.numberOf(key)
  }

  keyName(accountId: AccountId, number: KeyNumber | undefined): string | undefined {
    if (number === undefined) return undefined
    return this.#keys.numbered(accountId, number)?.label || `#${number}`
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts[id]
  }

  get rulesVersion(): number {
    return this.#rulesVersion
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
