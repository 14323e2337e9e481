/** Assets and symbols: how they are listed, and the terms of each. */
import type { SelfTradeMode } from '../../units/order-words.ts'
import type { AdminAsset, AdminSymbol } from '../admin-records.ts'
import type { AdminPageFields, AuditFields } from './fields.ts'

export type AssetFlagFields = {
  readonly isDeposit?: boolean | undefined
  readonly isWithdraw?: boolean | undefined
  readonly isTrade?: boolean | undefined
  readonly isSaving?: boolean | undefined
}

/** How small and large an order of a symbol can be, by its decimals: decimal texts. */
export type AdminOrderSizes = {
  readonly quantityMin: string
  readonly quantityMax: string
  readonly priceMin: string
  readonly priceMax: string
}

export type ListingOperations = {
  'asset/list': { readonly request: AdminPageFields; readonly result: readonly AdminAsset[] }
  'asset/add': {
    readonly request: AuditFields &
      AssetFlagFields & {
        code: string
        name?: string | undefined
        fraction: number
        supplyCap?: string | undefined
      }
    readonly result: AdminAsset
  }
  'asset/set': {
    readonly request: AuditFields &
      AssetFlagFields & {
        code: string
        name?: string | undefined
        supplyCap?: string | undefined
        creditMax?: string | undefined
        approvalAbove?: string | undefined
      }
    readonly result: AdminAsset
  }
  /** In the asset's own decimals; `0`: no limit of its own. What is not named stays. */
  'asset/withdrawals': {
    readonly request: AuditFields & {
      code: string
      withdrawMin?: string | undefined
      withdrawMax?: string | undefined
      addressDelayMinutes?: number | undefined
    }
    readonly result: AdminAsset
  }
  'symbol/list': { readonly request: AdminPageFields; readonly result: readonly AdminSymbol[] }
  'symbol/add': {
    readonly request: AuditFields & {
      symbol: string
      baseFraction: number
      quoteFraction: number
      takerRate?: string | undefined
      makerRate?: string | undefined
      minTotal?: string | undefined
      minQuantity?: string | undefined
      selfTradeMode?: SelfTradeMode | undefined
      openOrdersMax?: number | undefined
      levelsMax?: number | undefined
    }
    readonly result: AdminSymbol & { readonly warnings: readonly string[]; readonly sizes: AdminOrderSizes }
  }
  'symbol/rates': {
    readonly request: AuditFields & {
      symbol: string
      takerRate?: string | undefined
      makerRate?: string | undefined
    }
    readonly result: AdminSymbol & { readonly warnings: readonly string[] }
  }
  'symbol/halt': { readonly request: AuditFields & { symbol: string }; readonly result: AdminSymbol }
  'symbol/resume': { readonly request: AuditFields & { symbol: string }; readonly result: AdminSymbol }
  'symbol/cancel-only': { readonly request: AuditFields & { symbol: string }; readonly result: AdminSymbol }
  'symbol/delist': { readonly request: AuditFields & { symbol: string }; readonly result: AdminSymbol }
  /** What is not named stays. Both prices are given, or neither; both `0`: no band. */
  'symbol/set': {
    readonly request: AuditFields & {
      symbol: string
      minTotal?: string | undefined
      minQuantity?: string | undefined
      selfTradeMode?: SelfTradeMode | undefined
      openOrdersMax?: number | undefined
      levelsMax?: number | undefined
      minPrice?: string | undefined
      maxPrice?: string | undefined
    }
    readonly result: AdminSymbol & { readonly warnings: readonly string[] }
  }
  /** In the symbol's own decimals. What is not named stays. */
  'symbol/increments': {
    readonly request: AuditFields & {
      symbol: string
      tickSize?: string | undefined
      stepSize?: string | undefined
    }
    readonly result: AdminSymbol
  }
}
