/**
 * The registry's records: stored, found by number and by name, and written to snapshots. Records are
 * immutable; a change replaces one. It has no rules: the registry decides who may change what.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { writeList } from '../../units/field-codec.ts'
import type { AccountId, AssetId, KeyNumber, SymbolId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { TextIndex } from '../../units/text-index.ts'
import { grownUint8 } from '../../units/typed-arrays.ts'
import { binanceNameOf } from './binance-name.ts'
import { KeyNumbers } from './key-numbers.ts'
import { isPlainAccount } from './optional-fields.ts'
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
import { roundingAccountName } from './terms.ts'

/** The accounts with which every registry begins. */
const HOUSE_COUNT = 2
const FIRST_ACCOUNTS = 64

/** A part of the state that is written and read on its own. */
export type StatePart<Name extends string> = {
  readonly name: Name
  /** Whether there is nothing to write. */
  readonly isEmpty: () => boolean
  readonly write: (w: ByteWriter) => void
  /** Fills an empty part from the output of `write`. Throws `BytesFault`. */
  readonly read: (r: ByteReader) => void
}

export class RecordStore {
  readonly #assets: Asset[] = []
  readonly #symbols: TradingSymbol[] = []
  readonly #accounts: Account[] = []
  /** By account, up to the array's length: 1 if `isPlainTrader`. */
  #plainTraders = new Uint8Array(FIRST_ACCOUNTS)
  readonly #assetIdByCode = new Map<string, AssetId>()
  readonly #symbolIdByName = new Map<string, SymbolId>()
  /** The first symbol of each name: before `BINANCE_NAME_RULES` several may have the same. */
  readonly #symbolIdByBinanceName = new Map<string, SymbolId>()
  /** The index of a name is the number of its account. */
  readonly #accountNames = new TextIndex()
  /** By the customer's id, if operators have set one. */
  readonly #accountIdByCustomer = new Map<string, AccountId>()
  /** In the order of creation. */
  readonly #apiKeyByText = new Map<string, ApiKey>()
  readonly #keyNumbers = new KeyNumbers()
  readonly #revokedKeyCountByAccount = new Map<AccountId, number>()

  /** A store with the two accounts that every exchange has: `outside` (0) and `fees` (1). */
  constructor() {
    this.openAccount('outside', 'outside', 0 as TimeMs)
    this.openAccount('fees', 'fees', 0 as TimeMs)
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

  /** The first symbol with this name for clients of Binance, even if it is delisted. */
  symbolByBinanceName(name: string): TradingSymbol | undefined {
    const id = this.#symbolIdByBinanceName.get(name)
    return id === undefined ? undefined : this.#symbols[id]
  }

  /** All symbols by id: a copy. */
  symbols(): readonly TradingSymbol[] {
    return this.#symbols.slice()
  }

  get symbolCount(): number {
    return this.#symbols.length
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts[id]
  }

  accountByName(name: string): Account | undefined {
    return this.#accounts[this.#accountNames.find(name)]
  }

  /** The account of a customer id; undefined if there is none. */
  accountOfCustomer(customerId: string): AccountId | undefined {
    return this.#accountIdByCustomer.get(customerId)
  }

  /**
   * Whether an account is a trader that is not closed, has no restriction, and has no tier, limit or terms of
   * its own. This is stored in a byte, because reading the record of one account out of many is a cache miss
   * (`npm run bench -- core`).
   */
  isPlainTrader(id: AccountId): boolean {
    return this.#plainTraders[id] === 1
  }

  /** All accounts by id, including the house's: a copy. */
  accounts(): readonly Account[] {
    return this.#accounts.slice()
  }

  get accountCount(): number {
    return this.#accounts.length
  }

  apiKey(apiKey: string): ApiKey | undefined {
    return this.#apiKeyByText.get(apiKey)
  }

  /**
   * All keys in the order of creation, disabled ones included, with the numbers that such a list needs: a
   * copy.
   */
  apiKeys(): readonly ApiKey[] {
    return this.#keyNumbers.listed(this.#apiKeyByText.values())
  }

  apiKeyCount(accountId: AccountId): number {
    return this.#keyNumbers.textsOf(accountId).length
  }

  /** The keys of an account, by number. */
  apiKeysOf(accountId: AccountId): readonly ApiKey[] {
    return this.#keyNumbers.textsOf(accountId).map((text) => this.#apiKeyByText.get(text) as ApiKey)
  }

  /** Whether keys were removed from the account. */
  hasLostApiKeys(accountId: AccountId): boolean {
    return this.#keyNumbers.hasLost(accountId)
  }

  /** The number of the account's revoked keys. */
  revokedKeyCount(accountId: AccountId): number {
    return this.#revokedKeyCountByAccount.get(accountId) ?? 0
  }

  protected openAccount(name: string, role: AccountRole, createdAt: TimeMs): Account {
    const account = { id: this.#accounts.length as AccountId, name, role, createdAt }
    this.#accountNames.add(name)
    return this.replaceAccount(account)
  }

  protected keepAsset(asset: Asset): Asset {
    this.#assets.push(asset)
    this.#assetIdByCode.set(asset.code, asset.id)
    return asset
  }

  protected keepSymbol(symbol: TradingSymbol): TradingSymbol {
    this.#symbols.push(symbol)
    this.#symbolIdByName.set(symbol.name, symbol.id)
    const binanceName = binanceNameOf(symbol)
    if (!this.#symbolIdByBinanceName.has(binanceName)) this.#symbolIdByBinanceName.set(binanceName, symbol.id)
    return symbol
  }

  /** `number` is the next one of the key's account, or a higher one. */
  protected keepApiKey(apiKey: ApiKey, number?: KeyNumber): ApiKey {
    this.#apiKeyByText.set(apiKey.apiKey, apiKey)
    this.#keyNumbers.add(apiKey, number)
    if (apiKey.isRevoked) this.#countRevoked(apiKey, 1)
    return apiKey
  }

  /** Removes a key from its account, whose newest key it must not be. */
  protected removeApiKey(apiKey: ApiKey): void {
    this.#keyNumbers.remove(apiKey)
    this.#apiKeyByText.delete(apiKey.apiKey)
    if (apiKey.isRevoked) this.#countRevoked(apiKey, -1)
  }

  protected replaceAccount(account: Account): Account {
    const { id, role } = account
    const [before, after] = [this.#accounts[id]?.profile?.customerId, account.profile?.customerId]
    if (before !== after) {
      if (before) this.#accountIdByCustomer.delete(before)
      if (after) this.#accountIdByCustomer.set(after, id)
    }
    this.#accounts[id] = account
    if (id >= this.#plainTraders.length) this.#plainTraders = grownUint8(this.#plainTraders, id * 2)
    this.#plainTraders[id] = role === 'trader' && isPlainAccount(account) ? 1 : 0
    return account
  }

  protected replaceAsset(asset: Asset): Asset {
    this.#assets[asset.id] = asset
    return asset
  }

  protected replaceSymbol(symbol: TradingSymbol): TradingSymbol {
    this.#symbols[symbol.id] = symbol
    return symbol
  }

  #countRevoked({ accountId }: ApiKey, by: 1 | -1): void {
    this.#revokedKeyCountByAccount.set(accountId, this.revokedKeyCount(accountId) + by)
  }

  protected replaceApiKey(apiKey: ApiKey): ApiKey {
    const wasRevoked = this.#apiKeyByText.get(apiKey.apiKey)?.isRevoked === true
    if (apiKey.isRevoked && !wasRevoked) this.#countRevoked(apiKey, 1)
    this.#apiKeyByText.set(apiKey.apiKey, apiKey)
    return apiKey
  }

  /** The parts in snapshots, in the order in which they are read: all records in the order of creation. */
  readonly parts: readonly StatePart<'accounts' | 'assets' | 'symbols' | 'apiKeys'>[] = [
    {
      name: 'accounts',
      isEmpty: () => this.#accounts.length === HOUSE_COUNT,
      write: (w) => writeList(w, this.#accounts.slice(HOUSE_COUNT), writeAccount),
      read: (r) => this.#readAccounts(r),
    },
    {
      name: 'assets',
      isEmpty: () => this.#assets.length === 0,
      write: (w) => writeList(w, this.#assets, writeAsset),
      read: (r) => this.#readAssets(r),
    },
    {
      name: 'symbols',
      isEmpty: () => this.#symbols.length === 0,
      write: (w) => writeList(w, this.#symbols, writeSymbol),
      read: (r) => this.#readSymbols(r),
    },
    {
      name: 'apiKeys',
      isEmpty: () => this.#apiKeyByText.size === 0,
      write: (w) => writeList(w, this.apiKeys(), writeApiKey),
      read: (r) => this.#readApiKeys(r),
    },
  ]

  /**
   * Must be called after all parts were read. Throws `BytesFault` for bytes that no registry can have
   * written.
   */
  checkRead(): void {
    const houses = this.#accounts.filter((account) => account.role === 'rounding').length
    check(
      houses === this.#symbols.length,
      `expected a rounding account for each of ${this.#symbols.length} symbols, found ${houses}`,
    )
  }

  #readAccounts(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const account = readAccount(reader, this.#accounts.length as AccountId)
      const { name } = account
      if (this.#accountNames.find(name) !== NO_RECORD) throw new BytesFault(`account ${name} appears twice`)
      const { customerId = '' } = account.profile ?? {}
      if (this.#accountIdByCustomer.has(customerId))
        throw new BytesFault(`customer id ${customerId} appears twice`)
      this.#accountNames.add(name)
      this.replaceAccount(account)
    }
  }

  #readAssets(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const asset = readAsset(reader, this.#assets.length as AssetId)
      check(!this.#assetIdByCode.has(asset.code), `asset ${asset.code} appears twice`)
      this.keepAsset(asset)
    }
  }

  #readSymbols(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const symbol = readSymbol(reader, this.#symbols.length as SymbolId, this.#assets)
      const house = this.#accounts[symbol.roundingAccountId]
      check(!this.#symbolIdByName.has(symbol.name), `symbol ${symbol.name} appears twice`)
      check(
        house?.name === roundingAccountName(symbol.name),
        `account ${house?.name} is not the rounding account of ${symbol.name}`,
      )
      this.keepSymbol(symbol)
    }
  }

  #readApiKeys(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const read = readApiKey(reader)
      const { number } = read
      const key = number === undefined ? read : withoutNumber(read)
      const owner = this.#accounts[key.accountId]
      check(!this.#apiKeyByText.has(key.apiKey), `key ${key.apiKey} appears twice`)
      check(!key.isRevoked || !key.enabled, `key ${key.apiKey} cannot be both revoked and enabled`)
      check(
        owner?.role === 'trader',
        `key ${key.apiKey} belongs to account ${key.accountId}, which is not a trader's`,
      )
      const next = this.#keyNumbers.next(key.accountId)
      const isHigher = number === undefined || number > next
      check(
        isHigher,
        `key ${key.apiKey} has number ${number}, expected a number above ${next}, the next of its account`,
      )
      this.keepApiKey(key, number)
    }
  }
}

function withoutNumber({ number: _, ...key }: ApiKey): ApiKey {
  return key
}
