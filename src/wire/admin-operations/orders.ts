/** Orders of any account: shown and canceled. */
import type { AdminOrdersCanceled } from '../admin-records.ts'
import type { AdminFillPage, AdminOrder, AdminOrderPage, AdminOrderShown } from '../admin-support.ts'
import type { AuditFields } from './fields.ts'

export type OrderOperations = {
  /** Of an account, of a symbol, or of an account in a symbol. */
  'order/cancel-all': {
    readonly request: AuditFields & { account?: string | undefined; symbol?: string | undefined }
    readonly result: AdminOrdersCanceled
  }
  /** Open ones, or with `all` those that ended too; newest first. `before`: what `next` said. */
  'order/list': {
    readonly request: {
      account: string
      symbol?: string | undefined
      all?: boolean | undefined
      before?: string | undefined
      limit?: number | undefined
    }
    readonly result: AdminOrderPage
  }
  'order/cancel': { readonly request: AuditFields & { order: string }; readonly result: AdminOrder }
  /** By the order's id, or as `<account>:<client order id>`. */
  'order/show': { readonly request: { order: string }; readonly result: AdminOrderShown }
  'order/fills': {
    readonly request: { order: string; before?: string | undefined; limit?: number | undefined }
    readonly result: AdminFillPage
  }
}
