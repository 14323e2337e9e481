/** Records of the exchange as the admin server shows them: decimals as text, times as ISO 8601. */

import type {
  AdminAccount,
  AdminAsset,
  AdminBalance,
  AdminKey,
  AdminSpecialTerms,
  AdminSymbol,
} from '../../contract/admin/records.ts'
import { isoTime } from '../../contract/time.ts'
import type { Balance } from '../../core/questions/view.ts'
import { binanceNameOf } from '../../core/registry/binance-name.ts'
import {
  type Account,
  type ApiKey,
  type Asset,
  keyKindOf,
  keyWireOf,
  restrictionsOf,
  type SpecialTerms,
  type TradingSymbol,
} from '../../core/registry/records.ts'
import { isInForce } from '../../core/registry/special-terms.ts'
import { plainDecimal } from '../../units/decimal.ts'
import type { KeyNumber } from '../../units/ids.ts'
import { ADDRESS_DELAY_DEFAULT_MS } from '../../units/limits.ts'
import { decimals, type Price, RATE_DECIMALS, type Rate, type TimeMs } from '../../units/quantities.ts'

const MINUTE_MS = 60_000

export function rateText(rate: Rate): string {
  return plainDecimal(rate, decimals(RATE_DECIMALS))
}

export function adminAsset(asset: Asset): AdminAsset {
  const { code, name, fraction, isDeposit, isWithdraw, isTrade, isSaving } = asset
  const supplyCap = plainDecimal(asset.supplyCap, fraction)
  const creditMax = plainDecimal(asset.creditMax ?? 0, fraction)
  const approvalAbove = plainDecimal(asset.approvalAbove ?? 0, fraction)
  const flags = { isDeposit, isWithdraw, isTrade, isSaving }
  const withdrawMin = plainDecimal(asset.withdrawMin ?? 0, fraction)
  const withdrawMax = plainDecimal(asset.withdrawMax ?? 0, fraction)
  const addressDelayMinutes = (asset.addressDelayMs ?? ADDRESS_DELAY_DEFAULT_MS) / MINUTE_MS
  const limits = { supplyCap, creditMax, approvalAbove, withdrawMin, withdrawMax, addressDelayMinutes }
  return { code, name, fraction, ...flags, ...limits }
}

export function adminSymbol(symbol: TradingSymbol): AdminSymbol {
  return {
    symbol: symbol.name,
    binanceName: binanceNameOf(symbol),
    state: symbol.state,
    baseFraction: symbol.baseFraction,
    quoteFraction: symbol.quoteFraction,
    takerRate: rateText(symbol.takerRate),
    makerRate: rateText(symbol.makerRate),
    minTotal: plainDecimal(symbol.minTotal, symbol.quotePrecision),
    minQuantity: plainDecimal(symbol.minQuantity, symbol.baseFraction),
    tickSize: plainDecimal(symbol.increments?.tickSize ?? 1, symbol.quoteFraction),
    stepSize: plainDecimal(symbol.increments?.stepSize ?? 1, symbol.baseFraction),
    selfTradeMode: symbol.selfTradeMode,
    openOrdersMax: symbol.openOrdersMax,
    levelsMax: symbol.levelsMax,
    minPrice: priceText(symbol.priceBand?.min, symbol),
    maxPrice: priceText(symbol.priceBand?.max, symbol),
  }
}

function priceText(price: Price | undefined, { quoteFraction }: TradingSymbol): string | null {
  return price === undefined ? null : plainDecimal(price, quoteFraction)
}

/** `now`: the time that decides whether terms are in force or over. */
export function adminAccount(account: Account, now: TimeMs): AdminAccount {
  const { name, role, restrictions, isClosed, feeTier, openOrdersMax, profile, special } = account
  return {
    name,
    role,
    createdAt: isoTime(account.createdAt),
    restrictions: restrictions ?? [],
    operatorRestrictions: restrictionsOf(account, 'OPERATOR'),
    customerRestrictions: restrictionsOf(account, 'CUSTOMER'),
    closed: isClosed === true,
    feeTier: feeTier ?? null,
    openOrdersMax: openOrdersMax ?? null,
    customerId: profile?.customerId ?? '',
    labels: profile?.labels ?? [],
    fields: profile?.fields.map(({ name, value }) => `${name}=${value}`) ?? [],
    remark: profile?.remark ?? '',
    terms: special === undefined ? null : adminTerms(special, now),
  }
}

function adminTerms({ rates, openOrders, orderRate }: SpecialTerms, now: TimeMs): AdminSpecialTerms {
  return {
    makerRate: rates === undefined ? null : rateText(rates.makerRate),
    takerRate: rates === undefined ? null : rateText(rates.takerRate),
    ratesUntil: endText(rates?.until),
    ratesInForce: rates !== undefined && isInForce(rates, now),
    openOrdersMax: openOrders?.max ?? null,
    openOrdersUntil: endText(openOrders?.until),
    openOrdersInForce: openOrders !== undefined && isInForce(openOrders, now),
    orderRateTimes: orderRate?.times ?? null,
    orderRateUntil: endText(orderRate?.until),
    orderRateInForce: orderRate !== undefined && isInForce(orderRate, now),
  }
}

/** null if there is no end. */
function endText(until: TimeMs | undefined): string | null {
  return until === undefined || until === 0 ? null : isoTime(until)
}

export function adminKey(
  apiKey: ApiKey,
  account: string,
  number: KeyNumber | undefined,
  lastUsed: TimeMs | undefined,
): AdminKey {
  const { label, permissions, addresses, enabled, publicKey } = apiKey
  return {
    apiKey: apiKey.apiKey,
    account,
    number: number ?? null,
    label,
    kind: keyKindOf(apiKey),
    publicKey: publicKey === undefined ? null : Buffer.from(publicKey).toString('base64'),
    wire: keyWireOf(apiKey),
    permissions,
    addresses,
    enabled,
    revoked: apiKey.isRevoked === true,
    strict: apiKey.strictSignature === true,
    createdAt: isoTime(apiKey.createdAt),
    expiresAt: timeText(apiKey.expiresAt),
    previousSecretUntil: timeText(apiKey.previousSecret?.until),
    lastUsedAt: timeText(lastUsed),
  }
}

function timeText(time: TimeMs | undefined): string | null {
  return time === undefined ? null : isoTime(time)
}

export function adminBalance(balance: Balance, { code, fraction }: Asset): AdminBalance {
  return {
    asset: code,
    free: plainDecimal(balance.free, fraction),
    locked: plainDecimal(balance.locked, fraction),
    freeze: plainDecimal(balance.freeze, fraction),
    savings: plainDecimal(balance.savings, fraction),
  }
}
