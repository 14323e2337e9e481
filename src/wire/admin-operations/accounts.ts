/** Accounts, what they have, and their tiers of fees. */

import type { AccountRestriction } from '../../units/operator-words.ts'
import type { AdminAccountSearch, AdminAccountSearchPage } from '../admin-account-search.ts'
import type { AdminAccount, AdminBalance, AdminFeeTier } from '../admin-records.ts'
import type { AdminStory } from '../admin-support.ts'
import type { AdminPageFields, AuditFields } from './fields.ts'

export type AccountOperations = {
  'tier/list': { readonly request: AdminPageFields; readonly result: readonly AdminFeeTier[] }
  'tier/set': {
    readonly request: AuditFields & { name: string; makerShare: string; takerShare: string }
    readonly result: AdminFeeTier
  }
  'account/story': { readonly request: { account: string }; readonly result: AdminStory }
  'account/list': {
    readonly request: {
      after?: string | undefined
      limit?: number | undefined
      label?: string | undefined
    }
    readonly result: readonly AdminAccount[]
  }
  'account/find': { readonly request: { customerId: string }; readonly result: AdminAccount }
  'account/search': { readonly request: AdminAccountSearch; readonly result: AdminAccountSearchPage }
  /** What is not named stays; a field is `name=value`. An empty text, an empty list: none. */
  'account/note': {
    readonly request: AuditFields & {
      account: string
      customerId?: string | undefined
      labels?: string[] | undefined
      fields?: string[] | undefined
      remark?: string | undefined
    }
    readonly result: AdminAccount
  }
  /** What is not named stays. Both rates are given or neither, both empty: none of its own; `openOrdersMax` or `orderRateTimes` 0: none of its own. */
  'account/terms': {
    readonly request: AuditFields & {
      account: string
      makerRate?: string | undefined
      takerRate?: string | undefined
      openOrdersMax?: number | undefined
      orderRateTimes?: number | undefined
      /** Of what is named. Absent: without an end. */
      until?: string | undefined
    }
    readonly result: AdminAccount
  }
  /** `warnings`: what the name can be mistaken for, in sentences. */
  'account/add': {
    readonly request: AuditFields & { name: string }
    readonly result: AdminAccount & { readonly warnings: readonly string[] }
  }
  'account/show': { readonly request: { account: string }; readonly result: AdminAccount }
  'account/restrict': {
    readonly request: AuditFields & { account: string; restrictions: AccountRestriction[] }
    readonly result: AdminAccount
  }
  'account/freeze': { readonly request: AuditFields & { account: string }; readonly result: AdminAccount }
  'account/unfreeze': { readonly request: AuditFields & { account: string }; readonly result: AdminAccount }
  'account/close': { readonly request: AuditFields & { account: string }; readonly result: AdminAccount }
  /** `feeTier` empty: none; `openOrdersMax` 0: the symbols' own. What is not named stays. */
  'account/set': {
    readonly request: AuditFields & {
      account: string
      feeTier?: string | undefined
      openOrdersMax?: number | undefined
    }
    readonly result: AdminAccount
  }
  'balance/list': { readonly request: { account: string }; readonly result: readonly AdminBalance[] }
}
