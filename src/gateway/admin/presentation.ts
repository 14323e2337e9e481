/** Records of the exchange as the admin door shows them: decimals as text, times as ISO 8601. */
import type { Balance } from '../../core/exchange/view.ts'
import type { Account, ApiKey, Asset, TradingSymbol } from '../../core/registry/records.ts'
import { plainDecimal } from '../../units/decimal.ts'
import { decimals, RATE_DECIMALS, type Rate, type TimeMs } from '../../units/quantities.ts'
import type { AdminAccount, AdminAsset, AdminBalance, AdminKey, AdminSymbol } from '../../wire/admin.ts'
import { isoTime } from '../../wire/time.ts'

export function rateText(rate: Rate): string {
  return plainDecimal(rate, decimals(RATE_DECIMALS))
}

export function adminAsset(asset: Asset): AdminAsset {
  const { code, name, fraction, isDeposit, isWithdraw, isTrade, isSaving } = asset
  const supplyCap = plainDecimal(asset.supplyCap, fraction)
  return { code, name, fraction, isDeposit, isWithdraw, isTrade, isSaving, supplyCap }
}

export function adminSymbol(symbol: TradingSymbol): AdminSymbol {
  return {
    symbol: symbol.name,
    state: symbol.state,
    baseFraction: symbol.baseFraction,
    quoteFraction: symbol.quoteFraction,
    takerRate: rateText(symbol.takerRate),
    makerRate: rateText(symbol.makerRate),
    minTotal: plainDecimal(symbol.minTotal, symbol.quotePrecision),
    minQuantity: plainDecimal(symbol.minQuantity, symbol.baseFraction),
    selfTradeMode: symbol.selfTradeMode,
    openOrdersMax: symbol.openOrdersMax,
    levelsMax: symbol.levelsMax,
  }
}

export function adminAccount({ name, role, createdAt }: Account): AdminAccount {
  return { name, role, createdAt: isoTime(createdAt) }
}

export function adminKey(apiKey: ApiKey, account: string, lastUsed: TimeMs | undefined): AdminKey {
  const { label, permissions, addresses, enabled } = apiKey
  const createdAt = isoTime(apiKey.createdAt)
  const lastUsedAt = lastUsed === undefined ? null : isoTime(lastUsed)
  return { apiKey: apiKey.apiKey, account, label, permissions, addresses, enabled, createdAt, lastUsedAt }
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
