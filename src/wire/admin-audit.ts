/** The search of the audit trail (docs/reference/admin.md#operations). */
import type { AdminAction } from './admin-records.ts'

export type AdminAuditPage = {
  /** Newest first. */
  readonly actions: readonly AdminAction[]
  /** For `before` of the next question; null: the trail has no more. */
  readonly next: number | null
  /** Time of the last command that was looked at. */
  readonly lookedBackTo: string | null
}
