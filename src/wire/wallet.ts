/**
 * The two answers of the wallet (docs/reference/http.md#wallet): all assets of the one account `Spot`, or one asset's `free`.
 */
import { plainDecimal } from '../units/decimal.ts'
import type { Amount, Decimals } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

/** One asset's money, in ledger units, and what may be done with it. */
export type AssetAccount = {
  readonly code: string
  readonly name: string
  readonly fraction: Decimals
  readonly free: Amount
  readonly freeze: Amount
  readonly locked: Amount
  readonly savings: Amount
  readonly isDeposit: boolean
  readonly isWithdraw: boolean
  readonly isTrade: boolean
  readonly isSaving: boolean
}

const WALLET_READ = successHeads({ en: 'The balance has been read.', tr: 'Bakiye getirildi.' })

/** What stands before all assets. `mayTransfer`: the account may move money out of the exchange. */
export function walletHead(mayTransfer: boolean, language: Language): string {
  const spot = `{"walletCode":"SPOT","transfer":${mayTransfer ? 1 : 0},"assetAccs":[`
  return `${WALLET_READ[language]},"data":{"acc":{"Spot":${spot}`
}

/** Assets, with commas between them. */
export function assetAccountsJson(assets: readonly AssetAccount[], mayTransfer: boolean): string {
  return assets.map((asset) => assetAccountJson(asset, mayTransfer)).join(',')
}

/** What stands behind the assets. */
export const WALLET_END = ']}}}}'

/** One asset. */
export function assetFreeBody(asset: Pick<AssetAccount, 'free' | 'fraction'>, language: Language): string {
  return successBody(WALLET_READ, language, `{"free":"${plainDecimal(asset.free, asset.fraction)}"}`)
}

/** `...Transfer` is the part of a bucket that may leave the exchange now: all of `free`, or nothing. */
function assetAccountJson(asset: AssetAccount, mayTransfer: boolean): string {
  const text = (units: Amount) => plainDecimal(units, asset.fraction)
  const freeTransfer = mayTransfer && asset.isWithdraw ? text(asset.free) : '0'
  return (
    `{"asset":${JSON.stringify(asset.code)},"name":${JSON.stringify(asset.name)},` +
    `"free":"${text(asset.free)}","freeze":"${text(asset.freeze)}",` +
    `"locked":"${text(asset.locked)}","savings":"${text(asset.savings)}",` +
    `"freeTransfer":"${freeTransfer}","freezeTransfer":"0","lockedTransfer":"0","savingsTransfer":"0",` +
    `"isDeposit":${asset.isDeposit},"isWithdraw":${asset.isWithdraw},` +
    `"isTrade":${asset.isTrade},"isSaving":${asset.isSaving}}`
  )
}
