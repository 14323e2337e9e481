/**
 * The register of assets, symbols, accounts and API keys. Records are immutable; a change replaces one. Every
 * mutation checks all it needs before it changes anything, and answers with the record as it is now or with the
 * reason why nothing changed. Holds no money and no orders.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { writeList } from '../../units/field-codec.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import { ACCOUNTS_MAX, API_KEYS_PER_ACCOUNT_MAX, ASSETS_MAX, SYMBOLS_MAX } from '../../units/limits.ts'
import type { AccountRestriction } from '../../units/operator-words.ts'
import { PERMISSIONS, type SymbolState } from '../../units/order-words.ts'
import { type Rate, type TimeMs, UNITS_MAX } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { TextIndex } from '../../units/text-index.ts'
import * as amendments from './amendments.ts'
import * as extras from './amendments-codec.ts'
import type { Account, AccountRole, ApiKey, Asset, TradingSymbol } from './records.ts'
import {
  check,
  readAccount,
  readApiKey,
  readAsset,
  readSymbol,
  writeAccount,
  writeApiKey,
  writeAsset,
  writeSymbol,
} from './records-codec.ts'
import type { ApiKeyTerms, AssetFlags, AssetTerms, SymbolTerms } from './terms.ts'
import {
  isNumberWithin,
  isValidApiKey,
  isValidAsset,
  isValidRate,
  isValidState,
  isValidSymbol,
  isValidTraderName,
  roundingAccountName,
} from './terms.ts'

/** How full each list may get. The rules say `REGISTRY_LIMITS`; tests say less. */
export type RegistryLimits = {
  readonly assets: number
  readonly symbols: number
  readonly accounts: number
  readonly apiKeysPerAccount: number
}

export const REGISTRY_LIMITS: RegistryLimits = {
  assets: ASSETS_MAX,
  symbols: SYMBOLS_MAX,
  accounts: ACCOUNTS_MAX,
  apiKeysPerAccount: API_KEYS_PER_ACCOUNT_MAX,
}

/** A new symbol and the account that was opened with it; the ledger must learn of the account too. */
export type ListedSymbol = { readonly symbol: TradingSymbol; readonly roundingAccount: Account }

/** The accounts that every registry begins with. */
const HOUSE_COUNT = 2

export class Registry {
  readonly #limits: RegistryLimits
  readonly #assets: Asset[] = []
  readonly #symbols: TradingSymbol[] = []
  readonly #accounts: Account[] = []
  readonly #assetIdByCode = new Map<string, AssetId>()
  readonly #symbolIdByName = new Map<string, SymbolId>()
  /** An account's name has the number of its account. */
  readonly #accountNames = new TextIndex()
  /** In the order of creation. */
  readonly #apiKeyByText = new Map<string, ApiKey>()
  readonly #apiKeyCountByAccount = new Map<AccountId, number>()

  /** A registry with the two accounts that every exchange has: `outside` (0) and `fees` (1). */
  constructor(limits = REGISTRY_LIMITS) {
    this.#limits = limits
    this.#open('outside', 'outside', 0 as TimeMs)
    this.#open('fees', 'fees', 0 as TimeMs)
  }

  asset(id: AssetId): Asset | undefined {
    return this.#assets[id]
  }

  assetByCode(code: string): Asset | undefined {
    const id = this.#assetIdByCode.get(code)
    return id === undefined ? undefined : this.#assets[id]
  }

  get assetCount(): number {
    return this.#assets.length
  }

  /** All assets by id: a copy. */
  assets(): readonly Asset[] {
    return this.#assets.slice()
  }

  symbol(id: SymbolId): TradingSymbol | undefined {
    return this.#symbols[id]
  }

  /** The symbol `<BASE>/<QUOTE>`. */
  symbolByName(name: string): TradingSymbol | undefined {
    const id = this.#symbolIdByName.get(name)
    return id === undefined ? undefined : this.#symbols[id]
  }

  /** All symbols by id: a copy. */
  symbols(): readonly TradingSymbol[] {
    return this.#symbols.slice()
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts[id]
  }

  accountByName(name: string): Account | undefined {
    return this.#accounts[this.#accountNames.find(name)]
  }

  /** All accounts by id, the house's too: a copy. */
  accounts(): readonly Account[] {
    return this.#accounts.slice()
  }

  get accountCount(): number {
    return this.#accounts.length
  }

  apiKey(apiKey: string): ApiKey | undefined {
    return this.#apiKeyByText.get(apiKey)
  }

  /** All keys in the order of creation, disabled ones included: a copy. */
  apiKeys(): readonly ApiKey[] {
    return [...this.#apiKeyByText.values()]
  }

  apiKeyCount(accountId: AccountId): number {
    return this.#apiKeyCountByAccount.get(accountId) ?? 0
  }

  /** Lists an asset. Refuses with INVALID_COMMAND, ASSET_EXISTS, LIMIT_REACHED. */
  listAsset(terms: AssetTerms): Asset | CoreReason {
    if (!isValidAsset(terms)) return 'INVALID_COMMAND'
    if (this.#assetIdByCode.has(terms.code)) return 'ASSET_EXISTS'
    if (this.#assets.length >= this.#limits.assets) return 'LIMIT_REACHED'
    const { code, name, fraction, supplyCap } = terms
    const asset = {
      id: this.#assets.length as AssetId,
      code,
      name,
      fraction,
      ...flags(terms.flags),
      supplyCap,
    }
    return this.#addAsset(asset)
  }

  /** Says what an asset may be used for from now on. Refuses with UNKNOWN_ASSET. */
  setAssetFlags(code: string, now: AssetFlags): Asset | CoreReason {
    const asset = this.assetByCode(code)
    if (asset === undefined) return 'UNKNOWN_ASSET'
    return this.#replaceAsset({ ...asset, ...flags(now) })
  }

  /**
   * Lists `<base>/<quote>` in state TRADING and opens its rounding account. Refuses with UNKNOWN_ASSET,
   * INVALID_COMMAND, SYMBOL_EXISTS, LIMIT_REACHED.
   */
  listSymbol(base: string, quote: string, terms: SymbolTerms, createdAt: TimeMs): ListedSymbol | CoreReason {
    const baseAsset = this.assetByCode(base)
    const quoteAsset = this.assetByCode(quote)
    if (baseAsset === undefined || quoteAsset === undefined) return 'UNKNOWN_ASSET'
    if (!isValidSymbol(terms, baseAsset, quoteAsset)) return 'INVALID_COMMAND'
    const name = `${base}/${quote}`
    if (this.#symbolIdByName.has(name)) return 'SYMBOL_EXISTS'
    const isFull = this.#symbols.length >= this.#limits.symbols
    if (isFull || this.#accounts.length >= this.#limits.accounts) return 'LIMIT_REACHED'
    const roundingAccount = this.#open(roundingAccountName(name), 'rounding', createdAt)
    const symbol = this.#addSymbol({
      id: this.#symbols.length as SymbolId,
      name,
      base: baseAsset.id,
      quote: quoteAsset.id,
      baseCode: base,
      quoteCode: quote,
      basePrecision: baseAsset.fraction,
      quotePrecision: quoteAsset.fraction,
      baseFraction: terms.baseFraction,
      quoteFraction: terms.quoteFraction,
      makerRate: terms.makerRate,
      takerRate: terms.takerRate,
      minTotal: terms.minTotal,
      minQuantity: terms.minQuantity,
      selfTradeMode: terms.selfTradeMode,
      openOrdersMax: terms.openOrdersMax,
      levelsMax: terms.levelsMax,
      state: 'TRADING',
      roundingAccountId: roundingAccount.id,
    })
    return { symbol, roundingAccount }
  }

  /** Halts or resumes a symbol. Refuses with UNKNOWN_SYMBOL, INVALID_COMMAND. */
  setSymbolState(name: string, state: SymbolState): TradingSymbol | CoreReason {
    const symbol = this.symbolByName(name)
    if (symbol === undefined) return 'UNKNOWN_SYMBOL'
    if (!isValidState(state)) return 'INVALID_COMMAND'
    return this.#replaceSymbol({ ...symbol, state })
  }

  /** Sets a symbol's commission rates. Refuses with UNKNOWN_SYMBOL, INVALID_COMMAND. */
  setSymbolRates(name: string, makerRate: Rate, takerRate: Rate): TradingSymbol | CoreReason {
    const symbol = this.symbolByName(name)
    if (symbol === undefined) return 'UNKNOWN_SYMBOL'
    if (!isValidRate(makerRate) || !isValidRate(takerRate)) return 'INVALID_COMMAND'
    return this.#replaceSymbol({ ...symbol, makerRate, takerRate })
  }

  /** Opens a trader's account. Refuses with INVALID_COMMAND, ACCOUNT_EXISTS, LIMIT_REACHED. */
  addAccount(name: string, createdAt: TimeMs): Account | CoreReason {
    if (!isValidTraderName(name)) return 'INVALID_COMMAND'
    if (this.#accountNames.find(name) !== NO_RECORD) return 'ACCOUNT_EXISTS'
    if (this.#accounts.length >= this.#limits.accounts) return 'LIMIT_REACHED'
    return this.#open(name, 'trader', createdAt)
  }

  /**
   * Gives a trader a key, enabled. Refuses with UNKNOWN_ACCOUNT, INVALID_COMMAND (a house account, which never
   * trades, included), ACCOUNT_CLOSED, API_KEY_EXISTS, LIMIT_REACHED.
   */
  addApiKey(terms: ApiKeyTerms): ApiKey | CoreReason {
    const account = this.#accounts[terms.accountId]
    if (account === undefined) return 'UNKNOWN_ACCOUNT'
    if (account.role !== 'trader' || !isValidApiKey(terms)) return 'INVALID_COMMAND'
    if (account.isClosed) return 'ACCOUNT_CLOSED'
    if (this.#apiKeyByText.has(terms.apiKey)) return 'API_KEY_EXISTS'
    if (this.apiKeyCount(account.id) >= this.#limits.apiKeysPerAccount) return 'LIMIT_REACHED'
    return this.#addApiKey({
      apiKey: terms.apiKey,
      accountId: account.id,
      // A copy: the bytes given may be a view of a whole batch of commands.
      sealedSecret: terms.sealedSecret.slice(),
      permissions: PERMISSIONS.filter((permission) => terms.permissions.includes(permission)),
      addresses: terms.addresses.slice(),
      label: terms.label,
      createdAt: terms.createdAt,
      enabled: true,
    })
  }

  /** Switches a key on or off. Refuses with UNKNOWN_API_KEY, API_KEY_REVOKED. */
  setApiKeyEnabled(apiKey: string, enabled: boolean): ApiKey | CoreReason {
    const key = this.#usableApiKey(apiKey)
    return typeof key === 'string' ? key : this.#replaceApiKey({ ...key, enabled })
  }

  /** Changes what may change of a listed asset. Refuses with UNKNOWN_ASSET, INVALID_COMMAND. */
  amendAsset(code: string, to: amendments.AssetAmendment): Asset | CoreReason {
    const asset = this.assetByCode(code)
    if (asset === undefined) return 'UNKNOWN_ASSET'
    if (!amendments.isValidAssetAmendment(to)) return 'INVALID_COMMAND'
    return this.#replaceAsset(amendments.amendedAsset(asset, to))
  }

  /** Changes what may change of a listed symbol. Refuses with UNKNOWN_SYMBOL, INVALID_COMMAND. */
  amendSymbol(name: string, to: amendments.SymbolAmendment): TradingSymbol | CoreReason {
    const symbol = this.symbolByName(name)
    if (symbol === undefined) return 'UNKNOWN_SYMBOL'
    if (!amendments.isValidSymbolAmendment(to)) return 'INVALID_COMMAND'
    return this.#replaceSymbol(amendments.amendedSymbol(symbol, to))
  }

  /** The trader's account that may still be changed; else UNKNOWN_ACCOUNT, INVALID_COMMAND, ACCOUNT_CLOSED. */
  openTrader(id: AccountId): Account | CoreReason {
    const account = this.#accounts[id]
    if (account === undefined) return 'UNKNOWN_ACCOUNT'
    if (account.role !== 'trader') return 'INVALID_COMMAND'
    return account.isClosed ? 'ACCOUNT_CLOSED' : account
  }

  /** Says what an account is forbidden from now on. Refuses as `openTrader`. */
  restrictAccount(id: AccountId, restrictions: readonly AccountRestriction[]): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    return this.#replaceAccount(amendments.restrictedAccount(account, restrictions))
  }

  /** Sets tier and limits; that the tier exists is the caller's to know. Refuses as `openTrader`. */
  amendAccount(id: AccountId, to: amendments.AccountAmendment): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    if (!isNumberWithin(to.openOrdersMax, 0, UNITS_MAX)) return 'INVALID_COMMAND'
    return this.#replaceAccount(amendments.amendedAccount(account, to))
  }

  /** Closes an account for good; that it is empty is the caller's to know. Refuses as `openTrader`. */
  closeAccount(id: AccountId): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    return this.#replaceAccount({ ...account, isClosed: true })
  }

  /** Changes what may change of a key. Refuses with UNKNOWN_API_KEY, API_KEY_REVOKED, INVALID_COMMAND. */
  amendApiKey(apiKey: string, to: amendments.ApiKeyAmendment): ApiKey | CoreReason {
    const key = this.#usableApiKey(apiKey)
    if (typeof key === 'string') return key
    if (!amendments.isValidApiKeyAmendment(to)) return 'INVALID_COMMAND'
    return this.#replaceApiKey(amendments.amendedApiKey(key, to))
  }

  /** Gives a key another secret. Refuses as `amendApiKey`. */
  rotateApiKey(apiKey: string, sealedSecret: Uint8Array, previousUntil: TimeMs): ApiKey | CoreReason {
    const key = this.#usableApiKey(apiKey)
    if (typeof key === 'string') return key
    if (!amendments.isValidSecret(sealedSecret)) return 'INVALID_COMMAND'
    return this.#replaceApiKey(amendments.rotatedApiKey(key, sealedSecret, previousUntil))
  }

  /**
   * Puts one sealing of a key's secret, or of the one before it, in the place of another; undefined: the key has no such
   * sealing. Refuses with UNKNOWN_API_KEY, INVALID_COMMAND.
   */
  resealSecret(apiKey: string, from: Uint8Array, to: Uint8Array): ApiKey | CoreReason | undefined {
    const key = this.#apiKeyByText.get(apiKey)
    if (key === undefined) return 'UNKNOWN_API_KEY'
    if (!amendments.isValidSecret(to)) return 'INVALID_COMMAND'
    const resealed = amendments.resealedApiKey(key, from, to)
    return resealed === undefined ? undefined : this.#replaceApiKey(resealed)
  }

  /** Switches a key off for good; again is no error. Refuses with UNKNOWN_API_KEY. */
  revokeApiKey(apiKey: string): ApiKey | CoreReason {
    const key = this.#apiKeyByText.get(apiKey)
    return key === undefined ? 'UNKNOWN_API_KEY' : this.#replaceApiKey(amendments.revokedApiKey(key))
  }

  /** True when a record has something that `write` does not write. */
  get isAmended(): boolean {
    return (
      this.#assets.some(extras.isAmendedAsset) ||
      this.#symbols.some(extras.isAmendedSymbol) ||
      this.#accounts.some(extras.isAmendedAccount) ||
      this.apiKeys().some(extras.isAmendedApiKey)
    )
  }

  /** Writes what `write` leaves out: what operators have changed of records after they were made. */
  writeAmendments(writer: ByteWriter): void {
    extras.writeExtras(writer, this.#assets, extras.isAmendedAsset, extras.writeAssetExtras)
    extras.writeExtras(writer, this.#symbols, extras.isAmendedSymbol, extras.writeSymbolExtras)
    extras.writeExtras(writer, this.#accounts, extras.isAmendedAccount, extras.writeAccountExtras)
    extras.writeExtras(writer, this.apiKeys(), extras.isAmendedApiKey, extras.writeApiKeyExtras)
  }

  /** Takes over what `writeAmendments` wrote. Throws `BytesFault`. */
  readAmendments(reader: ByteReader): void {
    extras.readExtras(reader, this.assets(), extras.readAssetExtras, (asset) => this.#replaceAsset(asset))
    extras.readExtras(reader, this.symbols(), extras.readSymbolExtras, (symbol) =>
      this.#replaceSymbol(symbol),
    )
    extras.readExtras(reader, this.accounts(), extras.readAccountExtras, (account) => {
      check(account.role === 'trader', `account ${account.name} of the house cannot be changed`)
      this.#replaceAccount(account)
    })
    extras.readExtras(reader, this.apiKeys(), extras.readApiKeyExtras, (key) => {
      check(!key.isRevoked || !key.enabled, `key ${key.apiKey} cannot be revoked and enabled`)
      this.#replaceApiKey(key)
    })
  }

  /** Writes all records in the order of creation; equal registries write equal bytes. */
  write(writer: ByteWriter): void {
    writeList(writer, this.#accounts.slice(HOUSE_COUNT), writeAccount)
    writeList(writer, this.#assets, writeAsset)
    writeList(writer, this.#symbols, writeSymbol)
    writeList(writer, this.apiKeys(), writeApiKey)
  }

  /** Reads what `write` wrote. Throws `BytesFault` for anything that no registry can have written. */
  static read(reader: ByteReader): Registry {
    const registry = new Registry()
    registry.#readAccounts(reader)
    registry.#readAssets(reader)
    registry.#readSymbols(reader)
    registry.#readApiKeys(reader)
    return registry
  }

  #readAccounts(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const { name, role, createdAt } = readAccount(reader, this.#accounts.length as AccountId)
      if (this.#accountNames.find(name) !== NO_RECORD) throw new BytesFault(`account ${name} is there twice`)
      this.#open(name, role, createdAt)
    }
  }

  #readAssets(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const asset = readAsset(reader, this.#assets.length as AssetId)
      check(!this.#assetIdByCode.has(asset.code), `asset ${asset.code} is there twice`)
      this.#addAsset(asset)
    }
  }

  #readSymbols(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const symbol = readSymbol(reader, this.#symbols.length as SymbolId, this.#assets)
      const house = this.#accounts[symbol.roundingAccountId]
      check(!this.#symbolIdByName.has(symbol.name), `symbol ${symbol.name} is there twice`)
      check(
        house?.name === roundingAccountName(symbol.name),
        `${house?.name} is not ${symbol.name}'s account`,
      )
      this.#addSymbol(symbol)
    }
    const houses = this.#accounts.filter((account) => account.role === 'rounding').length
    check(houses === this.#symbols.length, `${houses} rounding accounts of ${this.#symbols.length} symbols`)
  }

  #readApiKeys(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const key = readApiKey(reader)
      const owner = this.#accounts[key.accountId]
      check(!this.#apiKeyByText.has(key.apiKey), `key ${key.apiKey} is there twice`)
      check(owner?.role === 'trader', `key ${key.apiKey} belongs to account ${key.accountId}, no trader`)
      this.#addApiKey(key)
    }
  }

  #addAsset(asset: Asset): Asset {
    this.#assets.push(asset)
    this.#assetIdByCode.set(asset.code, asset.id)
    return asset
  }

  #addSymbol(symbol: TradingSymbol): TradingSymbol {
    this.#symbols.push(symbol)
    this.#symbolIdByName.set(symbol.name, symbol.id)
    return symbol
  }

  #usableApiKey(apiKey: string): ApiKey | CoreReason {
    const key = this.#apiKeyByText.get(apiKey)
    if (key === undefined) return 'UNKNOWN_API_KEY'
    return key.isRevoked ? 'API_KEY_REVOKED' : key
  }

  #replaceAsset(asset: Asset): Asset {
    this.#assets[asset.id] = asset
    return asset
  }

  #replaceAccount(account: Account): Account {
    this.#accounts[account.id] = account
    return account
  }

  #replaceApiKey(apiKey: ApiKey): ApiKey {
    this.#apiKeyByText.set(apiKey.apiKey, apiKey)
    return apiKey
  }

  #replaceSymbol(symbol: TradingSymbol): TradingSymbol {
    this.#symbols[symbol.id] = symbol
    return symbol
  }

  #open(name: string, role: AccountRole, createdAt: TimeMs): Account {
    const account = { id: this.#accounts.length as AccountId, name, role, createdAt }
    this.#accounts.push(account)
    this.#accountNames.add(name)
    return account
  }

  #addApiKey(apiKey: ApiKey): ApiKey {
    this.#apiKeyByText.set(apiKey.apiKey, apiKey)
    this.#apiKeyCountByAccount.set(apiKey.accountId, this.apiKeyCount(apiKey.accountId) + 1)
    return apiKey
  }
}

/** The flags alone, whatever else the object carries. */
function flags({ isDeposit, isWithdraw, isTrade, isSaving }: AssetFlags): AssetFlags {
  return { isDeposit, isWithdraw, isTrade, isSaving }
}
