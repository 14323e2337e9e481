/**
 * The register of assets, symbols, accounts and API keys: its rules, applied to the records in `RecordStore`.
 * Every mutation checks all it needs before it changes anything, and returns the current record or the reason
 * why nothing changed. It has no money and no orders.
 */
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import {
  ACCOUNTS_MAX,
  API_KEY_RECORDS_PER_ACCOUNT_MAX,
  API_KEYS_PER_ACCOUNT_MAX,
  ASSETS_MAX,
  SYMBOLS_MAX,
} from '../../units/limits.ts'
import type { AccountRestriction, RestrictionSource } from '../../units/operator-enums.ts'
import type { SymbolState } from '../../units/order-enums.ts'
import { type Rate, type TimeMs, UNITS_MAX } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { arePossible } from '../../units/shapes/shape.ts'
import { isValidProfile } from './account-profile.ts'
import * as amendments from './amendments.ts'
import { isValidBinanceName } from './binance-name.ts'
import { RecordStore } from './record-store.ts'
import {
  type Account,
  type AccountProfile,
  type ApiKey,
  type Asset,
  type CustomerMark,
  restrictionsOf,
  type SpecialTerms,
  SYMBOL_OPTIONS,
  type SymbolOptions,
  type TradingSymbol,
} from './records.ts'
import { areValidTerms, endsBefore } from './special-terms.ts'
import type { ApiKeyTerms, AssetFlags, AssetTerms, SymbolTerms } from './terms.ts'
import {
  isNumberWithin,
  isOfItsWire,
  isValidApiKey,
  isValidAsset,
  isValidRate,
  isValidState,
  isValidSymbol,
  isValidTraderName,
  roundingAccountName,
} from './terms.ts'

/** Limits of each list: `REGISTRY_LIMITS` in the rules, lower in tests. */
export type RegistryLimits = {
  readonly assets: number
  readonly symbols: number
  readonly accounts: number
  readonly apiKeysPerAccount: number
  /** Including keys that have ended. */
  readonly apiKeyRecordsPerAccount: number
}

export const REGISTRY_LIMITS: RegistryLimits = {
  assets: ASSETS_MAX,
  symbols: SYMBOLS_MAX,
  accounts: ACCOUNTS_MAX,
  apiKeysPerAccount: API_KEYS_PER_ACCOUNT_MAX,
  apiKeyRecordsPerAccount: API_KEY_RECORDS_PER_ACCOUNT_MAX,
}

/**
 * Which keys count against the limit of keys in use: `ALL` before `KEY_RULES`, since then those that are
 * `NOT_REVOKED`, and since `ENDED_KEY_RULES` those that are `LIVE`, neither revoked nor expired.
 */
export type KeyCounting = 'ALL' | 'NOT_REVOKED' | 'LIVE'

/** The name of a new symbol for clients of Binance. */
export type BinanceNaming = {
  /** Absent if it is both codes joined. */
  readonly name?: string | undefined
  /** Whether no other symbol may have the name: true from `BINANCE_NAME_RULES` on. */
  readonly isUnique: boolean
}

/** A new symbol and the account that was opened with it; the account must be added to the ledger too. */
export type ListedSymbol = { readonly symbol: TradingSymbol; readonly roundingAccount: Account }

export class Registry extends RecordStore {
  readonly #limits: RegistryLimits
  constructor(limits = REGISTRY_LIMITS) {
    super()
    this.#limits = limits
  }

  /** Lists an asset. Refuses with INVALID_COMMAND, ASSET_EXISTS, LIMIT_REACHED. */
  listAsset(terms: AssetTerms): Asset | CoreReason {
    if (!isValidAsset(terms)) return 'INVALID_COMMAND'
    if (this.assetByCode(terms.code) !== undefined) return 'ASSET_EXISTS'
    if (this.assetCount >= this.#limits.assets) return 'LIMIT_REACHED'
    const { code, name, fraction, supplyCap } = terms
    const asset = {
      id: this.assetCount as AssetId,
      code,
      name,
      fraction,
      ...flags(terms.flags),
      supplyCap,
    }
    return this.keepAsset(asset)
  }

  /** Sets the permitted uses of an asset from now on. Refuses with UNKNOWN_ASSET. */
  setAssetFlags(code: string, now: AssetFlags): Asset | CoreReason {
    const asset = this.assetByCode(code)
    if (asset === undefined) return 'UNKNOWN_ASSET'
    return this.replaceAsset({ ...asset, ...flags(now) })
  }

  /**
   * Lists `<base>/<quote>` in state TRADING and opens its rounding account. Refuses with UNKNOWN_ASSET,
   * INVALID_COMMAND, SYMBOL_EXISTS, BINANCE_NAME_TAKEN (also by a delisted symbol), LIMIT_REACHED.
   */
  listSymbol(
    base: string,
    quote: string,
    terms: SymbolTerms,
    createdAt: TimeMs,
    { name: binanceName, isUnique }: BinanceNaming = { isUnique: true },
  ): ListedSymbol | CoreReason {
    const baseAsset = this.assetByCode(base)
    const quoteAsset = this.assetByCode(quote)
    if (baseAsset === undefined || quoteAsset === undefined) return 'UNKNOWN_ASSET'
    if (!isValidSymbol(terms, baseAsset, quoteAsset)) return 'INVALID_COMMAND'
    if (binanceName !== undefined && !isValidBinanceName(binanceName)) return 'INVALID_COMMAND'
    const name = `${base}/${quote}`
    if (this.symbolByName(name) !== undefined) return 'SYMBOL_EXISTS'
    const joined = base + quote
    if (isUnique && this.symbolByBinanceName(binanceName ?? joined) !== undefined) return 'BINANCE_NAME_TAKEN'
    const isFull = this.symbolCount >= this.#limits.symbols
    if (isFull || this.accountCount >= this.#limits.accounts) return 'LIMIT_REACHED'
    const roundingAccount = this.openAccount(roundingAccountName(name), 'rounding', createdAt)
    const symbol = this.keepSymbol({
      id: this.symbolCount as SymbolId,
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
      ...(binanceName === undefined || binanceName === joined ? {} : { binanceName }),
    })
    return { symbol, roundingAccount }
  }

  /** Halts or resumes a symbol. Refuses with UNKNOWN_SYMBOL, INVALID_COMMAND. */
  setSymbolState(name: string, state: SymbolState): TradingSymbol | CoreReason {
    const symbol = this.symbolByName(name)
    if (symbol === undefined) return 'UNKNOWN_SYMBOL'
    if (!isValidState(state)) return 'INVALID_COMMAND'
    return this.replaceSymbol({ ...symbol, state })
  }

  /** Sets a symbol's commission rates. Refuses with UNKNOWN_SYMBOL, INVALID_COMMAND. */
  setSymbolRates(name: string, makerRate: Rate, takerRate: Rate): TradingSymbol | CoreReason {
    const symbol = this.symbolByName(name)
    if (symbol === undefined) return 'UNKNOWN_SYMBOL'
    if (!isValidRate(makerRate) || !isValidRate(takerRate)) return 'INVALID_COMMAND'
    return this.replaceSymbol({ ...symbol, makerRate, takerRate })
  }

  /** Opens a trader's account. Refuses with INVALID_COMMAND, ACCOUNT_EXISTS, LIMIT_REACHED. */
  addAccount(name: string, createdAt: TimeMs): Account | CoreReason {
    if (!isValidTraderName(name)) return 'INVALID_COMMAND'
    if (this.accountByName(name) !== undefined) return 'ACCOUNT_EXISTS'
    if (this.accountCount >= this.#limits.accounts) return 'LIMIT_REACHED'
    return this.openAccount(name, 'trader', createdAt)
  }

  /** Opens the account of a self-registered customer. Refuses like `addAccount`. */
  addCustomer(name: string, createdAt: TimeMs): Account | CoreReason {
    const account = this.addAccount(name, createdAt)
    if (typeof account === 'string') return account
    return this.replaceAccount({ ...account, customer: { epoch: 0, isForgotten: false } })
  }

  /** Raises the number of a customer's last change by one. Refuses any other account: UNKNOWN_ACCOUNT. */
  raiseCustomerEpoch(id: AccountId): Account | CoreReason {
    const account = this.#customer(id)
    if (typeof account === 'string') return account
    const { epoch } = account.customer
    return this.replaceAccount({ ...account, customer: { epoch: epoch + 1, isForgotten: false } })
  }

  /** Records that a customer's data is erased. Refuses any other account, and a repeat: UNKNOWN_ACCOUNT. */
  forgetCustomer(id: AccountId): Account | CoreReason {
    const account = this.#customer(id)
    if (typeof account === 'string') return account
    return this.replaceAccount({ ...account, customer: { ...account.customer, isForgotten: true } })
  }

  #customer(id: AccountId): (Account & { readonly customer: CustomerMark }) | CoreReason {
    const account = this.account(id)
    if (account?.customer === undefined || account.customer.isForgotten) return 'UNKNOWN_ACCOUNT'
    return { ...account, customer: account.customer }
  }

  /**
   * Adds an enabled key to a trader's account. Refuses with UNKNOWN_ACCOUNT, INVALID_COMMAND (also for a
   * house account, which never trades), ACCOUNT_CLOSED, API_KEY_EXISTS, LIMIT_REACHED. If the account has as
   * many keys as it may and live keys are counted, the key that ended first is removed from it; `onLeft` is
   * called with that key.
   */
  addApiKey(
    terms: ApiKeyTerms,
    counting: KeyCounting = 'LIVE',
    onLeft: (left: ApiKey) => void = () => {},
  ): ApiKey | CoreReason {
    const account = this.account(terms.accountId)
    if (account === undefined) return 'UNKNOWN_ACCOUNT'
    if (account.role !== 'trader' || !isValidApiKey(terms)) return 'INVALID_COMMAND'
    if (account.isClosed) return 'ACCOUNT_CLOSED'
    if (this.apiKey(terms.apiKey) !== undefined) return 'API_KEY_EXISTS'
    if (!this.#hasRoomInUse(account.id, counting, terms.createdAt)) return 'LIMIT_REACHED'
    if (this.apiKeyCount(account.id) >= this.#limits.apiKeyRecordsPerAccount) {
      const left = counting === 'LIVE' ? this.#firstEnded(account.id, terms.createdAt) : undefined
      if (left === undefined) return 'LIMIT_REACHED'
      this.removeApiKey(left)
      onLeft(left)
    }
    return this.keepApiKey(amendments.newApiKey(terms))
  }

  /** Whether the account may have one more key in use. */
  #hasRoomInUse(id: AccountId, counting: KeyCounting, time: TimeMs): boolean {
    const { apiKeysPerAccount: most } = this.#limits
    const all = this.apiKeyCount(id)
    if (counting === 'ALL') return all < most
    const notRevoked = all - this.revokedKeyCount(id)
    if (counting === 'NOT_REVOKED' || notRevoked < most) return notRevoked < most
    // Keys expire without a command, so the expired ones are counted when needed.
    const isLive = (key: ApiKey) => amendments.endOfKey(key, time) === undefined
    return this.apiKeysOf(id).filter(isLive).length < most
  }

  /**
   * The account's key that ended first; if several ended at that time, the one with the lowest number; never
   * the newest key.
   */
  #firstEnded(id: AccountId, time: TimeMs): ApiKey | undefined {
    let first: ApiKey | undefined
    let end = Number.POSITIVE_INFINITY
    for (const key of this.apiKeysOf(id).slice(0, -1)) {
      const endedAt = amendments.endOfKey(key, time) ?? Number.POSITIVE_INFINITY
      if (endedAt >= end) continue
      first = key
      end = endedAt
    }
    return first
  }

  /** Switches a key on or off. Refuses with UNKNOWN_API_KEY, API_KEY_REVOKED. */
  setApiKeyEnabled(apiKey: string, enabled: boolean): ApiKey | CoreReason {
    const key = this.#usableApiKey(apiKey)
    return typeof key === 'string' ? key : this.replaceApiKey({ ...key, enabled })
  }

  /** Changes the mutable terms of a listed asset. Refuses with UNKNOWN_ASSET, INVALID_COMMAND. */
  amendAsset(code: string, to: amendments.AssetAmendment): Asset | CoreReason {
    const asset = this.assetByCode(code)
    if (asset === undefined) return 'UNKNOWN_ASSET'
    if (!amendments.isValidAssetAmendment(to)) return 'INVALID_COMMAND'
    return this.replaceAsset(amendments.amendedAsset(asset, to))
  }

  /**
   * Sets the limits of traders' withdrawals for a listed asset. Refuses with UNKNOWN_ASSET, INVALID_COMMAND.
   */
  setWithdrawalTerms(code: string, to: amendments.WithdrawalAmendment): Asset | CoreReason {
    const asset = this.assetByCode(code)
    if (asset === undefined) return 'UNKNOWN_ASSET'
    if (!amendments.isValidWithdrawalAmendment(to)) return 'INVALID_COMMAND'
    return this.replaceAsset(amendments.assetWithWithdrawalTerms(asset, to))
  }

  /** Changes the mutable terms of a listed symbol. Refuses with UNKNOWN_SYMBOL, INVALID_COMMAND. */
  amendSymbol(name: string, to: amendments.SymbolAmendment): TradingSymbol | CoreReason {
    const symbol = this.symbolByName(name)
    if (symbol === undefined) return 'UNKNOWN_SYMBOL'
    if (!amendments.isValidSymbolAmendment(to)) return 'INVALID_COMMAND'
    const amended = amendments.amendedSymbol(symbol, to)
    return amendments.hasPriceOnTick(amended) ? this.replaceSymbol(amended) : 'INVALID_COMMAND'
  }

  /**
   * Sets optional fields, and removes those that are undefined. A value must be one that a snapshot may have,
   * and the price band must contain a price on the tick. Refuses with UNKNOWN_SYMBOL, INVALID_COMMAND.
   */
  setSymbolFields(name: string, fields: SymbolOptions): TradingSymbol | CoreReason {
    const symbol = this.symbolByName(name)
    if (symbol === undefined) return 'UNKNOWN_SYMBOL'
    if (!arePossible(SYMBOL_OPTIONS, fields)) return 'INVALID_COMMAND'
    const changed = amendments.withFields(symbol, fields)
    return amendments.hasPriceOnTick(changed) ? this.replaceSymbol(changed) : 'INVALID_COMMAND'
  }

  /**
   * The trader's account, if it may still be changed; else UNKNOWN_ACCOUNT, INVALID_COMMAND, ACCOUNT_CLOSED.
   */
  openTrader(id: AccountId): Account | CoreReason {
    const account = this.account(id)
    if (account === undefined) return 'UNKNOWN_ACCOUNT'
    if (account.role !== 'trader') return 'INVALID_COMMAND'
    return account.isClosed ? 'ACCOUNT_CLOSED' : account
  }

  /** Sets the restrictions of operators on an account. Refuses like `openTrader`. */
  restrictAccount(id: AccountId, restrictions: readonly AccountRestriction[]): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    return this.replaceAccount(amendments.restrictedAccount(account, 'OPERATOR', restrictions))
  }

  /** Adds and removes restrictions of one source. Refuses like `openTrader`. */
  changeRestrictions(
    id: AccountId,
    source: RestrictionSource,
    added: readonly AccountRestriction[],
    removed: readonly AccountRestriction[],
  ): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    if (added.some((word) => removed.includes(word))) return 'INVALID_COMMAND'
    const kept = restrictionsOf(account, source).filter((word) => !removed.includes(word))
    return this.replaceAccount(amendments.restrictedAccount(account, source, [...kept, ...added]))
  }

  /** Sets tier and limits; the caller must ensure that the tier exists. Refuses like `openTrader`. */
  amendAccount(id: AccountId, to: amendments.AccountAmendment): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    if (!isNumberWithin(to.openOrdersMax, 0, UNITS_MAX)) return 'INVALID_COMMAND'
    return this.replaceAccount(amendments.amendedAccount(account, to))
  }

  /**
   * Sets the operators' notes on a trader's account, also on a closed one. Refuses with UNKNOWN_ACCOUNT,
   * INVALID_COMMAND, CUSTOMER_ID_TAKEN.
   */
  profileAccount(id: AccountId, profile: AccountProfile): Account | CoreReason {
    const account = this.account(id)
    if (account === undefined) return 'UNKNOWN_ACCOUNT'
    if (account.role !== 'trader' || !isValidProfile(profile)) return 'INVALID_COMMAND'
    const owner = this.accountOfCustomer(profile.customerId)
    if (owner !== undefined && owner !== id) return 'CUSTOMER_ID_TAKEN'
    return this.replaceAccount(amendments.profiledAccount(account, profile))
  }

  /** Gives an account special terms, none of which may have ended at `time`. Refuses like `openTrader`. */
  setSpecialTerms(id: AccountId, terms: SpecialTerms, time: TimeMs): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    if (!areValidTerms(terms) || endsBefore(terms, time)) return 'INVALID_COMMAND'
    return this.replaceAccount(amendments.accountWithTerms(account, terms))
  }

  /** Closes an account permanently; the caller must ensure that it is empty. Refuses like `openTrader`. */
  closeAccount(id: AccountId): Account | CoreReason {
    const account = this.openTrader(id)
    if (typeof account === 'string') return account
    return this.replaceAccount({ ...account, isClosed: true })
  }

  /**
   * Changes the terms of a key. Refuses with UNKNOWN_API_KEY, API_KEY_REVOKED, INVALID_COMMAND. Where live
   * keys are counted, also refuses with LIMIT_REACHED to extend an expired key if the account would then have
   * too many.
   */
  amendApiKey(
    apiKey: string,
    to: amendments.ApiKeyAmendment,
    time: TimeMs,
    counting: KeyCounting = 'LIVE',
  ): ApiKey | CoreReason {
    const key = this.#usableApiKey(apiKey)
    if (typeof key === 'string') return key
    if (!amendments.isValidApiKeyAmendment(to)) return 'INVALID_COMMAND'
    const amended = amendments.amendedApiKey(key, to)
    if (!isOfItsWire(amended)) return 'INVALID_COMMAND'
    const isEnded = amendments.endOfKey(key, time) !== undefined
    const goesOn = isEnded && amendments.endOfKey(amended, time) === undefined
    const hasRoom = counting !== 'LIVE' || !goesOn || this.#hasRoomInUse(key.accountId, counting, time)
    return hasRoom ? this.replaceApiKey(amended) : 'LIMIT_REACHED'
  }

  /** Sets whether a key requires strict signatures. Refuses like `amendApiKey`. */
  setApiKeyStrict(apiKey: string, strictSignature: boolean): ApiKey | CoreReason {
    const key = this.#usableApiKey(apiKey)
    if (typeof key === 'string') return key
    const amended = amendments.strictApiKey(key, strictSignature)
    return isOfItsWire(amended) ? this.replaceApiKey(amended) : 'INVALID_COMMAND'
  }

  /** Replaces the secret of a key. Refuses like `amendApiKey`. */
  rotateApiKey(apiKey: string, sealedSecret: Uint8Array, previousUntil: TimeMs): ApiKey | CoreReason {
    const key = this.#usableApiKey(apiKey)
    if (typeof key === 'string') return key
    const hasSecret = key.publicKey === undefined
    if (!hasSecret || !amendments.isValidSecret(sealedSecret)) return 'INVALID_COMMAND'
    return this.replaceApiKey(amendments.rotatedApiKey(key, sealedSecret, previousUntil))
  }

  /**
   * Replaces a sealed form of a key's secret, or of the previous secret; undefined if the key has no such
   * form. Refuses with UNKNOWN_API_KEY, INVALID_COMMAND.
   */
  resealSecret(apiKey: string, from: Uint8Array, to: Uint8Array): ApiKey | CoreReason | undefined {
    const key = this.apiKey(apiKey)
    if (key === undefined) return 'UNKNOWN_API_KEY'
    if (!amendments.isValidSecret(to)) return 'INVALID_COMMAND'
    const resealed = amendments.resealedApiKey(key, from, to)
    return resealed === undefined ? undefined : this.replaceApiKey(resealed)
  }

  /**
   * Revokes a key permanently, at the time `at` if the rules record it. A repeat is no error. Refuses with
   * UNKNOWN_API_KEY.
   */
  revokeApiKey(apiKey: string, at?: TimeMs): ApiKey | CoreReason {
    const key = this.apiKey(apiKey)
    return key === undefined ? 'UNKNOWN_API_KEY' : this.replaceApiKey(amendments.revokedApiKey(key, at))
  }

  #usableApiKey(apiKey: string): ApiKey | CoreReason {
    const key = this.apiKey(apiKey)
    if (key === undefined) return 'UNKNOWN_API_KEY'
    return key.isRevoked ? 'API_KEY_REVOKED' : key
  }
}

/** Only the flags, without other properties of the object. */
function flags({ isDeposit, isWithdraw, isTrade, isSaving }: AssetFlags): AssetFlags {
  return { isDeposit, isWithdraw, isTrade, isSaving }
}
