/**
 * How an operator's change makes a new record of an old one. A record says nothing of what it does not have: what is
 * at its default is left out, so that equal records are equal to the letter, whichever way they came about.
 */
import {
  ADDRESS_DELAY_DEFAULT_MS,
  ADDRESS_DELAY_MAX_MS,
  ADDRESSES_PER_KEY_MAX,
  NAME_MAX,
  SEALED_SECRET_BYTES_MAX,
  TOKEN_DIGEST_BYTES,
} from '../../units/limits.ts'
import { ACCOUNT_RESTRICTIONS, type AccountRestriction } from '../../units/operator-words.ts'
import {
  PERMISSIONS,
  type Permission,
  SELF_TRADE_MODES,
  type SelfTradeMode,
} from '../../units/order-words.ts'
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
import { sameBytes } from '../../units/typed-arrays.ts'
import { isEmptyProfile } from './account-profile.ts'
import type {
  Account,
  AccountProfile,
  AdminToken,
  ApiKey,
  Asset,
  FeeTier,
  PreviousSecret,
  SpecialTerms,
  TradingSymbol,
} from './records.ts'
import { isWithoutTerms } from './special-terms.ts'
import { isNumberWithin, isTextWithin } from './terms.ts'

/** What of an asset may change after its listing. */
export type AssetAmendment = {
  /** 1 to `TEXT_MAX`. */
  readonly name: string
  /** As at listing; money that is there stays when it is lowered. */
  readonly supplyCap: Amount
  /** 0: no limit of one credit. */
  readonly creditMax: Amount
  /** 0: nothing waits for approval. */
  readonly approvalAbove: Amount
}

/** What traders may ask to withdraw of an asset. */
export type WithdrawalAmendment = {
  /** Least of one withdrawal; 0: no limit of its own. */
  readonly withdrawMin: Amount
  /** Most of one withdrawal, not below the least; 0: no limit of its own. */
  readonly withdrawMax: Amount
  /** How long a new address waits: 0 to `ADDRESS_DELAY_MAX_MS`. */
  readonly addressDelayMs: number
}

/** What of a symbol may change after its listing, rates and state apart. */
export type SymbolAmendment = {
  readonly minTotal: Amount
  readonly minQuantity: Lots
  readonly selfTradeMode: SelfTradeMode
  readonly openOrdersMax: number
  readonly levelsMax: number
  /** The price band, both included; both 0: none. */
  readonly minPrice: Price
  readonly maxPrice: Price
}

/** Both 1: every price and quantity that the symbol's decimals allow. */
export type IncrementsAmendment = {
  /** 1 to `UNITS_MAX`. */
  readonly tickSize: Price
  /** 1 to `UNITS_MAX`. */
  readonly stepSize: Lots
}

export type AccountAmendment = {
  /** Name of a tier; '': none. */
  readonly feeTier: string
  /** 0: the symbols' own. */
  readonly openOrdersMax: number
}

export type ApiKeyAmendment = {
  readonly permissions: readonly Permission[]
  readonly addresses: readonly string[]
  readonly label: string
  /** 0: never. */
  readonly expiresAt: TimeMs
}

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

export function isValidIncrementsAmendment(to: IncrementsAmendment): boolean {
  return isNumberWithin(to.tickSize, 1, UNITS_MAX) && isNumberWithin(to.stepSize, 1, UNITS_MAX)
}

/** Whether some price of the symbol's band, where it has one, is a multiple of its tick size. */
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

export function amendedAsset(
  asset: Asset,
  { name, supplyCap, creditMax, approvalAbove }: AssetAmendment,
): Asset {
  const { creditMax: _limit, approvalAbove: _threshold, ...rest } = asset
  return {
    ...rest,
    name,
    supplyCap,
    ...(creditMax > 0 ? { creditMax } : {}),
    ...(approvalAbove > 0 ? { approvalAbove } : {}),
  }
}

export function amendedSymbol(symbol: TradingSymbol, to: SymbolAmendment): TradingSymbol {
  const { priceBand: _band, ...rest } = symbol
  const { minPrice, maxPrice, minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax } = to
  const terms = { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax }
  return { ...rest, ...terms, ...(maxPrice > 0 ? { priceBand: { min: minPrice, max: maxPrice } } : {}) }
}

export function assetWithWithdrawalTerms(
  asset: Asset,
  { withdrawMin, withdrawMax, addressDelayMs }: WithdrawalAmendment,
): Asset {
  const { withdrawMin: _min, withdrawMax: _max, addressDelayMs: _delay, ...rest } = asset
  return {
    ...rest,
    ...(withdrawMin > 0 ? { withdrawMin } : {}),
    ...(withdrawMax > 0 ? { withdrawMax } : {}),
    ...(addressDelayMs === ADDRESS_DELAY_DEFAULT_MS ? {} : { addressDelayMs }),
  }
}

export function symbolWithIncrements(
  symbol: TradingSymbol,
  { tickSize, stepSize }: IncrementsAmendment,
): TradingSymbol {
  const { increments: _before, ...rest } = symbol
  return tickSize > 1 || stepSize > 1 ? { ...rest, increments: { tickSize, stepSize } } : rest
}

export function restrictedAccount(account: Account, restrictions: readonly AccountRestriction[]): Account {
  const { restrictions: _before, ...rest } = account
  const now = ACCOUNT_RESTRICTIONS.filter((word) => restrictions.includes(word))
  return now.length > 0 ? { ...rest, restrictions: now } : rest
}

export function amendedAccount(account: Account, { feeTier, openOrdersMax }: AccountAmendment): Account {
  const { feeTier: _tier, openOrdersMax: _max, ...rest } = account
  return {
    ...rest,
    ...(feeTier === '' ? {} : { feeTier }),
    ...(openOrdersMax === 0 ? {} : { openOrdersMax }),
  }
}

export function profiledAccount(account: Account, profile: AccountProfile): Account {
  const { profile: _before, ...rest } = account
  const { customerId, labels, fields, remark } = profile
  const now = { customerId, labels: labels.slice(), fields: fields.slice(), remark }
  return isEmptyProfile(now) ? rest : { ...rest, profile: now }
}

export function accountWithTerms(account: Account, { rates, openOrders, orderRate }: SpecialTerms): Account {
  const { special: _before, ...rest } = account
  const special = {
    ...(rates === undefined ? {} : { rates }),
    ...(openOrders === undefined ? {} : { openOrders }),
    ...(orderRate === undefined ? {} : { orderRate }),
  }
  return isWithoutTerms(special) ? rest : { ...rest, special }
}

export function amendedApiKey(key: ApiKey, to: ApiKeyAmendment): ApiKey {
  const { expiresAt: _before, ...rest } = key
  return {
    ...rest,
    permissions: PERMISSIONS.filter((permission) => to.permissions.includes(permission)),
    addresses: to.addresses.slice(),
    label: to.label,
    ...(to.expiresAt > 0 ? { expiresAt: to.expiresAt } : {}),
  }
}

export function strictApiKey(key: ApiKey, isStrict: boolean): ApiKey {
  const { strictSignature: _before, ...rest } = key
  return isStrict ? { ...rest, strictSignature: true } : rest
}

/** The old secret opens until `previousUntil`; 0: not any more. */
export function rotatedApiKey(key: ApiKey, sealedSecret: Uint8Array, previousUntil: TimeMs): ApiKey {
  const { previousSecret: _older, ...rest } = key
  const previousSecret: PreviousSecret = { sealedSecret: key.sealedSecret, until: previousUntil }
  // A copy: the bytes given may be a view of a whole batch of commands.
  return { ...rest, sealedSecret: sealedSecret.slice(), ...(previousUntil > 0 ? { previousSecret } : {}) }
}

/** With another sealing in the place of `from`; undefined: it has no such sealing. */
export function resealedApiKey(key: ApiKey, from: Uint8Array, to: Uint8Array): ApiKey | undefined {
  // A copy: the bytes given may be a view of a whole batch of commands.
  const sealedSecret = to.slice()
  if (sameBytes(key.sealedSecret, from)) return { ...key, sealedSecret }
  const { previousSecret } = key
  if (previousSecret === undefined || !sameBytes(previousSecret.sealedSecret, from)) return undefined
  return { ...key, previousSecret: { ...previousSecret, sealedSecret } }
}

export function revokedApiKey(key: ApiKey): ApiKey {
  const { previousSecret: _older, ...rest } = key
  return { ...rest, enabled: false, isRevoked: true }
}
