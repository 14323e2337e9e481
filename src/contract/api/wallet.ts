/**
 * The two answers of the wallet (docs/reference/http.md#wallet): all assets of the one account `Spot`, or one
 * asset's `free`.
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Amount, Decimals } from '../../units/quantities.ts'
import {
  assetCode,
  component,
  constant,
  decimal,
  either,
  flag,
  listOf,
  object,
  text,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'

const ASSET_ACCOUNT = component('AssetAccount', 'The balances of an account in an asset.', {
  asset: assetCode(),
  name: text(),
  free: decimal('Can be traded or withdrawn.'),
  freeze: decimal('Held by the operator or by a pending withdrawal.'),
  locked: decimal('Held by open orders.'),
  savings: decimal(),
  freeTransfer: decimal('The part of free that may leave the exchange now.'),
  freezeTransfer: decimal(),
  lockedTransfer: decimal(),
  savingsTransfer: decimal(),
  isDeposit: flag(),
  isWithdraw: flag(),
  isTrade: flag(),
  isSaving: flag(),
})

export const WALLET = component('Wallet', 'Every listed asset, zero balances included.', {
  acc: object({
    Spot: object({
      walletCode: constant('SPOT'),
      transfer: either(constant(0), constant(1)),
      assetAccs: listOf(ASSET_ACCOUNT),
    }),
  }),
})

export const ASSET_FREE = component('AssetFree', 'The free balance of one asset.', { free: decimal() })

/** One asset's balances, in ledger units, and the permitted operations. */
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

/** The text before all assets. `mayTransfer`: the account may withdraw money. */
export function walletHead(mayTransfer: boolean, language: Language): string {
  const spot = `{"walletCode":"SPOT","transfer":${mayTransfer ? 1 : 0},"assetAccs":[`
  return `${WALLET_READ[language]},"data":{"acc":{"Spot":${spot}`
}

/** Assets, with commas between them. */
export function assetAccountsJson(assets: readonly AssetAccount[], mayTransfer: boolean): string {
  return assets.map((asset) => assetAccountJson(asset, mayTransfer)).join(',')
}

/** The text after the assets. */
export const WALLET_END = ']}}}}'

/** The answer about one asset. */
export function assetFreeBody(asset: Pick<AssetAccount, 'free' | 'fraction'>, language: Language): string {
  return successBody(
    WALLET_READ,
    language,
    jsonOf(ASSET_FREE, { free: plainDecimal(asset.free, asset.fraction) }),
  )
}

/** `...Transfer` is the part of a bucket that may leave the exchange now: all of `free`, or nothing. */
function assetAccountJson(asset: AssetAccount, mayTransfer: boolean): string {
  const units = (of: Amount) => plainDecimal(of, asset.fraction)
  const freeTransfer = mayTransfer && asset.isWithdraw ? units(asset.free) : '0'
  return jsonOf(ASSET_ACCOUNT, {
    asset: asset.code,
    name: asset.name,
    free: units(asset.free),
    freeze: units(asset.freeze),
    locked: units(asset.locked),
    savings: units(asset.savings),
    freeTransfer,
    freezeTransfer: '0',
    lockedTransfer: '0',
    savingsTransfer: '0',
    isDeposit: asset.isDeposit,
    isWithdraw: asset.isWithdraw,
    isTrade: asset.isTrade,
    isSaving: asset.isSaving,
  })
}
