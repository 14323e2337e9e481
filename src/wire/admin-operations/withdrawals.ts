/** Withdrawals, and the addresses that they go to. */
import type {
  AdminAddressPlace,
  AdminTransfer,
  AdminWithdrawal,
  AdminWithdrawalAddress,
} from '../admin-records.ts'
import type { AdminEndedWithdrawalPage } from '../admin-support.ts'
import type { AdminPageFields, AuditFields, MoneyFields } from './fields.ts'

export type WithdrawalOperations = {
  /** In the order in which they were asked for, those behind `after` (a reference). */
  'withdrawal/list': {
    readonly request: AdminPageFields & { account?: string | undefined }
    readonly result: readonly AdminWithdrawal[]
  }
  'withdrawal/ended': {
    readonly request: {
      account?: string | undefined
      before?: number | undefined
      limit?: number | undefined
    }
    readonly result: AdminEndedWithdrawalPage
  }
  'withdrawal/hold': { readonly request: MoneyFields; readonly result: AdminTransfer }
  'withdrawal/complete': {
    readonly request: AuditFields & { reference: string }
    readonly result: AdminTransfer
  }
  'withdrawal/cancel': {
    readonly request: AuditFields & { reference: string }
    readonly result: AdminTransfer
  }
  /** From then on the trader who asked for it cannot cancel it. */
  'withdrawal/claim': {
    readonly request: AuditFields & { reference: string }
    readonly result: AdminTransfer
  }
  /** As cancelling it; `reason` is for the trader who asked for it. */
  'withdrawal/refuse': {
    readonly request: AuditFields & { reference: string; reason: string }
    readonly result: AdminTransfer
  }
  'address/list': {
    readonly request: { account: string }
    readonly result: readonly AdminWithdrawalAddress[]
  }
  /** `atOnce`: without the delay that a new address waits. */
  'address/add': {
    readonly request: AuditFields &
      AdminAddressPlace & { label?: string | undefined; atOnce?: boolean | undefined }
    readonly result: AdminWithdrawalAddress
  }
  'address/remove': {
    readonly request: AuditFields & AdminAddressPlace
    readonly result: { readonly removed: boolean }
  }
}
