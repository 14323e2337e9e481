/**
 * Creates a new record from an old one and an operator's change. A record omits fields with their default
 * values, so that equal records are identical, no matter how they were created.
 */
import {
  ADDRESS_DELAY_DEFAULT_MS,
  ADDRESS_DELAY_MAX_MS,
  ADDRESSES_PER_KEY_MAX,
  NAME_MAX,
  SEALED_SECRET_BYTES_MAX,
  TOKEN_DIGEST_BYTES,
} from '../../units/limits.ts'
import {
  ACCOUNT_RESTRICTIONS,
  type AccountRestriction,
  type RestrictionSource,
} from '../../units/operator-enums.ts'
import { PERMISSIONS, SELF_TRADE_MODES } from '../../units/order-enums.ts'
import {
  type Amount,
  isAmount,
  type Lots,
  type Price,
  RATE_ONE,
  type Rate,
  type TimeMs,
  UNITS_MAX,
} from '../../units/quantities.ts'
import { integer, listOf, type ObjectOf, text, uint, word } from '../../units/shapes/shape.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { isEmptyProfile } from './account-profile.ts'
import {
  type Account,
  type AccountProfile,
  type AdminToken,
  type ApiKey,
  type Asset,
  type FeeTier,
  type Increments,
  type PreviousSecret,
  restrictionsOf,
  type SpecialTerms,
  type TradingSymbol,
} from './records.ts'
import { isWithoutTerms } from './special-terms.ts'
import { type ApiKeyTerms, isNumberWithin, isTextWithin } from './terms.ts'

export const ASSET_AMENDMENT = {
  /** 1 to `TEXT_MAX`. */
  name: text(),
  /** As at listing; existing money stays if the cap is lowered. */
  supplyCap: integer<Amount>(),
  /** 0 means no limit for one credit. */
  creditMax: integer<Amount>(),
  /** 0 means that no amount needs approval. */
  approvalAbove: integer<Amount>(),
}

/** The properties of an asset that can change after its listing. */
export interface AssetAmendment extends ObjectOf<typeof ASSET_AMENDMENT> {}

export const WITHDRAWAL_AMENDMENT = {
  /** Minimum amount of one withdrawal; 0 means no separate minimum. */
  withdrawMin: integer<Amount>(),
  /** Maximum amount of one withdrawal, not below the minimum; 0 means no separate maximum. */
  withdrawMax: integer<Amount>(),
  /** Waiting time of a new address in milliseconds: 0 to `ADDRESS_DELAY_MAX_MS`. */
  addressDelayMs: uint(),
}

/** The limits of traders' withdrawal requests for an asset. */
export interface WithdrawalAmendment extends ObjectOf<typeof WITHDRAWAL_AMENDMENT> {}

export const SYMBOL_AMENDMENT = {
  minTotal: integer<Amount>(),
  minQuantity: uint<Lots>(),
  selfTradeMode: word(SELF_TRADE_MODES),
  openOrdersMax: uint(),
  levelsMax: uint(),
  /** The price band, from the lowest to the highest price, both included; both are 0 if there is none. */
  minPrice: uint<Price>(),
  maxPrice: uint<Price>(),
}

/** The properties of a symbol that can change after its listing, except rates and state. */
export interface SymbolAmendment extends ObjectOf<typeof SYMBOL_AMENDMENT> {}

export const INCREMENTS_AMENDMENT = {
  /** 1 to `UNITS_MAX`. */
  tickSize: uint<Price>(),
  /** 1 to `UNITS_MAX`. */
  stepSize: uint<Lots>(),
}

/** If both are 1, every price and quantity that the symbol's decimals allow is accepted. */
interface IncrementsAmendment extends ObjectOf<typeof INCREMENTS_AMENDMENT> {}

export const ACCOUNT_AMENDMENT = {
  /** Name of a tier; '' for none. */
  feeTier: text(),
  /** 0 means the limits of the symbols. */
  openOrdersMax: uint(),
}

export interface AccountAmendment extends ObjectOf<typeof ACCOUNT_AMENDMENT> {}

export const API_KEY_AMENDMENT = {
  permissions: listOf(word(PERMISSIONS)),
  addresses: listOf(text()),
  label: text(),
  /** 0 means never. */
  expiresAt: uint<TimeMs>(),
}

export interface ApiKeyAmendment extends ObjectOf<typeof API_KEY_AMENDMENT> {}

export function isValidAssetAmendment(to: AssetAmendment): boolean {
  return (
    isTextWithin(to.name, 1) && isAmount(to.supplyCap) && isAmount(to.creditMax) && isAmount(to.approvalAbove)
  )
}

export function isValidWithdrawalAmendment(to: WithdrawalAmendment): boolean {
  const { withdrawMin, withdrawMax, addressDelayMs } = to
  const areLimits = isAmount(withdrawMin) && isAmount(withdrawMax)
  const isInOrder = withdrawMax === 0 || withdrawMin <= withdrawMax
  return areLimits && isInOrder && isNumberWithin(addressDelayMs, 0, ADDRESS_DELAY_MAX_MS)
}

export function isValidSymbolAmendment(to: SymbolAmendment): boolean {
  const hasBand = to.minPrice > 0 || to.maxPrice > 0
  return (
    isAmount(to.minTotal) &&
    isNumberWithin(to.minQuantity, 0, UNITS_MAX) &&
    SELF_TRADE_MODES.includes(to.selfTradeMode) &&
    isNumberWithin(to.openOrdersMax, 1, UNITS_MAX) &&
    isNumberWithin(to.levelsMax, 1, UNITS_MAX) &&
    (!hasBand ||
      (isNumberWithin(to.minPrice, 1, UNITS_MAX) && isNumberWithin(to.maxPrice, to.minPrice, UNITS_MAX)))
  )
}

/** Whether the symbol's price band, if it has one, contains a multiple of its tick size. */
export function hasPriceOnTick({ priceBand, increments }: TradingSymbol): boolean {
  if (priceBand === undefined || increments === undefined) return true
  return priceBand.max - (priceBand.max % increments.tickSize) >= priceBand.min
}

export function isValidApiKeyAmendment(to: ApiKeyAmendment): boolean {
  return (
    to.addresses.length <= ADDRESSES_PER_KEY_MAX &&
    to.addresses.every((address) => isTextWithin(address, 1)) &&
    isTextWithin(to.label, 0) &&
    isNumberWithin(to.expiresAt, 0, UNITS_MAX)
  )
}

export function isValidSecret(sealedSecret: Uint8Array): boolean {
  return isNumberWithin(sealedSecret.length, 1, SEALED_SECRET_BYTES_MAX)
}

const NAME = new RegExp(`^[A-Za-z0-9._@-]{1,${NAME_MAX}}$`)

function isShare(share: Rate): boolean {
  return isNumberWithin(share, 0, RATE_ONE)
}

export function isValidFeeTier({ name, makerShare, takerShare }: FeeTier): boolean {
  return NAME.test(name) && isShare(makerShare) && isShare(takerShare)
}

export function isValidToken({ name, digest }: Pick<AdminToken, 'name' | 'digest'>): boolean {
  return NAME.test(name) && digest.length === TOKEN_DIGEST_BYTES
}

/** The record with the given fields replaced; a field without a value is left out. */
export function withFields<Of extends object>(record: Of, fields: Partial<Of>): Of {
  const all = Object.entries({ ...record, ...fields })
  // The compiler cannot infer that every required field has a value.
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Of
}

export function amendedAsset(
  asset: Asset,
  { name, supplyCap, creditMax, approvalAbove }: AssetAmendment,
): Asset {
  return withFields(asset, {
    name,
    supplyCap,
    creditMax: creditMax || undefined,
    approvalAbove: approvalAbove || undefined,
  })
}

export function amendedSymbol(symbol: TradingSymbol, to: SymbolAmendment): TradingSymbol {
  const { minPrice, maxPrice, minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax } = to
  const terms = { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax }
  return withFields(symbol, {
    ...terms,
    priceBand: maxPrice > 0 ? { min: minPrice, max: maxPrice } : undefined,
  })
}

export function assetWithWithdrawalTerms(
  asset: Asset,
  { withdrawMin, withdrawMax, addressDelayMs }: WithdrawalAmendment,
): Asset {
  return withFields(asset, {
    withdrawMin: withdrawMin || undefined,
    withdrawMax: withdrawMax || undefined,
    addressDelayMs: addressDelayMs === ADDRESS_DELAY_DEFAULT_MS ? undefined : addressDelayMs,
  })
}

/** The increments of a symbol; undefined if both are 1. */
export function incrementsOf({ tickSize, stepSize }: IncrementsAmendment): Increments | undefined {
  return tickSize === 1 && stepSize === 1 ? undefined : { tickSize, stepSize }
}

/** The account with these restrictions of one source; those of the other stay. */
export function restrictedAccount(
  account: Account,
  source: RestrictionSource,
  wanted: readonly AccountRestriction[],
): Account {
  const of = (one: RestrictionSource) => (one === source ? wanted : restrictionsOf(account, one))
  const [operator, customer] = [inOrder(of('OPERATOR')), inOrder(of('CUSTOMER'))]
  const restrictions = inOrder([...operator, ...customer])
  return withFields(account, {
    restrictions: restrictions.length > 0 ? restrictions : undefined,
    restrictionsBySource: customer.length > 0 ? { OPERATOR: operator, CUSTOMER: customer } : undefined,
  })
}

function inOrder(restrictions: readonly AccountRestriction[]): readonly AccountRestriction[] {
  return ACCOUNT_RESTRICTIONS.filter((word) => restrictions.includes(word))
}

export function amendedAccount(account: Account, { feeTier, openOrdersMax }: AccountAmendment): Account {
  return withFields(account, {
    feeTier: feeTier || undefined,
    openOrdersMax: openOrdersMax || undefined,
  })
}

export function profiledAccount(account: Account, profile: AccountProfile): Account {
  const { customerId, labels, fields, remark } = profile
  const now = { customerId, labels: labels.slice(), fields: fields.slice(), remark }
  return withFields(account, { profile: isEmptyProfile(now) ? undefined : now })
}

export function accountWithTerms(account: Account, { rates, openOrders, orderRate }: SpecialTerms): Account {
  const special = withFields<SpecialTerms>({}, { rates, openOrders, orderRate })
  return withFields(account, { special: isWithoutTerms(special) ? undefined : special })
}

/** A new key, enabled. */
export function newApiKey(terms: ApiKeyTerms): ApiKey {
  const { apiKey, accountId, addresses, label, createdAt, publicKey, wire, expiresAt = 0 } = terms
  return {
    apiKey,
    accountId,
    // Copies, since the given bytes may be a view of a whole batch of commands.
    sealedSecret: terms.sealedSecret.slice(),
    permissions: PERMISSIONS.filter((permission) => terms.permissions.includes(permission)),
    addresses: addresses.slice(),
    label,
    createdAt,
    enabled: true,
    ...(publicKey === undefined ? {} : { publicKey: publicKey.slice() }),
    ...(wire === 'BINANCE' ? { wire } : {}),
    ...(expiresAt > 0 ? { expiresAt: expiresAt as TimeMs } : {}),
    ...(terms.strictSignature ? { strictSignature: true } : {}),
  }
}

export function amendedApiKey(key: ApiKey, to: ApiKeyAmendment): ApiKey {
  return withFields(key, {
    permissions: PERMISSIONS.filter((permission) => to.permissions.includes(permission)),
    addresses: to.addresses.slice(),
    label: to.label,
    expiresAt: to.expiresAt || undefined,
  })
}

export function strictApiKey(key: ApiKey, isStrict: boolean): ApiKey {
  return withFields(key, { strictSignature: isStrict || undefined })
}

/** The key with a new secret. The old one stays valid until `previousUntil`; 0 makes it invalid at once. */
export function rotatedApiKey(key: ApiKey, sealedSecret: Uint8Array, previousUntil: TimeMs): ApiKey {
  const previousSecret: PreviousSecret = { sealedSecret: key.sealedSecret, until: previousUntil }
  return withFields(key, {
    // A copy, since the given bytes may be a view of a whole batch of commands.
    sealedSecret: sealedSecret.slice(),
    previousSecret: previousUntil > 0 ? previousSecret : undefined,
  })
}

/** The key with `to` in place of the sealed secret `from`; undefined if it has no such secret. */
export function resealedApiKey(key: ApiKey, from: Uint8Array, to: Uint8Array): ApiKey | undefined {
  if (key.publicKey !== undefined) return undefined
  // A copy, since the given bytes may be a view of a whole batch of commands.
  const sealedSecret = to.slice()
  if (sameBytes(key.sealedSecret, from)) return { ...key, sealedSecret }
  const { previousSecret } = key
  if (previousSecret === undefined || !sameBytes(previousSecret.sealedSecret, from)) return undefined
  return { ...key, previousSecret: { ...previousSecret, sealedSecret } }
}

/**
 * The revoked key. `at` is the time, if the rules record it; a key that had expired before then has already
 * ended.
 */
export function revokedApiKey(key: ApiKey, at: TimeMs | undefined): ApiKey {
  if (key.isRevoked) return key
  return withFields(key, {
    enabled: false,
    isRevoked: true,
    previousSecret: undefined,
    endedAt: at === undefined ? undefined : (endOfKey(key, at) ?? at),
  })
}

/**
 * The time at which the key ended; undefined if it is still valid at `time`; 0 if it was revoked under rules
 * that do not record the time.
 */
export function endOfKey(
  { isRevoked, endedAt, expiresAt }: Pick<ApiKey, 'isRevoked' | 'endedAt' | 'expiresAt'>,
  time: TimeMs,
): TimeMs | undefined {
  if (isRevoked) return endedAt ?? (0 as TimeMs)
  return expiresAt !== undefined && expiresAt <= time ? expiresAt : undefined
}
