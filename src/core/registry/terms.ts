/**
 * What may be asked of the registry, and in which bounds. The commands of the exchange have these shapes; each
 * `isValid...` says whether every field is in the range that its docstring states.
 */
import type { AccountId, AssetId } from '../../units/ids.ts'
import {
  ADDRESSES_PER_KEY_MAX,
  ASSET_CODE_MAX,
  SEALED_SECRET_BYTES_MAX,
  TEXT_MAX,
} from '../../units/limits.ts'
import {
  type Permission,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  SYMBOL_STATES,
  type SymbolState,
} from '../../units/order-words.ts'
import {
  type Amount,
  DECIMALS_MAX,
  type Decimals,
  isAmount,
  type Lots,
  RATE_ONE,
  type Rate,
  type TimeMs,
} from '../../units/quantities.ts'

/** What an asset may be used for now. */
export type AssetFlags = {
  readonly isDeposit: boolean
  readonly isWithdraw: boolean
  readonly isTrade: boolean
  readonly isSaving: boolean
}

export type AssetTerms = {
  /** 1 to `ASSET_CODE_MAX` of A-Z, 0-9. */
  readonly code: string
  /** 1 to `TEXT_MAX`. */
  readonly name: string
  /** 0 to `DECIMALS_MAX`. */
  readonly fraction: Decimals
  readonly flags: AssetFlags
  /** 0 (no cap) to `AMOUNT_MAX`. */
  readonly supplyCap: Amount
}

/** What an operator may set of a symbol at listing. */
export type SymbolTerms = {
  /** Decimals of a quantity; not finer than the base asset's ledger. */
  readonly baseFraction: Decimals
  /** Decimals of a price; not finer than the quote asset's ledger. */
  readonly quoteFraction: Decimals
  readonly makerRate: Rate
  readonly takerRate: Rate
  /**
   * Smallest price x quantity of an order, in ledger units of the quote asset, to `AMOUNT_MAX`; 0: only "at least
   * one unit".
   */
  readonly minTotal: Amount
  /** Smallest quantity of an order; 0: one lot. */
  readonly minQuantity: Lots
  /** Applies to orders that ask for no mode of their own. */
  readonly selfTradeMode: SelfTradeMode
  /** Most open orders of one account in this symbol; at least 1. */
  readonly openOrdersMax: number
  /** Most price levels on each side of the book; at least 1. */
  readonly levelsMax: number
}

export type ApiKeyTerms = {
  readonly accountId: AccountId
  /** 1 to `TEXT_MAX`. */
  readonly apiKey: string
  /** 1 to `SEALED_SECRET_BYTES_MAX` bytes. */
  readonly sealedSecret: Uint8Array
  /** A set: order and repetition mean nothing. */
  readonly permissions: readonly Permission[]
  /** At most `ADDRESSES_PER_KEY_MAX`, each 1 to `TEXT_MAX`. */
  readonly addresses: readonly string[]
  /** At most `TEXT_MAX`. */
  readonly label: string
  readonly createdAt: TimeMs
}

/** What only the names of the house's own accounts contain. */
const HOUSE_MARK = ':'

const ASSET_CODE = new RegExp(`^[A-Z0-9]{1,${ASSET_CODE_MAX}}$`)

export function isNumberWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max
}

/** A text that a snapshot can keep: a lone surrogate has no UTF-8 form. */
export function isTextWithin(text: string, min: number): boolean {
  return text.length >= min && text.length <= TEXT_MAX && text.isWellFormed()
}

export function isValidRate(rate: Rate): boolean {
  return isNumberWithin(rate, 0, RATE_ONE - 1)
}

export function isValidState(state: SymbolState): boolean {
  return SYMBOL_STATES.includes(state)
}

/**
 * 1 to `TEXT_MAX`, without a colon: names with one are kept for the house (`rounding:BTC/USDT`), so that no
 * trader's account can ever stand in the way of listing a symbol, nor pass for the house's.
 */
export function isValidTraderName(name: string): boolean {
  return isTextWithin(name, 1) && !name.includes(HOUSE_MARK)
}

/** The account that takes what rounding leaves over in the symbol of this name. */
export function roundingAccountName(symbolName: string): string {
  return `rounding${HOUSE_MARK}${symbolName}`
}

export function isValidAsset(terms: AssetTerms): boolean {
  return (
    ASSET_CODE.test(terms.code) &&
    isTextWithin(terms.name, 1) &&
    isNumberWithin(terms.fraction, 0, DECIMALS_MAX) &&
    isAmount(terms.supplyCap)
  )
}

/** What a symbol's terms must fit of an asset. */
type Precision = { readonly id: AssetId; readonly fraction: Decimals }

export function isValidSymbol(terms: SymbolTerms, base: Precision, quote: Precision): boolean {
  return (
    base.id !== quote.id &&
    isNumberWithin(terms.baseFraction, 0, base.fraction) &&
    isNumberWithin(terms.quoteFraction, 0, quote.fraction) &&
    isValidRate(terms.makerRate) &&
    isValidRate(terms.takerRate) &&
    isAmount(terms.minTotal) &&
    isNumberWithin(terms.minQuantity, 0, Number.MAX_SAFE_INTEGER) &&
    SELF_TRADE_MODES.includes(terms.selfTradeMode) &&
    isNumberWithin(terms.openOrdersMax, 1, Number.MAX_SAFE_INTEGER) &&
    isNumberWithin(terms.levelsMax, 1, Number.MAX_SAFE_INTEGER)
  )
}

/** The fields themselves; whether the account may have a key is the registry's to say. */
export function isValidApiKey(terms: ApiKeyTerms): boolean {
  return (
    isTextWithin(terms.apiKey, 1) &&
    isNumberWithin(terms.sealedSecret.length, 1, SEALED_SECRET_BYTES_MAX) &&
    terms.addresses.length <= ADDRESSES_PER_KEY_MAX &&
    terms.addresses.every((address) => isTextWithin(address, 1)) &&
    isTextWithin(terms.label, 0)
  )
}
