/**
 * The requests to the registry, and their bounds. The commands of the exchange have these shapes; each
 * `isValid...` checks that every field is in the range stated by its comment.
 */
import type { AccountId, AssetId } from '../../units/ids.ts'
import {
  ADDRESSES_PER_KEY_MAX,
  ASSET_CODE_MAX,
  PUBLIC_KEY_BYTES,
  SEALED_SECRET_BYTES_MAX,
  TEXT_MAX,
} from '../../units/limits.ts'
import {
  type KeyWire,
  type Permission,
  SELF_TRADE_MODES,
  SYMBOL_STATES,
  type SymbolState,
} from '../../units/order-enums.ts'
import {
  type Amount,
  DECIMALS_MAX,
  type Decimals,
  isAmount,
  type Lots,
  RATE_ONE,
  type Rate,
  type TimeMs,
  UNITS_MAX,
} from '../../units/quantities.ts'
import { flag, integer, type ObjectOf, object, text, uint, word } from '../../units/shapes/shape.ts'

export const ASSET_FLAGS = {
  isDeposit: flag(),
  isWithdraw: flag(),
  isTrade: flag(),
  isSaving: flag(),
}

/** The permitted uses of an asset. */
export interface AssetFlags extends ObjectOf<typeof ASSET_FLAGS> {}

export const ASSET_TERMS = {
  /** 1 to `ASSET_CODE_MAX` of A-Z, 0-9. */
  code: text(),
  /** 1 to `TEXT_MAX`. */
  name: text(),
  /** Decimals of the ledger: 0 to `DECIMALS_MAX`. */
  fraction: uint<Decimals>(),
  flags: object(ASSET_FLAGS),
  /** Maximum amount in the exchange at any time, up to `AMOUNT_MAX`; 0 means `AMOUNT_MAX`. */
  supplyCap: integer<Amount>(),
}

/** The terms that an operator gives when listing an asset. */
export interface AssetTerms extends ObjectOf<typeof ASSET_TERMS> {}

export const SYMBOL_TERMS = {
  /** Decimals of a quantity; not finer than the base asset's ledger. */
  baseFraction: uint<Decimals>(),
  /** Decimals of a price; not finer than the quote asset's ledger. */
  quoteFraction: uint<Decimals>(),
  makerRate: uint<Rate>(),
  takerRate: uint<Rate>(),
  /**
   * Smallest price x quantity of an order, in ledger units of the quote asset, up to `AMOUNT_MAX`; 0 means
   * that one unit is enough.
   */
  minTotal: integer<Amount>(),
  /** Smallest quantity of an order; 0 means one lot. */
  minQuantity: uint<Lots>(),
  /** Applies to orders that specify no mode. */
  selfTradeMode: word(SELF_TRADE_MODES),
  /** Maximum number of open orders of one account in this symbol; at least 1. */
  openOrdersMax: uint(),
  /** Maximum number of price levels on each side of the book; at least 1. */
  levelsMax: uint(),
}

/** The terms that an operator may set when listing a symbol. */
export interface SymbolTerms extends ObjectOf<typeof SYMBOL_TERMS> {}

export type ApiKeyTerms = {
  readonly accountId: AccountId
  /** 1 to `TEXT_MAX`. */
  readonly apiKey: string
  /** 1 to `SEALED_SECRET_BYTES_MAX` bytes; empty if there is a `publicKey`. */
  readonly sealedSecret: Uint8Array
  /** `PUBLIC_KEY_BYTES` long; absent for a key with a secret. */
  readonly publicKey?: Uint8Array | undefined
  /** Absent for BOURSE. */
  readonly wire?: KeyWire | undefined
  /** A set: order and repetition have no meaning. */
  readonly permissions: readonly Permission[]
  /** At most `ADDRESSES_PER_KEY_MAX`, each 1 to `TEXT_MAX`. */
  readonly addresses: readonly string[]
  /** At most `TEXT_MAX`. */
  readonly label: string
  readonly createdAt: TimeMs
  /** 0, or absent, if the key has no end. */
  readonly expiresAt?: TimeMs | undefined
  readonly strictSignature?: boolean | undefined
}

/** The part that only names of the house's own accounts contain. */
const HOUSE_MARK = ':'

const ASSET_CODE = new RegExp(`^[A-Z0-9]{1,${ASSET_CODE_MAX}}$`)

export function isNumberWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max
}

/** Whether a text has these lengths and a snapshot can store it: a lone surrogate has no UTF-8 form. */
export function isTextWithin(value: string, min: number): boolean {
  return value.length >= min && value.length <= TEXT_MAX && value.isWellFormed()
}

export function isValidRate(rate: Rate): boolean {
  return isNumberWithin(rate, 0, RATE_ONE - 1)
}

export function isValidState(state: SymbolState): boolean {
  return SYMBOL_STATES.includes(state)
}

/**
 * 1 to `TEXT_MAX`, without a colon: names with a colon are reserved for the house (`rounding:BTC/USDT`), so
 * that no trader's account can prevent the listing of a symbol, or look like the house's.
 */
export function isValidTraderName(name: string): boolean {
  return isTextWithin(name, 1) && !name.includes(HOUSE_MARK)
}

/** The account for rounding remainders in the symbol with this name. */
export function roundingAccountName(symbolName: string): string {
  return `rounding${HOUSE_MARK}${symbolName}`
}

export function isValidAsset(terms: Omit<AssetTerms, 'flags'>): boolean {
  return (
    ASSET_CODE.test(terms.code) &&
    isTextWithin(terms.name, 1) &&
    isNumberWithin(terms.fraction, 0, DECIMALS_MAX) &&
    isAmount(terms.supplyCap)
  )
}

/** An asset's properties on which the rules for a symbol's terms depend. */
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

/** Checks the fields themselves; the registry decides whether the account may have a key. */
export function isValidApiKey(terms: ApiKeyTerms): boolean {
  return (
    isTextWithin(terms.apiKey, 1) &&
    isKeyMaterial(terms) &&
    terms.addresses.length <= ADDRESSES_PER_KEY_MAX &&
    terms.addresses.every((address) => isTextWithin(address, 1)) &&
    isTextWithin(terms.label, 0) &&
    isNumberWithin(terms.expiresAt ?? 0, 0, UNITS_MAX) &&
    isOfItsWire(terms)
  )
}

function isKeyMaterial({
  sealedSecret,
  publicKey,
}: Pick<ApiKeyTerms, 'sealedSecret' | 'publicKey'>): boolean {
  if (publicKey === undefined) return isNumberWithin(sealedSecret.length, 1, SEALED_SECRET_BYTES_MAX)
  return publicKey.length === PUBLIC_KEY_BYTES && sealedSecret.length === 0
}

/**
 * Whether a key's wire accepts its permissions and signatures. At the exchange's own interface a key pair
 * signs strictly; at Binance's there is no strict signature, and no withdrawal.
 */
export function isOfItsWire(
  key: Pick<ApiKeyTerms, 'publicKey' | 'wire' | 'permissions' | 'strictSignature'>,
): boolean {
  const isStrict = key.strictSignature === true
  if (key.wire === 'BINANCE') return !isStrict && !key.permissions.includes('WITHDRAW')
  return isStrict || key.publicKey === undefined
}
