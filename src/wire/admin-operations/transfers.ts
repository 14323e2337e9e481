/** Money that comes, goes and moves, and the transfers that wait for a second person. */
import type { Bucket } from '../../units/order-words.ts'
import type { AdminApproval, AdminTransfer } from '../admin-records.ts'
import type { AdminTransferShown } from '../admin-support.ts'
import type { AdminPageFields, AuditFields, MoneyFields } from './fields.ts'

export type TransferOperations = {
  'money/credit': { readonly request: MoneyFields; readonly result: AdminTransfer }
  'money/debit': { readonly request: MoneyFields; readonly result: AdminTransfer }
  'money/move': {
    readonly request: MoneyFields & { from: MovableBucket; to: MovableBucket }
    readonly result: AdminTransfer
  }
  'savings/deposit': { readonly request: MoneyFields; readonly result: AdminTransfer }
  'savings/withdraw': { readonly request: MoneyFields; readonly result: AdminTransfer }
  'house/payout': { readonly request: Omit<MoneyFields, 'account'>; readonly result: AdminTransfer }
  'transfer/show': { readonly request: { reference: string }; readonly result: AdminTransferShown }
  'approval/list': { readonly request: AdminPageFields; readonly result: readonly AdminApproval[] }
  'approval/approve': {
    readonly request: AuditFields & { reference: string }
    readonly result: AdminTransfer
  }
  'approval/reject': { readonly request: AuditFields & { reference: string }; readonly result: AdminTransfer }
}

type MovableBucket = Exclude<Bucket, 'locked'>
