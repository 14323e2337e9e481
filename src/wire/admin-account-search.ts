/** The search of the accounts (docs/reference/admin.md#operations). */
import type { AdminAccount } from './admin-records.ts'

export type AdminFoundIn = 'NAME' | 'CUSTOMER_ID' | 'LABEL' | 'FIELD' | 'REMARK' | 'API_KEY' | 'KEY_LABEL'

export type AdminAccountFound = AdminAccount & {
  /** The first place that has the text, and what stands there. */
  readonly foundIn: AdminFoundIn
  readonly foundText: string
}

export type AdminAccountSearchPage = {
  /** Those whose name, customer id or key is the text first, then as `account/list` has them. */
  readonly accounts: readonly AdminAccountFound[]
  /** For `after` of the next question; null: all accounts were looked at. */
  readonly next: string | null
}
