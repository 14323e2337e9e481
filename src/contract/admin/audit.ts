/** The search of the audit trail (docs/reference/admin-operations.md#operations). */
import type { AdminAction } from './records.ts'

export type AdminAuditPage = {
  /** Newest first. */
  readonly actions: readonly AdminAction[]
  /** The `before` of the next request; null at the end of the trail. */
  readonly next: number | null
  /** Time of the last command that was searched. */
  readonly lookedBackTo: string | null
}
