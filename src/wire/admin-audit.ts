/** The search of the audit trail (docs/reference/admin.md#operations). */
import type { AdminAction } from './admin-records.ts'

/** Each alone and all together; `from` and `to`: a day, which is its beginning, or an ISO time, both included. */
export type AdminAuditSearch = {
  readonly before?: number | undefined
  readonly limit?: number | undefined
  readonly actor?: string | undefined
  readonly kind?: string | undefined
  /** What concerns it. */
  readonly account?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** In whatever is shown, in any letter case. */
  readonly text?: string | undefined
}

export type AdminAuditPage = {
  /** Newest first. */
  readonly actions: readonly AdminAction[]
  /** For `before` of the next question; null: the trail has no more. */
  readonly next: number | null
  /** Time of the last command that was looked at. */
  readonly lookedBackTo: string | null
}
